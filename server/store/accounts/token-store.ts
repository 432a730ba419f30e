import type { NotNull } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { allRows, anyOf, firstRow, instant, oneValue, run, statement } from '../../db/statement.ts'

const LIFE_DAYS = 30
/** `last_used_at` is updated at most once a minute, so that most reads do not cause a write. */
const NOTED_EVERY_MS = 60_000

/** Tokens that are neither revoked nor unused for 30 days, of accounts that were not deleted. */
const activeTokens = (now: Date) =>
  statement
    .selectFrom('accessToken as t')
    .innerJoin('customer as c', 'c.id', 't.customerId')
    .where('t.revokedAt', 'is', null)
    .where('t.lastUsedAt', '>', oldestUse(now))
    .where('c.deletedAt', 'is', null)

const oldestUse = (now: Date) => instant(new Date(now.getTime() - LIFE_DAYS * 86_400_000))

/** A token that was not revoked, for writing. */
const tokenOf = (hash: string) =>
  statement.updateTable('accessToken').where('tokenHash', '=', hash).where('revokedAt', 'is', null)

/** Sign-ins that a customer has at the same time: enough for everything that he uses. */
export const MAX_SESSIONS = 20

/** Stores a sign-in; the least recently used beyond `MAX_SESSIONS` end, and those that have ended are deleted. */
export async function insertToken(
  queries: Queries,
  hash: string,
  customerId: string,
  now: Date,
): Promise<void> {
  await statement
    .deleteFrom('accessToken')
    .where('customerId', '=', customerId)
    .where((by) =>
      by.or([
        by('revokedAt', 'is not', null),
        by(
          'tokenHash',
          'in',
          by
            .selectFrom('accessToken')
            .select('tokenHash')
            .where('customerId', '=', customerId)
            .where('revokedAt', 'is', null)
            .orderBy('lastUsedAt', 'desc')
            .orderBy('tokenHash')
            .offset(MAX_SESSIONS - 1),
        ),
      ]),
    )
    .$call(run(queries))
  await statement
    .insertInto('accessToken')
    .values({ tokenHash: hash, customerId, createdAt: now, lastUsedAt: now })
    .$call(run(queries))
}

/**
 * The owner of a token; `null` if the token is unknown, revoked or unused for 30 days, or the account was
 * deleted.
 */
export async function ownerOfToken(queries: Queries, hash: string, now: Date) {
  const owner = await activeTokens(now)
    .select(['c.id', 'c.account', 'c.nickname', 'c.vipEnd', 'c.providerSince', 't.lastUsedAt'])
    .where('t.tokenHash', '=', hash)
    .$narrowType<{ account: NotNull; nickname: NotNull }>()
    .$call(firstRow(queries))
  if (owner && now.getTime() - Date.parse(owner.lastUsedAt) > NOTED_EVERY_MS)
    await tokenOf(hash).set({ lastUsedAt: now }).$call(run(queries))
  return owner
}
export type TokenOwner = NonNullable<Awaited<ReturnType<typeof ownerOfToken>>>

/** Owners of several tokens, by hash; invalid tokens are omitted. */
export async function ownersOfTokens(queries: Queries, hashes: readonly string[], now: Date) {
  const found = await activeTokens(now)
    .select(['t.tokenHash', 'c.id', 'c.vipEnd'])
    .where('t.tokenHash', '=', anyOf(hashes))
    .$call(allRows(queries))
  return new Map(found.map(({ tokenHash, ...owner }) => [tokenHash, owner]))
}

export const revokeToken = (queries: Queries, hash: string, now: Date): Promise<void> =>
  tokenOf(hash).set({ revokedAt: now }).$call(run(queries))

/** A customer's active sign-ins, last used first. */
export const listSessions = (queries: Queries, customerId: string, now: Date) =>
  statement
    .selectFrom('accessToken')
    .select(['tokenHash as hash', 'createdAt as signedInAt', 'lastUsedAt'])
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    .where('lastUsedAt', '>', oldestUse(now))
    .orderBy('lastUsedAt', 'desc')
    .orderBy('tokenHash')
    .$call(allRows(queries))

/** Revokes every token of a customer except the one with hash `spared`. Returns their number. */
export async function revokeTokens(
  queries: Queries,
  customerId: string,
  spared: string | null,
  now: Date,
): Promise<number> {
  const revoked = await statement
    .updateTable('accessToken')
    .set({ revokedAt: now })
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    .$if(spared !== null, (tokens) => tokens.where('tokenHash', '<>', spared!))
    .returning('tokenHash')
    .$call(allRows(queries))
  return revoked.length
}

export async function insertLink(
  queries: Queries,
  hash: string,
  customerId: string,
  now: Date,
  expires: Date,
): Promise<void> {
  await statement.deleteFrom('oneTimeLink').where('expiresAt', '<', instant(now)).$call(run(queries))
  await statement
    .insertInto('oneTimeLink')
    .values({ codeHash: hash, customerId, expiresAt: expires })
    .$call(run(queries))
}

/** Uses up a one-time link and returns its customer's id; `null` if the link is used, expired or unknown. */
export const takeLink = (queries: Queries, hash: string, now: Date): Promise<string | null> =>
  statement
    .updateTable('oneTimeLink')
    .set({ usedAt: now })
    .where('codeHash', '=', hash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', instant(now))
    .returning('customerId')
    .$call(oneValue(queries))

/** Deletes tokens last used before an instant: they expired long before. */
export const sweepTokens = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('accessToken').where('lastUsedAt', '<', instant(before)).$call(run(queries))
