import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/trade.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay } from '../../domain/membership.ts'
import { centsText } from '../../domain/money.ts'
import type { Language } from '../../domain/languages.ts'
import { cancelOwnOrder, isOpen, orderPlan, planName } from '../services/payments.ts'
import { noteSecurity, requireProof } from '../services/proof.ts'
import { askWithdrawal, applyAsProvider, storeCard, withdrawableCents } from '../services/promotion.ts'
import type { Viewer } from '../services/viewer.ts'
import { listActivations } from '../store/accounts/activation-store.ts'
import {
  countOrders,
  listOrders,
  listPlans,
  readOrder,
  type OrderRow,
  type PlanRow,
} from '../store/accounts/order-store.ts'
import {
  listInstalments,
  listProviderCustomers,
  newestApplication,
  readTotals,
} from '../store/accounts/promotion-store.ts'
import {
  listCards,
  listWithdrawals,
  removeCard,
  type CardRow,
  type WithdrawalRow,
} from '../store/accounts/payout-store.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf, windowOf } from './paging.ts'

const CATEGORY = 1

export function tradeRoutes(app: FastifyInstance, context: Context): void {
  planRoutes(app, context)
  orderRoutes(app, context)
  providerRoutes(app, context)
  withdrawalRoutes(app, context)
}

function planRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context.service

  answerCall(
    app,
    context,
    calls.queryVipList,
    async ({ query, language }) =>
      (await listPlans(database, query.category)).map((plan) => planOf(plan, language)),
    { keep: 'everybody' },
  )

  answerCall(
    app,
    context,
    calls.getVipDiscount,
    async () => {
      const discounts = (await listPlans(database, CATEGORY)).map(discountOf)
      return discounts.length === 0 ? null : Math.min(...discounts)
    },
    { keep: 'everybody' },
  )
}

/** A customer's own orders, and the VIP periods that they gave. */
function orderRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, calls.createOrder, async ({ body, viewer, language }) => {
    const order = await orderPlan(service, viewer.id, body.planId, language)
    return {
      orderId: order.id,
      transactionAmount: centsText(order.amountCents),
      originalPrice: centsText(order.originalCents),
      payUrl: order.payUrl,
    }
  })

  const planNames = async (language: Language): Promise<Map<string, string>> => {
    const plans = await listPlans(database, CATEGORY)
    return new Map(plans.map((plan) => [plan.id, planName(plan, language)]))
  }

  answerCall(app, context, calls.orderPage, async ({ query, viewer, language }) => {
    const filter = { state: query.state ?? null, ...windowOf(query) }
    const { records, total } = await listOrders(database, viewer.id, filter, now())
    const names = await planNames(language)
    return pageOf(query, { records: records.map((order) => orderOf(order, names, now())), total })
  })

  answerCall(app, context, calls.queryOrder, async ({ query, viewer, language }) => {
    const order = await readOrder(database, query.id)
    if (order === null || order.customerId !== viewer.id) throw new FurlongError('not-found')
    return orderOf(order, await planNames(language), now())
  })

  answerCall(app, context, calls.cancelOrder, async ({ body, viewer }) => {
    await cancelOwnOrder(service, viewer.id, body.id)
    return null
  })

  answerCall(app, context, calls.queryOrderMainStatus, ({ viewer }) =>
    countOrders(database, viewer.id, now()),
  )

  answerCall(app, context, calls.vipActivationLog, async ({ query, viewer }) => {
    const { limit, offset } = windowOf(query)
    const { records, total } = await listActivations(database, viewer.id, limit, offset)
    return pageOf(query, {
      records: records.map((row) => ({
        id: row.id,
        orderId: row.orderId,
        customerType: row.customerType,
        length: row.months,
        activationDate: row.activatedAt,
        vipStartTime: row.vipStart,
        vipEndTime: row.vipEnd,
        cancelled: row.cancelledAt !== null,
      })),
      total,
    })
  })
}

/** A provider's application, customers and instalments. */
function providerRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, calls.apply, async ({ body, viewer }) => {
    const { id, status } = await applyAsProvider(service, viewer, body)
    return { id, status }
  })

  answerCall(app, context, calls.applyStatus, async ({ viewer }) => {
    const newest = await newestApplication(database, viewer.id)
    if (newest === null) return null
    const { customerId: _, ...application } = newest
    return application
  })

  answerCall(app, context, calls.queryMyCustomerTotal, async ({ viewer }) => {
    const totals = await readTotals(database, viewer.id, businessDay(now()))
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

  answerCall(app, context, calls.customerPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    const { limit, offset } = windowOf(query)
    const { records, total } = await listProviderCustomers(database, viewer.id, limit, offset)
    return pageOf(query, {
      records: records.map(({ paidCents, feeCents, ...row }) => ({
        ...row,
        paid: centsText(paidCents),
        fee: centsText(feeCents),
      })),
      total,
    })
  })

  answerCall(app, context, calls.settlementPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    const today = businessDay(now())
    const filter = { from: query.from ?? null, to: query.to ?? null, today, ...windowOf(query) }
    const { records, total } = await listInstalments(database, viewer.id, filter)
    return pageOf(query, {
      records: records.map(({ cents, cancelled, ...row }) => ({
        ...row,
        amount: centsText(cents),
        state: cancelled
          ? ('cancelled' as const)
          : row.settlesOn <= today
            ? ('settled' as const)
            : ('waiting' as const),
      })),
      total,
    })
  })
}

/** A provider's bank cards, and withdrawals to them. */
function withdrawalRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, calls.listBankCards, async ({ viewer }) =>
    (await listCards(database, viewer.id)).map(cardOf),
  )

  answerCall(app, context, calls.addBankCard, async ({ body, viewer, address, language }) => {
    const { password, captcha, ...card } = body
    await requireProof(service, viewer.id, { password, captcha, address })
    const stored = await storeCard(service, viewer.id, card)
    await noteSecurity(service, viewer.id, 'card-added', language)
    return cardOf(stored)
  })

  answerCall(app, context, calls.removeBankCard, async ({ query, viewer }) => {
    if (!(await removeCard(database, viewer.id, query.id, now()))) throw new FurlongError('not-found')
    return null
  })

  answerCall(app, context, calls.withdraw, async ({ body, viewer, address, language }) => {
    providersOnly(viewer)
    const { cardId, amount: cents, requestId, ...proof } = body
    await requireProof(service, viewer.id, { ...proof, address })
    const requested = await askWithdrawal(service, viewer.id, { requestId, cardId, cents })
    if (requested.isNew) await noteSecurity(service, viewer.id, 'withdrawal-asked', language)
    return {
      withdrawal: withdrawalOf(requested.withdrawal),
      withdrawable: centsText(requested.withdrawableCents),
    }
  })

  answerCall(app, context, calls.withdrawalPage, async ({ query, viewer }) => {
    providersOnly(viewer)
    const filter = { customerId: viewer.id, state: null, ...windowOf(query) }
    const { records, total } = await listWithdrawals(database, filter)
    return pageOf(query, { records: records.map(withdrawalOf), total })
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

/** An order as its customer sees it: closed if expired, even if that has not been stored yet. */
function orderOf(order: OrderRow, names: ReadonlyMap<string, string>, now: Date) {
  const open = isOpen(order, now)
  const wasPaid = order.state === 'accountPaid' || order.state === 'refunded'
  return {
    id: order.id,
    planId: order.planId,
    planName: names.get(order.planId) ?? order.planId,
    length: order.months,
    transactionAmount: centsText(order.amountCents),
    originalPrice: centsText(order.originalCents),
    paidPrice: wasPaid ? centsText(order.amountCents) : null,
    state: order.state === 'obligation' && !open ? ('closed' as const) : order.state,
    payUrl: open ? order.payUrl : null,
    createTime: order.createdAt,
    expireTime: order.expiresAt,
    payTime: order.paidAt,
  }
}

const cardOf = ({ id, name, bank, lastFour, createTime }: CardRow) => ({
  id,
  name,
  bank,
  cardNumber: lastFour,
  createTime,
})

const withdrawalOf = ({ id, name, bank, lastFour, cents, state, createTime, decideTime }: WithdrawalRow) => ({
  id,
  name,
  bank,
  cardNumber: lastFour,
  amount: centsText(cents),
  state,
  createTime,
  decideTime,
})
