import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { day, money, raceId, share } from './fields.ts'
import { runner } from './racing.ts'

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
  ...runner,
  /** Win probability according to the model. */
  probability: share.nullable(),
  /** Win probabilities of every model that predicted the race. */
  probabilities: z.array(z.strictObject({ model: z.string(), probability: share })),
  /** `1 / probability`. */
  fairOdds: z.number().nullable(),
  /** Market estimate of the probability: `1 / odds` divided by its sum over the field. */
  marketProbability: share.nullable(),
  /**
   * Feature contributions to this horse's probability by each model of `explains`, a model's largest first, in log-odds
   * relative to the race's mean.
   */
  contributions: z.array(z.strictObject({ model: z.string(), feature: z.string(), value: z.number() })),
  courseRuns: z.array(CourseRun),
})

export const RaceReport = z.strictObject({
  raceId,
  /** The model whose choices are reported; `probability` is that model's. */
  model: z.string(),
  /**
   * The models that the contributions explain: ours, the headline model first if it is one of them, then the
   * promoted one; the market line if none of ours predicted the race.
   */
  explains: z.array(z.string()),
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
  /** Published dividends for a stake of 10, of the bet types that Furlong predicts. */
  dividends: z.array(
    z.strictObject({ gameplayClass: z.number().int(), combination: z.string(), dividend: money.nullable() }),
  ),
})
export type RaceReport = z.infer<typeof RaceReport>

export const queryRaceReport = endpoint('customer', 'GET /race/api/queryRaceReport', {
  summary: 'The analysis of one race: model and market, why, history, settlement; for subscribers and VIP',
  query: z.object({ raceId }),
  result: RaceReport,
})
