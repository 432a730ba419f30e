import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

export interface ActivationRow {
  id: string
  orderId: string | null
  customerType: number
  months: number
  activatedAt: string
  vipStart: string
  vipEnd: string
  cancelledAt: string | null
}

const ACTIVATION = `id, order_id as "orderId", customer_type as "customerType", months, activated_at as "activatedAt",
  vip_start as "vipStart", vip_end as "vipEnd", cancelled_at as "cancelledAt"`

export async function insertActivation(
  { rows }: Queries,
  activation: {
    customerId: string
    orderId: string | null
    customerType: number
    months: number
    start: Date
    end: Date
  },
  now: Date,
): Promise<void> {
  await rows(
    `insert into vip_activation (id, customer_id, order_id, customer_type, months, activated_at, vip_start, vip_end)
     values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8)`,
    [
      newId(),
      activation.customerId,
      activation.orderId,
      activation.customerType,
      activation.months,
      now.toISOString(),
      activation.start.toISOString(),
      activation.end.toISOString(),
    ],
  )
}

/** A customer's VIP periods that were not cancelled, in order of purchase. */
export async function readActivations({ rows }: Queries, customerId: string): Promise<ActivationRow[]> {
  return rows(
    `select ${ACTIVATION} from vip_activation where customer_id = $1::uuid and cancelled_at is null
     order by activated_at, id`,
    [customerId],
  )
}

/** Cancels an order's VIP period. Returns its start, or `null` if the order has no active period. */
export async function cancelActivation(
  { rows }: Queries,
  orderId: string,
  now: Date,
): Promise<Pick<ActivationRow, 'vipStart'> | null> {
  const [row] = await rows<Pick<ActivationRow, 'vipStart'>>(
    `update vip_activation set cancelled_at = $2 where order_id = $1::uuid and cancelled_at is null
     returning vip_start as "vipStart"`,
    [orderId, now.toISOString()],
  )
  return row ?? null
}

export async function movePeriod({ rows }: Queries, id: string, start: Date, end: Date): Promise<void> {
  await rows('update vip_activation set vip_start = $2, vip_end = $3 where id = $1::uuid', [
    id,
    start.toISOString(),
    end.toISOString(),
  ])
}

export async function listActivations(
  { rows }: Queries,
  customerId: string,
  limit: number,
  offset: number,
): Promise<{ records: ActivationRow[]; total: number }> {
  const records = await rows<ActivationRow>(
    `select ${ACTIVATION} from vip_activation where customer_id = $1::uuid order by id desc limit $2 offset $3`,
    [customerId, limit, offset],
  )
  const [count] = await rows<{ total: number }>(
    'select count(*) as total from vip_activation where customer_id = $1::uuid',
    [customerId],
  )
  return { records, total: count!.total }
}
