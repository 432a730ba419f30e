import { Option, type Command } from 'commander'
import { z } from 'zod'
import { FurlongError } from '../../domain/errors.ts'
import { CUSTOMER_TYPES } from '../../domain/membership.ts'
import { centsText, parseCents } from '../../domain/money.ts'
import { makeDemoLinks } from '../demo/demo-accounts.ts'
import { checkConfig, loadConfig } from '../store/operation/config.ts'
import { grantPeriod, refundOrder } from '../services/payments.ts'
import { decideProvider, settleWithdrawal } from '../services/promotion.ts'
import { findByAccount, type Customer } from '../store/accounts/customer-store.ts'
import type { Queries } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { listOrders, listPlans, upsertPlan } from '../store/accounts/order-store.ts'
import { listApplications, type ApplicationRow } from '../store/accounts/promotion-store.ts'
import { listWithdrawals, readSealedNumber, type WithdrawalRow } from '../store/accounts/payout-store.ts'
import { insertAd, listAds, removeAd, writeConfig } from '../store/operation/site-store.ts'
import { addVouchers } from '../store/accounts/voucher-store.ts'
import { tell, withDatabase, withService } from './session.ts'

interface Json {
  json: boolean
}

const MAX_ROWS = 1000
const Uuid = z.uuid()

/** Validates an id. Throws `bad-arguments` if it is not a UUID. */
function key(text: string): string {
  if (!Uuid.safeParse(text).success) throw new FurlongError('bad-arguments', { reason: text })
  return text
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}$/.test(text)) throw new FurlongError('bad-arguments', { reason: text })
  return value
}

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
  siteCommands(program)
  planCommands(program)
  giftCommands(program)
}

const json = (command: Command): Command => command.option('--json', 'print as JSON', false)

function applicationCommands(program: Command): void {
  const applications = program.command('applications').description('applications to become a provider')
  json(applications.command('list').description('applications of a state'))
    .addOption(
      new Option('--status <status>', 'state').choices(['pending', 'approved', 'refused']).default('pending'),
    )
    .action(async ({ status, json }: Json & { status: ApplicationRow['status'] }) => {
      const rows = await withDatabase((database) => listApplications(database, status))
      tell(
        json,
        rows,
        rows.map(({ id, account, name, phone, createTime }) =>
          [id, account, name, phone, createTime].join('  '),
        ),
      )
    })
  for (const [verb, status] of [
    ['approve', 'approved'],
    ['refuse', 'refused'],
  ] as const) {
    json(
      applications.command(verb).description(`${verb} an application`).argument('<id>', 'its id', key),
    ).action(async (id: string, { json }: Json) => {
      await withService((service) => decideProvider(service, id, status))
      tell(json, { id, status }, [`${id} ${status}`])
    })
  }
}

function withdrawalCommands(program: Command): void {
  const withdrawals = program.command('withdrawals').description('withdrawals that providers ask for')
  json(withdrawals.command('list').description('withdrawals of a state'))
    .addOption(
      new Option('--state <state>', 'state').choices(['waiting', 'paid', 'refused']).default('waiting'),
    )
    .action(async ({ state, json }: Json & { state: WithdrawalRow['state'] }) => {
      const filter = { customerId: null, state, limit: MAX_ROWS, offset: 0 }
      const { records } = await withDatabase((database) => listWithdrawals(database, filter))
      tell(
        json,
        records.map(({ cents, ...row }) => ({ ...row, amount: centsText(cents) })),
        records.map((row) =>
          [row.id, `HK$${centsText(row.cents)}`, row.name, row.bank, `…${row.lastFour}`, row.createTime].join(
            '  ',
          ),
        ),
      )
    })
  json(
    withdrawals
      .command('card')
      .description('the whole card number of a waiting withdrawal, to pay it')
      .argument('<id>', 'its id', key),
  ).action(async (id: string, { json }: Json) => {
    const cardNumber = await withService(async ({ database, keys }) => {
      const sealed = await readSealedNumber(database, id)
      if (sealed === null) throw new FurlongError('not-found')
      return keys.unseal(`bank card ${sealed.cardId}`, sealed.numberSealed)
    })
    tell(json, { id, cardNumber }, [cardNumber])
  })
  for (const state of ['paid', 'refused'] as const) {
    json(
      withdrawals.command(state).description(`mark a withdrawal ${state}`).argument('<id>', 'its id', key),
    ).action(async (id: string, { json }: Json) => {
      await withService((service) => settleWithdrawal(service, id, state))
      tell(json, { id, state }, [`${id} ${state}`])
    })
  }
}

function orderCommands(program: Command): void {
  const orders = program.command('orders').description('orders of VIP plans')
  json(
    orders.command('list').description('a customer’s orders').argument('<account>', 'account, phone or id'),
  ).action(async (account: string, { json }: Json) => {
    const { records } = await withDatabase(async (database) => {
      // Deleted accounts can also be found by id.
      const isId = Uuid.safeParse(account).success
      const id = isId ? account : (await customerOf(database, account)).id
      return listOrders(database, id, { state: null, limit: MAX_ROWS, offset: 0 }, new Date())
    })
    tell(
      json,
      records,
      records.map((row) => [row.id, row.state, `HK$${centsText(row.amountCents)}`, row.createdAt].join('  ')),
    )
  })
  json(
    orders
      .command('refund')
      .description('give an order’s money back through its gateway and take the membership away')
      .argument('<id>', 'the order', key),
  ).action(async (id: string, { json }: Json) => {
    await withService((service) => refundOrder(service, id))
    tell(json, { id, state: 'refunded' }, [`${id} refunded`])
  })
}

function siteCommands(program: Command): void {
  const config = program.command('config').description('public settings')
  json(config.command('list').description('all settings')).action(async ({ json }: Json) => {
    const items = await withDatabase(loadConfig)
    tell(
      json,
      items,
      Object.entries(items).map(([code, value]) => `${code} = ${value}`),
    )
  })
  json(config.command('set').description('set one').argument('<code>').argument('<value>')).action(
    async (code: string, value: string, { json }: Json) => {
      const item = checkConfig(code, value)
      await withDatabase((database) => writeConfig(database, item.code, item.value))
      tell(json, item, [`${item.code} = ${item.value}`])
    },
  )

  const ads = program.command('ads').description('banners')
  json(
    ads
      .command('list')
      .description('banners of a position')
      .option('--position <position>', 'where', 'mobile_client_home'),
  ).action(async ({ position, json }: Json & { position: string }) => {
    const rows = await withDatabase((database) => listAds(database, position))
    tell(
      json,
      rows,
      rows.map(({ id, url, link }) => [id, url, link ?? ''].join('  ')),
    )
  })
  json(
    ads
      .command('add')
      .description('add a banner: an address of this site or an https one')
      .argument('<url>', 'the picture, a path of this site', ownPath),
  )
    .option('--link <address>', 'where a tap leads', webAddress)
    .option('--position <position>', 'where', 'mobile_client_home')
    .option('--sort <number>', 'order', wholeNumber, 0)
    .action(async (url: string, options: Json & { link?: string; position: string; sort: number }) => {
      const ad = { position: options.position, url, link: options.link ?? null, sort: options.sort }
      const id = await withDatabase((database) => insertAd(database, ad))
      tell(options.json, { id, ...ad }, [id])
    })
  json(ads.command('remove').description('remove a banner').argument('<id>', 'its id', key)).action(
    async (id: string, { json }: Json) => {
      const removed = await withDatabase((database) => removeAd(database, id))
      if (!removed) throw new FurlongError('not-found')
      tell(json, { id }, [`${id} removed`])
    },
  )
}

/** Throws `bad-arguments` unless it is a path of this site: pages load pictures from no other origin. */
function ownPath(text: string): string {
  if (!/^\/(?!\/)[^\s<>"]+$/.test(text)) throw new FurlongError('bad-arguments', { reason: text })
  return text
}

/** Throws `bad-arguments` for other URL schemes: a banner must not run scripts. */
function webAddress(text: string): string {
  if (!/^(https:\/\/|\/|#\/)[^\s<>"]+$/.test(text)) throw new FurlongError('bad-arguments', { reason: text })
  return text
}

function planCommands(program: Command): void {
  const plans = program.command('plans').description('VIP plans')
  json(plans.command('list').description('plans on sale')).action(async ({ json }: Json) => {
    const rows = await withDatabase((database) => listPlans(database, 1))
    tell(
      json,
      rows,
      rows.map((row) =>
        [
          row.id,
          row.nameEn,
          `${row.months} months`,
          `HK$${centsText(row.priceCents)}`,
          `HK$${centsText(row.sellingCents)}`,
        ].join('  '),
      ),
    )
  })
  json(
    plans
      .command('set')
      .description('write a plan; orders keep the price they were made at')
      .argument('<id>'),
  )
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
    .action(async (id: string, options: Json & PlanOptions) => {
      const plan = {
        id,
        category: 1,
        customerType: options.type ?? typeOf(options.months),
        nameEn: options.nameEn,
        nameHant: options.nameHant,
        nameHans: options.nameHans,
        months: options.months,
        priceCents: options.price,
        sellingCents: options.sellingPrice,
        active: !options.off,
      }
      const isSound = plan.months >= 1 && plan.months <= 120 && plan.sellingCents > 0
      if (!isSound || plan.sellingCents > plan.priceCents || plan.customerType < 2 || plan.customerType > 5)
        throw new FurlongError('bad-arguments', { reason: 'months, type or prices' })
      await withDatabase((database) => upsertPlan(database, plan))
      tell(options.json, plan, [`plan ${id} written`])
    })
}

interface PlanOptions {
  nameEn: string
  nameHant: string
  nameHans: string
  months: number
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
  json(
    program
      .command('grant-vip')
      .description('give a customer VIP without an order')
      .argument('<account>', 'account, phone or id'),
  )
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
  json(
    program
      .command('grant-vouchers')
      .description('give a customer no-expiry vouchers')
      .argument('<account>', 'account, phone or id')
      .argument('<number>', 'how many', wholeNumber),
  ).action(async (account: string, amount: number, { json }: Json) => {
    if (amount < 1) throw new FurlongError('bad-arguments', { reason: String(amount) })
    const before = await withService(async ({ database, now }) => {
      const { id } = await customerOf(database, account)
      const change = { customerId: id, reason: 'operator', amount, reference: newId() } as const
      return database.transaction((queries) => addVouchers(queries, change, now()))
    })
    tell(json, { account, vouchers: before + amount }, [`${account} has ${before + amount} vouchers`])
  })
  json(program.command('demo-links').description('one-time links of the demonstration’s accounts')).action(
    async ({ json }: Json) => {
      const links = await withService((service) => makeDemoLinks(service))
      tell(
        json,
        links,
        links.map(({ account, code }) => `${account}: #/pages/login/loginResult?link=${code}`),
      )
    },
  )
}
