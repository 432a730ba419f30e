import type { Queries } from '../../db/database.ts'

const LIFE_DAYS = 30
/** `last_used_at` is updated at most once a minute, so that most reads do not cause a write. */
const NOTED_EVERY_MS = 60_000

export interface TokenOwner {
  id: string
  account: string
  nickname: string
  vipEnd: string | null
  providerSince: string | null
  lastUsedAt: string
}

export async function insertToken(
  { rows }: Queries,
  hash: string,
  customerId: string,
  now: Date,
): Promise<void> {
  await rows(
    'insert into access_token (token_hash, customer_id, created_at, last_used_at) values ($1, $2::uuid, $3, $3)',
    [hash, customerId, now.toISOString()],
  )
}

/**
 * The owner of a token; `null` if the token is unknown, revoked or unused for 30 days, or the account was
 * deleted.
 */
export async function ownerOfToken({ rows }: Queries, hash: string, now: Date): Promise<TokenOwner | null> {
  const oldest = new Date(now.getTime() - LIFE_DAYS * 86_400_000)
  const [owner] = await rows<TokenOwner>(
    `select c.id, c.account, c.nickname, c.vip_end as "vipEnd", c.provider_since as "providerSince",
       t.last_used_at as "lastUsedAt"
     from access_token t join customer c on c.id = t.customer_id
     where t.token_hash = $1 and t.revoked_at is null and t.last_used_at > $2 and c.deleted_at is null`,
    [hash, oldest.toISOString()],
  )
  if (!owner) return null
  if (now.getTime() - Date.parse(owner.lastUsedAt) > NOTED_EVERY_MS) {
    await rows('update access_token set last_used_at = $2 where token_hash = $1 and revoked_at is null', [
      hash,
      now.toISOString(),
    ])
  }
  return owner
}

/** Owners of several tokens, by hash; invalid tokens are omitted. */
export async function ownersOfTokens(
  { rows }: Queries,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, { id: string; vipEnd: string | null }>> {
  const oldest = new Date(now.getTime() - LIFE_DAYS * 86_400_000)
  const found = await rows<{ hash: string; id: string; vipEnd: string | null }>(
    `select t.token_hash as hash, c.id, c.vip_end as "vipEnd"
     from access_token t join customer c on c.id = t.customer_id
     where t.token_hash = any($1::text[]) and t.revoked_at is null and t.last_used_at > $2 and c.deleted_at is null`,
    [hashes, oldest.toISOString()],
  )
  return new Map(found.map(({ hash, id, vipEnd }) => [hash, { id, vipEnd }]))
}

export async function revokeToken({ rows }: Queries, hash: string, now: Date): Promise<void> {
  await rows('update access_token set revoked_at = $2 where token_hash = $1 and revoked_at is null', [
    hash,
    now.toISOString(),
  ])
}

/** A customer's active sign-ins, last used first. */
export async function listSessions(
  { rows }: Queries,
  customerId: string,
  now: Date,
): Promise<{ hash: string; signedInAt: string; lastUsedAt: string }[]> {
  const oldest = new Date(now.getTime() - LIFE_DAYS * 86_400_000)
  return rows(
    `select token_hash as hash, created_at as "signedInAt", last_used_at as "lastUsedAt" from access_token
     where customer_id = $1::uuid and revoked_at is null and last_used_at > $2
     order by last_used_at desc, token_hash`,
    [customerId, oldest.toISOString()],
  )
}

/** Revokes every token of a customer except the one with hash `kept`. Returns their number. */
export async function revokeTokens(
  { rows }: Queries,
  customerId: string,
  kept: string | null,
  now: Date,
): Promise<number> {
  const ended = await rows(
    `update access_token set revoked_at = $3
     where customer_id = $1::uuid and revoked_at is null and token_hash is distinct from $2 returning token_hash`,
    [customerId, kept, now.toISOString()],
  )
  return ended.length
}

export async function insertLink(
  { rows }: Queries,
  hash: string,
  customerId: string,
  now: Date,
  expires: Date,
): Promise<void> {
  await rows('delete from one_time_link where expires_at < $1', [now.toISOString()])
  await rows('insert into one_time_link (code_hash, customer_id, expires_at) values ($1, $2::uuid, $3)', [
    hash,
    customerId,
    expires.toISOString(),
  ])
}

/** Uses up a one-time link and returns its customer's id; `null` if the link is used, expired or unknown. */
export async function takeLink({ rows }: Queries, hash: string, now: Date): Promise<string | null> {
  const [row] = await rows<{ id: string }>(
    `update one_time_link set used_at = $2 where code_hash = $1 and used_at is null and expires_at > $2
     returning customer_id as id`,
    [hash, now.toISOString()],
  )
  return row?.id ?? null
}

/** Deletes tokens last used before an instant: they expired long before. */
export async function sweepTokens({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from access_token where last_used_at < $1', [before.toISOString()])
}
