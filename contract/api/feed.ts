import { z } from 'zod'
import { DOUBLE } from '../../domain/gameplay.ts'
import { raceIdDate } from '../../domain/race-id.ts'
import { readInstant } from '../../domain/reading/read-instant.ts'
import { OLDEST, SEXES } from '../../domain/reading/read-sex.ts'
import { GOINGS } from '../goings.ts'
import { endpoint } from './endpoint.ts'
import { day, line, raceId as anyRaceId } from './fields.ts'

/**
 * Live data from an operator's system. A batch is applied atomically and once: the header `Idempotency-Key`
 * identifies it, and repeating a key returns the first report. Races that cannot be used are skipped and
 * reported; the others are applied.
 */
export const FEED_KINDS = ['cards', 'withdrawals', 'odds', 'results', 'dividends'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** Maximum bytes of one batch: a whole season's card belongs in the file import. */
export const MAX_FEED_BYTES = 2 * 1024 * 1024
const MAX_RACES = 200
const MAX_RUNNERS = 60
const MAX_SECTIONS = 20

const text = line(200).nullable().default(null)
const names = z
  .strictObject({ en: text, hant: text, hans: text })
  .default({ en: null, hant: null, hans: null })
const horseNo = z.number().int().min(1).max(99)
const whole = (from: number, to: number) => z.number().int().min(from).max(to).nullable().default(null)
const decimalOdds = z.number().min(1).max(10_000)
/** As much of a value as a message shows. */
const SHOWN = 40
/** An instant in ISO 8601 with `Z` or an offset, in the years 1900 to 2100, as `readInstant` reads it. */
const instant = z
  .string()
  .max(100, 'field.invalid')
  .superRefine((text, context) => {
    if (readInstant(text).kind !== 'value')
      context.addIssue({
        code: 'custom',
        message: 'field.instant',
        params: { value: text.slice(0, SHOWN) },
      })
  })
/** A race on an existing calendar day, with a number from 1. */
const raceId = anyRaceId.refine(
  (id) => day.safeParse(raceIdDate(id)).success && !id.endsWith('00'),
  'field.raceId',
)
const races = <Race extends z.ZodType>(race: Race) =>
  z.strictObject({ races: z.array(race).min(1).max(MAX_RACES) })

export const FeedCards = races(
  z.strictObject({
    raceId,
    /** Post time, in UTC. */
    startsAt: instant,
    name: names,
    raceClass: text,
    track: z.enum(['turf', 'awt', 'dirt']).nullable().default(null),
    course: text,
    distanceM: whole(1, 10_000),
    going: z.enum(GOINGS).nullable().default(null),
    weather: text,
    ratingRange: text,
    prizeCents: whole(0, 100_000_000_000),
    runners: z
      .array(
        z.strictObject({
          horseNo,
          /** The horse's id within its region. */
          brand: z.string().regex(/^[A-Za-z0-9]{1,20}$/, 'field.invalid'),
          horse: names,
          /** Lowest saddle number of the coupled entry that the horse belongs to. */
          entryNo: whole(1, 99),
          jockey: text,
          trainer: text,
          draw: whole(1, 99),
          actualWeightLb: whole(0, 9999),
          declaredWeightLb: whole(0, 9999),
          rating: whole(0, 9999),
          gear: text,
          age: whole(1, OLDEST),
          sex: z.enum(SEXES).nullable().default(null),
          owner: text,
          /** The jockey's colours; drawn if `domain/silks.ts` knows every word. */
          silks: text,
          winOdds: decimalOdds.nullable().default(null),
        }),
      )
      .min(1)
      .max(MAX_RUNNERS),
  }),
)

const FeedWithdrawals = races(z.strictObject({ raceId, horses: z.array(horseNo).min(1).max(MAX_RUNNERS) }))

const FeedOdds = races(
  z.strictObject({
    raceId,
    seenAt: instant,
    odds: z
      .array(z.strictObject({ horseNo, odds: decimalOdds }))
      .min(1)
      .max(MAX_RUNNERS),
  }),
)

/**
 * `place`: the official place, shared in a dead heat (1, 1, 3); `null` with a `code` for a
 * horse that did not finish.
 */
const FeedResults = races(
  z.discriminatedUnion('status', [
    z.strictObject({ raceId, status: z.literal('abandoned') }),
    z.strictObject({
      raceId,
      status: z.literal('final'),
      going: z.enum(GOINGS).nullable().default(null),
      winningTimeMs: whole(1, 3_600_000),
      runners: z
        .array(
          z
            .strictObject({
              horseNo,
              place: whole(1, 99),
              code: line(10).nullable().default(null),
              margin: text,
              runningPosition: text,
              finishTimeMs: whole(1, 3_600_000),
              /** From the start to the post; `null` keeps what is stored. */
              sections: z
                .array(
                  z.strictObject({
                    position: whole(1, 99),
                    margin: line(20).nullable().default(null),
                    timeMs: whole(1, 3_600_000),
                  }),
                )
                .max(MAX_SECTIONS)
                .nullable()
                .default(null),
              winOdds: decimalOdds.nullable().default(null),
            })
            .refine(({ place, code }) => (place === null) !== (code === null), 'field.invalid'),
        )
        .min(1)
        .max(MAX_RUNNERS),
    }),
  ]),
)

/** Every dividend of the pools in the batch: lines sent before that are now missing are deleted. */
const FeedDividends = races(
  z.strictObject({
    raceId,
    lines: z
      .array(
        z
          .strictObject({
            gameplayClass: z.number().int().min(1).max(DOUBLE.class),
            /** `3`, `3-7`, `3/7` for a double; empty for a refund of the whole pool. */
            combination: z.string().max(40),
            status: z.enum(['paid', 'refund', 'unknown']),
            /** For a stake of 10, stake included. */
            dividendCents: whole(1, 100_000_000_000),
          })
          .refine(
            ({ status, dividendCents }) => (status === 'paid') === (dividendCents !== null),
            'field.invalid',
          ),
      )
      .min(1)
      .max(500),
  }),
)

/** Why a race, or one of its horses, was skipped. */
export const FEED_REJECTIONS = [
  'unknown-venue',
  'no-such-race',
  'race-is-over',
  'race-twice',
  'no-such-runner',
  'runner-twice',
  'no-result',
  'withdrawn-runner',
  'bad-combination',
  'race-repeated',
  'odds-of-the-future',
  'start-on-another-day',
  'day-is-over',
  'race-was-abandoned',
  'no-winner',
  'place-beyond-field',
  'places-overlap',
  'place-missing',
  'too-many-first',
  'before-the-start',
  'dividend-contradicts-places',
  'sections-contradict-time',
] as const

const Count = z.strictObject({ inserted: z.number(), updated: z.number(), unchanged: z.number() })

export const FeedReport = z.strictObject({
  kind: z.enum(FEED_KINDS),
  key: z.string(),
  receivedAt: z.iso.datetime(),
  /** The batch was received before: nothing was done, and this is the first report. */
  repeated: z.boolean(),
  races: z.number().int(),
  /** Number of rows per table. */
  tables: z.record(z.string(), Count),
  rejected: z.array(
    z.strictObject({
      raceId,
      horseNo: horseNo.nullable(),
      reason: z.enum(FEED_REJECTIONS),
      detail: z.string(),
      /** It waits for an operator, who can confirm it. */
      held: z.boolean().default(false),
    }),
  ),
  /** What was stored before and is no longer: runners, dividends, a result. */
  removed: z.array(z.strictObject({ raceId, detail: z.string() })).default([]),
})
export type FeedReport = z.output<typeof FeedReport>

export const FEED_BODIES = {
  cards: FeedCards,
  withdrawals: FeedWithdrawals,
  odds: FeedOdds,
  results: FeedResults,
  dividends: FeedDividends,
} as const
export type FeedBody<Kind extends FeedKind> = z.output<(typeof FEED_BODIES)[Kind]>

const feedCall = <Kind extends FeedKind, Body extends z.ZodObject>(kind: Kind, summary: string, body: Body) =>
  endpoint('operator', `POST /feed/${kind}`, { scope: kind, summary, body, result: FeedReport })

export const feedCards = feedCall('cards', 'Cards of coming races, each with all its runners', FeedCards)
export const feedWithdrawals = feedCall('withdrawals', 'Horses that do not run', FeedWithdrawals)
export const feedOdds = feedCall('odds', 'Win odds of one moment', FeedOdds)
export const feedResults = feedCall(
  'results',
  'Results, and amendments of them; races that were abandoned',
  FeedResults,
)
export const feedDividends = feedCall('dividends', 'What the pools paid', FeedDividends)
