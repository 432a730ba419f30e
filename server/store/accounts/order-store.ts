import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { bumpSite } from '../operation/site-store.ts'

export interface PlanRow {
  id: string
  customerType: number
  nameEn: string
  nameHant: string
  nameHans: string
  months: number
  priceCents: number
  sellingCents: number
}

const PLAN = `id, customer_type as "customerType", name_en as "nameEn", name_hant as "nameHant", name_hans as "nameHans",
  months, price_cents as "priceCents", selling_cents as "sellingCents"`

export async function listPlans({ rows }: Queries, category: number): Promise<PlanRow[]> {
  return rows(`select ${PLAN} from vip_plan where category = $1 and active order by months, id`, [category])
}

export async function readPlan({ rows }: Queries, id: string): Promise<PlanRow | null> {
  const [row] = await rows<PlanRow>(`select ${PLAN} from vip_plan where id = $1 and active`, [id])
  return row ?? null
}

export interface PlanDraft extends PlanRow {
  category: number
  active: boolean
}

export async function upsertPlan(queries: Queries, plan: PlanDraft): Promise<void> {
  await queries.rows(
    `insert into vip_plan (id, category, customer_type, name_en, name_hant, name_hans, months, price_cents, selling_cents, active)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update set category = excluded.category, customer_type = excluded.customer_type,
       name_en = excluded.name_en, name_hant = excluded.name_hant, name_hans = excluded.name_hans,
       months = excluded.months, price_cents = excluded.price_cents, selling_cents = excluded.selling_cents,
       active = excluded.active`,
    [
      plan.id,
      plan.category,
      plan.customerType,
      plan.nameEn,
      plan.nameHant,
      plan.nameHans,
      plan.months,
      plan.priceCents,
      plan.sellingCents,
      plan.active,
    ],
  )
  await bumpSite(queries)
}

export type OrderState = 'obligation' | 'accountPaid' | 'closed' | 'refunded'

export interface OrderRow {
  id: string
  customerId: string
  planId: string
  customerType: number
  months: number
  originalCents: number
  amountCents: number
  /** Stored state: an open order past `expiresAt` counts as closed. */
  state: OrderState
  gateway: string
  gatewayReference: string | null
  paymentReference: string | null
  payUrl: string | null
  createdAt: string
  expiresAt: string
  paidAt: string | null
}

const ORDER = `id, customer_id as "customerId", plan_id as "planId", customer_type as "customerType", months,
  original_cents as "originalCents", amount_cents as "amountCents", state, gateway,
  gateway_reference as "gatewayReference", payment_reference as "paymentReference", pay_url as "payUrl",
  created_at as "createdAt", expires_at as "expiresAt", paid_at as "paidAt"`

export interface NewOrder {
  customerId: string
  plan: PlanRow
  gateway: string
  expiresAt: Date
}

export async function insertOrder({ rows }: Queries, order: NewOrder, now: Date): Promise<OrderRow> {
  const { customerId, plan, gateway, expiresAt } = order
  const [row] = await rows<OrderRow>(
    `insert into vip_order (id, customer_id, plan_id, customer_type, months, original_cents, amount_cents, state, gateway,
       created_at, expires_at)
     values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, 'obligation', $8, $9, $10) returning ${ORDER}`,
    [
      newId(),
      customerId,
      plan.id,
      plan.customerType,
      plan.months,
      plan.priceCents,
      plan.sellingCents,
      gateway,
      now.toISOString(),
      expiresAt.toISOString(),
    ],
  )
  return row!
}

/** A customer's open order of a plan at its current price, so that a second click creates no second order. */
export async function findOpenOrder(
  { rows }: Queries,
  customerId: string,
  plan: PlanRow,
  gateway: string,
  now: Date,
): Promise<OrderRow | null> {
  const [row] = await rows<OrderRow>(
    `select ${ORDER} from vip_order
     where customer_id = $1::uuid and plan_id = $2 and state = 'obligation' and expires_at > $3
       and amount_cents = $4 and months = $5 and gateway = $6
     order by id desc limit 1`,
    [customerId, plan.id, now.toISOString(), plan.sellingCents, plan.months, gateway],
  )
  return row ?? null
}

export async function writePayUrl(
  { rows }: Queries,
  id: string,
  session: { reference: string; payUrl: string },
): Promise<void> {
  await rows('update vip_order set gateway_reference = $2, pay_url = $3 where id = $1::uuid', [
    id,
    session.reference,
    session.payUrl,
  ])
}

export async function readOrder({ rows }: Queries, id: string): Promise<OrderRow | null> {
  const [row] = await rows<OrderRow>(`select ${ORDER} from vip_order where id = $1::uuid`, [id])
  return row ?? null
}

export async function lockOrder({ rows }: Queries, id: string): Promise<OrderRow | null> {
  const [row] = await rows<OrderRow>(`select ${ORDER} from vip_order where id = $1::uuid for no key update`, [
    id,
  ])
  return row ?? null
}

export async function findOrderByReference(
  { rows }: Queries,
  gateway: string,
  reference: { gatewayReference: string } | { paymentReference: string },
): Promise<OrderRow | null> {
  const [column, value] =
    'gatewayReference' in reference
      ? ['gateway_reference', reference.gatewayReference]
      : ['payment_reference', reference.paymentReference]
  const [row] = await rows<OrderRow>(`select ${ORDER} from vip_order where gateway = $1 and ${column} = $2`, [
    gateway,
    value,
  ])
  return row ?? null
}

export async function markPaid(
  { rows }: Queries,
  id: string,
  paymentReference: string | null,
  now: Date,
): Promise<void> {
  await rows(
    `update vip_order set state = 'accountPaid', paid_at = $2, closed_at = null, payment_reference = $3, pay_url = null
     where id = $1::uuid`,
    [id, now.toISOString(), paymentReference],
  )
}

/** Closes an open order. Returns whether it was open. */
export async function closeOrder({ rows }: Queries, id: string, now: Date): Promise<boolean> {
  const closed = await rows(
    `update vip_order set state = 'closed', closed_at = $2, pay_url = null
     where id = $1::uuid and state = 'obligation' returning id`,
    [id, now.toISOString()],
  )
  return closed.length === 1
}

/** Closes a customer's open orders. Returns their references at the payment gateways. */
export async function closeOrdersOf(
  { rows }: Queries,
  customerId: string,
  now: Date,
): Promise<Pick<OrderRow, 'gateway' | 'gatewayReference'>[]> {
  return rows(
    `update vip_order set state = 'closed', closed_at = $2, pay_url = null
     where customer_id = $1::uuid and state = 'obligation'
     returning gateway, gateway_reference as "gatewayReference"`,
    [customerId, now.toISOString()],
  )
}

/** Stores the closed state of orders that have expired. */
export async function closeExpired(
  { rows }: Queries,
  now: Date,
): Promise<{ id: string; customerId: string }[]> {
  return rows(
    `update vip_order set state = 'closed', closed_at = expires_at, pay_url = null
     where state = 'obligation' and expires_at <= $1 returning id, customer_id as "customerId"`,
    [now.toISOString()],
  )
}

export async function markRefunded({ rows }: Queries, id: string, now: Date): Promise<void> {
  await rows(`update vip_order set state = 'refunded', refunded_at = $2 where id = $1::uuid`, [
    id,
    now.toISOString(),
  ])
}

const STATE_NOW = `case when state = 'obligation' and expires_at <= $2 then 'closed' else state end`

export async function listOrders(
  { rows }: Queries,
  customerId: string,
  filter: { state: OrderState | null; limit: number; offset: number },
  now: Date,
): Promise<{ records: OrderRow[]; total: number }> {
  const where = `customer_id = $1::uuid and ($3::text is null or ${STATE_NOW} = $3)`
  const parameters = [customerId, now.toISOString(), filter.state]
  const records = await rows<OrderRow>(
    `select ${ORDER} from vip_order where ${where} order by vip_order.id desc limit $4 offset $5`,
    [...parameters, filter.limit, filter.offset],
  )
  const [count] = await rows<{ total: number }>(
    `select count(*) as total from vip_order where ${where}`,
    parameters,
  )
  return { records, total: count!.total }
}

export async function countOrders(
  { rows }: Queries,
  customerId: string,
  now: Date,
): Promise<Record<OrderState, number>> {
  const counted = await rows<{ state: OrderState; count: number }>(
    `select ${STATE_NOW} as state, count(*) as count from vip_order where customer_id = $1::uuid group by 1`,
    [customerId, now.toISOString()],
  )
  const counts = { obligation: 0, accountPaid: 0, closed: 0, refunded: 0 }
  for (const { state, count } of counted) counts[state] = count
  return counts
}

/** Records a gateway notice; returns whether it is new. Call it in the transaction that applies it. */
export async function isNewNotice(
  { rows }: Queries,
  gateway: string,
  noticeId: string,
  now: Date,
): Promise<boolean> {
  const written = await rows(
    `insert into payment_notice (gateway, notice_id, received_at) values ($1, $2, $3)
     on conflict do nothing returning notice_id`,
    [gateway, noticeId, now.toISOString()],
  )
  return written.length === 1
}

/** Records that a payment was refunded, whether or not its order is known. */
export async function noteRefund(
  { rows }: Queries,
  gateway: string,
  paymentReference: string,
  now: Date,
): Promise<void> {
  await rows(
    `insert into refunded_payment (gateway, payment_reference, at) values ($1, $2, $3) on conflict do nothing`,
    [gateway, paymentReference, now.toISOString()],
  )
}

export async function isRefunded(
  { rows }: Queries,
  gateway: string,
  paymentReference: string,
): Promise<boolean> {
  const found = await rows('select 1 from refunded_payment where gateway = $1 and payment_reference = $2', [
    gateway,
    paymentReference,
  ])
  return found.length > 0
}
