import { betMeasures, betSums, HIT, OWN_MEANS, OWN_SUMS, PLAYED } from './bets.ts'
import {
  AS_RUN_DIMENSIONS,
  BAND_DIMENSIONS,
  DETAIL_DIMENSIONS,
  DRAW_THIRD,
  HORSE_DIMENSIONS,
  MODEL_DIMENSIONS,
  OWN_DIMENSIONS,
  RACE_DIMENSIONS,
  RANK_DIMENSIONS,
} from './dimensions.ts'
import type { Dimension, Measure, Model, Sum } from './model.ts'
import { additive, closingSums, count, formula, plain, ratio, total, withParts } from './sums.ts'

/** Every starter with its details and the pedigree of its horse: a view, or the table that replaces it. */
export const DETAILED_STARTER = 'detailed_starter'

/** In the races that have a market line. */
const PRICED = 'market_probability IS NOT NULL'
const loss = (probability: string): string =>
  `CASE WHEN won > 0 THEN -won * ln(${probability}::DOUBLE) ELSE 0 END`
const UNKNOWN = 'profit_cents IS NULL'

/** Bets of HK$10 on one starter of each race: the model's first choice, the market's, or one drawn at random. */
const BETS = {
  pick: { condition: 'model_rank = 1', weight: '' },
  favourite: { condition: 'market_rank = 1', weight: '' },
  // Each starter is drawn with the same chance, so its bet counts as that part of one.
  random: { condition: 'true', weight: ' / interests' },
} as const
type Bet = keyof typeof BETS
const BET_NAMES = Object.keys(BETS) as Bet[]

const ofBets = <Value>(of: (bet: Bet) => Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(
    BET_NAMES.flatMap((bet) => Object.entries(of(bet)).map(([name, value]) => [`${bet}_${name}`, value])),
  )

/** Hits, bets whose profit is unknown, and amounts in cents; `best_unknown`: unknown winners at their fair price. */
const BET_SUMS = ofBets<Sum>((bet) => {
  const { condition, weight } = BETS[bet]
  const of = (value: string, rows: string): Sum => total(`(${value})${weight}`, `${condition} AND ${rows}`)
  return {
    bets: of('1', PLAYED),
    hits: of('1', HIT),
    unknown: of('1', UNKNOWN),
    unknown_hits: of('1', `${UNKNOWN} AND ${HIT}`),
    staked: of('1000', `profit_cents IS NOT NULL AND ${PLAYED}`),
    profit: of('profit_cents', `profit_cents IS NOT NULL AND ${PLAYED}`),
    best_unknown: of(
      '1000 * (1 / coalesce(market_probability, probability)::DOUBLE - 1)',
      `${UNKNOWN} AND ${HIT}`,
    ),
  }
})

const PLACE_PLAYED = `place_outcome <> 'void'`
const PLACE_HIT = `place_outcome = 'hit'`
const PLACE_UNKNOWN = `place_outcome IS NOT NULL AND place_profit_cents IS NULL`
const detail = (sum: Sum): Sum => ({ ...sum, detail: true })

/** Bets of HK$10 on every starter to be placed, in the races that pay a place. */
const PLACE_SUMS = {
  place_bets: detail(count(PLACE_PLAYED)),
  place_hits: detail(count(PLACE_HIT)),
  place_unknown: detail(count(PLACE_UNKNOWN)),
  place_unknown_hits: detail(count(`${PLACE_UNKNOWN} AND ${PLACE_HIT}`)),
  place_staked: detail(count(`place_profit_cents IS NOT NULL AND ${PLACE_PLAYED}`, 1000)),
  place_profit: detail(total('place_profit_cents', `place_profit_cents IS NOT NULL AND ${PLACE_PLAYED}`)),
  /** Without the market's chance an unknown hit counts as its stake back. */
  place_best_unknown: detail(
    total('1000 * (1 / coalesce(place_chance, 1)::DOUBLE - 1)', `${PLACE_UNKNOWN} AND ${PLACE_HIT}`),
  ),
  place_expected: detail(total('place_chance', `place_chance IS NOT NULL AND ${PLACE_PLAYED}`)),
  place_expected_hits: detail(count(`place_chance IS NOT NULL AND ${PLACE_HIT}`)),
} satisfies Readonly<Record<string, Sum>>

const PLACE_WORST = '{place_profit} - 1000 * ({place_unknown} - {place_unknown_hits})'
const PLACE_BEST = '{place_profit} + {place_best_unknown}'

/** With the bounds of the other bets: see `profit_worst` and `profit_best`. */
const PLACE_MEASURES = {
  place_bets: plain('place_bets'),
  place_hits: plain('place_hits'),
  place_unknown: plain('place_unknown'),
  place_unknown_hits: plain('place_unknown_hits'),
  place_rate: ratio('{place_hits}', '{place_bets}', 'share', 'share'),
  place_staked: plain('place_staked', 'cents'),
  place_profit: plain('place_profit', 'cents'),
  place_profit_worst: formula(PLACE_WORST, 'cents'),
  place_profit_best: formula(PLACE_BEST, 'cents'),
  place_return: ratio('{place_profit}', '{place_staked}', 'share'),
  place_return_worst: formula(
    `(${PLACE_WORST}) / nullif({place_staked} + 1000 * {place_unknown}, 0)`,
    'share',
  ),
  place_return_best: formula(
    `(${PLACE_BEST}) / nullif({place_staked} + 1000 * {place_unknown_hits}, 0)`,
    'share',
  ),
  /** Places over those expected by the market line. */
  place_ae_market: ratio('{place_expected_hits}', '{place_expected}', 'ratio'),
} satisfies Record<string, Measure>

const ofSections = (sum: Sum): Sum => ({ ...sum, sections: true })
/** How many seconds faster than par a part was run, over the runs of which both are known: a time is only with its par. */
const secondsAgainstPar = (part: 'early' | 'late') => {
  const known = `${part}_ms IS NOT NULL`
  return {
    seconds: ofSections(total(`(${part}_par_ms::DOUBLE - ${part}_ms) / 1000`, known)),
    runs: ofSections(count(known)),
  }
}
const [EARLY, LATE] = [secondsAgainstPar('early'), secondsAgainstPar('late')]

/** What sectional times say of the runs that have them. */
const SECTION_SUMS = {
  /** Runners of which a position or a time of a section is known. */
  with_sections: ofSections(count('has_sections')),
  finishing_speed: ofSections(total('finishing_speed', 'finishing_speed IS NOT NULL')),
  finishing_runs: ofSections(count('finishing_speed IS NOT NULL')),
  early_seconds: EARLY.seconds,
  early_runs: EARLY.runs,
  late_seconds: LATE.seconds,
  late_runs: LATE.runs,
} satisfies Readonly<Record<string, Sum>>

/** Each mean is over the runs of which it is known. */
const SECTION_MEASURES = {
  with_sections: plain('with_sections'),
  without_sections: formula('{runners} - {with_sections}', 'count'),
  finishing_speed: ratio('{finishing_speed}', '{finishing_runs}', 'share'),
  /** Above 0 is faster than par. */
  early_seconds: ratio('{early_seconds}', '{early_runs}', 'seconds'),
  late_seconds: ratio('{late_seconds}', '{late_runs}', 'seconds'),
} satisfies Record<string, Measure>

const PICK_CLOSING = closingSums('model_rank = 1')

const SUMS = {
  ...betSums('1.0 / interests'),
  ...OWN_SUMS,
  runners: additive('count(*)::DOUBLE'),
  winners: total('won'),
  expected: total('probability::DOUBLE'),
  market_expected: total('market_probability::DOUBLE', PRICED),
  market_winners: total('won', PRICED),
  /** Starters of the races that have a market line. */
  market_starters: count(PRICED),
  chance: total('1.0 / interests'),
  probabilities: total('probability::DOUBLE'),
  brier: total('(probability::DOUBLE - won) * (probability::DOUBLE - won)'),
  log_loss: total(loss('probability')),
  uniform_log_loss: total('won * ln(interests)'),
  market_log_loss: total(loss('market_probability'), PRICED),
  priced_log_loss: total(loss('probability'), PRICED),
  priced_uniform_log_loss: total('won * ln(interests)', PRICED),
  pick_beaten: PICK_CLOSING.beaten,
  pick_moved: PICK_CLOSING.moved,
  ...BET_SUMS,
  ...PLACE_SUMS,
  ...SECTION_SUMS,
} satisfies Readonly<Record<string, Sum>>

const ofRaces = (measure: Measure): Measure => ({ ...measure, wholeRaces: true })

/**
 * The figures of those bets. As with predictions, a horse that shares the win is a hit, void bets do not count, and the
 * bounds are those of `profit_worst` and `profit_best`. The favourite counts in the races that have a market line.
 */
const BET_MEASURES = ofBets<Measure>((bet) => {
  const [staked, profit] = [`{${bet}_staked}`, `{${bet}_profit}`]
  const worst = `${profit} - 1000 * ({${bet}_unknown} - {${bet}_unknown_hits})`
  const best = `${profit} + {${bet}_best_unknown}`
  // The interval of a random draw's hits is that of a mean: they are expected ones.
  const kind = bet === 'random' ? 'mean' : 'share'
  return {
    /** Of known and unknown profit: those that the hits are out of. */
    bets: ofRaces(plain(`${bet}_bets`)),
    hits: ofRaces(plain(`${bet}_hits`)),
    unknown: ofRaces(plain(`${bet}_unknown`)),
    unknown_hits: ofRaces(plain(`${bet}_unknown_hits`)),
    rate: ofRaces(ratio(`{${bet}_hits}`, `{${bet}_bets}`, 'share', kind)),
    staked: ofRaces(plain(`${bet}_staked`, 'cents')),
    profit: ofRaces(plain(`${bet}_profit`, 'cents')),
    profit_worst: ofRaces(formula(worst, 'cents')),
    profit_best: ofRaces(formula(best, 'cents')),
    return: ofRaces(ratio(profit, staked, 'share')),
    return_worst: ofRaces(formula(`(${worst}) / nullif(${staked} + 1000 * {${bet}_unknown}, 0)`, 'share')),
    return_best: ofRaces(formula(`(${best}) / nullif(${staked} + 1000 * {${bet}_unknown_hits}, 0)`, 'share')),
  }
})

const RUNNER_MEASURES = {
  ...betMeasures('runners'),
  ...OWN_MEANS,
  runners: plain('runners'),
  winners: plain('winners'),
  expected: plain('expected'),
  expected_market: plain('market_expected'),
  /** Winners among the runners that the market's expectation covers, a share of one in a dead heat. */
  market_hits: plain('market_winners'),
  win_rate: ratio('{winners}', '{runners}', 'share', 'share'),
  mean_probability: ratio('{probabilities}', '{runners}', 'share'),
  /** Of the races that have a market line. */
  mean_market_probability: ratio('{market_expected}', '{market_starters}', 'share'),
  /** Actual wins of the same starters. */
  market_win_rate: ratio('{market_winners}', '{market_starters}', 'share'),
  ae: ratio('{winners}', '{expected}', 'ratio'),
  ae_market: ratio('{market_winners}', '{market_expected}', 'ratio'),
  /** Share of the group's starters that won, relative to the share expected from random draws. */
  impact: ratio('{winners}', '{chance}', 'ratio'),
  brier: ofRaces(ratio('{brier}', '{races}', 'ratio')),
  log_loss: ofRaces(ratio('{log_loss}', '{races}', 'nats')),
  /** Benter's R² against 1/N. */
  r2: ofRaces(ratio('{uniform_log_loss} - {log_loss}', '{uniform_log_loss}', 'ratio')),
  r2_market: ofRaces(
    ratio('{priced_uniform_log_loss} - {market_log_loss}', '{priced_uniform_log_loss}', 'ratio'),
  ),
  /** R² of the model minus that of the market line, on the races that have both. */
  r2_gain: ofRaces(ratio('{market_log_loss} - {priced_log_loss}', '{priced_uniform_log_loss}', 'ratio')),
  /** Closing line value of the horse that the model ranked first (see `closing_value` of predictions). */
  pick_closing: ofRaces(ratio('{pick_beaten}', '{pick_moved}', 'share')),
  ...BET_MEASURES,
  ...PLACE_MEASURES,
  ...SECTION_MEASURES,
} satisfies Record<string, Measure>

/** Removes the restriction to bet types: a runner's odds are known whatever the outcome. */
export const everywhere = ({ betTypes: _betTypes, ...dimension }: Dimension): Dimension => dimension

/** Every starter of every race with its win probability by one model, as a bet on it to win. */
export const RUNNERS = {
  table: 'starter',
  detailedTable: DETAILED_STARTER,
  rows: 'runners',
  betOrder: ['race_date', 'meeting_key', 'race_no', 'horse_no'],
  dimensions: {
    ...RACE_DIMENSIONS,
    outcome: BAND_DIMENSIONS.outcome,
    probability: BAND_DIMENSIONS.probability,
    odds: everywhere(BAND_DIMENSIONS.odds),
    odds_move: everywhere(BAND_DIMENSIONS.odds_move),
    value: everywhere(BAND_DIMENSIONS.value),
    favourite_rank: everywhere(BAND_DIMENSIONS.favourite_rank),
    ...RANK_DIMENSIONS,
    ...MODEL_DIMENSIONS,
    ...HORSE_DIMENSIONS,
    ...DRAW_THIRD,
    ...DETAIL_DIMENSIONS,
    ...AS_RUN_DIMENSIONS,
    ...OWN_DIMENSIONS,
  },
  sums: SUMS,
  measures: withParts(RUNNER_MEASURES),
  rollups: [],
  rowOrder: ['race_date DESC', 'stadium_key', 'race_no', 'horse_no', 'race_key', 'model'],
} satisfies Model
