import { FurlongError } from '../../domain/errors.ts'
import { businessDay, extendVip } from '../../domain/membership.ts'
import { instalmentsOf, promotionFeeCents } from '../../domain/promotion.ts'
import { nameColumn, nameField, type Language, type NameColumn } from '../../domain/languages.ts'
import { serverMessage } from '../process/messages.ts'
import type { PaymentNotice } from '../gateways/payment.ts'
import type { Queries } from '../db/database.ts'
import { lockCustomer, writeVip } from '../store/accounts/customer-store.ts'
import {
  cancelActivation,
  insertActivation,
  movePeriod,
  readActivations,
} from '../store/accounts/activation-store.ts'
import * as orders from '../store/accounts/order-store.ts'
import type { OrderRow, OrderState, PlanRow } from '../store/accounts/order-store.ts'
import { cancelInstalments, insertInstalments, providerOf } from '../store/accounts/promotion-store.ts'
import { insertEvents } from '../store/operation/site-store.ts'
import { closeVipRaces } from '../store/accounts/voucher-store.ts'
import { attempt } from './limits.ts'
import type { Service } from './service.ts'

/** Lifetime of an unpaid order, in minutes. */
const ORDER_MINUTES = 30
/**
 * Lifetime of the gateway's payment page, in minutes: slightly longer, because the gateway's minimum lifetime
 * starts when the page is opened.
 */
const PAGE_MINUTES = 31
/** If the payment page could not be opened within this time, a new order replaces the stuck one. */
const OPENING_MS = 30_000

export const planName = (plan: Pick<PlanRow, `name${Capitalize<NameColumn>}`>, language: Language): string =>
  plan[nameField(nameColumn(language))]

/** Whether an order can still be paid. */
export const isOpen = (order: Pick<OrderRow, 'state' | 'expiresAt'>, now: Date): boolean =>
  order.state === 'obligation' && new Date(order.expiresAt) > now

/**
 * Orders a plan at the server's price and opens the gateway's payment page. An existing open order of the
 * plan is returned instead, so that a second click does not create another one. Throws `payments-off`,
 * `no-such-plan`, `too-many`, `session-ended`, `order-not-open`.
 */
export async function orderPlan(
  service: Service,
  customerId: string,
  planId: string,
  language: Language,
): Promise<OrderRow & { payUrl: string }> {
  const { database, payment, now } = service
  if (payment === null) throw new FurlongError('payments-off')
  const plan = await orders.readPlan(database, planId)
  if (plan === null) throw new FurlongError('no-such-plan')
  await attempt(service, { 'order account': customerId })
  const order = await database.transaction(async (queries) => {
    if ((await lockCustomer(queries, customerId)) === null) throw new FurlongError('session-ended')
    const open = await orders.findOpenOrder(queries, customerId, plan, payment.name, now())
    const stuck =
      open !== null && open.payUrl === null && now().getTime() - Date.parse(open.createdAt) > OPENING_MS
    if (open !== null && !stuck) return open
    if (open !== null) await orders.closeOrder(queries, open.id, now())
    const expiresAt = new Date(now().getTime() + ORDER_MINUTES * 60_000)
    return orders.insertOrder(queries, { customerId, plan, gateway: payment.name, expiresAt }, now())
  })
  if (order.payUrl !== null) return { ...order, payUrl: order.payUrl }
  const session = await payment.open({
    orderId: order.id,
    amountCents: order.amountCents,
    name: serverMessage(language, 'order.name', { plan: planName(plan, language) }),
    language,
    expiresAt: new Date(Date.parse(order.createdAt) + PAGE_MINUTES * 60_000),
    resultUrl: `${service.siteUrl()}/#/pages/race/vippayresult?order=${order.id}`,
  })
  const opened = await database.transaction(async (queries) => {
    const current = (await orders.lockOrder(queries, order.id))!
    // Of two concurrent requests, the first page is kept.
    if (current.payUrl === null && current.state === 'obligation')
      await orders.writePayUrl(queries, order.id, session)
    return (await orders.readOrder(queries, order.id))!
  })
  if (opened.payUrl === null) throw new FurlongError('order-not-open')
  return { ...opened, payUrl: opened.payUrl }
}

/** A customer's own order. Throws `not-found`. */
export async function readOwnOrder(service: Service, customerId: string, orderId: string): Promise<OrderRow> {
  const order = await orders.readOrder(service.database, orderId)
  if (order === null || order.customerId !== customerId) throw new FurlongError('not-found')
  return order
}

/** Closes a customer's own unpaid order. Throws `not-found`, `order-not-open`. */
export async function cancelOwnOrder(service: Service, customerId: string, orderId: string): Promise<void> {
  await closeUnpaid(service, await readOwnOrder(service, customerId, orderId))
}

/** Closes an unpaid order and its payment page. Throws `order-not-open`. */
export async function closeUnpaid(service: Service, order: OrderRow): Promise<void> {
  const { database, now } = service
  const orderId = order.id
  const closed = await database.transaction(async (queries) => {
    const current = (await orders.lockOrder(queries, orderId))!
    if (!isOpen(current, now()) || !(await orders.closeOrder(queries, orderId, now()))) return false
    await tellOrder(queries, current, 'closed', now())
    return true
  })
  if (!closed) throw new FurlongError('order-not-open')
  closePage(service, order)
}

/** Closes an order's payment page at its gateway, in the background. */
export function closePage(
  { payment, runInBackground }: Service,
  { gateway, gatewayReference }: Pick<OrderRow, 'gateway' | 'gatewayReference'>,
): void {
  if (gatewayReference === null || payment?.name !== gateway) return
  runInBackground('close payment page', () => payment.close(gatewayReference))
}

/** Stores the closed state of expired orders and notifies their customers. Returns their number. */
export async function closeLateOrders({ database, now }: Service): Promise<number> {
  return database.transaction(async (queries) => {
    const closed = await orders.closeExpired(queries, now())
    for (const order of closed) await tellOrder(queries, order, 'closed', now())
    return closed.length
  })
}

/**
 * Applies a gateway's notice exactly once, however often it arrives, and returns what was done. A payment for
 * an order that was closed meanwhile is honoured (decision 006). Throws `payment-mismatch` if the amount or
 * the currency differs from the order's.
 */
export async function handlePaymentEvent(
  service: Service,
  gateway: OrderRow['gateway'],
  notice: PaymentNotice,
): Promise<'done' | 'repeated' | 'ignored'> {
  const { database, now } = service
  if (notice.kind === 'other') return 'ignored'
  return database.transaction(async (queries) => {
    if (!(await orders.isNewNotice(queries, gateway, notice.noticeId, now()))) return 'repeated'
    // Notices arrive in any order: a payment already refunded must activate nothing.
    if (notice.kind === 'refunded') await orders.noteRefund(queries, gateway, notice.paymentReference, now())
    const reference =
      notice.kind === 'refunded'
        ? { paymentReference: notice.paymentReference }
        : { gatewayReference: notice.gatewayReference }
    const found = await orders.findOrderByReference(queries, gateway, reference)
    const orderId = found?.id ?? notice.orderId
    const order = orderId === null ? null : await orders.lockOrder(queries, orderId)
    // The gateway account is also used for something else.
    if (order === null || order.gateway !== gateway) return 'ignored'
    const isNew = await applyNotice(queries, order, notice, now())
    return isNew ? 'done' : 'repeated'
  })
}

/** Applies a notice to its order; `false` if the order is already in that state. */
async function applyNotice(
  queries: Queries,
  order: OrderRow,
  notice: Exclude<PaymentNotice, { kind: 'other' }>,
  now: Date,
): Promise<boolean> {
  switch (notice.kind) {
    case 'expired':
      if (!(await orders.closeOrder(queries, order.id, now))) return false
      await tellOrder(queries, order, 'closed', now)
      return true
    case 'refunded':
      if (!isUnpaid(order)) return undoOrder(queries, order, now)
      await refundUnpaid(queries, order, now)
      return true
    case 'paid':
      return applyPayment(queries, order, notice, now)
  }
}

/** Throws `payment-mismatch` if the amount or the currency differs from the order's. */
async function applyPayment(
  queries: Queries,
  order: OrderRow,
  { amountCents, currency, paymentReference }: Extract<PaymentNotice, { kind: 'paid' }>,
  now: Date,
): Promise<boolean> {
  if (amountCents !== order.amountCents || currency !== 'hkd') throw new FurlongError('payment-mismatch')
  if (!isUnpaid(order)) return false
  if (paymentReference !== null && (await orders.isRefunded(queries, order.gateway, paymentReference))) {
    await orders.markPaid(queries, order.id, paymentReference, now)
    await refundUnpaid(queries, order, now)
    return true
  }
  await activate(queries, order, paymentReference, now)
  return true
}

const isUnpaid = ({ state }: OrderRow): boolean => state === 'obligation' || state === 'closed'

/** Marks an order as refunded that has activated nothing. */
async function refundUnpaid(queries: Queries, order: OrderRow, now: Date): Promise<void> {
  await orders.markRefunded(queries, order.id, now)
  await tellOrder(queries, order, 'refunded', now)
}

/**
 * Applies a payment to the order, the VIP period, its log row and the provider's instalments, all in the
 * caller's transaction.
 */
async function activate(
  queries: Queries,
  order: OrderRow,
  paymentReference: string | null,
  now: Date,
): Promise<void> {
  await orders.markPaid(queries, order.id, paymentReference, now)
  const period = await grantPeriod(queries, order.customerId, order, order.id, now)
  const providerId = await providerOf(queries, order.customerId)
  if (providerId !== null && period !== null) {
    const fee = promotionFeeCents(order.amountCents)
    const owner = { providerId, customerId: order.customerId, orderId: order.id }
    await insertInstalments(queries, owner, instalmentsOf(fee, order.months, businessDay(period.start)))
  }
  await tellOrder(queries, order, 'accountPaid', now)
}

/** Adds a VIP period with its log row; `null` if the customer's account has been deleted meanwhile. */
export async function grantPeriod(
  queries: Queries,
  customerId: string,
  { months, customerType }: Pick<OrderRow, 'months' | 'customerType'>,
  orderId: string | null,
  now: Date,
): Promise<{ start: Date; end: Date } | null> {
  const customer = await lockCustomer(queries, customerId)
  if (customer === null) return null
  const presentEnd = customer.vipEnd === null ? null : new Date(customer.vipEnd)
  const period = extendVip(now, presentEnd, months)
  await insertActivation(queries, { customerId, orderId, customerType, months, ...period }, now)
  const continues = period.start.getTime() !== now.getTime()
  const start = continues && customer.vipStart !== null ? new Date(customer.vipStart) : period.start
  await writeVip(queries, customerId, { customerType, vipStart: start, vipEnd: period.end })
  return period
}

/**
 * Reverts a refunded order: its VIP period is cancelled, later periods move up, unsettled instalments are
 * cancelled, and races unlocked as a VIP in time that is no longer paid for are locked again.
 */
async function undoOrder(queries: Queries, order: OrderRow, now: Date): Promise<boolean> {
  if (order.state !== 'accountPaid') return false
  await orders.markRefunded(queries, order.id, now)
  const cancelled = await cancelActivation(queries, order.id, now)
  await cancelInstalments(queries, order.id, businessDay(now), now)
  const customer = await lockCustomer(queries, order.customerId)
  if (customer !== null) await rechainPeriods(queries, order.customerId, customer.customerType)
  if (cancelled !== null) await closeVipRaces(queries, order.customerId, new Date(cancelled.vipStart))
  await tellOrder(queries, order, 'refunded', now)
  return true
}

/**
 * Recomputes the customer's VIP periods from those not cancelled: each starts when it was bought or when the
 * previous one ends.
 */
async function rechainPeriods(queries: Queries, customerId: string, customerType: number): Promise<void> {
  let start: Date | null = null
  let end: Date | null = null
  let kind = customerType
  for (const activation of await readActivations(queries, customerId)) {
    const bought = new Date(activation.activatedAt)
    const period = extendVip(bought, end, activation.months)
    if (end === null || period.start > end) start = period.start
    end = period.end
    kind = activation.customerType
    await movePeriod(queries, activation.id, period.start, period.end)
  }
  await writeVip(queries, customerId, { customerType: kind, vipStart: start, vipEnd: end })
}

/**
 * Refunds an order through its gateway, then reverts it. The gateway recognises a repeated call by its key,
 * so after an interruption it is safe to call again. Throws `not-found`, `order-not-paid`, `payments-off`.
 */
export async function refundOrder(service: Service, orderId: string): Promise<void> {
  const { database, payment, now } = service
  const order = await orders.readOrder(database, orderId)
  if (order === null) throw new FurlongError('not-found')
  if (order.state !== 'accountPaid') throw new FurlongError('order-not-paid')
  if (payment === null || payment.name !== order.gateway) throw new FurlongError('payments-off')
  const { paymentReference, amountCents } = order
  await payment.refund({ orderId, paymentReference, amountCents })
  await database.transaction(async (queries) =>
    undoOrder(queries, (await orders.lockOrder(queries, orderId))!, now()),
  )
}

function tellOrder(
  queries: Queries,
  { id: orderId, customerId }: Pick<OrderRow, 'id' | 'customerId'>,
  state: OrderState,
  now: Date,
): Promise<void> {
  const body = JSON.stringify({ orderId, state })
  return insertEvents(queries, [{ kind: 'order', raceId: null, customerId, body }], now)
}
