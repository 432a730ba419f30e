import type { Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

/**
 * Records an attempt and counts the attempts since `from`, including this one. The count is shared by all
 * processes on one database. The attempt is written before counting, so that concurrent attempts cannot
 * exceed the limit. Attempts dated in the future are ignored: the clock has been set back since.
 */
export async function noteAttempt(
  { rows }: Queries,
  kind: string,
  subject: string,
  now: Date,
  from: Date,
): Promise<{ id: string; count: number; oldest: string }> {
  const id = newId()
  await rows('insert into attempt (id, kind, subject, at) values ($1::uuid, $2, $3, $4)', [
    id,
    kind,
    subject,
    now.toISOString(),
  ])
  const [row] = await rows<{ count: number; oldest: string }>(
    `select count(*) as count, min(at) as oldest from attempt
     where kind = $1 and subject = $2 and at > $3 and at <= $4`,
    [kind, subject, from.toISOString(), now.toISOString()],
  )
  return { id, count: row!.count, oldest: row!.oldest }
}

export async function dropAttempts({ rows }: Queries, ids: readonly string[]): Promise<void> {
  await rows('delete from attempt where id = any($1::uuid[])', [ids])
}

export async function forgetAttempts({ rows }: Queries, kind: string, subject: string): Promise<void> {
  await rows('delete from attempt where kind = $1 and subject = $2', [kind, subject])
}

export async function sweepAttempts({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from attempt where at < $1', [before.toISOString()])
}

export type CodePurpose = 'register' | 'login' | 'reset'

/**
 * Stores a new code for a phone unless the previous one is younger than `pauseMs`; a previous code dated in
 * the future is replaced. Returns whether the code was stored.
 */
export async function writeCode(
  { rows }: Queries,
  code: { phone: string; purpose: CodePurpose; hash: string; lifeMs: number; pauseMs: number },
  now: Date,
): Promise<boolean> {
  const expires = new Date(now.getTime() + code.lifeMs)
  const earliest = new Date(now.getTime() - code.pauseMs)
  const written = await rows(
    `insert into verification_code as v (phone, purpose, code_hash, sent_at, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (phone) do update set purpose = excluded.purpose, code_hash = excluded.code_hash,
       sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0, used_at = null
     where v.sent_at <= $6 or v.sent_at > $4 returning phone`,
    [code.phone, code.purpose, code.hash, now.toISOString(), expires.toISOString(), earliest.toISOString()],
  )
  return written.length === 1
}

export async function codeSentAt({ rows }: Queries, phone: string): Promise<Date | null> {
  const [row] = await rows<{ sentAt: string }>(
    'select sent_at as "sentAt" from verification_code where phone = $1',
    [phone],
  )
  return row ? new Date(row.sentAt) : null
}

/**
 * Uses one of a code's tries and returns whether the code is right. With `spend`, a right code is also marked
 * as used. Concurrent tries are all counted.
 */
export async function tryCode(
  { rows }: Queries,
  given: { phone: string; purpose: CodePurpose; hash: string; mostTries: number; spend: boolean },
  now: Date,
): Promise<boolean> {
  const tried = await rows<{ right: boolean }>(
    `update verification_code set tries = tries + 1,
       used_at = case when code_hash = $3 and $6::boolean then $5::timestamptz else used_at end
     where phone = $1 and purpose = $2 and used_at is null and expires_at > $5 and tries < $4
     returning code_hash = $3 as "right"`,
    [given.phone, given.purpose, given.hash, given.mostTries, now.toISOString(), given.spend],
  )
  return tried[0]?.right === true
}

export async function sweepCodes({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from verification_code where expires_at < $1', [before.toISOString()])
}
