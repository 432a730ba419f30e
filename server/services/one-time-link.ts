import { createHash, randomBytes } from 'node:crypto'
import { FurlongError } from '../../domain/errors.ts'
import type { Database } from '../store/database.ts'
import { holdsDemonstration } from '../store/demonstration.ts'
import { makeToken, type Right } from './right.ts'

const LINK_HOURS = 24
const RIGHT_DAYS = 7

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')

/** A code that opens the site once as the demonstration's VIP. Throws `not-demonstration` over imported data. */
export async function makeDemonstrationLink(database: Database, now: Date = new Date()): Promise<string> {
  if (!(await holdsDemonstration(database))) throw new FurlongError('not-demonstration')
  const code = randomBytes(32).toString('base64url')
  const expires = new Date(now.getTime() + LINK_HOURS * 3_600_000)
  await database.transaction(async ({ rows }) => {
    await rows('delete from one_time_link where expires_at < $1', [now.toISOString()])
    await rows(`insert into one_time_link (code_hash, role, expires_at) values ($1, 'vip', $2)`, [
      hashOf(code),
      expires.toISOString(),
    ])
  })
  return code
}

/** Exchanges a link's code for a right, once. Throws `link-used` for a code that is used, too old or unknown. */
export async function useLink(
  database: Database,
  secret: string,
  code: string,
  now: Date = new Date(),
): Promise<{ token: string; right: Right }> {
  const used = await database.rows(
    `update one_time_link set used_at = $2 where code_hash = $1 and used_at is null and expires_at > $2 returning role`,
    [hashOf(code), now.toISOString()],
  )
  if (used.length === 0 || !(await holdsDemonstration(database))) throw new FurlongError('link-used')
  const expiresAt = new Date(now.getTime() + RIGHT_DAYS * 86_400_000)
  const right: Right = { role: 'vip', expiresAt, demonstration: true }
  return { token: makeToken(secret, right), right }
}
