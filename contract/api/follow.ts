import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { horseId, instant, line, raceId } from './fields.ts'

/** The kinds of things that a customer follows by id; a saved view has its own call, `changeSavedView`. */
const FOLLOW_KINDS = ['horse', 'jockey', 'trainer', 'race', 'meeting'] as const
export type FollowKind = (typeof FOLLOW_KINDS)[number]

/** A jockey or trainer: the region's code and the name as the results print it. */
const personId = line(200).regex(/^[A-Z]{2}-./, 'field.invalid')

const TARGETS = {
  horse: horseId,
  jockey: personId,
  trainer: personId,
  race: raceId,
  /** The id of the meeting's races without their number. */
  meeting: z.string().regex(/^[A-Z]{5}\d{8}$/, 'field.invalid'),
} as const satisfies Record<FollowKind, z.ZodType>

const followed = {
  kind: z.enum(FOLLOW_KINDS),
  target: z.string().max(200),
}

const isTarget = ({ kind, target }: { kind: FollowKind; target: string }): boolean =>
  TARGETS[kind].safeParse(target).success

const Follow = z.strictObject({ ...followed, createdAt: instant })

export const queryFollows = endpoint('customer', 'GET /sys/api/customer/follows', {
  summary: 'Everything that the customer follows, of all regions, the newest first',
  result: z.array(Follow),
})
export type Follow = ResultOf<typeof queryFollows>[number]

export const follow = endpoint('customer', 'POST /sys/api/customer/follows', {
  summary: 'Follows a horse, a jockey, a trainer, a race or a meeting; a second time changes nothing',
  body: z.strictObject(followed).refine(isTarget, { message: 'field.invalid', path: ['target'] }),
  result: z.strictObject({ followed: z.literal(true) }),
})

export const unfollow = endpoint('customer', 'DELETE /sys/api/customer/follows', {
  summary: 'No longer follows it; a second time changes nothing',
  query: z.strictObject(followed),
  result: z.strictObject({ followed: z.literal(false) }),
})
