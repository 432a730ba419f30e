import { Option, type Command } from 'commander'
import { z } from 'zod'
import { FurlongError } from '../../domain/errors.ts'
import { CUSTOMER_TYPES } from '../../domain/membership.ts'
import { centsText, parseCents } from '../../domain/money.ts'
import { makeDemoLinks } from '../demo/demo-accounts.ts'
import { checkConfig, loadConfig } from '../store/operation/config.ts'
import { grantPeriod, refundOrder } from '../services/payments.ts'
import { fileUrl } from '../services/pictures.ts'
import { decideProvider, settleWithdrawal } from '../services/promotion.ts'
import { findByAccount, type Customer } from '../store/accounts/customer-store.ts'
import type { Queries } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { listOrders, listPlans, upsertPlan, type PlanRow } from '../store/accounts/order-store.ts'
import { answerMessage, listMessages } from '../store/accounts/message-store.ts'
import { listApplications, type ApplicationRow } from '../store/accounts/promotion-store.ts'
import { listWithdrawals, readSealedNumber, type WithdrawalRow } from '../store/accounts/payout-store.ts'
import { insertAd, listAds, removeAd, writeConfig } from '../store/operation/site-store.ts'
import { addVouchers } from '../store/accounts/voucher-store.ts'
import { tell, tellEach, withDatabase, withService, type Json } from './session.ts'

const JSON_OPTION = ['--json', 'print as JSON', false] as const

const MAX_ROWS = 1000
const Uuid = z.uuid()

/** An argument that a pattern allows. Throws `bad-arguments` for any other. */
const matching =
  (pattern: RegExp) =>
  (text: string): string => {
    if (!pattern.test(text)) throw new FurlongError('bad-arguments', { reason: text })
    return text
  }

const wholeNumber = (text: string): number => Number(matching(/^\d{1,6}$/)(text))
/** Validates an id. Throws `bad-arguments` if it is not a UUID. */
function key(text: string): string {
  if (!Uuid.safeParse(text).success) throw new FurlongError('bad-arguments', { reason: text })
  return text
}
/** Only a path of this site: pages load pictures from no other origin. */
const ownPath = matching(/^\/(?!\/)[^\s<>"]+$/)
/** No other URL schemes: a banner must not run scripts. */
const webAddress = matching(/^(https:\/\/|\/|#\/)[^\s<>"]+$/)

/** Gives a command what it does with one thing by its id, and prints what that returns as JSON, or its line. */
const byId = (
  command: Command,
  work: (id: string) => Promise<[value: object, line: string]>,
  what = 'its id',
): Command =>
  command
    .argument('<id>', what, key)
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: Json) => {
      const [value, line] = await work(id)
      tell(json, value, [line])
    })

const columns = (...values: (string | null)[]): string => values.join('  ')

async function customerOf(database: Queries, account: string): Promise<Customer> {
  const customer = await findByAccount(database, account)
  if (customer === null) throw new FurlongError('unknown-account', { account })
  return customer
}

/** Commands for operators: applications, withdrawals, refunds, settings, ads, plans, gifts. */
export function operatorCommands(program: Command): void {
  applicationCommands(program)
  withdrawalCommands(program)
  orderCommands(program)
  messageCommands(program)
  siteCommands(program)
  planCommands(program)
  giftCommands(program)
}

function applicationCommands(program: Command): void {
  const applications = program.command('applications').description('applications to become a provider')
  applications
    .command('list')
    .description('applications of a state')
    .option(...JSON_OPTION)
    .addOption(
      new Option('--status <status>', 'state').choices(['pending', 'approved', 'refused']).default('pending'),
    )
    .action(async ({ status, json }: Json & { status: ApplicationRow['status'] }) => {
      const rows = await withDatabase((database) => listApplications(database, status))
      tellEach(json, rows, (row) => columns(row.id, row.account, row.name, row.phone, row.createTime))
    })
  for (const [verb, status] of [
    ['approve', 'approved'],
    ['refuse', 'refused'],
  ] as const) {
    byId(applications.command(verb).description(`${verb} an application`), async (id) => {
      await withService((service) => decideProvider(service, id, status))
      return [{ id, status }, `${id} ${status}`]
    })
  }
}

function withdrawalCommands(program: Command): void {
  const withdrawals = program.command('withdrawals').description('withdrawals that providers ask for')
  withdrawals
    .command('list')
    .description('withdrawals of a state')
    .option(...JSON_OPTION)
    .addOption(
      new Option('--state <state>', 'state').choices(['waiting', 'paid', 'refused']).default('waiting'),
    )
    .action(async ({ state, json }: Json & { state: WithdrawalRow['state'] }) => {
      const filter = { customerId: null, state, limit: MAX_ROWS, offset: 0 }
      const { records } = await withDatabase((database) => listWithdrawals(database, filter))
      const rows = records.map(({ cents, ...row }) => ({ ...row, amount: centsText(cents) }))
      tellEach(json, rows, ({ id, amount, name, bank, lastFour, createTime }) =>
        columns(id, `HK$${amount}`, name, bank, `…${lastFour}`, createTime),
      )
    })
  const card = withdrawals.command('card')
  byId(card.description('the whole card number of a waiting withdrawal, to pay it'), async (id) => {
    const cardNumber = await withService(async ({ database, keys }) => {
      const sealed = await readSealedNumber(database, id)
      if (sealed === null) throw new FurlongError('not-found')
      return keys.unseal(`bank card ${sealed.cardId}`, sealed.numberSealed)
    })
    return [{ id, cardNumber }, cardNumber]
  })
  for (const state of ['paid', 'refused'] as const) {
    byId(withdrawals.command(state).description(`mark a withdrawal ${state}`), async (id) => {
      await withService((service) => settleWithdrawal(service, id, state))
      return [{ id, state }, `${id} ${state}`]
    })
  }
}

function orderCommands(program: Command): void {
  const orders = program.command('orders').description('orders of VIP plans')
  orders
    .command('list')
    .description('a customer’s orders')
    .argument('<account>', 'account, phone or id')
    .option(...JSON_OPTION)
    .action(async (account: string, { json }: Json) => {
      const { records } = await withDatabase(async (database) => {
        // Deleted accounts can also be found by id.
        const isId = Uuid.safeParse(account).success
        const id = isId ? account : (await customerOf(database, account)).id
        return listOrders(database, id, { state: null, limit: MAX_ROWS, offset: 0 }, new Date())
      })
      tellEach(json, records, ({ id, state, amountCents, createdAt }) =>
        columns(id, state, `HK$${centsText(amountCents)}`, createdAt),
      )
    })
  const refund = orders.command('refund')
  refund.description('give an order’s money back through its gateway and take the membership away')
  const giveBack = async (id: string): Promise<[object, string]> => {
    await withService((service) => refundOrder(service, id))
    return [{ id, state: 'refunded' }, `${id} refunded`]
  }
  byId(refund, giveBack, 'the order')
}

function messageCommands(program: Command): void {
  const messages = program.command('messages').description('messages of customers')
  messages
    .command('list')
    .description('messages that wait for an answer, the oldest first, with the paths of their pictures')
    .option('--all', 'those that were answered too', false)
    .option(...JSON_OPTION)
    .action(async ({ all, json }: Json & { all: boolean }) => {
      const found = await withDatabase((database) => listMessages(database, all, MAX_ROWS))
      const rows = found.map((message) => ({ ...message, pictures: message.pictures.map(fileUrl) }))
      tellEach(json, rows, ({ id, createdAt, account, answerTo, content, pictures, answeredAt }) =>
        [
          columns(id, createdAt, account, `answer to ${answerTo}`, answeredAt && `answered ${answeredAt}`),
          ...content.split('\n').map((each) => `  ${each}`),
          ...pictures.map((path) => `  ${path}`),
        ].join('\n'),
      )
    })
  byId(messages.command('answered').description('mark a message as answered'), async (id) => {
    const marked = await withService(({ database, now }) => answerMessage(database, id, now()))
    if (!marked) throw new FurlongError('not-found')
    return [{ id }, `${id} answered`]
  })
}

function siteCommands(program: Command): void {
  const config = program.command('config').description('public settings')
  config
    .command('list')
    .description('all settings')
    .option(...JSON_OPTION)
    .action(async ({ json }: Json) => {
      const items = await withDatabase(loadConfig)
      const lines = Object.entries(items).map(([code, value]) => `${code} = ${value}`)
      tell(json, items, lines)
    })
  config
    .command('set')
    .description('set one')
    .argument('<code>')
    .argument('<value>')
    .option(...JSON_OPTION)
    .action(async (code: string, value: string, { json }: Json) => {
      const item = checkConfig(code, value)
      await withDatabase((database) => writeConfig(database, item.code, item.value))
      tell(json, item, [`${item.code} = ${item.value}`])
    })

  const ads = program.command('ads').description('banners')
  ads
    .command('list')
    .description('banners of a position')
    .option('--position <position>', 'where', 'mobile_client_home')
    .option(...JSON_OPTION)
    .action(async ({ position, json }: Json & { position: string }) => {
      const rows = await withDatabase((database) => listAds(database, position))
      tellEach(json, rows, ({ id, url, link }) => columns(id, url, link))
    })
  ads
    .command('add')
    .description('add a banner: an address of this site or an https one')
    .argument('<url>', 'the picture, a path of this site', ownPath)
    .option(...JSON_OPTION)
    .option('--link <address>', 'where a tap leads', webAddress)
    .option('--position <position>', 'where', 'mobile_client_home')
    .option('--sort <number>', 'order', wholeNumber, 0)
    .action(async (url: string, options: Json & { link?: string; position: string; sort: number }) => {
      const ad = { position: options.position, url, link: options.link ?? null, sort: options.sort }
      const id = await withDatabase((database) => insertAd(database, ad))
      tell(options.json, { id, ...ad }, [id])
    })
  byId(ads.command('remove').description('remove a banner'), async (id) => {
    const removed = await withDatabase((database) => removeAd(database, id))
    if (!removed) throw new FurlongError('not-found')
    return [{ id }, `${id} removed`]
  })
}

function planCommands(program: Command): void {
  const plans = program.command('plans').description('VIP plans')
  plans
    .command('list')
    .description('plans on sale')
    .option(...JSON_OPTION)
    .action(async ({ json }: Json) => {
      const rows = await withDatabase((database) => listPlans(database, 1))
      tellEach(json, rows, ({ id, nameEn, months, priceCents, sellingCents }) =>
        columns(
          id,
          nameEn,
          `${months} months`,
          `HK$${centsText(priceCents)}`,
          `HK$${centsText(sellingCents)}`,
        ),
      )
    })
  plans
    .command('set')
    .description('write a plan; orders keep the price they were made at')
    .argument('<id>')
    .option(...JSON_OPTION)
    .requiredOption('--name-en <name>', 'name in English')
    .requiredOption('--name-hant <name>', 'name in Traditional Chinese')
    .requiredOption('--name-hans <name>', 'name in Simplified Chinese')
    .requiredOption('--months <months>', 'length', wholeNumber)
    .requiredOption('--price <amount>', 'full price, HK$', parseCents)
    .requiredOption('--selling-price <amount>', 'what is paid, HK$', parseCents)
    .option(
      '--type <type>',
      'what the customer becomes: 2 monthly, 3 quarterly, 4 half-year, 5 yearly',
      wholeNumber,
    )
    .option('--off', 'take it off sale', false)
    .action(async (id: string, { json, type, price, sellingPrice, off, ...rest }: PlanOptions) => {
      const plan = {
        id,
        ...rest,
        category: 1,
        customerType: type ?? typeOf(rest.months),
        priceCents: price,
        sellingCents: sellingPrice,
        active: !off,
      }
      const isSound = plan.months >= 1 && plan.months <= 120 && plan.sellingCents > 0
      if (!isSound || plan.sellingCents > plan.priceCents || plan.customerType < 2 || plan.customerType > 5)
        throw new FurlongError('bad-arguments', { reason: 'months, type or prices' })
      await withDatabase((database) => upsertPlan(database, plan))
      tell(json, plan, [`plan ${id} written`])
    })
}

interface PlanOptions extends Json, Pick<PlanRow, 'nameEn' | 'nameHant' | 'nameHans' | 'months'> {
  price: number
  sellingPrice: number
  type?: number
  off: boolean
}

const typeOf = (months: number): number => {
  if (months >= 12) return CUSTOMER_TYPES.yearly
  if (months >= 6) return CUSTOMER_TYPES.halfYear
  return months >= 3 ? CUSTOMER_TYPES.quarterly : CUSTOMER_TYPES.monthly
}

function giftCommands(program: Command): void {
  program
    .command('grant-vip')
    .description('give a customer VIP without an order')
    .argument('<account>', 'account, phone or id')
    .option(...JSON_OPTION)
    .requiredOption('--months <months>', 'how long', wholeNumber)
    .action(async (account: string, { months, json }: Json & { months: number }) => {
      if (months < 1 || months > 120) throw new FurlongError('bad-arguments', { reason: '--months' })
      const period = await withService(async ({ database, now }) => {
        const { id } = await customerOf(database, account)
        return database.transaction((queries) =>
          grantPeriod(queries, id, { months, customerType: typeOf(months) }, null, now()),
        )
      })
      tell(json, { account, vipEnd: period!.end }, [`${account} is VIP until ${period!.end.toISOString()}`])
    })
  program
    .command('grant-vouchers')
    .description('give a customer no-expiry vouchers')
    .argument('<account>', 'account, phone or id')
    .argument('<number>', 'how many', wholeNumber)
    .option(...JSON_OPTION)
    .action(async (account: string, amount: number, { json }: Json) => {
      if (amount < 1) throw new FurlongError('bad-arguments', { reason: String(amount) })
      const before = await withService(async ({ database, now }) => {
        const { id } = await customerOf(database, account)
        const change = { customerId: id, reason: 'operator', amount, reference: newId() } as const
        return database.transaction((queries) => addVouchers(queries, change, now()))
      })
      tell(json, { account, vouchers: before + amount }, [`${account} has ${before + amount} vouchers`])
    })
  program
    .command('demo-links')
    .description('one-time links of the demonstration’s accounts')
    .option(...JSON_OPTION)
    .action(async ({ json }: Json) => {
      const links = await withService(makeDemoLinks)
      tellEach(json, links, ({ account, code }) => `${account}: #/pages/login/loginResult?link=${code}`)
    })
}
