import { sql } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, countRows, firstRow, instant, run, statement } from '../../db/statement.ts'
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

const PLAN = [
  'id',
  'customerType',
  'nameEn',
  'nameHant',
  'nameHans',
  'months',
  'priceCents',
  'sellingCents',
] as const

const activePlans = statement.selectFrom('vipPlan').select(PLAN).where('active', '=', true)

export const listPlans = (queries: Queries, category: number): Promise<PlanRow[]> =>
  allRows(queries, activePlans.where('category', '=', category).orderBy('months').orderBy('id'))

export const readPlan = (queries: Queries, id: string): Promise<PlanRow | null> =>
  firstRow(queries, activePlans.where('id', '=', id))

export interface PlanDraft extends PlanRow {
  category: number
  active: boolean
}

export async function upsertPlan(queries: Queries, { id, ...plan }: PlanDraft): Promise<void> {
  await run(
    queries,
    statement
      .insertInto('vipPlan')
      .values({ id, ...plan })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(plan)),
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

const ORDER = [
  'id',
  'customerId',
  'planId',
  'customerType',
  'months',
  'originalCents',
  'amountCents',
  'state',
  'gateway',
  'gatewayReference',
  'paymentReference',
  'payUrl',
  'createdAt',
  'expiresAt',
  'paidAt',
] as const

const orders = statement.selectFrom('vipOrder').select(ORDER)
const orderOf = (id: string) => statement.updateTable('vipOrder').where('id', '=', id)
/** Orders as they are closed: nobody can pay them any more. */
const openOrders = statement
  .updateTable('vipOrder')
  .set({ state: 'closed', payUrl: null })
  .where('state', '=', 'obligation')

export interface NewOrder {
  customerId: string
  plan: PlanRow
  gateway: string
  expiresAt: Date
}

export async function insertOrder(queries: Queries, order: NewOrder, now: Date): Promise<OrderRow> {
  const { customerId, plan, gateway, expiresAt } = order
  const row = await firstRow(
    queries,
    statement
      .insertInto('vipOrder')
      .values({
        id: newId(),
        customerId,
        planId: plan.id,
        customerType: plan.customerType,
        months: plan.months,
        originalCents: plan.priceCents,
        amountCents: plan.sellingCents,
        state: 'obligation',
        gateway,
        createdAt: now,
        expiresAt,
      })
      .returning(ORDER),
  )
  return row!
}

/** A customer's open order of a plan at its current price, so that a second click creates no second order. */
export const findOpenOrder = (
  queries: Queries,
  customerId: string,
  plan: PlanRow,
  gateway: string,
  now: Date,
): Promise<OrderRow | null> =>
  firstRow(
    queries,
    orders
      .where('customerId', '=', customerId)
      .where('planId', '=', plan.id)
      .where('state', '=', 'obligation')
      .where('expiresAt', '>', instant(now))
      .where('amountCents', '=', plan.sellingCents)
      .where('months', '=', plan.months)
      .where('gateway', '=', gateway)
      .orderBy('id', 'desc')
      .limit(1),
  )

export const writePayUrl = (
  queries: Queries,
  id: string,
  { reference, payUrl }: { reference: string; payUrl: string },
): Promise<void> => run(queries, orderOf(id).set({ gatewayReference: reference, payUrl }))

export const readOrder = (queries: Queries, id: string): Promise<OrderRow | null> =>
  firstRow(queries, orders.where('id', '=', id))

export const lockOrder = (queries: Queries, id: string): Promise<OrderRow | null> =>
  firstRow(queries, orders.where('id', '=', id).forNoKeyUpdate())

export const findOrderByReference = (
  queries: Queries,
  gateway: string,
  reference: { gatewayReference: string } | { paymentReference: string },
): Promise<OrderRow | null> => {
  const ofGateway = orders.where('gateway', '=', gateway)
  return firstRow(
    queries,
    'gatewayReference' in reference
      ? ofGateway.where('gatewayReference', '=', reference.gatewayReference)
      : ofGateway.where('paymentReference', '=', reference.paymentReference),
  )
}

export const markPaid = (
  queries: Queries,
  id: string,
  paymentReference: string | null,
  now: Date,
): Promise<void> =>
  run(
    queries,
    orderOf(id).set({ state: 'accountPaid', paidAt: now, closedAt: null, paymentReference, payUrl: null }),
  )

/** Closes an open order. Returns whether it was open. */
export async function closeOrder(queries: Queries, id: string, now: Date): Promise<boolean> {
  const closed = await firstRow(
    queries,
    openOrders.set({ closedAt: now }).where('id', '=', id).returning('id'),
  )
  return closed !== null
}

/** Closes a customer's open orders. Returns their references at the payment gateways. */
export const closeOrdersOf = (
  queries: Queries,
  customerId: string,
  now: Date,
): Promise<Pick<OrderRow, 'gateway' | 'gatewayReference'>[]> =>
  allRows(
    queries,
    openOrders
      .set({ closedAt: now })
      .where('customerId', '=', customerId)
      .returning(['gateway', 'gatewayReference']),
  )

/** Stores the closed state of orders that have expired. */
export const closeExpired = (queries: Queries, now: Date): Promise<{ id: string; customerId: string }[]> =>
  allRows(
    queries,
    openOrders
      .set(({ ref }) => ({ closedAt: ref('expiresAt') }))
      .where('expiresAt', '<=', instant(now))
      .returning(['id', 'customerId']),
  )

export const markRefunded = (queries: Queries, id: string, now: Date): Promise<void> =>
  run(queries, orderOf(id).set({ state: 'refunded', refundedAt: now }))

/** The state of an order at a time: an open one that has expired counts as closed. */
const stateAt = (now: Date) =>
  sql<OrderState>`case when state = 'obligation' and expires_at <= ${now} then 'closed' else state end`

/** A page of a customer's orders in a state or in any, newest first. */
export async function listOrders(
  queries: Queries,
  customerId: string,
  { state, limit, offset }: { state: OrderState | null; limit: number; offset: number },
  now: Date,
): Promise<{ records: OrderRow[]; total: number }> {
  const found = statement
    .selectFrom('vipOrder')
    .where('customerId', '=', customerId)
    .$if(state !== null, (all) => all.where(stateAt(now), '=', state!))
  const records = await allRows(
    queries,
    found.select(ORDER).orderBy('id', 'desc').limit(limit).offset(offset),
  )
  return { records, total: await countRows(queries, found) }
}

export async function countOrders(
  queries: Queries,
  customerId: string,
  now: Date,
): Promise<Record<OrderState, number>> {
  const counted = await allRows(
    queries,
    statement
      .selectFrom('vipOrder')
      .select(({ fn }) => [stateAt(now).as('state'), fn.countAll<number>().as('count')])
      .where('customerId', '=', customerId)
      .groupBy(sql`1`),
  )
  const counts = { obligation: 0, accountPaid: 0, closed: 0, refunded: 0 }
  for (const { state, count } of counted) counts[state] = count
  return counts
}

/** Records a gateway notice; returns whether it is new. Call it in the transaction that applies it. */
export async function isNewNotice(
  queries: Queries,
  gateway: string,
  noticeId: string,
  now: Date,
): Promise<boolean> {
  const written = await firstRow(
    queries,
    statement
      .insertInto('paymentNotice')
      .values({ gateway, noticeId, receivedAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('noticeId'),
  )
  return written !== null
}

/** Records that a payment was refunded, whether or not its order is known. */
export const noteRefund = (
  queries: Queries,
  gateway: string,
  paymentReference: string,
  now: Date,
): Promise<void> =>
  run(
    queries,
    statement
      .insertInto('refundedPayment')
      .values({ gateway, paymentReference, at: now })
      .onConflict((conflict) => conflict.doNothing()),
  )

export async function isRefunded(
  queries: Queries,
  gateway: string,
  paymentReference: string,
): Promise<boolean> {
  const found = await firstRow(
    queries,
    statement
      .selectFrom('refundedPayment')
      .select('gateway')
      .where('gateway', '=', gateway)
      .where('paymentReference', '=', paymentReference),
  )
  return found !== null
}
