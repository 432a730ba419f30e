import type { Queries } from '../../db/database.ts'

/**
 * A customer as request handlers need it. Deleted accounts, whose columns are `null`, are never read through
 * this.
 */
export interface Customer {
  id: string
  account: string
  phone: string
  nickname: string
  realName: string | null
  gender: number
  headFile: string | null
  customerType: number
  vipStart: string | null
  vipEnd: string | null
  providerSince: string | null
}

const COLUMNS = `id, account, phone, nickname, real_name as "realName", gender, head_file as "headFile",
  customer_type as "customerType", vip_start as "vipStart", vip_end as "vipEnd", provider_since as "providerSince"`

export async function readCustomer({ rows }: Queries, id: string): Promise<Customer | null> {
  const [row] = await rows<Customer>(
    `select ${COLUMNS} from customer where id = $1::uuid and deleted_at is null`,
    [id],
  )
  return row ?? null
}

/**
 * Like `readCustomer`, but locks the row until the transaction ends, so that decisions based on it stay
 * valid. Rows that only reference the customer can still be written without waiting, which avoids deadlocks.
 */
export async function lockCustomer({ rows }: Queries, id: string): Promise<Customer | null> {
  const [row] = await rows<Customer>(
    `select ${COLUMNS} from customer where id = $1::uuid and deleted_at is null for no key update`,
    [id],
  )
  return row ?? null
}

export interface SignInRow {
  id: string
  passwordHash: string | null
}

/** Finds a customer by account name or by phone; both are unique. */
export async function findForSignIn(
  { rows }: Queries,
  account: string,
  phone: string | null,
): Promise<SignInRow | null> {
  const [row] = await rows<SignInRow>(
    `select id, password_hash as "passwordHash" from customer
     where (account = $1 or phone = $2) and deleted_at is null order by account = $1 desc limit 1`,
    [account, phone],
  )
  return row ?? null
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export async function findByAccount({ rows }: Queries, account: string): Promise<Customer | null> {
  const [row] = await rows<Customer>(
    `select ${COLUMNS} from customer where (account = $1 or phone = $1 or id = $2::uuid) and deleted_at is null`,
    [account, UUID.test(account) ? account : null],
  )
  return row ?? null
}

export interface NewCustomer {
  id: string
  account: string
  phone: string
  passwordHash: string | null
  nickname: string
  gender: number
  inviterId: string | null
  providerId: string | null
  demonstration: boolean
}

/** Inserts a customer. Returns `false` if the account or the phone already exists. */
export async function insertCustomer({ rows }: Queries, row: NewCustomer, now: Date): Promise<boolean> {
  const written = await rows(
    `insert into customer (id, account, phone, password_hash, nickname, gender, inviter_id, provider_id, demonstration, created_at)
     values ($1::uuid, $2, $3, $4, $5, $6, $7::uuid, $8::uuid, $9, $10) on conflict do nothing returning id`,
    [
      row.id,
      row.account,
      row.phone,
      row.passwordHash,
      row.nickname,
      row.gender,
      row.inviterId,
      row.providerId,
      row.demonstration,
      now.toISOString(),
    ],
  )
  return written.length === 1
}

/** The phone number of an account; `null` if the account was deleted. */
export async function readPhone({ rows }: Queries, id: string): Promise<string | null> {
  const [row] = await rows<{ phone: string | null }>('select phone from customer where id = $1::uuid', [id])
  return row?.phone ?? null
}

export async function readPasswordHash({ rows }: Queries, id: string): Promise<string | null> {
  const [row] = await rows<{ hash: string | null }>(
    'select password_hash as hash from customer where id = $1::uuid and deleted_at is null',
    [id],
  )
  return row?.hash ?? null
}

export async function writePasswordHash({ rows }: Queries, id: string, hash: string): Promise<void> {
  await rows('update customer set password_hash = $2 where id = $1::uuid and deleted_at is null', [id, hash])
}

export async function updateProfile(
  { rows }: Queries,
  id: string,
  change: { nickname?: string | undefined; realName?: string | undefined; gender?: number | undefined },
): Promise<void> {
  await rows(
    `update customer set nickname = coalesce($2, nickname), gender = coalesce($3::smallint, gender),
       real_name = case when $4::text is null then real_name else nullif($4, '') end
     where id = $1::uuid and deleted_at is null`,
    [id, change.nickname ?? null, change.gender ?? null, change.realName ?? null],
  )
}

export async function writeHeadFile({ rows }: Queries, id: string, fileId: string): Promise<void> {
  await rows(
    `delete from stored_file where id = (select head_file from customer where id = $1::uuid) and customer_id = $1::uuid`,
    [id],
  )
  await rows('update customer set head_file = $2::uuid where id = $1::uuid and deleted_at is null', [
    id,
    fileId,
  ])
}

export async function writeVip(
  { rows }: Queries,
  id: string,
  vip: { customerType: number; start: Date | null; end: Date | null },
): Promise<void> {
  await rows('update customer set customer_type = $2, vip_start = $3, vip_end = $4 where id = $1::uuid', [
    id,
    vip.customerType,
    vip.start?.toISOString() ?? null,
    vip.end?.toISOString() ?? null,
  ])
}

/** Deletes a customer's personal data from all tables; orders and ledger rows keep only the key. */
export async function eraseCustomer({ rows }: Queries, id: string, now: Date): Promise<void> {
  await rows('delete from verification_code where phone = (select phone from customer where id = $1::uuid)', [
    id,
  ])
  await rows(
    `update customer set account = null, phone = null, password_hash = null, nickname = null, real_name = null,
       gender = 0, head_file = null, deleted_at = $2 where id = $1::uuid`,
    [id, now.toISOString()],
  )
  await rows(
    `update bank_card set name = null, bank = null, number_sealed = null, last_four = null, number_hash = null,
       removed_at = coalesce(removed_at, $2) where customer_id = $1::uuid`,
    [id, now.toISOString()],
  )
  await rows(
    'update provider_application set account = null, nickname = null, name = null, phone = null where customer_id = $1::uuid',
    [id],
  )
  await rows('delete from stored_file where customer_id = $1::uuid', [id])
  await rows('delete from security_event where customer_id = $1::uuid', [id])
  await rows('delete from one_time_link where customer_id = $1::uuid', [id])
  await rows('delete from analytics_token where customer_id = $1::uuid', [id])
  await rows('delete from note where customer_id = $1::uuid', [id])
  await rows('delete from saved_view where customer_id = $1::uuid', [id])
  await rows('delete from frozen_rule where customer_id = $1::uuid', [id])
  await rows(`update visit set customer_id = null, client_id = '' where customer_id = $1::uuid`, [id])
  await rows('update access_token set revoked_at = $2 where customer_id = $1::uuid and revoked_at is null', [
    id,
    now.toISOString(),
  ])
}

/** All stored data of a customer, by table, except secrets. */
export async function readEverything({ rows }: Queries, id: string): Promise<Record<string, object[]>> {
  const list = (sql: string): Promise<object[]> => rows(sql, [id])
  return {
    account: await list(
      `select account, phone, nickname, real_name, gender, customer_type, vip_start, vip_end, provider_since,
         inviter_id, provider_id, created_at from customer where id = $1::uuid`,
    ),
    balances: await list(
      `select null as day, balance from voucher_wallet where customer_id = $1::uuid
       union all select day, balance from daily_voucher where customer_id = $1::uuid order by day`,
    ),
    pictures: await list(
      `select id, media_type, created_at, '/sys/common/static/' || id || '.webp' as address from stored_file
       where customer_id = $1::uuid order by id`,
    ),
    vouchers: await list(
      `select day, reason, amount, balance_before, balance_after, reference, created_at from voucher_ledger
       where customer_id = $1::uuid order by id`,
    ),
    subscriptions: await list(
      'select race_id, paid_with, created_at from subscription where customer_id = $1::uuid order by created_at, race_id',
    ),
    orders: await list(
      `select id, plan_id, months, original_cents, amount_cents, state, created_at, paid_at, closed_at, refunded_at
       from vip_order where customer_id = $1::uuid order by id`,
    ),
    activations: await list(
      `select activated_at, vip_start, vip_end, months, cancelled_at from vip_activation
       where customer_id = $1::uuid order by id`,
    ),
    shares: await list(
      'select reward_amount, before_num, after_num, created_at from share_log where customer_id = $1::uuid order by id',
    ),
    applications: await list(
      `select account, nickname, name, phone, status, created_at, decided_at from provider_application
       where customer_id = $1::uuid order by id`,
    ),
    bankCards: await list(
      'select name, bank, last_four, created_at, removed_at from bank_card where customer_id = $1::uuid order by id',
    ),
    withdrawals: await list(
      'select cents, state, created_at, decided_at from withdrawal where customer_id = $1::uuid order by id',
    ),
    instalments: await list(
      `select order_id, number, cents, settles_on, cancelled_at from instalment where provider_id = $1::uuid
       order by order_id, number`,
    ),
    visits: await list('select page, channel, at from visit where customer_id = $1::uuid order by id'),
    securityEvents: await list(
      'select kind, at from security_event where customer_id = $1::uuid order by at, id',
    ),
    analyticsTokens: await list(
      `select name, created_at, last_used_at, revoked_at from analytics_token where customer_id = $1::uuid
       order by created_at`,
    ),
    savedViews: await list(
      `select region_id, name, address, followed, created_at, updated_at from saved_view where customer_id = $1::uuid
       order by region_id, position`,
    ),
    notes: await list(
      `select region_id, horse_id, race_id, (select name from saved_view v where v.id = saved_view_id) as saved_view,
         content, created_at, updated_at from note where customer_id = $1::uuid order by created_at, id`,
    ),
    frozenRules: await list(
      `select region_id, name, address, universe, filter, rules, plan, frozen_at, ended_at, (
         select coalesce(json_agg(json_build_object('raceId', race_id, 'gameplayClass', gameplay_class,
           'combination', combination, 'odds', odds) order by race_id, gameplay_class, combination), '[]')::text
         from frozen_bet b where b.rule_id = frozen_rule.id) as bets
       from frozen_rule where customer_id = $1::uuid order by frozen_at`,
    ),
    signIns: await list(
      'select created_at, last_used_at, revoked_at from access_token where customer_id = $1::uuid order by created_at',
    ),
  }
}
