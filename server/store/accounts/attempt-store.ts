import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { anyOf, anyRow, firstRow, instant, oneValue, run, statement } from '../../db/statement.ts'

/** How much later a concurrent attempt may be dated. */
const CONCURRENT_MS = 60_000

/**
 * Records an attempt and counts the attempts since `from`, including this one. The count is shared by all
 * processes on one database. The attempt is written before counting, so that concurrent attempts cannot
 * exceed the limit; of those, some are dated a little later than this one, and at the limit each may refuse the other.
 * Attempts dated further in the future are ignored: the clock has been set back since.
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
    .where('at', '<=', instant(new Date(now.getTime() + CONCURRENT_MS)))
    .$call(firstRow(queries))
  return { id, ...row! }
}

export const dropAttempts = (queries: Queries, ids: readonly string[]): Promise<void> =>
  statement.deleteFrom('attempt').where('id', '=', anyOf(ids)).$call(run(queries))

export const forgetAttempts = (queries: Queries, kind: string, subject: string): Promise<void> =>
  statement.deleteFrom('attempt').where('kind', '=', kind).where('subject', '=', subject).$call(run(queries))

export const sweepAttempts = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('attempt').where('at', '<', instant(before)).$call(run(queries))

export type CodePurpose = 'register' | 'login' | 'reset'

/**
 * Stores a new code for a phone unless the previous one is younger than `pauseMs`; a previous code dated in
 * the future is replaced. Returns whether the code was stored.
 */
export function writeCode(
  queries: Queries,
  code: { phone: string; purpose: CodePurpose; hash: string; lifeMs: number; pauseMs: number },
  now: Date,
): Promise<boolean> {
  const earliest = new Date(now.getTime() - code.pauseMs)
  const sent = {
    purpose: code.purpose,
    codeHash: code.hash,
    sentAt: now,
    expiresAt: new Date(now.getTime() + code.lifeMs),
  }
  return statement
    .insertInto('verificationCode')
    .values({ phone: code.phone, ...sent })
    .onConflict((conflict) =>
      conflict
        .column('phone')
        .doUpdateSet({ ...sent, tries: 0, usedAt: null })
        .where(({ eb, or }) =>
          or([
            eb('verificationCode.sentAt', '<=', instant(earliest)),
            eb('verificationCode.sentAt', '>', instant(now)),
          ]),
        ),
    )
    .returning('phone')
    .$call(anyRow(queries))
}

export async function codeSentAt(queries: Queries, phone: string): Promise<Date | null> {
  const sent = statement.selectFrom('verificationCode').select('sentAt').where('phone', '=', phone)
  const at = await sent.$call(oneValue(queries))
  return at === null ? null : new Date(at)
}

/**
 * Uses one of a code's tries and returns whether the code is right. With `spend`, a right code is also marked
 * as used. Concurrent tries are all counted.
 */
export async function tryCode(
  queries: Queries,
  given: { phone: string; purpose: CodePurpose; hash: string; mostTries: number; spend: boolean },
  now: Date,
): Promise<boolean> {
  const isRight = await statement
    .updateTable('verificationCode')
    .set(({ eb, ref }) => ({
      tries: eb('tries', '+', 1),
      usedAt: given.spend
        ? eb.case().when('codeHash', '=', given.hash).then(instant(now)).else(ref('usedAt')).end()
        : ref('usedAt'),
    }))
    .where('phone', '=', given.phone)
    .where('purpose', '=', given.purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', instant(now))
    .where('tries', '<', given.mostTries)
    .returning(({ eb }) => eb('codeHash', '=', given.hash).as('right'))
    .$call(oneValue(queries))
  return isRight === true
}

export const sweepCodes = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('verificationCode').where('expiresAt', '<', instant(before)).$call(run(queries))
