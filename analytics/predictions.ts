import {
  BAND_DIMENSIONS,
  HORSE_DIMENSIONS,
  ONE_HORSE,
  OWN_DIMENSIONS,
  PREDICTION_DIMENSIONS,
  RACE_DIMENSIONS,
} from './dimensions.ts'
import { betMeasures, betSums, HIT, OWN_MEANS, OWN_SUMS, placed, PLAYED, PRICED } from './bets.ts'
import type { Measure, Model, Rollup, Sum } from './model.ts'
import { additive, count, plain, ratio, total, withParts } from './sums.ts'

/** Log loss: minus the logarithm of the probability given to the actual outcome. */
function loss(probability: string, condition: string): Sum {
  const given = `CASE WHEN ${HIT} THEN ${probability} ELSE 1 - ${probability} END`
  return { ...total(`-ln(${given})`, condition), product: `product(${given}) FILTER (WHERE ${condition})` }
}
/** Clamps a probability: a FLOAT that rounds to 0 or 1 would give an infinite loss. */
const bounded = (column: string): string => `least(greatest(${column}::DOUBLE, 1e-9), 1 - 1e-9)`

const SUMS = {
  ...betSums('random_chance'),
  predictions: additive('count(*)::DOUBLE'),
  expected: total('probability::DOUBLE', PLAYED),
  market_expected: total('market_probability::DOUBLE', PRICED),
  market_hits: count(`${HIT} AND ${PRICED}`),
  probabilities: total('probability::DOUBLE'),
  brier: total(`(probability::DOUBLE - ${HIT}::INTEGER) * (probability::DOUBLE - ${HIT}::INTEGER)`, PLAYED),
  log_loss: loss(bounded('probability'), PLAYED),
  chance_log_loss: loss(bounded('random_chance'), PLAYED),
  market_log_loss: loss(bounded('market_probability'), PRICED),
  priced_log_loss: loss(bounded('probability'), PRICED),
} satisfies Record<string, Sum>

/** Every prediction with the market ranks of its horses, looked up when a query reads them. */
const RANKED_PREDICTION = 'ranked_prediction'
/** Bet types whose combinations are in the order of finishing. */
const IN_ORDER = '5, 7, 9'

/** The rows of `RANKED_PREDICTION`. Without the rank of one of its horses a combination has none. */
export const RANKED_PREDICTIONS = `SELECT * EXCLUDE (ranks), CASE WHEN list_count(ranks) = len(ranks)
    THEN array_to_string(CASE WHEN bet_type IN (${IN_ORDER}) THEN ranks ELSE list_sort(ranks) END, '-') END AS market_ranks
  FROM (
    SELECT p.*, list_transform(
      list_filter([p.horse_no_1, p.horse_no_2, p.horse_no_3, p.horse_no_4], lambda number: number IS NOT NULL),
      lambda number: line.ranks[number]) AS ranks
    FROM prediction p LEFT JOIN (
      SELECT race_key, model, map(list(horse_no), list(market_rank)) AS ranks FROM starter GROUP BY race_key, model
    ) line ON line.race_key = p.race_key AND line.model = p.model
  )`

const BETS = betMeasures('predictions')
const PLACED = placed('predictions')

/** A measure of bets on one horse alone: a combination has several values. */
const ofBetTypes = (measure: Measure, betTypes: readonly number[]): Measure => ({ ...measure, betTypes })

const OWN_MEANS_OF_ONE = Object.fromEntries(
  Object.entries(OWN_MEANS).map(([name, mean]) => [name, ofBetTypes(mean, ONE_HORSE)]),
) as typeof OWN_MEANS

const PREDICTION_MEASURES = {
  ...BETS,
  predictions: plain('predictions'),
  expected: plain('expected'),
  expected_market: plain('market_expected'),
  /** Hits among the predictions that the market's expectation covers. */
  market_hits: plain('market_hits'),
  ae: ratio('{hits}', '{expected}', 'ratio'),
  ae_market: ratio('{market_hits}', '{market_expected}', 'ratio'),
  impact: ratio('{hits}', '{chance_hits}', 'ratio'),
  mean_probability: ratio('{probabilities}', '{predictions}', 'share'),
  mean_odds: ofBetTypes(BETS.mean_odds, [1]),
  closing_value: ofBetTypes(BETS.closing_value, [1]),
  brier: ratio('{brier}', PLACED, 'ratio'),
  log_loss: ratio('{log_loss}', PLACED, 'nats'),
  /** McFadden's R² of single predictions against random draws. */
  r2: ratio('{chance_log_loss} - {log_loss}', '{chance_log_loss}', 'ratio'),
  r2_market: ratio('{market_log_loss} - {priced_log_loss}', '{market_log_loss}', 'ratio'),
  ...OWN_MEANS_OF_ONE,
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
  detailedTable: RANKED_PREDICTION,
  rows: 'predictions',
  betOrder: ['race_date', 'meeting_key', 'race_no', 'bet_type', 'rank'],
  dimensions: {
    ...RACE_DIMENSIONS,
    ...PREDICTION_DIMENSIONS,
    ...BAND_DIMENSIONS,
    ...HORSE_DIMENSIONS,
    ...OWN_DIMENSIONS,
  },
  sums: { ...SUMS, ...OWN_SUMS },
  measures: withParts(PREDICTION_MEASURES),
  rollups: [DAILY_TOTALS, RACE_TOTALS],
  rowOrder: ['race_date DESC', 'stadium_key', 'race_no', 'bet_type', 'rank', 'race_key', 'model'],
} satisfies Model
