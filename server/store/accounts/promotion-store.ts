import { sql, type InferResult } from 'kysely'
import type { Instalment } from '../../../domain/promotion.ts'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, countRows, firstRow, instant, oneValue, run, statement } from '../../db/statement.ts'

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
const applications = statement.selectFrom('providerApplication').select(APPLICATION)
export type ApplicationRow = InferResult<typeof applications>[number]

/** Literal, because the database must recognise the condition of its partial index. */
const PENDING = sql.lit('pending' as const)

/** Stores an application; `null` if the customer already has an open one. */
export const insertApplication = (
  queries: Queries,
  application: Record<'customerId' | 'account' | 'nickname' | 'name' | 'phone', string>,
  now: Date,
): Promise<ApplicationRow | null> => {
  const { customerId, account, nickname, name, phone } = application
  return statement
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
    .returning(APPLICATION)
    .$call(firstRow(queries))
}

export const newestApplication = (queries: Queries, customerId: string): Promise<ApplicationRow | null> =>
  applications.where('customerId', '=', customerId).orderBy('id', 'desc').limit(1).$call(firstRow(queries))

export const listApplications = (queries: Queries, status: ApplicationRow['status']) =>
  applications.where('status', '=', status).orderBy('id').$call(allRows(queries))

export const applicantOf = (queries: Queries, id: string): Promise<string | null> =>
  statement
    .selectFrom('providerApplication')
    .select('customerId')
    .where('id', '=', id)
    .$call(oneValue(queries))

/** Decides an open application and returns its customer's id; `null` if there is no open one with this id. */
export const decideApplication = (
  queries: Queries,
  id: string,
  status: 'approved' | 'refused',
  now: Date,
): Promise<string | null> =>
  statement
    .updateTable('providerApplication')
    .set({ status, decidedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('customerId')
    .$call(oneValue(queries))

export const makeProvider = (queries: Queries, customerId: string, now: Date): Promise<void> =>
  statement
    .updateTable('customer')
    .set(({ fn }) => ({ providerSince: fn.coalesce('providerSince', instant(now)) }))
    .where('id', '=', customerId)
    .where('deletedAt', 'is', null)
    .$call(run(queries))

export const providerOf = (queries: Queries, customerId: string): Promise<string | null> =>
  statement.selectFrom('customer').select('providerId').where('id', '=', customerId).$call(oneValue(queries))

export async function insertInstalments(
  queries: Queries,
  of: { providerId: string; customerId: string; orderId: string },
  instalments: readonly Instalment[],
): Promise<void> {
  if (instalments.length === 0) return
  await statement
    .insertInto('instalment')
    .values(instalments.map(({ number, cents, settlesOn }) => ({ ...of, number, cents, settlesOn })))
    .$call(run(queries))
}

/** Cancels the instalments of a refunded order that settle after `today`. */
export const cancelInstalments = (
  queries: Queries,
  orderId: string,
  today: string,
  now: Date,
): Promise<void> =>
  statement
    .updateTable('instalment')
    .set({ cancelledAt: now })
    .where('orderId', '=', orderId)
    .where('settlesOn', '>', today)
    .where('cancelledAt', 'is', null)
    .$call(run(queries))

/** The sum of a column of cents, 0 of no rows. */
const sumOf = (column: 'cents' | 'amountCents') => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`

/** A provider's totals; `today` (a business day) decides what counts as settled. */
export async function readTotals(queries: Queries, providerId: string, today: string) {
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
  const row = await statement
    .selectNoFrom([
      customers.$asScalar().$notNull().as('customers'),
      orders.$asScalar().$notNull().as('orders'),
      earned.$asScalar().$notNull().as('earnedCents'),
      earned.where('settlesOn', '<=', today).$asScalar().$notNull().as('settledCents'),
      withdrawn.where('state', '=', 'paid').$asScalar().$notNull().as('withdrawnCents'),
      withdrawn.where('state', '=', 'waiting').$asScalar().$notNull().as('waitingCents'),
    ])
    .$call(firstRow(queries))
  return row!
}

export type PromotionTotals = Awaited<ReturnType<typeof readTotals>>

export async function listProviderCustomers(
  queries: Queries,
  providerId: string,
  limit: number,
  offset: number,
) {
  const customers = statement.selectFrom('customer').where('providerId', '=', providerId)
  const page = customers
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const records = await statement
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
    .orderBy('c.id', 'desc')
    .$call(allRows(queries))
  return { records, total: await customers.$call(countRows(queries)) }
}

/** Instalments that settle from one day to another, the next to settle first, then those settled, newest first. */
export async function listInstalments(
  queries: Queries,
  providerId: string,
  filter: { from: string | null; to: string | null; today: string; limit: number; offset: number },
) {
  const { from, to, today, limit, offset } = filter
  const found = statement
    .selectFrom('instalment as i')
    .where('i.providerId', '=', providerId)
    .$if(from !== null, (all) => all.where('i.settlesOn', '>=', from!))
    .$if(to !== null, (all) => all.where('i.settlesOn', '<=', to!))
  const order = sql`i.settles_on <= ${today}::date, case when i.settles_on > ${today}::date then i.settles_on end,
    i.settles_on desc, i.order_id, i.number`
  const page = found.selectAll().orderBy(order).limit(limit).offset(offset)
  const records = await statement
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
    .$narrowType<{ cancelled: boolean }>()
    .$call(allRows(queries))
  return { records, total: await found.$call(countRows(queries)) }
}
