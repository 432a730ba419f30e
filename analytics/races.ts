import { CONTENDER_SHARE } from '../domain/contenders.ts'
import { betMeasures, betSums } from './bets.ts'
import {
  BAND_DIMENSIONS,
  CONTENDER_DIMENSIONS,
  DETAIL_DIMENSIONS,
  FAVOURITE_DIMENSIONS,
  FIRST_CHOICE_DIMENSIONS,
  RACE_DIMENSIONS,
  RANK_DIMENSIONS,
} from './dimensions.ts'
import type { Dimension, Measure, Model, Sum } from './model.ts'
import { everywhere, RUNNERS } from './runners.ts'
import { additive, count, plain, ratio, total, withParts } from './sums.ts'
import type { Column } from './table.ts'
import { OF_RACE, STARTER, STARTER_DETAIL } from './tables.ts'

const RACE_ROW = 'race_row'
const DETAILED_RACE_ROW = 'detailed_race_row'

/** Sums over the starters of a race that its row has as columns: of the bets on its favourite and on a random horse, and of its line. */
const OF_FIELD = Object.keys(RUNNERS.sums).filter((name) =>
  /^(favourite|random)_|^brier$|log_loss$/.test(name),
) as (keyof typeof RUNNERS.sums)[]

/** Columns of the model's first choice. */
const OF_FIRST_CHOICE = [
  'interests',
  'horse_no',
  'place',
  'win_odds',
  'opening_odds',
  'late_odds',
  'favourite_rank',
  'market_rank',
  'probability',
  'market_probability',
  'won',
  'outcome',
  'profit_cents',
] as const

const WON = 'won > 0'
/** Of horses that share the win, the shortest odds, the best ranks and the mean dividend count. */
const OF_WINNER: Readonly<Record<string, Column & { sql: string }>> = {
  winner_odds: {
    type: 'FLOAT',
    meaning: 'final win odds of the winner',
    sql: `min(win_odds) FILTER (WHERE ${WON})`,
  },
  winner_market_rank: {
    type: 'TINYINT',
    meaning: 'of the winner, by the market line',
    sql: `min(market_rank) FILTER (WHERE ${WON})`,
  },
  winner_model_rank: {
    type: 'TINYINT',
    meaning: 'of the winner, by the model',
    sql: `min(model_rank) FILTER (WHERE ${WON})`,
  },
  win_dividend: {
    type: 'DOUBLE',
    unit: 'cents',
    meaning: 'for a stake of 10, stake included',
    sql: `avg(profit_cents + 1000) FILTER (WHERE outcome = 'hit')`,
  },
  /** Share of the win that went to the three most probable horses by the market line. */
  won_of_three: {
    type: 'DOUBLE',
    meaning: 'share of the win',
    sql: `CASE WHEN count(market_rank) > 0 THEN sum(won::DOUBLE) FILTER (WHERE market_rank <= 3) END`,
  },
}
/** The most probable horse by the market line. */
const OF_FAVOURITE: typeof OF_WINNER = {
  favourite_no: {
    type: 'TINYINT',
    meaning: 'saddle number of the favourite',
    sql: 'min(horse_no) FILTER (WHERE market_rank = 1)',
  },
  favourite_odds: {
    type: 'FLOAT',
    meaning: 'final win odds of the favourite',
    sql: 'min(win_odds) FILTER (WHERE market_rank = 1)',
  },
  favourite_place: {
    type: 'TINYINT',
    meaning: 'official place of the favourite',
    sql: 'min(place) FILTER (WHERE market_rank = 1)',
  },
}

/** A starter is a contender while those ahead of it by the model have less than the contenders' share. */
const CONTENDS = `ahead < ${CONTENDER_SHARE}`
const OF_CONTENDERS: typeof OF_WINNER = {
  contenders: {
    type: 'TINYINT',
    meaning: 'fewest horses that together have four fifths of the chance, by the model',
    sql: `count(*) FILTER (WHERE ${CONTENDS})`,
  },
  contender_chance: {
    type: 'DOUBLE',
    meaning: 'chance of the contenders together',
    sql: `sum(probability::DOUBLE) FILTER (WHERE ${CONTENDS})`,
  },
  won_of_contenders: {
    type: 'DOUBLE',
    meaning: 'share of the win',
    sql: `sum(won::DOUBLE) FILTER (WHERE ${CONTENDS})`,
  },
}
const OF_WHOLE_FIELD = { ...OF_WINNER, ...OF_FAVOURITE, ...OF_CONTENDERS }

/** Columns of `RACES.table` that a list shows, for the types of a file. */
export const RACE_ROW_COLUMNS: Readonly<Record<string, Column>> = {
  ...STARTER.columns,
  ...STARTER_DETAIL.columns,
  ...OF_WHOLE_FIELD,
}

/**
 * Selects a row for each race and model of a relation of starters: the model's first choice, with what follows from the whole
 * field. `starters`: as the opened table `starter` has them.
 *
 * ```ts
 * raceRows('starter').startsWith('SELECT chosen.*') // => true
 * ```
 */
export function raceRows(starters: string): string {
  const sums = OF_FIELD.map((name) => `${RUNNERS.sums[name].sql} AS ${name}`)
  const facts = Object.entries(OF_WHOLE_FIELD).map(([name, { sql }]) => `${sql} AS ${name}`)
  const chosen = [...Object.keys(OF_RACE), ...OF_FIRST_CHOICE, 'probability_band']
  const ranked = `SELECT *, coalesce(sum(probability::DOUBLE) OVER (PARTITION BY race_key, model ORDER BY model_rank, horse_no
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS ahead FROM ${starters}`
  return `SELECT chosen.*, field.* EXCLUDE (race_key, model)
    FROM (SELECT ${chosen.join(', ')} FROM ${starters} WHERE model_rank = 1) chosen
    JOIN (SELECT race_key, model, ${[...sums, ...facts].join(', ')} FROM (${ranked}) GROUP BY race_key, model) field
      ON field.race_key = chosen.race_key AND field.model = chosen.model`
}

/** The rows of `RACES.table` with the details of starters that are the same for a whole race. */
export const DETAILED_RACE_ROWS = `SELECT r.*, d.leaders, d.going_change FROM ${RACE_ROW} r
    LEFT JOIN ${STARTER_DETAIL.name} d ON d.race_key = r.race_key AND d.horse_no = r.horse_no`

const { winners, expected, market_expected, market_winners, chance, probabilities } = RUNNERS.sums
const SUMS = {
  ...betSums('1.0 / interests'),
  ...Object.fromEntries(OF_FIELD.map((name): [string, Sum] => [name, total(name)])),
  races: additive('count(*)::DOUBLE'),
  winners,
  expected,
  market_expected,
  market_winners,
  chance,
  probabilities,
  starters: total('starters'),
  winner_odds: total('winner_odds::DOUBLE'),
  winners_with_odds: count('winner_odds IS NOT NULL'),
  win_dividends: total('win_dividend'),
  races_with_dividend: count('win_dividend IS NOT NULL'),
  won_of_three: total('won_of_three'),
  races_of_market: count('won_of_three IS NOT NULL'),
  contenders: total('contenders'),
  contender_chances: total('contender_chance'),
  won_of_contenders: total('won_of_contenders'),
} satisfies Readonly<Record<string, Sum>>

/** A row is a race, so that every filter selects whole races. */
const ofWholeRaces = ({ wholeRaces: _wholeRaces, ...measure }: Measure): Measure => measure

const FIELD_MEASURES = Object.fromEntries(
  Object.entries<Measure>(RUNNERS.measures).flatMap(([name, measure]) =>
    /^(favourite|random)_|^(brier|log_loss|r2|r2_market|r2_gain)$/.test(name)
      ? [[name, ofWholeRaces(measure)]]
      : [],
  ),
)

const RACE_MEASURES = {
  ...betMeasures('races'),
  winners: plain('winners'),
  expected: plain('expected'),
  expected_market: plain('market_expected'),
  market_hits: plain('market_winners'),
  ae: ratio('{winners}', '{expected}', 'ratio'),
  ae_market: ratio('{market_winners}', '{market_expected}', 'ratio'),
  impact: ratio('{winners}', '{chance}', 'ratio'),
  mean_probability: ratio('{probabilities}', '{races}', 'share'),
  mean_field: ratio('{starters}', '{races}', 'ratio'),
  mean_winner_odds: ratio('{winner_odds}', '{winners_with_odds}', 'ratio'),
  mean_win_dividend: ratio('{win_dividends}', '{races_with_dividend}', 'cents'),
  /** Of the races that have a market line. */
  top_three_rate: ratio('{won_of_three}', '{races_of_market}', 'share', 'share'),
  mean_contenders: ratio('{contenders}', '{races}', 'ratio'),
  contender_rate: ratio('{won_of_contenders}', '{races}', 'share', 'share'),
  contender_chance: ratio('{contender_chances}', '{races}', 'share'),
  ...FIELD_MEASURES,
} satisfies Record<string, Measure>

/** The race as a whole has the detail, so that it selects whole races. */
const ofRace = (dimension: Dimension): Dimension => ({ ...dimension, level: 'race' })

/**
 * Every race by one model, as a bet of HK$10 on the model's first choice to win. What is known of the winner only after the race is
 * a column of the list and a part of measures, and no dimension: no figure of bets may be of races that were selected by it.
 */
export const RACES = {
  table: RACE_ROW,
  detailedTable: DETAILED_RACE_ROW,
  rows: 'races',
  betOrder: ['race_date', 'meeting_key', 'race_no'],
  dimensions: {
    ...RACE_DIMENSIONS,
    leaders: ofRace(DETAIL_DIMENSIONS.leaders),
    going_change: ofRace(DETAIL_DIMENSIONS.going_change),
    ...FAVOURITE_DIMENSIONS,
    outcome: BAND_DIMENSIONS.outcome,
    probability: BAND_DIMENSIONS.probability,
    odds: everywhere(BAND_DIMENSIONS.odds),
    odds_move: everywhere(BAND_DIMENSIONS.odds_move),
    value: everywhere(BAND_DIMENSIONS.value),
    favourite_rank: everywhere(BAND_DIMENSIONS.favourite_rank),
    market_rank: RANK_DIMENSIONS.market_rank,
    ...FIRST_CHOICE_DIMENSIONS,
    ...CONTENDER_DIMENSIONS,
  },
  sums: SUMS,
  measures: withParts(RACE_MEASURES),
  rollups: [],
  rowOrder: ['race_date DESC', 'stadium_key', 'race_no', 'race_key', 'model'],
} satisfies Model
