import type { SecurityEventKind } from '../../../contract/api/session.ts'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

export async function insertSecurityEvent(
  { rows }: Queries,
  customerId: string,
  kind: SecurityEventKind,
  now: Date,
): Promise<void> {
  await rows('insert into security_event (id, customer_id, kind, at) values ($1::uuid, $2::uuid, $3, $4)', [
    newId(),
    customerId,
    kind,
    now.toISOString(),
  ])
}

/** An account's recent security events, newest first. */
export async function listSecurityEvents(
  { rows }: Queries,
  customerId: string,
  limit: number,
): Promise<{ kind: SecurityEventKind; at: string }[]> {
  return rows(
    'select kind, at from security_event where customer_id = $1::uuid order by at desc, id desc limit $2',
    [customerId, limit],
  )
}

export async function sweepSecurityEvents({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from security_event where at < $1', [before.toISOString()])
}
