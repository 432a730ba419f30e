import type { Instalment } from '../../../domain/promotion.ts'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

export interface ApplicationRow {
  id: string
  customerId: string
  account: string | null
  nickname: string | null
  name: string | null
  phone: string | null
  status: 'pending' | 'approved' | 'refused'
  createTime: string
  decideTime: string | null
}

const APPLICATION = `id, customer_id as "customerId", account, nickname, name, phone, status,
  created_at as "createTime", decided_at as "decideTime"`

/** Stores an application; `null` if the customer already has an open one. */
export async function insertApplication(
  { rows }: Queries,
  application: Record<'customerId' | 'account' | 'nickname' | 'name' | 'phone', string>,
  now: Date,
): Promise<ApplicationRow | null> {
  const { customerId, account, nickname, name, phone } = application
  const [row] = await rows<ApplicationRow>(
    `insert into provider_application (id, customer_id, account, nickname, name, phone, status, created_at)
     values ($1::uuid, $2::uuid, $3, $4, $5, $6, 'pending', $7)
     on conflict (customer_id) where status = 'pending' do nothing returning ${APPLICATION}`,
    [newId(), customerId, account, nickname, name, phone, now.toISOString()],
  )
  return row ?? null
}

export async function newestApplication(
  { rows }: Queries,
  customerId: string,
): Promise<ApplicationRow | null> {
  const [row] = await rows<ApplicationRow>(
    `select ${APPLICATION} from provider_application where customer_id = $1::uuid order by id desc limit 1`,
    [customerId],
  )
  return row ?? null
}

export async function listApplications({ rows }: Queries, status: string): Promise<ApplicationRow[]> {
  return rows(`select ${APPLICATION} from provider_application where status = $1 order by id`, [status])
}

export async function applicantOf({ rows }: Queries, id: string): Promise<string | null> {
  const [row] = await rows<{ customerId: string }>(
    'select customer_id as "customerId" from provider_application where id = $1::uuid',
    [id],
  )
  return row?.customerId ?? null
}

/** Decides an open application and returns its customer's id; `null` if there is no open one with this id. */
export async function decideApplication(
  { rows }: Queries,
  id: string,
  status: 'approved' | 'refused',
  now: Date,
): Promise<string | null> {
  const [row] = await rows<{ customerId: string }>(
    `update provider_application set status = $2, decided_at = $3 where id = $1::uuid and status = 'pending'
     returning customer_id as "customerId"`,
    [id, status, now.toISOString()],
  )
  return row?.customerId ?? null
}

export async function makeProvider({ rows }: Queries, customerId: string, now: Date): Promise<void> {
  await rows(
    'update customer set provider_since = coalesce(provider_since, $2) where id = $1::uuid and deleted_at is null',
    [customerId, now.toISOString()],
  )
}

export async function providerOf({ rows }: Queries, customerId: string): Promise<string | null> {
  const [row] = await rows<{ id: string | null }>(
    'select provider_id as id from customer where id = $1::uuid',
    [customerId],
  )
  return row?.id ?? null
}

export async function insertInstalments(
  { rows }: Queries,
  owner: { providerId: string; customerId: string; orderId: string },
  instalments: readonly Instalment[],
): Promise<void> {
  await rows(
    `insert into instalment (provider_id, customer_id, order_id, number, cents, settles_on)
     select $1::uuid, $2::uuid, $3::uuid, * from unnest($4::smallint[], $5::bigint[], $6::date[])`,
    [
      owner.providerId,
      owner.customerId,
      owner.orderId,
      instalments.map(({ number }) => number),
      instalments.map(({ cents }) => cents),
      instalments.map(({ settlesOn }) => settlesOn),
    ],
  )
}

/** Cancels the instalments of a refunded order that settle after `today`. */
export async function cancelInstalments(
  { rows }: Queries,
  orderId: string,
  today: string,
  now: Date,
): Promise<void> {
  await rows(
    `update instalment set cancelled_at = $3 where order_id = $1::uuid and settles_on > $2::date and cancelled_at is null`,
    [orderId, today, now.toISOString()],
  )
}

export interface PromotionTotals {
  customers: number
  orders: number
  earnedCents: number
  settledCents: number
  withdrawnCents: number
  waitingCents: number
}

/** A provider's totals; `today` (a business day) decides what counts as settled. */
export async function readTotals(
  { rows }: Queries,
  providerId: string,
  today: string,
): Promise<PromotionTotals> {
  const [row] = await rows<PromotionTotals>(
    `select (select count(*) from customer where provider_id = $1::uuid) as customers,
       (select count(distinct i.order_id) from instalment i join vip_order o on o.id = i.order_id
        where i.provider_id = $1::uuid and o.state = 'accountPaid') as orders,
       (select coalesce(sum(cents), 0) from instalment where provider_id = $1::uuid and cancelled_at is null) as "earnedCents",
       (select coalesce(sum(cents), 0) from instalment
        where provider_id = $1::uuid and cancelled_at is null and settles_on <= $2::date) as "settledCents",
       (select coalesce(sum(cents), 0) from withdrawal where customer_id = $1::uuid and state = 'paid') as "withdrawnCents",
       (select coalesce(sum(cents), 0) from withdrawal where customer_id = $1::uuid and state = 'waiting') as "waitingCents"`,
    [providerId, today],
  )
  return row!
}

export interface ProviderCustomer {
  id: string
  nickname: string
  registerTime: string
  orders: number
  paidCents: number
  feeCents: number
}

export async function listProviderCustomers(
  { rows }: Queries,
  providerId: string,
  limit: number,
  offset: number,
): Promise<{ records: ProviderCustomer[]; total: number }> {
  const records = await rows<ProviderCustomer>(
    `select c.id, coalesce(c.nickname, '') as nickname, c.created_at as "registerTime",
       (select count(*) from vip_order o where o.customer_id = c.id and o.state = 'accountPaid') as orders,
       (select coalesce(sum(amount_cents), 0) from vip_order o
        where o.customer_id = c.id and o.state = 'accountPaid') as "paidCents",
       (select coalesce(sum(cents), 0) from instalment i
        where i.customer_id = c.id and i.provider_id = $1::uuid and i.cancelled_at is null) as "feeCents"
     from (select * from customer where provider_id = $1::uuid order by created_at desc, id desc limit $2 offset $3) as c
     order by c.created_at desc, c.id desc`,
    [providerId, limit, offset],
  )
  const [count] = await rows<{ total: number }>(
    'select count(*) as total from customer where provider_id = $1::uuid',
    [providerId],
  )
  return { records, total: count!.total }
}

export interface InstalmentRow {
  orderId: string
  nickname: string
  number: number
  of: number
  cents: number
  settlesOn: string
  cancelled: boolean
}

export async function listInstalments(
  { rows }: Queries,
  providerId: string,
  filter: { from: string | null; to: string | null; today: string; limit: number; offset: number },
): Promise<{ records: InstalmentRow[]; total: number }> {
  const where = `i.provider_id = $1::uuid and ($2::date is null or settles_on >= $2::date)
    and ($3::date is null or settles_on <= $3::date)`
  const order = `settles_on <= $4::date, case when settles_on > $4::date then settles_on end, settles_on desc,
    i.order_id, i.number`
  const records = await rows<InstalmentRow>(
    `select i.order_id as "orderId", coalesce(c.nickname, '') as nickname, i.number, o.months as "of", i.cents,
       i.settles_on as "settlesOn", i.cancelled_at is not null as cancelled
     from (select * from instalment i where ${where} order by ${order} limit $5 offset $6) as i
       join customer c on c.id = i.customer_id join vip_order o on o.id = i.order_id
     order by ${order}`,
    [providerId, filter.from, filter.to, filter.today, filter.limit, filter.offset],
  )
  const [count] = await rows<{ total: number }>(`select count(*) as total from instalment i where ${where}`, [
    providerId,
    filter.from,
    filter.to,
  ])
  return { records, total: count!.total }
}
