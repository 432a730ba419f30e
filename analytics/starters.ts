import { BAND_DIMENSIONS, HORSE_DIMENSIONS, OWN_DIMENSIONS, RACE_DIMENSIONS } from './dimensions.ts'
import type { Dimension, Measure, Model, Sum } from './model.ts'
import { additive, closingSums, count, distinct, plain, ratio, total } from './sums.ts'

const PRICED = 'market_probability IS NOT NULL'
const loss = (probability: string): string =>
  `CASE WHEN won > 0 THEN -won * ln(${probability}::DOUBLE) ELSE 0 END`
const knownProfit = (rank: string): string => `${rank} = 1 AND profit_cents IS NOT NULL AND outcome <> 'void'`

const PICK_CLOSING = closingSums('model_rank = 1')

const SUMS = {
  starters: additive('count(*)::DOUBLE'),
  races: distinct('race_key'),
  meetings: distinct('meeting_key'),
  winners: total('won'),
  expected: total('probability::DOUBLE'),
  market_expected: total('market_probability::DOUBLE', PRICED),
  market_winners: total('won', PRICED),
  chance: total('1.0 / interests'),
  probabilities: total('probability::DOUBLE'),
  staked: count(`profit_cents IS NOT NULL AND outcome <> 'void'`, 1000),
  profit: total('profit_cents'),
  odds: total('win_odds::DOUBLE'),
  priced: additive('count(win_odds)::DOUBLE'),
  brier: total('(probability::DOUBLE - won) * (probability::DOUBLE - won)'),
  log_loss: total(loss('probability')),
  uniform_log_loss: total('won * ln(interests)'),
  market_log_loss: total(loss('market_probability'), PRICED),
  priced_log_loss: total(loss('probability'), PRICED),
  priced_uniform_log_loss: total('won * ln(interests)', PRICED),
  pick_hits: total('won', 'model_rank = 1'),
  pick_staked: count(knownProfit('model_rank'), 1000),
  pick_profit: total('profit_cents', knownProfit('model_rank')),
  pick_beaten: PICK_CLOSING.beaten,
  pick_moved: PICK_CLOSING.moved,
  favourite_hits: total('won', 'market_rank = 1'),
  favourite_staked: count(knownProfit('market_rank'), 1000),
  favourite_profit: total('profit_cents', knownProfit('market_rank')),
  chance_profit: total('profit_cents / interests', `outcome <> 'void'`),
  chance_staked: total('1000.0 / interests', `profit_cents IS NOT NULL AND outcome <> 'void'`),
} satisfies Record<string, Sum>

const ofRaces = (measure: Measure): Measure => ({ ...measure, wholeRaces: true })

const STARTER_MEASURES = {
  starters: plain('starters'),
  races: plain('races'),
  meetings: plain('meetings'),
  winners: plain('winners'),
  expected: plain('expected'),
  expected_market: plain('market_expected'),
  win_rate: ratio('{winners}', '{starters}', 'share', 'share'),
  mean_probability: ratio('{probabilities}', '{starters}', 'share'),
  mean_market_probability: ratio('{market_expected}', '{starters}', 'share'),
  mean_odds: ratio('{odds}', '{priced}', 'ratio'),
  ae: ratio('{winners}', '{expected}', 'ratio'),
  ae_market: ratio('{market_winners}', '{market_expected}', 'ratio'),
  /** Share of the group's starters that won, relative to the share expected from random draws. */
  impact: ratio('{winners}', '{chance}', 'ratio'),
  staked: plain('staked', 'cents'),
  profit: plain('profit', 'cents'),
  return: ratio('{profit}', '{staked}', 'share'),
  brier: ofRaces(ratio('{brier}', '{races}', 'ratio')),
  log_loss: ofRaces(ratio('{log_loss}', '{races}', 'nats')),
  /** Benter's R² against 1/N. */
  r2: ofRaces(ratio('{uniform_log_loss} - {log_loss}', '{uniform_log_loss}', 'ratio')),
  r2_market: ofRaces(
    ratio('{priced_uniform_log_loss} - {market_log_loss}', '{priced_uniform_log_loss}', 'ratio'),
  ),
  /** R² of the model minus that of the market line, on the races that have both. */
  r2_gain: ofRaces(ratio('{market_log_loss} - {priced_log_loss}', '{priced_uniform_log_loss}', 'ratio')),
  pick_rate: ofRaces(ratio('{pick_hits}', '{races}', 'share', 'share')),
  favourite_rate: ofRaces(ratio('{favourite_hits}', '{races}', 'share', 'share')),
  chance_rate: ofRaces(ratio('{chance}', '{starters}', 'share')),
  pick_bets: { sums: ['pick_staked'], sql: '{pick_staked} / 1000', unit: 'count', wholeRaces: true },
  pick_return: ofRaces(ratio('{pick_profit}', '{pick_staked}', 'share')),
  /** Closing line value of the horse that the model ranked first (see `closing_value` of predictions). */
  pick_closing: ofRaces(ratio('{pick_beaten}', '{pick_moved}', 'share')),
  favourite_return: ofRaces(ratio('{favourite_profit}', '{favourite_staked}', 'share')),
  favourite_profit: ofRaces(plain('favourite_profit', 'cents')),
  favourite_staked: ofRaces(plain('favourite_staked', 'cents')),
  chance_profit: ofRaces(plain('chance_profit', 'cents')),
  chance_staked: ofRaces(plain('chance_staked', 'cents')),
  chance_return: ofRaces(ratio('{chance_profit}', '{chance_staked}', 'share')),
} satisfies Record<string, Measure>

/** Removes the restriction to bet types: a starter's odds are known whatever the outcome. */
const everywhere = ({ betTypes: _betTypes, ...dimension }: Dimension): Dimension => dimension

/** Every starter of every race with its win probability: the basis of calibration and model evaluation. */
export const STARTERS = {
  table: 'starter',
  dimensions: {
    ...RACE_DIMENSIONS,
    outcome: BAND_DIMENSIONS.outcome,
    probability: BAND_DIMENSIONS.probability,
    odds: everywhere(BAND_DIMENSIONS.odds),
    value: everywhere(BAND_DIMENSIONS.value),
    favourite_rank: everywhere(BAND_DIMENSIONS.favourite_rank),
    ...HORSE_DIMENSIONS,
    ...OWN_DIMENSIONS,
  },
  sums: SUMS,
  measures: STARTER_MEASURES,
  rollups: [],
  rowOrder: ['race_date DESC', 'stadium_key', 'race_no', 'horse_no', 'race_key', 'model'],
} satisfies Model
