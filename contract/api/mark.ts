import { z } from 'zod'
import { OWN_ODDS_RANGE, RATING_RANGE } from '../mark-limits.ts'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, horseId, raceId, regionId } from './fields.ts'

/** What a customer thinks of a runner: each of them may be missing. */
const mark = {
  rating: z.number().int().min(RATING_RANGE.min).max(RATING_RANGE.max).nullable(),
  /** Decimal. */
  odds: z.number().min(OWN_ODDS_RANGE.min).max(OWN_ODDS_RANGE.max).nullable(),
  shortlisted: z.boolean(),
}
const Mark = z.strictObject(mark)
export type Mark = z.infer<typeof Mark>

const MarkedRunner = z.strictObject({
  horseId: z.string(),
  /** Of the race that was asked for; `null` if there is none. */
  own: Mark.nullable(),
  /** Of the horse's last marked race before it, and that race; `null` if there is none. */
  before: z.strictObject({ ...mark, raceId, date: day }).nullable(),
})

export const queryMarks = endpoint('customer', 'GET /sys/api/customer/marks', {
  summary:
    'The customer’s marks of a race’s runners, and those of the same horses in their last marked race before it',
  query: z.strictObject({ raceId }),
  result: z.array(MarkedRunner),
})
export type MarkedRunner = ResultOf<typeof queryMarks>[number]

export const writeMark = endpoint('customer', 'POST /sys/api/customer/marks', {
  summary: 'Replaces the mark of a runner, until the race starts; an empty one deletes it',
  body: z.strictObject({ raceId, horseId, ...mark }),
  result: z.strictObject({ stored: z.boolean() }),
})

/** The groups of marked starters whose record is kept apart. */
const MARK_GROUPS = ['shortlisted', 'highest-rated', 'value'] as const

export const queryMarkRecord = endpoint('customer', 'GET /sys/api/customer/markRecord', {
  summary:
    'How the customer’s marked starters of a region did: those on the shortlist, the highest rated of each race, and those whose final odds were above the customer’s',
  query: z.strictObject({ countryRegionId: regionId }),
  result: z.array(
    z.strictObject({
      group: z.enum(MARK_GROUPS),
      runs: z.number().int(),
      wins: z.number().int(),
      /** Among the first three. */
      placed: z.number().int(),
      /** Wins that the final odds expected: the sum of their chances, scaled to 1 in each race; `null` if one is unknown. */
      expected: z.number().nullable(),
      /** Cents of the region’s currency from 10 to win on each; `null` if the dividend of a winner is unknown. */
      profitCents: z.number().int().nullable(),
    }),
  ),
})
export type MarkRecord = ResultOf<typeof queryMarkRecord>[number]
