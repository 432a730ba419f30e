import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, entryNumber, horseId, instant, line, nameLanguage, raceId, regionId } from './fields.ts'
import { ScheduledRace } from './racing.ts'

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
  target: line(200),
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

const StableHorse = z.strictObject({
  id: z.string(),
  number: z.string(),
  name: z.string(),
  nameLanguage,
  /** The jockey's colours in the newest race of which they are known. */
  silks: z.string().nullable(),
  /** The last runs, the newest first, three at most. */
  runs: z.array(
    z.strictObject({
      raceId,
      date: day,
      stadiumName: z.string(),
      distanceM: z.number().int().nullable(),
      /** A place or a published code; empty if neither is known. */
      place: z.string(),
    }),
  ),
  /** The customer's newest note on the horse; `null` if there is none. */
  note: z.string().nullable(),
})

const StablePerson = z.strictObject({
  kind: z.enum(['jockey', 'trainer']),
  id: z.string(),
  name: z.string(),
  nameLanguage,
  countryRegionId: regionId,
  /** The newest season with results of the region. */
  season: z.number().int().nullable(),
  /** Of that season; a withdrawn runner is none. */
  runs: z.number().int(),
  wins: z.number().int(),
  /** Among the first three. */
  placed: z.number().int(),
})

const StableEntry = z.strictObject({
  raceId,
  horseId: z.string(),
  horseNumber: z.number().int().nullable(),
  entryNumber,
  name: z.string(),
  nameLanguage,
  draw: z.number().int().nullable(),
  jockeyId: z.string().nullable(),
  jockey: z.string().nullable(),
  jockeyLanguage: nameLanguage,
  trainerId: z.string().nullable(),
  trainer: z.string().nullable(),
  trainerLanguage: nameLanguage,
  withdrawn: z.boolean(),
})

export const queryStable = endpoint('customer', 'GET /sys/api/customer/stable', {
  summary: 'What the customer follows, with the next entries, the last results and the records of the season',
  result: z.strictObject({
    /** Everything that is followed, the newest first; what is no longer stored is in none of the other lists. */
    follows: z.array(Follow),
    horses: z.array(StableHorse),
    people: z.array(StablePerson),
    /** Entries of followed horses, and rides and runners of followed people, in races to come, the first race first. */
    entries: z.array(StableEntry),
    /** The races of the entries, those that are followed, and those of followed meetings, in their order. */
    races: z.array(ScheduledRace),
  }),
})
export type Stable = ResultOf<typeof queryStable>
export type StableEntry = Stable['entries'][number]
