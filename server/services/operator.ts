import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../db/database.ts'
import { findOperatorToken, insertOperatorToken } from '../store/operation/feed-store.ts'
import { randomToken, tokenHash } from '../db/keys.ts'

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

const TOKEN = /^[A-Za-z0-9_-]{43}$/

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
  const [scheme, token = ''] = authorization.split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !TOKEN.test(token)) throw new FurlongError('session-ended')
  const found = await findOperatorToken(database, tokenHash(token), now)
  if (found === null) throw new FurlongError('session-ended')
  if (!found.scopes.includes(scope)) throw new FurlongError('not-allowed')
  return found.id
}
