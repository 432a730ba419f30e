import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, countRows, firstRow, run, statement } from '../../db/statement.ts'

const COLUMNS = [
  'id',
  'orderId',
  'customerType',
  'months',
  'activatedAt',
  'vipStart',
  'vipEnd',
  'cancelledAt',
] as const

const activationsOf = (customerId: string) =>
  statement.selectFrom('vipActivation').where('customerId', '=', customerId)

export const insertActivation = (
  queries: Queries,
  activation: {
    customerId: string
    orderId: string | null
    customerType: number
    months: number
    start: Date
    end: Date
  },
  now: Date,
): Promise<void> => {
  const { start, end, ...bought } = activation
  return statement
    .insertInto('vipActivation')
    .values({ id: newId(), ...bought, activatedAt: now, vipStart: start, vipEnd: end })
    .$call(run(queries))
}

/** A customer's VIP periods that were not cancelled, in order of purchase. */
export const readActivations = (queries: Queries, customerId: string) =>
  activationsOf(customerId)
    .select(COLUMNS)
    .where('cancelledAt', 'is', null)
    .orderBy('activatedAt')
    .orderBy('id')
    .$call(allRows(queries))

/** Cancels an order's VIP period. Returns its start, or `null` if the order has no active period. */
export const cancelActivation = (queries: Queries, orderId: string, now: Date) =>
  statement
    .updateTable('vipActivation')
    .set({ cancelledAt: now })
    .where('orderId', '=', orderId)
    .where('cancelledAt', 'is', null)
    .returning('vipStart')
    .$call(firstRow(queries))

export const movePeriod = (queries: Queries, id: string, start: Date, end: Date): Promise<void> =>
  statement
    .updateTable('vipActivation')
    .set({ vipStart: start, vipEnd: end })
    .where('id', '=', id)
    .$call(run(queries))

export async function listActivations(queries: Queries, customerId: string, limit: number, offset: number) {
  const activations = activationsOf(customerId)
  const page = activations.select(COLUMNS).orderBy('id', 'desc').limit(limit).offset(offset)
  return { records: await page.$call(allRows(queries)), total: await activations.$call(countRows(queries)) }
}
