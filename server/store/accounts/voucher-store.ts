import { sql } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import {
  allRows,
  anyOf,
  anyRow,
  countRows,
  firstRow,
  instant,
  oneValue,
  run,
  statement,
} from '../../db/statement.ts'
import type { Tables } from '../../db/tables.ts'

export type PaidWith = Tables['subscription']['paidWith']

interface Change {
  customerId: string
  /** Business day of a daily balance; `null` for the no-expiry balance. */
  day: string | null
  reason: Tables['voucherLedger']['reason']
  amount: number
  reference: string
}

const writeLedger = (queries: Queries, change: Change, before: number, now: Date): Promise<void> =>
  statement
    .insertInto('voucherLedger')
    .values({
      id: newId(),
      ...change,
      balanceBefore: before,
      balanceAfter: before + change.amount,
      createdAt: now,
    })
    .$call(run(queries))

/** Creates a customer's no-expiry balance. Call it in the registering transaction. */
export async function openWallet(
  queries: Queries,
  customerId: string,
  amount: number,
  now: Date,
): Promise<void> {
  await statement.insertInto('voucherWallet').values({ customerId, balance: amount }).$call(run(queries))
  if (amount === 0) return
  const change = { customerId, day: null, reason: 'register', amount, reference: customerId } as const
  await writeLedger(queries, change, 0, now)
}

/** Adds no-expiry vouchers with their ledger row and returns the balance before. Call it in a transaction. */
export async function addVouchers(queries: Queries, change: Omit<Change, 'day'>, now: Date): Promise<number> {
  const row = await statement
    .updateTable('voucherWallet')
    .set(({ eb }) => ({ balance: eb('balance', '+', change.amount) }))
    .where('customerId', '=', change.customerId)
    .returning('balance')
    .$call(firstRow(queries))
  const before = row!.balance - change.amount
  await writeLedger(queries, { ...change, day: null }, before, now)
  return before
}

/** Vouchers left for a day and without expiry; `quota` is the daily balance of an untouched day. */
export async function readBalances(queries: Queries, customerId: string, day: string, quota: number) {
  const row = await statement
    .selectFrom('voucherWallet as w')
    .leftJoin('dailyVoucher as d', (join) =>
      join.onRef('d.customerId', '=', 'w.customerId').on('d.day', '=', day),
    )
    .select(['w.balance as noExpiry', 'd.balance as daily'])
    .where('w.customerId', '=', customerId)
    .$call(firstRow(queries))
  return { daily: row?.daily ?? quota, noExpiry: row?.noExpiry ?? 0 }
}

/** Opens a day's balance. Returns whether it was not open before. */
const openDay = (queries: Queries, customerId: string, day: string, balance: number): Promise<boolean> =>
  statement
    .insertInto('dailyVoucher')
    .values({ customerId, day, balance })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .$call(anyRow(queries))

/** Spends a daily voucher, else a no-expiry one; `null` if there is none. Lock the customer before. */
export async function spendVoucher(
  queries: Queries,
  spend: { customerId: string; day: string; quota: number; reference: string },
  now: Date,
): Promise<'daily' | 'no_expiry' | null> {
  const { customerId, day, quota, reference } = spend
  if (quota > 0 && (await openDay(queries, customerId, day, quota)))
    await writeLedger(queries, { customerId, day, reason: 'daily', amount: quota, reference: day }, 0, now)
  const daily = await statement
    .updateTable('dailyVoucher')
    .set(({ eb }) => ({ balance: eb('balance', '-', 1) }))
    .where('customerId', '=', customerId)
    .where('day', '=', day)
    .where('balance', '>', 0)
    .returning('balance')
    .$call(firstRow(queries))
  const change = { customerId, reason: 'subscribe', amount: -1, reference } as const
  if (daily) {
    await writeLedger(queries, { ...change, day }, daily.balance + 1, now)
    return 'daily'
  }
  const wallet = await statement
    .updateTable('voucherWallet')
    .set(({ eb }) => ({ balance: eb('balance', '-', 1) }))
    .where('customerId', '=', customerId)
    .where('balance', '>', 0)
    .returning('balance')
    .$call(firstRow(queries))
  if (!wallet) return null
  await writeLedger(queries, { ...change, day: null }, wallet.balance + 1, now)
  return 'no_expiry'
}

export const readSubscription = (
  queries: Queries,
  customerId: string,
  raceId: string,
): Promise<PaidWith | null> =>
  statement
    .selectFrom('subscription')
    .select('paidWith')
    .where('customerId', '=', customerId)
    .where('raceId', '=', raceId)
    .$call(oneValue(queries))

export const insertSubscription = (
  queries: Queries,
  customerId: string,
  raceId: string,
  paidWith: PaidWith,
  now: Date,
): Promise<void> =>
  statement
    .insertInto('subscription')
    .values({ customerId, raceId, paidWith, createdAt: now })
    .$call(run(queries))

/**
 * Locks races again that a customer unlocked as a VIP since an instant, at a time that no remaining VIP
 * period covers.
 */
export const closeVipRaces = (queries: Queries, customerId: string, since: Date): Promise<void> =>
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
    )
    .$call(run(queries))

/** Ids of those of the races that a customer unlocked. */
export async function subscribedAmong(queries: Queries, customerId: string, raceIds: readonly string[]) {
  const found = await statement
    .selectFrom('subscription')
    .select('raceId')
    .where('customerId', '=', customerId)
    .where('raceId', '=', anyOf(raceIds))
    .$call(allRows(queries))
  return new Set(found.map(({ raceId }) => raceId))
}

/** Whether a customer unlocked races of a region that are older than `from`, or any race if `anyAge`. */
export const hasOpenedBefore = (
  queries: Queries,
  customerId: string,
  regionId: string,
  from: string,
  anyAge: boolean,
): Promise<boolean> =>
  statement
    .selectFrom('subscription')
    .innerJoin('race', 'race.id', 'subscription.raceId')
    .select('raceId')
    .where('customerId', '=', customerId)
    .where('regionId', '=', regionId)
    .$if(!anyAge, (opened) => opened.where('raceDate', '<', from))
    .limit(1)
    .$call(anyRow(queries))

/** Which of the races each of the customers unlocked. */
export const openedPairs = (
  queries: Queries,
  customerIds: readonly string[],
  raceIds: readonly string[],
): Promise<{ customerId: string; raceId: string }[]> =>
  statement
    .selectFrom('subscription')
    .select(['customerId', 'raceId'])
    .where('customerId', '=', anyOf(customerIds))
    .where('raceId', '=', anyOf(raceIds))
    .$call(allRows(queries))

/** Ids of those of the customers who unlocked a race. */
export async function subscribersAmong(queries: Queries, raceId: string, customerIds: readonly string[]) {
  const found = await statement
    .selectFrom('subscription')
    .select('customerId')
    .where('raceId', '=', raceId)
    .where('customerId', '=', anyOf(customerIds))
    .$call(allRows(queries))
  return new Set(found.map(({ customerId }) => customerId))
}

export async function listLedger(queries: Queries, customerId: string, limit: number, offset: number) {
  const changes = statement.selectFrom('voucherLedger').where('customerId', '=', customerId)
  const records = await changes
    .select([
      'id',
      sql<'daily' | 'no_expiry'>`case when day is null then 'no_expiry' else 'daily' end`.as('kind'),
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
    .offset(offset)
    .$call(allRows(queries))
  return { records, total: await changes.$call(countRows(queries)) }
}

/** What a phone's earlier account left behind; `null`, after recording the phone, if there was none. */
export async function meetPerson(queries: Queries, phoneHash: string) {
  const isFresh = await statement
    .insertInto('knownPerson')
    .values({ phoneHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('phoneHash')
    .$call(anyRow(queries))
  if (isFresh) return null
  const known = await statement
    .selectFrom('knownPerson')
    .select(['day', 'dailyLeft'])
    .where('phoneHash', '=', phoneHash)
    .forUpdate()
    .$call(firstRow(queries))
  return { day: known?.day ?? null, dailyLeft: known?.dailyLeft ?? 0 }
}

/** Records that a phone's account was deleted on a day, with the remaining daily vouchers of that day. */
export const rememberPerson = (
  queries: Queries,
  phoneHash: string,
  day: string,
  dailyLeft: number,
): Promise<void> =>
  statement
    .insertInto('knownPerson')
    .values({ phoneHash, day, dailyLeft })
    .onConflict((conflict) => conflict.column('phoneHash').doUpdateSet({ day, dailyLeft }))
    .$call(run(queries))

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
  await statement.insertInto('dailyVoucher').values({ customerId, day, balance: left }).$call(run(queries))
  if (left === 0) return
  await writeLedger(queries, { customerId, day, reason: 'daily', amount: left, reference: day }, 0, now)
}

/** Records that a person was rewarded. Returns whether the person was new. Call it in a transaction. */
export const isNewPerson = (queries: Queries, phoneHash: string): Promise<boolean> =>
  statement
    .insertInto('rewardedPerson')
    .values({ phoneHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('phoneHash')
    .$call(anyRow(queries))

/** `rewardType` of a share-log row: no-expiry vouchers. */
const NO_EXPIRY_REWARD = 1

export const insertShareLog = (
  queries: Queries,
  share: { customerId: string; recipientId: string; amount: number; before: number },
  now: Date,
): Promise<void> =>
  statement
    .insertInto('shareLog')
    .values({
      id: newId(),
      customerId: share.customerId,
      recipientId: share.recipientId,
      rewardType: NO_EXPIRY_REWARD,
      rewardAmount: share.amount,
      beforeNum: share.before,
      afterNum: share.before + share.amount,
      createdAt: now,
    })
    .$call(run(queries))

export async function listShareLog(queries: Queries, customerId: string, limit: number, offset: number) {
  const shares = statement.selectFrom('shareLog as s').where('s.customerId', '=', customerId)
  const records = await shares
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
    .offset(offset)
    .$call(allRows(queries))
  return { records, total: await shares.$call(countRows(queries)) }
}
