import { MODELS, type ModelName } from '../models.ts'
import { STAKE_CENTS } from '../../domain/money.ts'
import { returnTrust, type Interval } from '../../domain/statistics.ts'
import { numberOf, numberOrNull, type AnswerRow } from '../cells.ts'

const BET_TOTALS = ['hits', 'voids', 'unknown', 'unknown_hits', 'staked', 'profit', 'chance_rate'] as const
/** Measures that every figure of a subject is derived from. */
export const totalsOf = (subject: ModelName): string[] => [MODELS[subject].rows, ...BET_TOTALS]

/** The column with the number of a group's rows, of whichever subject they are. */
export const countName = (row: AnswerRow): string => COUNTS.find((name) => name in row) ?? COUNTS[0]!
/** Answers about predictions and runners may have the number of their races too. */
const COUNTS = [MODELS.predictions.rows, MODELS.runners.rows, MODELS.races.rows]

/** The number of a group's rows, of whichever subject they are. */
export const countOf = (row: AnswerRow): number => numberOf(row, countName(row))

/** The sums of a group of bets that `judge` needs, with the bounds of its profit. */
export const BET_SUMS = [
  'hits',
  'unknown',
  'unknown_hits',
  'staked',
  'profit',
  'profit_worst',
  'profit_best',
] as const
/** Bounds of profit and return with partly unknown dividends: require the rows. */
export const BOUNDS = ['profit_worst', 'profit_best', 'return_worst', 'return_best'] as const

/**
 * Figures that have only bounds where too many winners have no dividend: of a row's own bets, of bets to be placed, and of bets on a
 * race's favourite and on a random horse.
 */
export const BOUNDED = [
  'profit',
  'return',
  'place_profit',
  'place_return',
  'favourite_profit',
  'favourite_return',
  'random_profit',
  'random_return',
] as const
export type Bounded = (typeof BOUNDED)[number]
type Prefix = Bounded extends infer Name
  ? Name extends `${infer Of}${'profit' | 'return'}`
    ? Of
    : never
  : never

/** What the names of the sums begin with that a figure is judged by. */
const prefixOf = (of: Bounded): Prefix => of.replace(/(profit|return)$/, '') as Prefix

/** Measures that a figure of bets is judged by and bounded with. */
export const boundedTotals = (of: Bounded): string[] => [
  ...['hits', 'unknown', 'unknown_hits', 'staked'].map((name) => `${prefixOf(of)}${name}`),
  `${of}_worst`,
  `${of}_best`,
]

/** The measure of the stakes that a profit or a return is of; `null` of other measures. */
export function stakedOf(measure: string): string | null {
  const of = BOUNDED.find((each) => each === measure)
  return of === undefined ? null : `${prefixOf(of)}staked`
}

/** How reliable a profit and a return are, by the sums of their bets. */
function trustIn(row: AnswerRow, prefix: Prefix) {
  const bets = numberOf(row, `${prefix}staked`) / STAKE_CENTS
  const trust = returnTrust(bets, numberOf(row, `${prefix}hits`), numberOf(row, `${prefix}unknown_hits`))
  return {
    /** Number of bets with known profit. */
    bets,
    trust,
    /** Whether a single profit and return may be stated, rather than only their bounds. */
    reported: trust !== 'incomplete' && bets > 0,
  }
}

/** Whether too many winners of the bets that a measure is of have no dividend; measures that are bounded need their totals. */
export function isIncomplete(row: AnswerRow, measure: string): boolean {
  const of = BOUNDED.find((each) => each === measure)
  return of !== undefined && of in row && trustIn(row, prefixOf(of)).trust === 'incomplete'
}

/** How reliable the sums of a row are. */
export const judge = (row: AnswerRow) => ({
  ...trustIn(row, ''),
  /** Number of bets placed: void predictions do not count. */
  played: countOf(row) - numberOf(row, 'voids'),
})

/**
 * Lowest and highest value possible given the unknown dividends; `null` if all are known, or if
 * bounds were not requested.
 */
export function boundsOf(row: AnswerRow, of: Bounded): Interval | null {
  if (!(`${of}_worst` in row) || numberOf(row, `${prefixOf(of)}unknown`) === 0) return null
  const low = numberOrNull(row, `${of}_worst`)
  const high = numberOrNull(row, `${of}_best`)
  return low === null || high === null ? null : { low, high }
}

/**
 * What can be told of a row's profit or return: one number, the bounds of one because too many winners have no dividend,
 * or nothing. The bounds need their measures in the row.
 */
export function told(row: AnswerRow, of: Bounded): number | Interval | null {
  // An answer from before the figure was chosen does not have its column.
  if (!(of in row)) return null
  return trustIn(row, prefixOf(of)).reported ? numberOrNull(row, of) : boundsOf(row, of)
}

/** Adds the bounds of the return to sums that have those of the profit: both assumptions stake other bets. */
export function withReturnBounds(sums: AnswerRow): AnswerRow {
  const ofBounds = (bound: 'worst' | 'best', unknown: 'unknown' | 'unknown_hits'): number | null => {
    const staked = numberOf(sums, 'staked') + STAKE_CENTS * numberOf(sums, unknown)
    return staked === 0 ? null : numberOf(sums, `profit_${bound}`) / staked
  }
  return {
    ...sums,
    return_worst: ofBounds('worst', 'unknown'),
    return_best: ofBounds('best', 'unknown_hits'),
  }
}

/** The sums of groups together, with their return and its bounds. */
export function sumsOf(rows: readonly AnswerRow[]): AnswerRow {
  const sums: AnswerRow = Object.fromEntries(
    [countName(rows[0] ?? {}), 'voids', ...BET_SUMS].map((name) => [
      name,
      rows.reduce((sum, row) => sum + numberOf(row, name), 0),
    ]),
  )
  const staked = numberOf(sums, 'staked')
  return withReturnBounds({ ...sums, return: staked === 0 ? null : numberOf(sums, 'profit') / staked })
}

/** The sums that `sumsOf` adds up, as measures of a subject. */
export const sumNames = (subject: ModelName): string[] => [MODELS[subject].rows, 'voids', ...BET_SUMS]

/** Coloured only if the interval excludes zero: chance must not look like skill. */
export function toneOf(interval: Interval | null): 'gain' | 'loss' | 'plain' {
  if (interval === null) return 'plain'
  if (interval.low > 0) return 'gain'
  return interval.high < 0 ? 'loss' : 'plain'
}
