import { FurlongError } from '../../domain/errors.ts'
import { isVipAt } from '../../domain/membership.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { rewardSharer } from '../services/accounts.ts'
import { orderPlan, handlePaymentEvent } from '../services/payments.ts'
import { askWithdrawal, settleWithdrawal, storeCard } from '../services/promotion.ts'
import type { Service } from '../services/service.ts'
import { sandboxGateway } from '../gateways/payment.ts'
import { findByAccount, insertCustomer, type Customer } from '../store/accounts/customer-store.ts'
import type { Database } from '../db/database.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { newId } from '../db/id.ts'
import { loadConfig, numberOf } from '../store/operation/config.ts'
import { listCards, listWithdrawals } from '../store/accounts/payout-store.ts'
import { makeProvider } from '../store/accounts/promotion-store.ts'
import { insertLink } from '../store/accounts/token-store.ts'
import { openWallet } from '../store/accounts/voucher-store.ts'

/** Roles for which sign-in links are printed. */
const ROLES = ['VIP', 'member', 'provider'] as const
const accountOf = (role: string): string => `demo-${role.toLowerCase()}`

const LINK_HOURS = 24
const DAY_MS = 86_400_000
const VOUCHERS = 3
const PROVIDER_DAYS = 200
/** A test number of the card networks. */
const TEST_CARD = '4242424242424242'
const WITHDRAWN_CENTS = 5000
/** Arbitrary key that no other advisory lock uses. */
const ACCOUNTS_LOCK = 7_312_028

/** The provider's customers: name, days since the purchase, plan. */
const BUYERS = [
  ['Wing', 170, '3'],
  ['Ada', 130, '2'],
  ['Kit', 75, '1'],
  ['May', 40, '4'],
  ['Lok', 12, '1'],
] as const

/**
 * Creates the demonstration's accounts: a member, a VIP whose year is renewed, and a provider whose customers
 * bought over the last months. They have no password and no existing phone number: only a one-time link signs
 * in as one of them. All are created in one transaction under a lock, so that concurrent processes create one
 * set, and an interruption leaves all or none.
 */
export async function ensureDemoAccounts(service: Service): Promise<void> {
  const { database } = service
  if (!(await holdsDemonstration(database))) return
  await database.transaction(async (queries) => {
    await queries.rows(`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`)
    // Transactions of the business rules become part of this one.
    const within: Database = { ...database, ...queries, transaction: (work) => work(queries) }
    await makeAccounts({ ...service, database: within })
  })
}

async function makeAccounts(service: Service): Promise<void> {
  const { database, now } = service
  await ensure(service, 'member', 'Demo member', now(), null)
  const vip = await ensure(service, 'VIP', 'Demo VIP', now(), null)
  if (!isVipAt(now(), vip.vipEnd)) await buyPlanAt(service, vip.id, '4', now())
  const since = new Date(now().getTime() - PROVIDER_DAYS * DAY_MS)
  const provider = await ensure(service, 'provider', 'Demo provider', since, null)
  if (provider.providerSince === null) await makeProvider(database, provider.id, since)
  for (const [name, days, plan] of BUYERS) {
    const bought = new Date(now().getTime() - days * DAY_MS)
    const buyer = await ensure(service, `customer-${name}`, name, bought, provider.id)
    if (buyer.vipEnd === null) await buyPlanAt(service, buyer.id, plan, bought)
  }
  const [known] = await listCards(database, provider.id)
  const card =
    known ??
    (await storeCard(service, provider.id, {
      name: 'Demo provider',
      bank: 'Demonstration Bank',
      cardNumber: TEST_CARD,
    }))
  const filter = { customerId: provider.id, state: null, limit: 1, offset: 0 }
  const [before] = (await listWithdrawals(database, filter)).records
  const withdrawal = { requestId: before?.id ?? newId(), cardId: card.id, cents: WITHDRAWN_CENTS }
  if (!before) await askWithdrawal(service, provider.id, withdrawal)
  if (!before || before.state === 'waiting') await settleWithdrawal(service, withdrawal.requestId, 'paid')
}

async function ensure(
  { database }: Service,
  role: string,
  nickname: string,
  since: Date,
  providerId: string | null,
): Promise<Customer> {
  const account = accountOf(role)
  const known = await findByAccount(database, account)
  if (known !== null) return known
  const id = newId()
  await database.transaction(async (queries) => {
    const written = await insertCustomer(
      queries,
      {
        id,
        account,
        // No country has phone numbers that begin with 999.
        phone: `+999${BigInt(`0x${id.replaceAll('-', '').slice(-10)}`)}`.slice(0, 15),
        passwordHash: null,
        nickname,
        gender: 0,
        inviterId: providerId,
        providerId,
        demonstration: true,
      },
      since,
    )
    if (!written) return
    await openWallet(queries, id, VOUCHERS, since)
    // As for everybody who registers through a provider's link.
    const reward = numberOf(await loadConfig(queries), 'shareReward')
    if (providerId !== null) await rewardSharer(queries, providerId, id, reward, since)
  })
  return (await findByAccount(database, account))!
}

/** A purchase at another time by the usual rules: ordered, then confirmed by a payment notice. */
export async function buyPlanAt(
  service: Service,
  customerId: string,
  planId: string,
  at: Date,
): Promise<void> {
  const then: Service = { ...service, now: () => at, payment: sandboxGateway() }
  const order = await orderPlan(then, customerId, planId, 'en')
  await handlePaymentEvent(then, 'sandbox', {
    kind: 'paid',
    noticeId: `paid-${order.id}`,
    gatewayReference: order.gatewayReference!,
    orderId: order.id,
    paymentReference: order.id,
    amountCents: order.amountCents,
    currency: 'hkd',
  })
}

/**
 * Creates one sign-in code for each demonstration account, valid once and within a day. Throws
 * `not-demonstration`.
 */
export async function makeDemoLinks({
  database,
  now,
}: Pick<Service, 'database' | 'now'>): Promise<{ account: string; code: string }[]> {
  if (!(await holdsDemonstration(database))) throw new FurlongError('not-demonstration')
  const links: { account: string; code: string }[] = []
  for (const role of ROLES) {
    const customer = await findByAccount(database, accountOf(role))
    if (customer === null) continue
    const code = randomToken()
    const expires = new Date(now().getTime() + LINK_HOURS * 3_600_000)
    await insertLink(database, tokenHash(code), customer.id, now(), expires)
    links.push({ account: role, code })
  }
  return links
}
