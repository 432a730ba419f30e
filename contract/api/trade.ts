import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import {
  amount,
  cardNumber,
  category,
  day,
  instant,
  line,
  money,
  page,
  paging,
  phone,
  proof,
  uuid,
} from './fields.ts'

const Plan = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** 2 monthly, 3 quarterly, 4 half-year, 5 yearly: the customer type that the plan grants. */
  customerType: z.number().int(),
  /** Months, same as `length`. */
  period: z.number().int(),
  length: z.number().int(),
  price: money,
  sellingPrice: money,
  /** `sellingPrice / length`, rounded to a cent. */
  monthlyPrice: money,
  /** `sellingPrice / price`, a fraction of 1. */
  discount: z.number(),
})

export const queryVipList = endpoint('open', 'GET /trade/api/queryVipList', {
  summary: 'VIP plans',
  query: z.object({ category: category.default(1) }),
  result: z.array(Plan),
})
export type Plan = ResultOf<typeof queryVipList>[number]

export const getVipDiscount = endpoint('open', 'GET /trade/api/getVipDiscount', {
  summary: 'The smallest ratio of selling price to price among the plans; null without one',
  result: z.number().nullable(),
})

export const OrderState = z.enum(['obligation', 'accountPaid', 'closed', 'refunded'])
export type OrderState = z.infer<typeof OrderState>

const Order = z.strictObject({
  id: z.string(),
  planId: z.string(),
  planName: z.string(),
  length: z.number().int(),
  transactionAmount: money,
  originalPrice: money,
  /** `null` until paid. */
  paidPrice: money.nullable(),
  state: OrderState,
  /** Payment URL while the order is open. */
  payUrl: z.string().nullable(),
  createTime: instant,
  /** When an unpaid order closes. */
  expireTime: instant,
  payTime: instant.nullable(),
})

export const createOrder = endpoint('customer', 'POST /trade/api/createOrder', {
  summary: 'Orders a plan at the server’s price; the same plan’s open order is given again',
  body: z.object({ planId: line(36, 1, 'field.plan') }),
  result: z.strictObject({
    orderId: z.string(),
    transactionAmount: money,
    originalPrice: money,
    payUrl: z.string(),
  }),
})

export const orderPage = endpoint('customer', 'GET /trade/api/orderPage', {
  summary: 'The customer’s orders, newest first',
  query: z.object({ ...paging, state: OrderState.optional() }),
  result: page(Order),
})

export const queryOrder = endpoint('customer', 'GET /trade/api/order', {
  summary: 'One of the customer’s orders',
  query: z.object({ id: uuid }),
  result: Order,
})
export type Order = ResultOf<typeof queryOrder>

export const cancelOrder = endpoint('customer', 'POST /trade/api/cancelOrder', {
  summary: 'Closes an order that is not paid',
  body: z.object({ id: uuid }),
  result: z.null(),
})

export const queryOrderMainStatus = endpoint('customer', 'GET /sys/api/customer/queryOrderMainStatus', {
  summary: 'How many orders the customer has in each state',
  result: z.record(OrderState, z.number().int()),
})

export const vipActivationLog = endpoint('customer', 'GET /trade/api/vipActivationLog', {
  summary: 'The customer’s VIP periods, newest first',
  query: z.object(paging),
  result: page(
    z.strictObject({
      id: z.string(),
      orderId: z.string().nullable(),
      customerType: z.number().int(),
      length: z.number().int(),
      activationDate: instant,
      vipStartTime: instant,
      vipEndTime: instant,
      cancelled: z.boolean(),
    }),
  ),
})

const ApplicationStatus = z.enum(['pending', 'approved', 'refused'])

export const apply = endpoint('customer', 'POST /sys/api/customer/apply', {
  summary: 'Applies to become a promotion service provider; one open application a customer',
  body: z.object({ account: line(64), nickname: line(20), name: line(40), phone }),
  result: z.strictObject({ id: z.string(), status: ApplicationStatus }),
})

export const applyStatus = endpoint('customer', 'GET /sys/api/customer/applyStatus', {
  summary: 'The customer’s newest application, or null',
  result: z
    .strictObject({
      id: z.string(),
      account: z.string().nullable(),
      nickname: z.string().nullable(),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      status: ApplicationStatus,
      createTime: instant,
      decideTime: instant.nullable(),
    })
    .nullable(),
})

const BankCard = z.strictObject({
  id: z.string(),
  name: z.string(),
  bank: z.string(),
  /** The last four digits; the full number never leaves the server. */
  cardNumber: z.string().regex(/^\d{4}$/),
  createTime: instant,
})

const BANK_CARD = '/sys/api/customer/bankCard'

export const listBankCards = endpoint('customer', `GET ${BANK_CARD}`, {
  summary: 'The customer’s bank cards',
  result: z.array(BankCard),
})
export type BankCard = ResultOf<typeof listBankCards>[number]

export const addBankCard = endpoint('customer', `POST ${BANK_CARD}`, {
  summary: 'Stores a bank card, its number sealed; asks for the password or a code',
  body: z.object({ name: line(40), bank: line(60), cardNumber, ...proof }),
  result: BankCard,
})

export const removeBankCard = endpoint('customer', `DELETE ${BANK_CARD}`, {
  summary: 'Removes one of the customer’s bank cards',
  query: z.object({ id: uuid }),
  result: z.null(),
})

export const queryMyCustomerTotal = endpoint('customer', 'GET /sys/api/customer/queryMyCustomerTotal', {
  summary: 'A provider’s customers, orders and fees in sum; zeros for who is none',
  result: z.strictObject({
    customers: z.number().int(),
    orders: z.number().int(),
    earned: money,
    settled: money,
    withdrawn: money,
    waiting: money,
    withdrawable: money,
  }),
})

export const customerPage = endpoint('customer', 'GET /trade/api/customerPage', {
  summary: 'A provider’s customers, newest first',
  query: z.object(paging),
  result: page(
    z.strictObject({
      id: z.string(),
      nickname: z.string(),
      registerTime: instant,
      orders: z.number().int(),
      paid: money,
      fee: money,
    }),
  ),
})

export const settlementPage = endpoint('customer', 'GET /trade/api/settlementPage', {
  summary: 'A provider’s instalments by day of settlement, the next ones first',
  query: z.object({ ...paging, from: day.optional(), to: day.optional() }),
  result: page(
    z.strictObject({
      orderId: z.string(),
      nickname: z.string(),
      number: z.number().int(),
      of: z.number().int(),
      amount: money,
      settlesOn: day,
      state: z.enum(['waiting', 'settled', 'cancelled']),
    }),
  ),
})

/** With the card that it is paid to, whose number is empty once the account is deleted. */
const Withdrawal = BankCard.extend({
  cardNumber: z.string(),
  amount: money,
  state: z.enum(['waiting', 'paid', 'refused']),
  decideTime: instant.nullable(),
})

export const withdraw = endpoint('customer', 'POST /trade/api/withdrawal', {
  summary:
    'Asks for settled fees to be paid to a bank card, with the password or a code; `requestId` makes a second click the same request',
  body: z.object({ cardId: uuid, amount, requestId: uuid, ...proof }),
  result: z.strictObject({ withdrawal: Withdrawal, withdrawable: money }),
})

export const withdrawalPage = endpoint('customer', 'GET /trade/api/withdrawalPage', {
  summary: 'The provider’s withdrawals, newest first',
  query: z.object(paging),
  result: page(Withdrawal),
})
