import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as trade from '../../../contract/api/trade.ts'
import { get, post, remove } from '../client/api-client.ts'

/** Calls about plans, orders and promotion; money is HK$ as text with two decimals. */

export type Plan = ResultOf<typeof trade.queryVipList>[number]
export type Order = ResultOf<typeof trade.queryOrder>
export type OrderState = Order['state']
export type BankCard = ResultOf<typeof trade.addBankCard>

export const fetchPlans = (signal?: AbortSignal): Promise<Plan[]> =>
  get('trade/api/queryVipList', { category: 1 }, signal)

export const fetchDiscount = (signal?: AbortSignal): Promise<number | null> =>
  get('trade/api/getVipDiscount', {}, signal)

export const createOrder = (planId: string): Promise<ResultOf<typeof trade.createOrder>> =>
  post('trade/api/createOrder', { planId })

export const fetchOrder = (id: string, signal?: AbortSignal): Promise<Order> =>
  get('trade/api/order', { id }, signal)

export const fetchOrders = (
  pageNo: number,
  state: OrderState | null,
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.orderPage>> => get('trade/api/orderPage', { pageNo, state }, signal)

export const cancelOrder = (id: string): Promise<null> => post('trade/api/cancelOrder', { id })

export const fetchOrderCounts = (
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.queryOrderMainStatus>> =>
  get('sys/api/customer/queryOrderMainStatus', {}, signal)

export const fetchActivations = (
  pageNo: number,
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.vipActivationLog>> => get('trade/api/vipActivationLog', { pageNo }, signal)

export const apply = (body: {
  account: string
  nickname: string
  name: string
  phone: string
}): Promise<ResultOf<typeof trade.apply>> => post('sys/api/customer/apply', body)

export const fetchApplication = (signal?: AbortSignal): Promise<ResultOf<typeof trade.applyStatus>> =>
  get('sys/api/customer/applyStatus', {}, signal)

export const fetchCards = (signal?: AbortSignal): Promise<BankCard[]> =>
  get('sys/api/customer/bankCard', {}, signal)

/** Proof that a call requires when money is paid out: the password, or a code. */
export type ProofBody = { password: string } | { captcha: string }

export const addCard = (
  body: { name: string; bank: string; cardNumber: string } & ProofBody,
): Promise<BankCard> => post('sys/api/customer/bankCard', body)

export const removeCard = (id: string): Promise<null> => remove('sys/api/customer/bankCard', { id })

export const fetchTotals = (signal?: AbortSignal): Promise<ResultOf<typeof trade.queryMyCustomerTotal>> =>
  get('sys/api/customer/queryMyCustomerTotal', {}, signal)

export const fetchCustomers = (
  pageNo: number,
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.customerPage>> => get('trade/api/customerPage', { pageNo }, signal)

export const fetchSettlements = (
  query: { pageNo: number; pageSize?: number; from?: string; to?: string },
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.settlementPage>> => get('trade/api/settlementPage', query, signal)

export const withdraw = (
  body: { cardId: string; amount: string; requestId: string } & ProofBody,
): Promise<ResultOf<typeof trade.withdraw>> => post('trade/api/withdrawal', body)

export const fetchWithdrawals = (
  pageNo: number,
  signal?: AbortSignal,
): Promise<ResultOf<typeof trade.withdrawalPage>> => get('trade/api/withdrawalPage', { pageNo }, signal)
