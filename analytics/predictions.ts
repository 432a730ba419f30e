import {
  BAND_DIMENSIONS,
  HORSE_DIMENSIONS,
  ONE_HORSE,
  OWN_DIMENSIONS,
  PREDICTION_DIMENSIONS,
  RACE_DIMENSIONS,
} from './dimensions.ts'
import { ownMean, OWN_SLOTS, ownValue } from './own-slots.ts'
import type { Measure, Model, Rollup, Sum } from './model.ts'
import { additive, closingSums, count, distinct, formula, plain, ratio, total } from './sums.ts'

const PLAYED = `outcome <> 'void'`
const PRICED = `${PLAYED} AND market_probability IS NOT NULL`
const HIT = `(outcome = 'hit')`
/** Log loss: minus the logarithm of the probability given to the actual outcome. */
function loss(probability: string, condition: string): Sum {
  const given = `CASE WHEN ${HIT} THEN ${probability} ELSE 1 - ${probability} END`
  return { ...total(`-ln(${given})`, condition), product: `product(${given}) FILTER (WHERE ${condition})` }
}
/** Clamps a probability: a FLOAT that rounds to 0 or 1 would give an infinite loss. */
const bounded = (column: string): string => `least(greatest(${column}::DOUBLE, 1e-9), 1 - 1e-9)`

const CLOSING = closingSums('true')

const SUMS = {
  predictions: additive('count(*)::DOUBLE'),
  races: distinct('race_key'),
  meetings: distinct('meeting_key'),
  hits: count(HIT),
  voids: count(`outcome = 'void'`),
  unknown: count('profit_cents IS NULL'),
  unknown_hits: count(`profit_cents IS NULL AND ${HIT}`),
  staked: count(`profit_cents IS NOT NULL AND ${PLAYED}`, 1000),
  profit: total('profit_cents'),
  /**
   * Upper bound for winners of unknown dividend: the fair price, which a pool without takeout
   * would pay at the market line.
   */
  best_unknown: total(
    '1000 * (1 / coalesce(market_probability, probability)::DOUBLE - 1)',
    `profit_cents IS NULL AND ${HIT}`,
  ),
  chance_hits: total('random_chance', PLAYED),
  expected: total('probability::DOUBLE', PLAYED),
  market_expected: total('market_probability::DOUBLE', PRICED),
  market_hits: count(`${HIT} AND ${PRICED}`),
  probabilities: total('probability::DOUBLE'),
  odds: total('win_odds::DOUBLE'),
  priced: count('win_odds IS NOT NULL'),
  beaten: CLOSING.beaten,
  moved: CLOSING.moved,
  brier: total(`(probability::DOUBLE - ${HIT}::INTEGER) * (probability::DOUBLE - ${HIT}::INTEGER)`, PLAYED),
  log_loss: loss(bounded('probability'), PLAYED),
  chance_log_loss: loss(bounded('random_chance'), PLAYED),
  market_log_loss: loss(bounded('market_probability'), PRICED),
  priced_log_loss: loss(bounded('probability'), PRICED),
} satisfies Record<string, Sum>

const OWN_SUMS: Readonly<Record<string, Sum>> = Object.fromEntries(
  OWN_SLOTS.flatMap((slot) => [
    [`${slot}_total`, { ...total(ownValue(slot), `${ownValue(slot)} IS NOT NULL`), own: true }],
    [`${slot}_known`, { ...count(`${ownValue(slot)} IS NOT NULL`), own: true }],
  ]),
)

/** The means of the user's own columns. Combinations have several horses, and so no single value. */
const OWN_MEANS = Object.fromEntries<Measure>(
  OWN_SLOTS.map((slot) => [
    ownMean(slot),
    {
      ...ratio(`{${slot}_total}`, `{${slot}_known}`, 'ratio'),
      betTypes: ONE_HORSE,
    },
  ]),
) as Record<ReturnType<typeof ownMean>, Measure>

const BETS = '{predictions} - {voids}'
const UNKNOWN_MISSES = '({unknown} - {unknown_hits})'
/**
 * Assumes that every unknown bet was placed, and that winners got only their stake back
 * while the others lost it.
 */
const WORST_PROFIT = `{profit} - 1000 * ${UNKNOWN_MISSES}`
const WORST_STAKED = '{staked} + 1000 * {unknown}'
/**
 * Assumes that unknown winners paid their fair price, and that the other unknown bets could not be placed.
 */
const BEST_PROFIT = '{profit} + {best_unknown}'
const BEST_STAKED = '{staked} + 1000 * {unknown_hits}'

/** A measure over the bets in chronological order (`orderedSums`). */
const inOrder = (name: string, unit: Measure['unit']): Measure => ({
  sums: [],
  sql: `{${name}}`,
  unit,
  ordered: true,
})

const PREDICTION_MEASURES = {
  predictions: plain('predictions'),
  races: plain('races'),
  meetings: plain('meetings'),
  hits: plain('hits'),
  voids: plain('voids'),
  unknown: plain('unknown'),
  unknown_hits: plain('unknown_hits'),
  hit_rate: ratio('{hits}', BETS, 'share', 'share'),
  chance_rate: ratio('{chance_hits}', BETS, 'share'),
  expected: plain('expected'),
  expected_market: plain('market_expected'),
  /** Hits among the predictions that the market's expectation covers. */
  market_hits: plain('market_hits'),
  ae: ratio('{hits}', '{expected}', 'ratio'),
  ae_market: ratio('{market_hits}', '{market_expected}', 'ratio'),
  chance_hits: plain('chance_hits'),
  impact: ratio('{hits}', '{chance_hits}', 'ratio'),
  staked: plain('staked', 'cents'),
  profit: plain('profit', 'cents'),
  profit_worst: formula(WORST_PROFIT, 'cents'),
  profit_best: formula(BEST_PROFIT, 'cents'),
  return: ratio('{profit}', '{staked}', 'share'),
  return_worst: formula(`(${WORST_PROFIT}) / nullif(${WORST_STAKED}, 0)`, 'share'),
  return_best: formula(`(${BEST_PROFIT}) / nullif(${BEST_STAKED}, 0)`, 'share'),
  mean_probability: ratio('{probabilities}', '{predictions}', 'share'),
  mean_odds: { ...ratio('{odds}', '{priced}', 'ratio'), betTypes: [1] },
  /**
   * Closing line value: how much longer the first recorded odds were than the final ones, on average. Above
   * 0, the market moved toward the prediction.
   */
  closing_value: {
    ...ratio('{beaten}', '{moved}', 'share'),
    betTypes: [1],
  },
  brier: ratio('{brier}', BETS, 'ratio'),
  log_loss: ratio('{log_loss}', BETS, 'nats'),
  /** McFadden's R² of single predictions against random draws. */
  r2: ratio('{chance_log_loss} - {log_loss}', '{chance_log_loss}', 'ratio'),
  r2_market: ratio('{market_log_loss} - {priced_log_loss}', '{market_log_loss}', 'ratio'),
  ...OWN_MEANS,
  /** The longest run of bets without a hit: the outcome of a bet is known even where its dividend is not. */
  losing_run: inOrder('losing_run', 'count'),
  /** The same without misses of unknown profit: where a pool published nothing, nobody knows that they could be placed. */
  losing_run_best: inOrder('losing_run_best', 'count'),
  /** The largest fall of the profit from a peak, of the bets whose profit is known. */
  drawdown: inOrder('drawdown', 'cents'),
  /** The same under the assumptions of `profit_worst` and `profit_best`. */
  drawdown_worst: inOrder('drawdown_worst', 'cents'),
  drawdown_best: inOrder('drawdown_best', 'cents'),
} satisfies Record<string, Measure>

/** Public daily totals, in the `racing` files. */
export const DAILY_TOTALS: Rollup = {
  table: 'accuracy_day',
  dimensions: [
    'day',
    'month',
    'season',
    'weekday',
    'region',
    'bet_type',
    'prediction_type',
    'model',
    'origin',
  ],
  sums: ['predictions', 'hits', 'voids', 'unknown', 'unknown_hits', 'staked', 'profit', 'chance_hits'],
  cluster: 'race_date',
  perType: true,
  access: 'public',
}

/** Sums over the odds of single horses. */
const OF_WIN_BETS: ReadonlySet<string> = new Set(['odds', 'priced', 'beaten', 'moved'])

/** Totals of the ten predictions per race and bet type: computed on the client when the files are opened. */
export const RACE_TOTALS: Rollup = {
  table: 'race_total',
  dimensions: [...Object.keys(RACE_DIMENSIONS), 'bet_type'],
  sums: Object.keys(SUMS).filter((name) => !OF_WIN_BETS.has(name)),
  cluster: 'meeting_key',
  allTypes: true,
  access: 'member',
}

/** Settled predictions: the basis of the record. */
export const PREDICTIONS = {
  table: 'prediction',
  dimensions: {
    ...RACE_DIMENSIONS,
    ...PREDICTION_DIMENSIONS,
    ...BAND_DIMENSIONS,
    ...HORSE_DIMENSIONS,
    ...OWN_DIMENSIONS,
  },
  sums: { ...SUMS, ...OWN_SUMS },
  measures: PREDICTION_MEASURES,
  rollups: [DAILY_TOTALS, RACE_TOTALS],
  rowOrder: ['race_date DESC', 'stadium_key', 'race_no', 'bet_type', 'rank', 'race_key', 'model'],
} satisfies Model
