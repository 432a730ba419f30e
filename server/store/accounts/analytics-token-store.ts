import type { queryAnalyticsTokens } from '../../../contract/api/analytics.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import { allValues, isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { TokenOwner } from './token-store.ts'

/** `last_used_at` is updated at most once a minute, so that most reads do not cause a write. */
const RECORDED_EVERY_MS = 60_000

/** A customer's active (not revoked) tokens, newest first. */
export const listAnalyticsTokens = (
  { rows }: Queries,
  customerId: string,
): Promise<ResultOf<typeof queryAnalyticsTokens>> =>
  rows(
    `select id, name, created_at, last_used_at from analytics_token
     where customer_id = $1::uuid and revoked_at is null order by created_at desc, id`,
    [customerId],
  )

/**
 * Stores a token's hash and returns its id; `null` if the customer already has `max` active tokens. Revoked ones are
 * deleted.
 */
export async function insertAnalyticsToken(
  { rows }: Queries,
  token: { hash: string; customerId: string; name: string; max: number; now: Date },
): Promise<string | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await rows('select 1 from customer where id = $1::uuid for no key update', [token.customerId])
  await rows('delete from analytics_token where customer_id = $1::uuid and revoked_at is not null', [
    token.customerId,
  ])
  const [made] = await rows<{ id: string }>(
    `insert into analytics_token (id, token_hash, customer_id, name, created_at)
     select $1::uuid, $2, $3::uuid, $4, $5
     where (select count(*) from analytics_token where customer_id = $3::uuid and revoked_at is null) < $6
     returning id`,
    [newId(), token.hash, token.customerId, token.name, token.now, token.max],
  )
  return made?.id ?? null
}

/** Revokes a customer's token. Returns whether the customer had such an active token. */
export const revokeAnalyticsTokenOf = (
  queries: Queries,
  customerId: string,
  id: string,
  now: Date,
): Promise<boolean> =>
  isAny(
    queries,
    `update analytics_token set revoked_at = $3
     where id = $2::uuid and customer_id = $1::uuid and revoked_at is null returning id`,
    [customerId, id, now],
  )

/** Revokes every token of a customer: anyone who knew the old password may have created one. */
export async function revokeAnalyticsTokens({ rows }: Queries, customerId: string, now: Date): Promise<void> {
  await rows(
    'update analytics_token set revoked_at = $2 where customer_id = $1::uuid and revoked_at is null',
    [customerId, now],
  )
}

/** The owner of a token; `null` if the token is unknown or revoked, or the account was deleted. */
export async function ownerOfAnalyticsToken(
  { rows }: Queries,
  hash: string,
  now: Date,
): Promise<(TokenOwner & { tokenId: string }) | null> {
  const [owner] = await rows<TokenOwner & { tokenId: string; usedAt: string | null }>(
    `select t.id as token_id, c.id, c.account, c.nickname, c.vip_end,
       c.provider_since, coalesce(t.last_used_at, t.created_at) as last_used_at,
       t.last_used_at as used_at
     from analytics_token t join customer c on c.id = t.customer_id
     where t.token_hash = $1 and t.revoked_at is null and c.deleted_at is null`,
    [hash],
  )
  if (!owner) return null
  if (owner.usedAt === null || now.getTime() - Date.parse(owner.usedAt) > RECORDED_EVERY_MS)
    await rows('update analytics_token set last_used_at = $2 where token_hash = $1', [hash, now])
  return owner
}

/** Keys, within a region's dataset, of the upcoming races that a customer unlocked. */
export const openedComingKeys = (queries: Queries, customerId: string, regionId: string): Promise<number[]> =>
  allValues(
    queries,
    `select race.key from race join subscription on race_id = race.id
     where region_id = $2 and status = 'scheduled' and customer_id = $1::uuid order by race.key`,
    [customerId, regionId],
  )

/**
 * Keys, within a region's dataset, of the finished races that a customer may read: every race since
 * `recentFrom`, and older ones that the customer unlocked.
 */
export const openedRaceKeys = (
  queries: Queries,
  customerId: string,
  regionId: string,
  recentFrom: string,
): Promise<number[]> =>
  allValues(
    queries,
    `select race.key from race where region_id = $2 and status = 'final' and (race_date >= $3::date
       or exists (select 1 from subscription where race_id = race.id and customer_id = $1::uuid))
     order by race.key`,
    [customerId, regionId, recentFrom],
  )
