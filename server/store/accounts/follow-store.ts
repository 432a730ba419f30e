import type { Follow, FollowKind } from '../../../contract/api/follow.ts'
import { isAny, type Queries } from '../../db/database.ts'

/** All that a customer follows, the newest first. */
export const listFollows = ({ rows }: Queries, customerId: string): Promise<Follow[]> =>
  rows(
    `select kind, target, created_at from follow where customer_id = $1::uuid
     order by created_at desc, kind, target`,
    [customerId],
  )

/** SQL that finds the thing with the id `$1`. */
const TARGET = {
  horse: 'select 1 from horse where id = $1',
  jockey: 'select 1 from jockey where id = $1',
  trainer: 'select 1 from trainer where id = $1',
  race: 'select 1 from race where id = $1',
  meeting: `select 1 from race where id between $1 || '00' and $1 || '99' limit 1`,
} as const satisfies Record<FollowKind, string>

/** Whether there is such a thing to follow. */
export const isFollowTarget = (queries: Queries, kind: FollowKind, target: string): Promise<boolean> =>
  isAny(queries, TARGET[kind], [target])

/**
 * Follows something; does nothing if the customer follows it already. Returns `null` if it is new and the
 * customer already follows `max`.
 */
export async function insertFollow(
  { rows }: Queries,
  followed: { customerId: string; kind: FollowKind; target: string; max: number; now: Date },
): Promise<true | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await rows('select 1 from customer where id = $1::uuid for no key update', [followed.customerId])
  const [state] = await rows<{ total: number; already: boolean }>(
    `select count(*)::int as total, coalesce(bool_or(kind = $2 and target = $3), false) as already
     from follow where customer_id = $1::uuid`,
    [followed.customerId, followed.kind, followed.target],
  )
  if (state!.already) return true
  if (state!.total >= followed.max) return null
  await rows('insert into follow (customer_id, kind, target, created_at) values ($1::uuid, $2, $3, $4)', [
    followed.customerId,
    followed.kind,
    followed.target,
    followed.now,
  ])
  return true
}

export async function removeFollow(
  { rows }: Queries,
  customerId: string,
  kind: FollowKind,
  target: string,
): Promise<void> {
  await rows('delete from follow where customer_id = $1::uuid and kind = $2 and target = $3', [
    customerId,
    kind,
    target,
  ])
}
