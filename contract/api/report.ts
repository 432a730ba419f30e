import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { day, money, nameLanguage, raceId, share } from './fields.ts'

/** An earlier run over the same course and distance. */
const CourseRun = z.strictObject({
  raceId,
  date: day,
  place: z.string().nullable(),
  starters: z.number().int(),
  odds: z.number().nullable(),
  finishTimeMs: z.number().nullable(),
  actualWeight: z.number().nullable(),
})

const ReportRunner = z.strictObject({
  horseId: z.string(),
  horseNumber: z.number().int().nullable(),
  name: z.string(),
  nameLanguage,
  draw: z.number().nullable(),
  jockey: z.string().nullable(),
  trainer: z.string().nullable(),
  actualWeight: z.number().nullable(),
  ratingScore: z.number().nullable(),
  /** Place or published code; empty while the result is not known. */
  ranking: z.string(),
  /** Win odds last seen. */
  odds: z.number().nullable(),
  /** Win probability by the model. */
  probability: share.nullable(),
  /** The same by every model that has one. */
  probabilities: z.array(z.strictObject({ model: z.string(), probability: share })),
  /** `1 / probability`. */
  fairOdds: z.number().nullable(),
  /** `1 / odds` over the sum of the field's: what the public thinks. */
  marketProbability: share.nullable(),
  /** What moved our model (else the market line) for this horse, largest first, in log-odds against the race's mean. */
  contributions: z.array(z.strictObject({ feature: z.string(), value: z.number() })),
  courseRuns: z.array(CourseRun),
})

export const RaceReport = z.strictObject({
  raceId,
  /** The model whose choices are told; `probability` is its own. */
  model: z.string(),
  /** The model that the contributions are of. */
  explains: z.string(),
  runners: z.array(ReportRunner),
  /** The model's choice of each bet type, settled when the result is known. */
  selected: z.array(
    z.strictObject({
      gameplayClass: z.number().int(),
      combination: z.string(),
      probability: share,
      odds: z.number().nullable(),
      oddsPaid: z.boolean(),
      outcome: z.enum(['hit', 'miss', 'void']).nullable(),
      profit: money.nullable(),
    }),
  ),
  /** Published dividends for 10 staked, of the bet types that Furlong predicts. */
  dividends: z.array(
    z.strictObject({ gameplayClass: z.number().int(), combination: z.string(), dividend: money.nullable() }),
  ),
})
export type RaceReport = z.infer<typeof RaceReport>

export const queryRaceReport = endpoint({
  method: 'GET',
  path: '/race/api/queryRaceReport',
  access: 'customer',
  summary: 'The analysis of one race: model and market, why, history, settlement; for subscribers and VIP',
  query: z.object({ raceId }),
  result: RaceReport,
})
