import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { anyOf, firstRow, instant, run, statement } from '../../db/statement.ts'

/** How much later an attempt may be dated that was counted before: it waited less for its turn, or its clock is ahead. */
const AHEAD_MS = 60_000

/**
 * Lets the attempts of each subject take turns until the transaction ends, in all processes on one database: of attempts
 * at one moment exactly as many pass as the limit has left.
 */
export async function takeTurn({ rows }: Queries, subjects: readonly string[]): Promise<void> {
  // In one order, so that no two attempts wait for each other.
  await rows(
    'select pg_advisory_xact_lock(hashtextextended(subject, 0)) from unnest($1::text[]) as subject',
    [[...subjects].toSorted()],
  )
}

/**
 * Records an attempt and counts the attempts since `from`, including this one. The count is shared by all
 * processes on one database. Attempts dated more than a minute in the future are ignored: the clock has been set back
 * since.
 */
export async function noteAttempt(
  queries: Queries,
  kind: string,
  subject: string,
  now: Date,
  from: Date,
): Promise<{ id: string; count: number; oldest: string }> {
  const id = newId()
  await statement.insertInto('attempt').values({ id, kind, subject, at: now }).$call(run(queries))
  const row = await statement
    .selectFrom('attempt')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')])
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('at', '>', instant(from))
    .where('at', '<=', instant(new Date(now.getTime() + AHEAD_MS)))
    .$call(firstRow(queries))
  return { id, ...row! }
}

export const dropAttempts = (queries: Queries, ids: readonly string[]): Promise<void> =>
  statement.deleteFrom('attempt').where('id', '=', anyOf(ids)).$call(run(queries))

export const forgetAttempts = (queries: Queries, kind: string, subject: string): Promise<void> =>
  statement.deleteFrom('attempt').where('kind', '=', kind).where('subject', '=', subject).$call(run(queries))

export const sweepAttempts = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('attempt').where('at', '<', instant(before)).$call(run(queries))
