import { z } from 'zod'
import { BREAKDOWNS, ORIGINS, RECORD_COLUMNS, type Origin } from './record-vocabulary.ts'

/**
 * The named queries of the data engine: what may be asked, and what comes back. Only names and parameters cross the
 * worker's door, never SQL. Rows are columns of these names in Arrow; numbers are DOUBLE or INTEGER, days `yyyy-mm-dd`.
 */
const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const GameplayClassId = z.number().int().min(1).max(9)

export const Tracks = z.enum(['turf', 'awt', 'dirt'])

/** Which settled predictions a figure is about. Empty lists mean all. */
export const RecordFilter = z.strictObject({
  from: Day.nullable(),
  to: Day.nullable(),
  /** Days that are left out, the first and the last included. */
  except: z.strictObject({ from: Day, to: Day }).nullable(),
  gameplayClasses: z.array(GameplayClassId).max(9),
  stadiumKeys: z.array(z.number().int()).max(200),
  /** 0: all ten predictions of a race and class; 1 selected, 2 cautious, 3 upset guard. */
  predictionType: z.number().int().min(0).max(3),
  modelKey: z.number().int().min(1).max(127),
  /** Never more than one of them in a figure. */
  origin: z.enum(ORIGINS),
  tracks: z.array(Tracks).max(3),
  goings: z.array(z.string().regex(/^[a-z_]{1,30}$/)).max(30),
  distanceFromM: z.number().int().min(0).max(10_000).nullable(),
  distanceToM: z.number().int().min(0).max(10_000).nullable(),
})
export type RecordFilter = z.infer<typeof RecordFilter>

/** Sums that every figure of a record is made of. A stake counts where its profit is known; void ones count nowhere else. */
export interface Totals {
  predictions: number
  hits: number
  voids: number
  /** Predictions whose profit the published dividends do not tell. */
  unknown: number
  unknown_hits: number
  stake_cents: number
  profit_cents: number
  /** Hits that as many blind draws would have had on average. */
  random_hits: number
}

export interface RecordTotalsRow extends Totals {
  first_day: string | null
  last_day: string | null
}

/** One race day; `profit_to_date_cents` runs over the days of the answer. */
export interface RecordDayRow extends Totals {
  day: string
  profit_to_date_cents: number
}

const BreakdownName = z.enum(BREAKDOWNS)

/** One group: `group_key` sorts and names it (a class id, a month, a stadium key …); names only where it has some. */
export interface BreakdownRow extends Totals {
  group_key: string
  name_en: string | null
  name_hant: string | null
  name_hans: string | null
}

/** A race of which news came after the files were built; names only where the files know the stadium. */
export interface LiveRaceRow {
  race_id: string
  /** Newest instant, ISO 8601 in UTC. */
  at: string
  /** Rows of each kind. */
  odds: number
  tips: number
  /** Saddle numbers of the first four, `3-7-1-9`; `null` before the result. */
  result: string | null
}

/** How a model's win probabilities did on one race day of a slice; `market_…`: the market line on the same races. */
export interface JudgeRow {
  day: string
  season: number
  races: number
  /** Sums over the races: −ln of the winner's probability; of 1/N; of the market line. */
  log_loss: number
  uniform_log_loss: number
  market_log_loss: number
  /** Sum of Σ (p − won)² over the starters. */
  brier: number
  /** Races whose most probable horse won: the model's, the market's, and by chance. */
  hits: number
  favourite_hits: number
  random_hits: number
  /** Flat stakes of HK$10 on each: cents staked where the dividend is known, and profit. */
  stake_cents: number
  profit_cents: number
  favourite_profit_cents: number
  random_profit_cents: number
}

/** What was locked of races of a slice, and what the files say now: input of the browser's own check. */
export interface LockRow {
  race_id: string
  model_id: string
  number: number
  sha256: string
  locked_at: string
  chain: string
}

/** A line of a locked forecast: a starter (`gameplay_class` 0) or a prediction. */
export interface LockedLineRow {
  race_id: string
  model_id: string
  gameplay_class: number
  rank: number
  combination: string
  probability: number
  selected: boolean
  cautious: boolean
  upset_guard: boolean
}

/** When the predictions of a model were made, and how many there are. */
export interface OriginRow {
  model_key: number
  model_id: string
  origin: Origin
  predictions: number
}

/** One bin of the reliability diagram: mean prediction against what happened. */
export interface CalibrationRow {
  bin: number
  predictions: number
  mean_probability: number
  hits: number
}

const ColumnName = z.enum(RECORD_COLUMNS)

export const RecordSort = z.strictObject({ column: ColumnName, descending: z.boolean() })
export type RecordSort = z.infer<typeof RecordSort>

/** The grid's own filters, beside the screen's. */
export const GridFilter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('outcome'),
    outcomes: z
      .array(z.enum(['hit', 'miss', 'void']))
      .min(1)
      .max(3),
  }),
  z.strictObject({
    kind: z.literal('number'),
    column: z.enum(['race_no', 'rank', 'probability', 'odds', 'profit_cents']),
    from: z.number().nullable(),
    to: z.number().nullable(),
  }),
])
export type GridFilter = z.infer<typeof GridFilter>

/** One settled prediction as the grid shows it; names are of the horses in `combination`'s order. */
export interface RecordRow {
  race_id: string
  race_date: string
  stadium_key: number
  race_no: number
  race_name_en: string | null
  race_name_hant: string | null
  race_name_hans: string | null
  gameplay_class: number
  rank: number
  combination: string
  horses_en: string | null
  horses_hant: string | null
  horses_hans: string | null
  probability: number
  selected: boolean
  cautious: boolean
  upset_guard: boolean
  /** Paid odds of a hit; else the last odds seen, `null` where none were. */
  odds: number | null
  odds_paid: boolean
  outcome: 'hit' | 'miss' | 'void'
  profit_cents: number | null
  origin: Origin
}

export interface StadiumRow {
  stadium_key: number
  name_en: string | null
  name_hant: string | null
  name_hans: string | null
  races: number
}

/** A value that a filter may take, with the number of races that have it. */
export interface FacetRow {
  facet: 'track' | 'going' | 'distance'
  value: string
  races: number
}

export interface ModelRow {
  model_key: number
  model_id: string
}

const Filtered = z.strictObject({ filter: RecordFilter })

export const QUERIES = {
  record_totals: Filtered,
  record_days: Filtered,
  record_breakdown: z.strictObject({ filter: RecordFilter, by: BreakdownName }),
  record_calibration: Filtered,
  judge_days: Filtered,
  locks: Filtered,
  locked_lines: Filtered,
  origins: z.strictObject({}),
  record_count: z.strictObject({ filter: RecordFilter, grid: z.array(GridFilter).max(6) }),
  record_page: z.strictObject({
    filter: RecordFilter,
    grid: z.array(GridFilter).max(6),
    sort: z.array(RecordSort).max(4),
    offset: z.number().int().min(0),
    limit: z.number().int().min(1).max(500),
  }),
  stadiums: z.strictObject({}),
  facets: z.strictObject({}),
  models: z.strictObject({}),
  live_races: z.strictObject({}),
} as const

export type QueryName = keyof typeof QUERIES
export type QueryParameters<Name extends QueryName> = z.input<(typeof QUERIES)[Name]>

/** The row of each query's answer. */
export interface QueryRows {
  record_totals: RecordTotalsRow
  record_days: RecordDayRow
  record_breakdown: BreakdownRow
  record_calibration: CalibrationRow
  judge_days: JudgeRow
  locks: LockRow
  locked_lines: LockedLineRow
  origins: OriginRow
  record_count: RecordTotalsRow
  record_page: RecordRow
  stadiums: StadiumRow
  facets: FacetRow
  models: ModelRow
  live_races: LiveRaceRow
}
