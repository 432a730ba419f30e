import type { SecurityEventKind } from '../../../contract/api/session.ts'
import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { allRows, instant, run, statement } from '../../db/statement.ts'

export const insertSecurityEvent = (
  queries: Queries,
  customerId: string,
  kind: SecurityEventKind,
  now: Date,
): Promise<void> =>
  statement.insertInto('securityEvent').values({ id: newId(), customerId, kind, at: now }).$call(run(queries))

/** An account's recent security events, newest first. */
export const listSecurityEvents = (queries: Queries, customerId: string, limit: number) =>
  statement
    .selectFrom('securityEvent')
    .select(['kind', 'at'])
    .where('customerId', '=', customerId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$narrowType<{ kind: SecurityEventKind }>()
    .$call(allRows(queries))

export const sweepSecurityEvents = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('securityEvent').where('at', '<', instant(before)).$call(run(queries))
