import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

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

async function writeLedger({ rows }: Queries, change: Change, before: number, now: Date): Promise<void> {
  await rows(
    `insert into voucher_ledger (id, customer_id, day, reason, amount, balance_before, balance_after, reference, created_at)
     values ($1::uuid, $2::uuid, $3::date, $4, $5, $6, $7, $8, $9)`,
    [
      newId(),
      change.customerId,
      change.day,
      change.reason,
      change.amount,
      before,
      before + change.amount,
      change.reference,
      now.toISOString(),
    ],
  )
}

/** Creates a customer's no-expiry balance. Call it in the registering transaction. */
export async function openWallet(
  queries: Queries,
  customerId: string,
  amount: number,
  now: Date,
): Promise<void> {
  await queries.rows('insert into voucher_wallet (customer_id, balance) values ($1::uuid, $2)', [
    customerId,
    amount,
  ])
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
  const [row] = await queries.rows<{ balance: number }>(
    'update voucher_wallet set balance = balance + $2 where customer_id = $1::uuid returning balance',
    [change.customerId, change.amount],
  )
  const before = row!.balance - change.amount
  await writeLedger(queries, { ...change, day: null }, before, now)
  return before
}

/** Vouchers left for a day and without expiry; `quota` is the daily balance of an untouched day. */
export async function readBalances(
  { rows }: Queries,
  customerId: string,
  day: string,
  quota: number,
): Promise<{ daily: number; noExpiry: number }> {
  const [row] = await rows<{ daily: number | null; noExpiry: number }>(
    `select w.balance as "noExpiry", d.balance as daily from voucher_wallet w
     left join daily_voucher d on d.customer_id = w.customer_id and d.day = $2::date where w.customer_id = $1::uuid`,
    [customerId, day],
  )
  return { daily: row?.daily ?? quota, noExpiry: row?.noExpiry ?? 0 }
}

/** Spends a daily voucher, else a no-expiry one; `null` if there is none. Lock the customer before. */
export async function spendVoucher(
  queries: Queries,
  spend: { customerId: string; day: string; quota: number; reference: string },
  now: Date,
): Promise<'daily' | 'no_expiry' | null> {
  const { customerId, day, quota, reference } = spend
  if (quota > 0) {
    const opened = await queries.rows(
      `insert into daily_voucher (customer_id, day, balance) values ($1::uuid, $2::date, $3)
       on conflict do nothing returning day`,
      [customerId, day, quota],
    )
    if (opened.length === 1) {
      await writeLedger(queries, { customerId, day, reason: 'daily', amount: quota, reference: day }, 0, now)
    }
  }
  const [daily] = await queries.rows<{ balance: number }>(
    `update daily_voucher set balance = balance - 1 where customer_id = $1::uuid and day = $2::date and balance > 0
     returning balance`,
    [customerId, day],
  )
  const change = { customerId, reason: 'subscribe', amount: -1, reference } as const
  if (daily) {
    await writeLedger(queries, { ...change, day }, daily.balance + 1, now)
    return 'daily'
  }
  const [wallet] = await queries.rows<{ balance: number }>(
    'update voucher_wallet set balance = balance - 1 where customer_id = $1::uuid and balance > 0 returning balance',
    [customerId],
  )
  if (!wallet) return null
  await writeLedger(queries, { ...change, day: null }, wallet.balance + 1, now)
  return 'no_expiry'
}

export async function readSubscription(
  { rows }: Queries,
  customerId: string,
  raceId: string,
): Promise<PaidWith | null> {
  const [row] = await rows<{ paidWith: PaidWith }>(
    'select paid_with as "paidWith" from subscription where customer_id = $1::uuid and race_id = $2',
    [customerId, raceId],
  )
  return row?.paidWith ?? null
}

export async function insertSubscription(
  { rows }: Queries,
  customerId: string,
  raceId: string,
  paidWith: PaidWith,
  now: Date,
): Promise<void> {
  await rows(
    'insert into subscription (customer_id, race_id, paid_with, created_at) values ($1::uuid, $2, $3, $4)',
    [customerId, raceId, paidWith, now.toISOString()],
  )
}

/**
 * Locks races again that a customer unlocked as a VIP since an instant, at a time that no remaining VIP
 * period covers.
 */
export async function closeVipRaces({ rows }: Queries, customerId: string, since: Date): Promise<void> {
  await rows(
    `delete from subscription s where s.customer_id = $1::uuid and s.paid_with = 'vip' and s.created_at >= $2
       and not exists (select 1 from vip_activation a where a.customer_id = s.customer_id and a.cancelled_at is null
         and s.created_at >= a.vip_start and s.created_at < a.vip_end)`,
    [customerId, since.toISOString()],
  )
}

/** Ids of those of the races that a customer unlocked. */
export async function subscribedAmong(
  { rows }: Queries,
  customerId: string,
  raceIds: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ raceId: string }>(
    'select race_id as "raceId" from subscription where customer_id = $1::uuid and race_id = any($2::text[])',
    [customerId, raceIds],
  )
  return new Set(found.map(({ raceId }) => raceId))
}

/** Whether a customer unlocked races of a region that are older than `from`, or any race if `anyAge`. */
export async function hasOpenedBefore(
  { rows }: Queries,
  customerId: string,
  regionId: string,
  from: string,
  anyAge: boolean,
): Promise<boolean> {
  const found = await rows(
    `select 1 from subscription join race on race.id = subscription.race_id
     where customer_id = $1::uuid and region_id = $2 and ($4::boolean or race_date < $3::date) limit 1`,
    [customerId, regionId, from, anyAge],
  )
  return found.length > 0
}

/** Ids of those of the customers who unlocked a race. */
export async function subscribersAmong(
  { rows }: Queries,
  raceId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    'select customer_id as id from subscription where race_id = $1 and customer_id = any($2::uuid[])',
    [raceId, customerIds],
  )
  return new Set(found.map(({ id }) => id))
}

export interface LedgerRow {
  id: string
  kind: 'daily' | 'no_expiry'
  day: string | null
  reason: string
  amount: number
  before: number
  after: number
  reference: string
  createTime: string
}

export async function listLedger(
  { rows }: Queries,
  customerId: string,
  limit: number,
  offset: number,
): Promise<{ records: LedgerRow[]; total: number }> {
  const records = await rows<LedgerRow>(
    `select id, case when day is null then 'no_expiry' else 'daily' end as kind, day, reason, amount,
       balance_before as before, balance_after as after, reference, created_at as "createTime"
     from voucher_ledger where customer_id = $1::uuid order by id desc limit $2 offset $3`,
    [customerId, limit, offset],
  )
  const [count] = await rows<{ total: number }>(
    'select count(*) as total from voucher_ledger where customer_id = $1::uuid',
    [customerId],
  )
  return { records, total: count!.total }
}

/** What a phone's earlier account left behind; `null`, after recording the phone, if there was none. */
export async function meetPerson(
  { rows }: Queries,
  phoneHash: string,
): Promise<{ day: string | null; dailyLeft: number } | null> {
  const fresh = await rows(
    'insert into known_person (phone_hash) values ($1) on conflict do nothing returning phone_hash',
    [phoneHash],
  )
  if (fresh.length === 1) return null
  const [known] = await rows<{ day: string | null; dailyLeft: number | null }>(
    'select day, daily_left as "dailyLeft" from known_person where phone_hash = $1 for update',
    [phoneHash],
  )
  return { day: known?.day ?? null, dailyLeft: known?.dailyLeft ?? 0 }
}

/** Records that a phone's account was deleted on a day, with the remaining daily vouchers of that day. */
export async function rememberPerson(
  { rows }: Queries,
  phoneHash: string,
  day: string,
  dailyLeft: number,
): Promise<void> {
  await rows(
    `insert into known_person (phone_hash, day, daily_left) values ($1, $2::date, $3)
     on conflict (phone_hash) do update set day = excluded.day, daily_left = excluded.daily_left`,
    [phoneHash, day, dailyLeft],
  )
}

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
  await queries.rows(
    'insert into daily_voucher (customer_id, day, balance) values ($1::uuid, $2::date, $3)',
    [customerId, day, left],
  )
  if (left === 0) return
  await writeLedger(queries, { customerId, day, reason: 'daily', amount: left, reference: day }, 0, now)
}

/** Records that a person was rewarded. Returns whether the person was new. Call it in a transaction. */
export async function isNewPerson({ rows }: Queries, phoneHash: string): Promise<boolean> {
  const written = await rows(
    'insert into rewarded_person (phone_hash) values ($1) on conflict do nothing returning phone_hash',
    [phoneHash],
  )
  return written.length === 1
}

/** `rewardType` of a share-log row: no-expiry vouchers. */
const NO_EXPIRY_REWARD = 1

export async function insertShareLog(
  { rows }: Queries,
  share: { customerId: string; recipientId: string; amount: number; before: number },
  now: Date,
): Promise<void> {
  await rows(
    `insert into share_log (id, customer_id, recipient_id, reward_type, reward_amount, before_num, after_num, created_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8)`,
    [
      newId(),
      share.customerId,
      share.recipientId,
      NO_EXPIRY_REWARD,
      share.amount,
      share.before,
      share.before + share.amount,
      now.toISOString(),
    ],
  )
}

export interface ShareRow {
  recipient: string
  createTime: string
  rewardType: number
  rewardAmount: number
  beforeNum: number
  afterNum: number
}

export async function listShareLog(
  { rows }: Queries,
  customerId: string,
  limit: number,
  offset: number,
): Promise<{ records: ShareRow[]; total: number }> {
  const records = await rows<ShareRow>(
    `select coalesce(c.nickname, '') as recipient, s.created_at as "createTime", reward_type as "rewardType",
       reward_amount as "rewardAmount", before_num as "beforeNum", after_num as "afterNum"
     from share_log s join customer c on c.id = s.recipient_id
     where s.customer_id = $1::uuid order by s.id desc limit $2 offset $3`,
    [customerId, limit, offset],
  )
  const [count] = await rows<{ total: number }>(
    'select count(*) as total from share_log where customer_id = $1::uuid',
    [customerId],
  )
  return { records, total: count!.total }
}
