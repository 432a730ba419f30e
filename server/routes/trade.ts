import * as calls from '../../contract/api/trade.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay } from '../../domain/membership.ts'
import { centsText } from '../../domain/money.ts'
import type { Language } from '../../domain/languages.ts'
import { cancelOwnOrder, isOpen, orderPlan, planName, readOwnOrder } from '../services/payments.ts'
import { noteSecurity, requireProof } from '../services/proof.ts'
import { askWithdrawal, applyAsProvider, storeCard, withdrawableCents } from '../services/promotion.ts'
import type { Viewer } from '../services/viewer.ts'
import { listActivations } from '../store/accounts/activation-store.ts'
import * as orders from '../store/accounts/order-store.ts'
import type { OrderRow, PlanRow } from '../store/accounts/order-store.ts'
import * as promotion from '../store/accounts/promotion-store.ts'
import * as payouts from '../store/accounts/payout-store.ts'
import type { CardRow, WithdrawalRow } from '../store/accounts/payout-store.ts'
import { EVERYBODY, pick, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf } from './paging.ts'

const CATEGORY = 1

export function tradeRoutes(answer: Answer, context: Context): void {
  planRoutes(answer, context)
  orderRoutes(answer, context)
  providerRoutes(answer, context)
  withdrawalRoutes(answer, context)
}

function planRoutes(answer: Answer, context: Context): void {
  const { database } = context.service

  answer(calls.queryVipList, EVERYBODY, async ({ query, language }) =>
    (await orders.listPlans(database, query.category)).map((plan) => planOf(plan, language)),
  )

  answer(calls.getVipDiscount, EVERYBODY, async () => {
    const discounts = (await orders.listPlans(database, CATEGORY)).map(discountOf)
    return discounts.length === 0 ? null : Math.min(...discounts)
  })
}

/** A customer's own orders, and the VIP periods that they gave. */
function orderRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service

  answer(calls.createOrder, async ({ body, viewer, language }) => {
    const order = await orderPlan(service, viewer.id, body.planId, language)
    return { orderId: order.id, ...pricesOf(order), payUrl: order.payUrl }
  })

  const planNames = async (language: Language): Promise<Map<string, string>> => {
    const plans = await orders.listPlans(database, CATEGORY)
    return new Map(plans.map((plan) => [plan.id, planName(plan, language)]))
  }

  answer(calls.orderPage, async ({ query, viewer, language }) => {
    const { state = null } = query
    const names = await planNames(language)
    return pageOf(
      query,
      (window) => orders.listOrders(database, viewer.id, { state, ...window }, now()),
      (order) => orderOf(order, names, now()),
    )
  })

  answer(calls.queryOrder, async ({ query, viewer, language }) => {
    const order = await readOwnOrder(service, viewer.id, query.id)
    return orderOf(order, await planNames(language), now())
  })

  answer(calls.cancelOrder, ({ body, viewer }) => cancelOwnOrder(service, viewer.id, body.id))

  answer(calls.queryOrderMainStatus, ({ viewer }) => orders.countOrders(database, viewer.id, now()))

  answer(calls.vipActivationLog, ({ query, viewer }) =>
    pageOf(
      query,
      ({ limit, offset }) => listActivations(database, viewer.id, limit, offset),
      ({ months, activatedAt, vipStart, vipEnd, cancelledAt, ...row }) => ({
        ...row,
        length: months,
        activationDate: activatedAt,
        vipStartTime: vipStart,
        vipEndTime: vipEnd,
        cancelled: cancelledAt !== null,
      }),
    ),
  )
}

/** A provider's application, customers and instalments. */
function providerRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service

  answer(calls.apply, async ({ body, viewer }) => {
    return pick(await applyAsProvider(service, viewer, body), 'id', 'status')
  })

  answer(calls.applyStatus, async ({ viewer }) => {
    const newest = await promotion.newestApplication(database, viewer.id)
    if (newest === null) return null
    const { customerId: _, ...application } = newest
    return application
  })

  answer(calls.queryMyCustomerTotal, async ({ viewer }) => {
    const totals = await promotion.readTotals(database, viewer.id, businessDay(now()))
    return {
      customers: totals.customers,
      orders: totals.orders,
      earned: centsText(totals.earnedCents),
      settled: centsText(totals.settledCents),
      withdrawn: centsText(totals.withdrawnCents),
      waiting: centsText(totals.waitingCents),
      withdrawable: centsText(withdrawableCents(totals)),
    }
  })

  answer(calls.customerPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    return pageOf(
      query,
      ({ limit, offset }) => promotion.listProviderCustomers(database, viewer.id, limit, offset),
      ({ paidCents, feeCents, ...row }) => ({
        ...row,
        paid: centsText(paidCents),
        fee: centsText(feeCents),
      }),
    )
  })

  answer(calls.settlementPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    const today = businessDay(now())
    const { from = null, to = null } = query
    return pageOf(
      query,
      (window) => promotion.listInstalments(database, viewer.id, { from, to, today, ...window }),
      ({ cents, cancelled, ...row }) => {
        const state = row.settlesOn <= today ? ('settled' as const) : ('waiting' as const)
        return { ...row, amount: centsText(cents), state: cancelled ? ('cancelled' as const) : state }
      },
    )
  })
}

/** A provider's bank cards, and withdrawals to them. */
function withdrawalRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service

  answer(calls.listBankCards, async ({ viewer }) =>
    (await payouts.listCards(database, viewer.id)).map(cardOf),
  )

  answer(calls.addBankCard, async ({ body, viewer, origin, language }) => {
    const { password, captcha, ...card } = body
    await requireProof(service, viewer.id, { password, captcha }, origin)
    const stored = await storeCard(service, viewer.id, card)
    await noteSecurity(service, viewer.id, 'card-added', language)
    return cardOf(stored)
  })

  answer(calls.removeBankCard, async ({ query, viewer }) => {
    if (!(await payouts.removeCard(database, viewer.id, query.id, now()))) throw new FurlongError('not-found')
  })

  answer(calls.withdraw, async ({ body, viewer, origin, language }) => {
    providersOnly(viewer)
    const { cardId, amount: cents, requestId, ...proof } = body
    await requireProof(service, viewer.id, proof, origin)
    const requested = await askWithdrawal(service, viewer.id, { requestId, cardId, cents })
    if (requested.isNew) await noteSecurity(service, viewer.id, 'withdrawal-asked', language)
    return {
      withdrawal: withdrawalOf(requested.withdrawal),
      withdrawable: centsText(requested.withdrawableCents),
    }
  })

  answer(calls.withdrawalPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    const filter = { customerId: viewer.id, state: null }
    return pageOf(
      query,
      (window) => payouts.listWithdrawals(database, { ...filter, ...window }),
      withdrawalOf,
    )
  })
}

/** Throws `not-provider` unless the viewer is a provider. */
function providersOnly(viewer: Viewer): void {
  if (!viewer.isProvider) throw new FurlongError('not-provider')
}

const discountOf = ({ sellingCents, priceCents }: PlanRow): number =>
  Math.round((sellingCents / priceCents) * 10_000) / 10_000

const planOf = (plan: PlanRow, language: Language) => ({
  id: plan.id,
  name: planName(plan, language),
  customerType: plan.customerType,
  period: plan.months,
  length: plan.months,
  price: centsText(plan.priceCents),
  sellingPrice: centsText(plan.sellingCents),
  monthlyPrice: centsText(Math.round(plan.sellingCents / plan.months)),
  discount: discountOf(plan),
})

const pricesOf = ({ amountCents, originalCents }: OrderRow) => ({
  transactionAmount: centsText(amountCents),
  originalPrice: centsText(originalCents),
})

/** An order as its customer sees it: closed if expired, even if that has not been stored yet. */
function orderOf(order: OrderRow, names: ReadonlyMap<string, string>, now: Date) {
  const open = isOpen(order, now)
  const wasPaid = order.state === 'accountPaid' || order.state === 'refunded'
  return {
    id: order.id,
    planId: order.planId,
    planName: names.get(order.planId) ?? order.planId,
    length: order.months,
    ...pricesOf(order),
    paidPrice: wasPaid ? centsText(order.amountCents) : null,
    state: order.state === 'obligation' && !open ? ('closed' as const) : order.state,
    payUrl: open ? order.payUrl : null,
    createTime: order.createdAt,
    expireTime: order.expiresAt,
    payTime: order.paidAt,
  }
}

const cardOf = ({ lastFour, ...card }: CardRow) => ({ ...card, cardNumber: lastFour })

function withdrawalOf(withdrawal: WithdrawalRow) {
  const { customerId: _, cardId: _card, lastFour, cents, ...row } = withdrawal
  return { ...row, cardNumber: lastFour, amount: centsText(cents) }
}
