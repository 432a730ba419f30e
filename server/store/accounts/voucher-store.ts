import { sql } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, anyOf, countRows, firstRow, instant, run, statement } from '../../db/statement.ts'

type VoucherReason = 'register' | 'daily' | 'subscribe' | 'share' | 'operator'
export type PaidWith = 'daily' | 'no_expiry' | 'vip'

interface Change {
  customerId: string
  /** Business day of a daily balance; `null` for the no-expiry balance. */
  day: string | null
  reason: VoucherReason
  amount: number
  reference: string
}

const writeLedger = (queries: Queries, change: Change, before: number, now: Date): Promise<void> => {
  const { customerId, day, reason, amount, reference } = change
  return run(
    queries,
    statement.insertInto('voucherLedger').values({
      id: newId(),
      customerId,
      day,
      reason,
      amount,
      balanceBefore: before,
      balanceAfter: before + amount,
      reference,
      createdAt: now,
    }),
  )
}

/** Creates a customer's no-expiry balance. Call it in the registering transaction. */
export async function openWallet(
  queries: Queries,
  customerId: string,
  amount: number,
  now: Date,
): Promise<void> {
  await run(queries, statement.insertInto('voucherWallet').values({ customerId, balance: amount }))
  if (amount === 0) return
  await writeLedger(
    queries,
    { customerId, day: null, reason: 'register', amount, reference: customerId },
    0,
    now,
  )
}

/** Adds no-expiry vouchers with their ledger row and returns the balance before. Call it in a transaction. */
export async function addVouchers(queries: Queries, change: Omit<Change, 'day'>, now: Date): Promise<number> {
  const row = await firstRow(
    queries,
    statement
      .updateTable('voucherWallet')
      .set(({ eb }) => ({ balance: eb('balance', '+', change.amount) }))
      .where('customerId', '=', change.customerId)
      .returning('balance'),
  )
  const before = row!.balance - change.amount
  await writeLedger(queries, { ...change, day: null }, before, now)
  return before
}

/** Vouchers left for a day and without expiry; `quota` is the daily balance of an untouched day. */
export async function readBalances(
  queries: Queries,
  customerId: string,
  day: string,
  quota: number,
): Promise<{ daily: number; noExpiry: number }> {
  const row = await firstRow(
    queries,
    statement
      .selectFrom('voucherWallet as w')
      .leftJoin('dailyVoucher as d', (join) =>
        join.onRef('d.customerId', '=', 'w.customerId').on('d.day', '=', day),
      )
      .select(['w.balance as noExpiry', 'd.balance as daily'])
      .where('w.customerId', '=', customerId),
  )
  return { daily: row?.daily ?? quota, noExpiry: row?.noExpiry ?? 0 }
}

/** Opens a day's balance. Returns whether it was not open before. */
async function openDay(queries: Queries, customerId: string, day: string, balance: number): Promise<boolean> {
  const opened = await firstRow(
    queries,
    statement
      .insertInto('dailyVoucher')
      .values({ customerId, day, balance })
      .onConflict((conflict) => conflict.doNothing())
      .returning('day'),
  )
  return opened !== null
}

/** Spends a daily voucher, else a no-expiry one; `null` if there is none. Lock the customer before. */
export async function spendVoucher(
  queries: Queries,
  spend: { customerId: string; day: string; quota: number; reference: string },
  now: Date,
): Promise<'daily' | 'no_expiry' | null> {
  const { customerId, day, quota, reference } = spend
  if (quota > 0 && (await openDay(queries, customerId, day, quota)))
    await writeLedger(queries, { customerId, day, reason: 'daily', amount: quota, reference: day }, 0, now)
  const daily = await firstRow(
    queries,
    statement
      .updateTable('dailyVoucher')
      .set(({ eb }) => ({ balance: eb('balance', '-', 1) }))
      .where('customerId', '=', customerId)
      .where('day', '=', day)
      .where('balance', '>', 0)
      .returning('balance'),
  )
  const change = { customerId, reason: 'subscribe', amount: -1, reference } as const
  if (daily) {
    await writeLedger(queries, { ...change, day }, daily.balance + 1, now)
    return 'daily'
  }
  const wallet = await firstRow(
    queries,
    statement
      .updateTable('voucherWallet')
      .set(({ eb }) => ({ balance: eb('balance', '-', 1) }))
      .where('customerId', '=', customerId)
      .where('balance', '>', 0)
      .returning('balance'),
  )
  if (!wallet) return null
  await writeLedger(queries, { ...change, day: null }, wallet.balance + 1, now)
  return 'no_expiry'
}

export async function readSubscription(
  queries: Queries,
  customerId: string,
  raceId: string,
): Promise<PaidWith | null> {
  const row = await firstRow(
    queries,
    statement
      .selectFrom('subscription')
      .select('paidWith')
      .where('customerId', '=', customerId)
      .where('raceId', '=', raceId),
  )
  return row?.paidWith ?? null
}

export const insertSubscription = (
  queries: Queries,
  customerId: string,
  raceId: string,
  paidWith: PaidWith,
  now: Date,
): Promise<void> =>
  run(queries, statement.insertInto('subscription').values({ customerId, raceId, paidWith, createdAt: now }))

/**
 * Locks races again that a customer unlocked as a VIP since an instant, at a time that no remaining VIP
 * period covers.
 */
export const closeVipRaces = (queries: Queries, customerId: string, since: Date): Promise<void> =>
  run(
    queries,
    statement
      .deleteFrom('subscription as s')
      .where('s.customerId', '=', customerId)
      .where('s.paidWith', '=', 'vip')
      .where('s.createdAt', '>=', instant(since))
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('vipActivation as a')
              .select('a.id')
              .whereRef('a.customerId', '=', 's.customerId')
              .where('a.cancelledAt', 'is', null)
              .whereRef('s.createdAt', '>=', 'a.vipStart')
              .whereRef('s.createdAt', '<', 'a.vipEnd'),
          ),
        ),
      ),
  )

/** Ids of those of the races that a customer unlocked. */
export async function subscribedAmong(
  queries: Queries,
  customerId: string,
  raceIds: readonly string[],
): Promise<Set<string>> {
  const found = await allRows(
    queries,
    statement
      .selectFrom('subscription')
      .select('raceId')
      .where('customerId', '=', customerId)
      .where('raceId', '=', anyOf(raceIds)),
  )
  return new Set(found.map(({ raceId }) => raceId))
}

/** Whether a customer unlocked races of a region that are older than `from`, or any race if `anyAge`. */
export async function hasOpenedBefore(
  queries: Queries,
  customerId: string,
  regionId: string,
  from: string,
  anyAge: boolean,
): Promise<boolean> {
  const found = await firstRow(
    queries,
    statement
      .selectFrom('subscription')
      .innerJoin('race', 'race.id', 'subscription.raceId')
      .select('raceId')
      .where('customerId', '=', customerId)
      .where('regionId', '=', regionId)
      .$if(!anyAge, (opened) => opened.where('raceDate', '<', from))
      .limit(1),
  )
  return found !== null
}

/** Ids of those of the customers who unlocked a race. */
export async function subscribersAmong(
  queries: Queries,
  raceId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const found = await allRows(
    queries,
    statement
      .selectFrom('subscription')
      .select('customerId')
      .where('raceId', '=', raceId)
      .where('customerId', '=', anyOf(customerIds)),
  )
  return new Set(found.map(({ customerId }) => customerId))
}

export interface LedgerRow {
  id: string
  kind: 'daily' | 'no_expiry'
  day: string | null
  reason: VoucherReason
  amount: number
  before: number
  after: number
  reference: string
  createTime: string
}

export async function listLedger(
  queries: Queries,
  customerId: string,
  limit: number,
  offset: number,
): Promise<{ records: LedgerRow[]; total: number }> {
  const changes = statement.selectFrom('voucherLedger').where('customerId', '=', customerId)
  const records = await allRows(
    queries,
    changes
      .select([
        'id',
        sql<LedgerRow['kind']>`case when day is null then 'no_expiry' else 'daily' end`.as('kind'),
        'day',
        'reason',
        'amount',
        'balanceBefore as before',
        'balanceAfter as after',
        'reference',
        'createdAt as createTime',
      ])
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset),
  )
  return { records, total: await countRows(queries, changes) }
}

/** What a phone's earlier account left behind; `null`, after recording the phone, if there was none. */
export async function meetPerson(
  queries: Queries,
  phoneHash: string,
): Promise<{ day: string | null; dailyLeft: number } | null> {
  const fresh = await firstRow(
    queries,
    statement
      .insertInto('knownPerson')
      .values({ phoneHash })
      .onConflict((conflict) => conflict.doNothing())
      .returning('phoneHash'),
  )
  if (fresh) return null
  const known = await firstRow(
    queries,
    statement
      .selectFrom('knownPerson')
      .select(['day', 'dailyLeft'])
      .where('phoneHash', '=', phoneHash)
      .forUpdate(),
  )
  return { day: known?.day ?? null, dailyLeft: known?.dailyLeft ?? 0 }
}

/** Records that a phone's account was deleted on a day, with the remaining daily vouchers of that day. */
export const rememberPerson = (
  queries: Queries,
  phoneHash: string,
  day: string,
  dailyLeft: number,
): Promise<void> =>
  run(
    queries,
    statement
      .insertInto('knownPerson')
      .values({ phoneHash, day, dailyLeft })
      .onConflict((conflict) => conflict.column('phoneHash').doUpdateSet({ day, dailyLeft })),
  )

/**
 * Gives a new account the daily vouchers that an earlier account of the same phone has left that day. Call it
 * in the registering transaction.
 */
export async function continueDay(
  queries: Queries,
  customerId: string,
  day: string,
  left: number,
  now: Date,
): Promise<void> {
  await run(queries, statement.insertInto('dailyVoucher').values({ customerId, day, balance: left }))
  if (left === 0) return
  await writeLedger(queries, { customerId, day, reason: 'daily', amount: left, reference: day }, 0, now)
}

/** Records that a person was rewarded. Returns whether the person was new. Call it in a transaction. */
export async function isNewPerson(queries: Queries, phoneHash: string): Promise<boolean> {
  const written = await firstRow(
    queries,
    statement
      .insertInto('rewardedPerson')
      .values({ phoneHash })
      .onConflict((conflict) => conflict.doNothing())
      .returning('phoneHash'),
  )
  return written !== null
}

/** `rewardType` of a share-log row: no-expiry vouchers. */
const NO_EXPIRY_REWARD = 1

export const insertShareLog = (
  queries: Queries,
  share: { customerId: string; recipientId: string; amount: number; before: number },
  now: Date,
): Promise<void> =>
  run(
    queries,
    statement.insertInto('shareLog').values({
      id: newId(),
      customerId: share.customerId,
      recipientId: share.recipientId,
      rewardType: NO_EXPIRY_REWARD,
      rewardAmount: share.amount,
      beforeNum: share.before,
      afterNum: share.before + share.amount,
      createdAt: now,
    }),
  )

export interface ShareRow {
  recipient: string
  createTime: string
  rewardType: number
  rewardAmount: number
  beforeNum: number
  afterNum: number
}

export async function listShareLog(
  queries: Queries,
  customerId: string,
  limit: number,
  offset: number,
): Promise<{ records: ShareRow[]; total: number }> {
  const shares = statement.selectFrom('shareLog as s').where('s.customerId', '=', customerId)
  const records = await allRows(
    queries,
    shares
      .innerJoin('customer as c', 'c.id', 's.recipientId')
      .select(({ fn }) => [
        fn.coalesce('c.nickname', sql.lit('')).as('recipient'),
        's.createdAt as createTime',
        's.rewardType',
        's.rewardAmount',
        's.beforeNum',
        's.afterNum',
      ])
      .orderBy('s.id', 'desc')
      .limit(limit)
      .offset(offset),
  )
  return { records, total: await countRows(queries, shares) }
}
