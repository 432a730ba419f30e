import { isVipAt } from '../../domain/membership.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../db/database.ts'
import { ownerOfAnalyticsToken } from '../store/accounts/analytics-token-store.ts'
import { ownerOfToken, type TokenOwner } from '../store/accounts/token-store.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { findOperatorToken, insertOperatorToken } from '../store/operation/feed-store.ts'

/** The signed-in customer of a request. */
export interface Viewer {
  id: string
  account: string
  nickname: string
  /** By the server's clock, at the time of the request. */
  isVip: boolean
  vipEnd: string | null
  isProvider: boolean
  tokenHash: string
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The token in a header `Authorization: Bearer`. Throws `session-ended` for another scheme. */
export function bearerOf(authorization: string): string {
  const [scheme, token = ''] = authorization.split(' ')
  if (scheme?.toLowerCase() !== 'bearer') throw new FurlongError('session-ended')
  return token
}

/** The customer of a token; `null` without a token. Throws `session-ended` for an invalid token. */
export async function viewerOf(
  database: Queries,
  token: string | undefined,
  now: Date,
): Promise<Viewer | null> {
  if (token === undefined || token === '') return null
  if (!TOKEN.test(token)) throw new FurlongError('session-ended')
  const hash = tokenHash(token)
  const owner = await ownerOfToken(database, hash, now)
  if (owner === null) throw new FurlongError('session-ended')
  return viewerFrom(owner, hash, now)
}

const viewerFrom = (owner: TokenOwner, hash: string, now: Date): Viewer => ({
  id: owner.id,
  account: owner.account,
  nickname: owner.nickname,
  isVip: isVipAt(now, owner.vipEnd),
  vipEnd: owner.vipEnd,
  isProvider: owner.providerSince !== null,
  tokenHash: hash,
})

/** The customer of a personal access token, valid only for the analytics API. Throws `session-ended`. */
export async function viewerOfAnalyticsToken(database: Queries, token: string, now: Date): Promise<Viewer> {
  const hash = tokenHash(token)
  const owner = TOKEN.test(token) ? await ownerOfAnalyticsToken(database, hash, now) : null
  if (owner === null) throw new FurlongError('session-ended')
  return viewerFrom(owner, hash, now)
}

/** Creates an operator token with scopes; only its hash is stored. */
export async function makeOperatorToken(
  database: Queries,
  name: string,
  scopes: readonly string[],
  now: Date,
): Promise<{ id: string; token: string }> {
  const token = randomToken()
  return { id: await insertOperatorToken(database, { hash: tokenHash(token), name, scopes, now }), token }
}

/**
 * The id of the operator token in `Authorization: Bearer`. Throws `signed-out` without a header,
 * `session-ended` if the token is invalid or revoked, `not-allowed` if it lacks the scope.
 */
export async function operatorOf(
  database: Queries,
  authorization: string | undefined,
  scope: string,
  now: Date,
): Promise<string> {
  if (authorization === undefined) throw new FurlongError('signed-out')
  const token = bearerOf(authorization)
  const found = TOKEN.test(token) ? await findOperatorToken(database, tokenHash(token), now) : null
  if (found === null) throw new FurlongError('session-ended')
  if (!found.scopes.includes(scope)) throw new FurlongError('not-allowed')
  return found.id
}
