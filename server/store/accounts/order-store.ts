import { sql, type InferResult, type Insertable } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, anyRow, countRows, firstRow, instant, run, statement } from '../../db/statement.ts'
import type { Tables } from '../../db/tables.ts'
import { bumpSite } from '../operation/site-store.ts'

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
export type PlanRow = InferResult<typeof activePlans>[number]

export const listPlans = (queries: Queries, category: number): Promise<PlanRow[]> =>
  activePlans.where('category', '=', category).orderBy('months').orderBy('id').$call(allRows(queries))

export const readPlan = (queries: Queries, id: string): Promise<PlanRow | null> =>
  activePlans.where('id', '=', id).$call(firstRow(queries))

export async function upsertPlan(
  queries: Queries,
  { id, ...plan }: Insertable<Tables['vipPlan']>,
): Promise<void> {
  await statement
    .insertInto('vipPlan')
    .values({ id, ...plan })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(plan))
    .$call(run(queries))
  await bumpSite(queries)
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
/** An order with its stored state: an open one past `expiresAt` counts as closed. */
export type OrderRow = InferResult<typeof orders>[number]
export type OrderState = OrderRow['state']

const orderOf = (id: string) => statement.updateTable('vipOrder').where('id', '=', id)
/** Orders as they are closed: nobody can pay them any more. */
const openOrders = statement
  .updateTable('vipOrder')
  .set({ state: 'closed', payUrl: null })
  .where('state', '=', 'obligation')

export async function insertOrder(
  queries: Queries,
  order: { customerId: string; plan: PlanRow; gateway: string; expiresAt: Date },
  now: Date,
): Promise<OrderRow> {
  const { plan, ...bought } = order
  const row = await statement
    .insertInto('vipOrder')
    .values({
      id: newId(),
      ...bought,
      planId: plan.id,
      customerType: plan.customerType,
      months: plan.months,
      originalCents: plan.priceCents,
      amountCents: plan.sellingCents,
      state: 'obligation',
      createdAt: now,
    })
    .returning(ORDER)
    .$call(firstRow(queries))
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
  orders
    .where('customerId', '=', customerId)
    .where('gateway', '=', gateway)
    .where('state', '=', 'obligation')
    .where('planId', '=', plan.id)
    .where('amountCents', '=', plan.sellingCents)
    .where('months', '=', plan.months)
    .where('expiresAt', '>', instant(now))
    .orderBy('id', 'desc')
    .limit(1)
    .$call(firstRow(queries))

export const writePayUrl = (
  queries: Queries,
  id: string,
  { reference, payUrl }: { reference: string; payUrl: string },
): Promise<void> => orderOf(id).set({ gatewayReference: reference, payUrl }).$call(run(queries))

export const readOrder = (queries: Queries, id: string): Promise<OrderRow | null> =>
  orders.where('id', '=', id).$call(firstRow(queries))

export const lockOrder = (queries: Queries, id: string): Promise<OrderRow | null> =>
  orders.where('id', '=', id).forNoKeyUpdate().$call(firstRow(queries))

export const findOrderByReference = (
  queries: Queries,
  gateway: string,
  reference: { gatewayReference: string } | { paymentReference: string },
): Promise<OrderRow | null> => {
  const ofGateway = orders.where('gateway', '=', gateway)
  const found =
    'gatewayReference' in reference
      ? ofGateway.where('gatewayReference', '=', reference.gatewayReference)
      : ofGateway.where('paymentReference', '=', reference.paymentReference)
  return found.$call(firstRow(queries))
}

export const markPaid = (
  queries: Queries,
  id: string,
  paymentReference: string | null,
  now: Date,
): Promise<void> =>
  orderOf(id)
    .set({ state: 'accountPaid', paidAt: now, closedAt: null, paymentReference, payUrl: null })
    .$call(run(queries))

/** Closes an open order. Returns whether it was open. */
export const closeOrder = (queries: Queries, id: string, now: Date): Promise<boolean> =>
  openOrders.set({ closedAt: now }).where('id', '=', id).returning('id').$call(anyRow(queries))

/** Closes a customer's open orders. Returns their references at the payment gateways. */
export const closeOrdersOf = (queries: Queries, customerId: string, now: Date) =>
  openOrders
    .set({ closedAt: now })
    .where('customerId', '=', customerId)
    .returning(['gateway', 'gatewayReference'])
    .$call(allRows(queries))

/** Stores the closed state of orders that have expired. */
export const closeExpired = (queries: Queries, now: Date): Promise<{ id: string; customerId: string }[]> =>
  openOrders
    .set(({ ref }) => ({ closedAt: ref('expiresAt') }))
    .where('expiresAt', '<=', instant(now))
    .returning(['id', 'customerId'])
    .$call(allRows(queries))

export const markRefunded = (queries: Queries, id: string, now: Date): Promise<void> =>
  orderOf(id).set({ state: 'refunded', refundedAt: now }).$call(run(queries))

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
  const page = found.select(ORDER).orderBy('id', 'desc').limit(limit).offset(offset)
  return { records: await page.$call(allRows(queries)), total: await found.$call(countRows(queries)) }
}

export async function countOrders(
  queries: Queries,
  customerId: string,
  now: Date,
): Promise<Record<OrderState, number>> {
  const counted = await statement
    .selectFrom('vipOrder')
    .select(({ fn }) => [stateAt(now).as('state'), fn.countAll<number>().as('count')])
    .where('customerId', '=', customerId)
    .groupBy(sql`1`)
    .$call(allRows(queries))
  const counts = { obligation: 0, accountPaid: 0, closed: 0, refunded: 0 }
  for (const { state, count } of counted) counts[state] = count
  return counts
}

/** Records a gateway notice; returns whether it is new. Call it in the transaction that applies it. */
export const isNewNotice = (
  queries: Queries,
  gateway: string,
  noticeId: string,
  now: Date,
): Promise<boolean> =>
  statement
    .insertInto('paymentNotice')
    .values({ gateway, noticeId, receivedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('noticeId')
    .$call(anyRow(queries))

/** Records that a payment was refunded, whether or not its order is known. */
export const noteRefund = (
  queries: Queries,
  gateway: string,
  paymentReference: string,
  now: Date,
): Promise<void> =>
  statement
    .insertInto('refundedPayment')
    .values({ gateway, paymentReference, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .$call(run(queries))

export const isRefunded = (queries: Queries, gateway: string, paymentReference: string): Promise<boolean> =>
  statement
    .selectFrom('refundedPayment')
    .select('gateway')
    .where('gateway', '=', gateway)
    .where('paymentReference', '=', paymentReference)
    .$call(anyRow(queries))
