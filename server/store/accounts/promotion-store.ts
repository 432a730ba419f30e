import { sql } from 'kysely'
import type { Instalment } from '../../../domain/promotion.ts'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, countRows, firstRow, instant, run, statement } from '../../db/statement.ts'

export interface ApplicationRow {
  id: string
  customerId: string
  account: string | null
  nickname: string | null
  name: string | null
  phone: string | null
  status: 'pending' | 'approved' | 'refused'
  createTime: string
  decideTime: string | null
}

const APPLICATION = [
  'id',
  'customerId',
  'account',
  'nickname',
  'name',
  'phone',
  'status',
  'createdAt as createTime',
  'decidedAt as decideTime',
] as const

/** Literal, because the database must recognise the condition of its partial index. */
const PENDING = sql.lit('pending' as const)

/** Stores an application; `null` if the customer already has an open one. */
export const insertApplication = (
  queries: Queries,
  application: Record<'customerId' | 'account' | 'nickname' | 'name' | 'phone', string>,
  now: Date,
): Promise<ApplicationRow | null> => {
  const { customerId, account, nickname, name, phone } = application
  return firstRow(
    queries,
    statement
      .insertInto('providerApplication')
      .values({
        id: newId(),
        customerId,
        account,
        nickname,
        name,
        phone,
        status: 'pending',
        createdAt: now,
      })
      .onConflict((conflict) => conflict.column('customerId').where('status', '=', PENDING).doNothing())
      .returning(APPLICATION),
  )
}

export const newestApplication = (queries: Queries, customerId: string): Promise<ApplicationRow | null> =>
  firstRow(
    queries,
    statement
      .selectFrom('providerApplication')
      .select(APPLICATION)
      .where('customerId', '=', customerId)
      .orderBy('id', 'desc')
      .limit(1),
  )

export const listApplications = (
  queries: Queries,
  status: ApplicationRow['status'],
): Promise<ApplicationRow[]> =>
  allRows(
    queries,
    statement
      .selectFrom('providerApplication')
      .select(APPLICATION)
      .where('status', '=', status)
      .orderBy('id'),
  )

export async function applicantOf(queries: Queries, id: string): Promise<string | null> {
  const row = await firstRow(
    queries,
    statement.selectFrom('providerApplication').select('customerId').where('id', '=', id),
  )
  return row?.customerId ?? null
}

/** Decides an open application and returns its customer's id; `null` if there is no open one with this id. */
export async function decideApplication(
  queries: Queries,
  id: string,
  status: 'approved' | 'refused',
  now: Date,
): Promise<string | null> {
  const row = await firstRow(
    queries,
    statement
      .updateTable('providerApplication')
      .set({ status, decidedAt: now })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returning('customerId'),
  )
  return row?.customerId ?? null
}

export const makeProvider = (queries: Queries, customerId: string, now: Date): Promise<void> =>
  run(
    queries,
    statement
      .updateTable('customer')
      .set(({ fn }) => ({ providerSince: fn.coalesce('providerSince', instant(now)) }))
      .where('id', '=', customerId)
      .where('deletedAt', 'is', null),
  )

export async function providerOf(queries: Queries, customerId: string): Promise<string | null> {
  const row = await firstRow(
    queries,
    statement.selectFrom('customer').select('providerId').where('id', '=', customerId),
  )
  return row?.providerId ?? null
}

export async function insertInstalments(
  queries: Queries,
  { providerId, customerId, orderId }: { providerId: string; customerId: string; orderId: string },
  instalments: readonly Instalment[],
): Promise<void> {
  if (instalments.length === 0) return
  await run(
    queries,
    statement.insertInto('instalment').values(
      instalments.map(({ number, cents, settlesOn }) => ({
        providerId,
        customerId,
        orderId,
        number,
        cents,
        settlesOn,
      })),
    ),
  )
}

/** Cancels the instalments of a refunded order that settle after `today`. */
export const cancelInstalments = (
  queries: Queries,
  orderId: string,
  today: string,
  now: Date,
): Promise<void> =>
  run(
    queries,
    statement
      .updateTable('instalment')
      .set({ cancelledAt: now })
      .where('orderId', '=', orderId)
      .where('settlesOn', '>', today)
      .where('cancelledAt', 'is', null),
  )

export interface PromotionTotals {
  customers: number
  orders: number
  earnedCents: number
  settledCents: number
  withdrawnCents: number
  waitingCents: number
}

/** The sum of a column of cents, 0 of no rows. */
const sumOf = (column: 'cents' | 'amountCents') => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`

/** A provider's totals; `today` (a business day) decides what counts as settled. */
export async function readTotals(
  queries: Queries,
  providerId: string,
  today: string,
): Promise<PromotionTotals> {
  const customers = statement
    .selectFrom('customer')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('providerId', '=', providerId)
  const orders = statement
    .selectFrom('instalment as i')
    .innerJoin('vipOrder as o', 'o.id', 'i.orderId')
    .select(({ fn }) => fn.count<number>('i.orderId').distinct().as('count'))
    .where('i.providerId', '=', providerId)
    .where('o.state', '=', 'accountPaid')
  const earned = statement
    .selectFrom('instalment')
    .select(sumOf('cents').as('cents'))
    .where('providerId', '=', providerId)
    .where('cancelledAt', 'is', null)
  const withdrawn = statement
    .selectFrom('withdrawal')
    .select(sumOf('cents').as('cents'))
    .where('customerId', '=', providerId)
  const row = await firstRow(
    queries,
    statement.selectNoFrom([
      customers.$asScalar().$notNull().as('customers'),
      orders.$asScalar().$notNull().as('orders'),
      earned.$asScalar().$notNull().as('earnedCents'),
      earned.where('settlesOn', '<=', today).$asScalar().$notNull().as('settledCents'),
      withdrawn.where('state', '=', 'paid').$asScalar().$notNull().as('withdrawnCents'),
      withdrawn.where('state', '=', 'waiting').$asScalar().$notNull().as('waitingCents'),
    ]),
  )
  return row!
}

export interface ProviderCustomer {
  id: string
  nickname: string
  registerTime: string
  orders: number
  paidCents: number
  feeCents: number
}

export async function listProviderCustomers(
  queries: Queries,
  providerId: string,
  limit: number,
  offset: number,
): Promise<{ records: ProviderCustomer[]; total: number }> {
  const customers = statement.selectFrom('customer').where('providerId', '=', providerId)
  const page = customers
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const records = await allRows(
    queries,
    statement
      .selectFrom(page.as('c'))
      .select(({ fn, selectFrom }) => {
        const paidOrders = selectFrom('vipOrder as o')
          .whereRef('o.customerId', '=', 'c.id')
          .where('o.state', '=', 'accountPaid')
        const fees = selectFrom('instalment as i')
          .whereRef('i.customerId', '=', 'c.id')
          .where('i.providerId', '=', providerId)
          .where('i.cancelledAt', 'is', null)
        return [
          'c.id',
          fn.coalesce('c.nickname', sql.lit('')).as('nickname'),
          'c.createdAt as registerTime',
          paidOrders.select(fn.countAll<number>().as('count')).$asScalar().$notNull().as('orders'),
          paidOrders.select(sumOf('amountCents').as('cents')).$asScalar().$notNull().as('paidCents'),
          fees.select(sumOf('cents').as('cents')).$asScalar().$notNull().as('feeCents'),
        ]
      })
      .orderBy('c.createdAt', 'desc')
      .orderBy('c.id', 'desc'),
  )
  return { records, total: await countRows(queries, customers) }
}

export interface InstalmentRow {
  orderId: string
  nickname: string
  number: number
  of: number
  cents: number
  settlesOn: string
  cancelled: boolean
}

/** Instalments that settle from one day to another, the next to settle first, then those settled, newest first. */
export async function listInstalments(
  queries: Queries,
  providerId: string,
  filter: { from: string | null; to: string | null; today: string; limit: number; offset: number },
): Promise<{ records: InstalmentRow[]; total: number }> {
  const { from, to, today, limit, offset } = filter
  const found = statement
    .selectFrom('instalment as i')
    .where('i.providerId', '=', providerId)
    .$if(from !== null, (all) => all.where('i.settlesOn', '>=', from!))
    .$if(to !== null, (all) => all.where('i.settlesOn', '<=', to!))
  const order = sql`i.settles_on <= ${today}::date, case when i.settles_on > ${today}::date then i.settles_on end,
    i.settles_on desc, i.order_id, i.number`
  const page = found.selectAll().orderBy(order).limit(limit).offset(offset)
  const records = await allRows(
    queries,
    statement
      .selectFrom(page.as('i'))
      .innerJoin('customer as c', 'c.id', 'i.customerId')
      .innerJoin('vipOrder as o', 'o.id', 'i.orderId')
      .select(({ eb, fn }) => [
        'i.orderId',
        fn.coalesce('c.nickname', sql.lit('')).as('nickname'),
        'i.number',
        'o.months as of',
        'i.cents',
        'i.settlesOn',
        eb('i.cancelledAt', 'is not', null).as('cancelled'),
      ])
      .orderBy(order)
      .$narrowType<{ cancelled: boolean }>(),
  )
  return { records, total: await countRows(queries, found) }
}
