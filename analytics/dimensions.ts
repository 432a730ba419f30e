import { MODEL_IDS } from '../contract/model-ids.ts'
import { ORIGINS } from '../contract/record-vocabulary.ts'
import { DRAW_THIRDS } from '../domain/draw-third.ts'
import { SEXES } from '../domain/reading/read-sex.ts'
import type { Dimension, Level, Scalar } from './model.ts'
import { bySlot, NO_OWN_VALUE, OWN_BANDS } from './own-slots.ts'
import { OUTCOMES, TRACKS } from './tables.ts'

const day = (sql: string): string => `strftime(${sql}, '%Y-%m-%d')`
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const MEETING = /^(\d{4}-\d{2}-\d{2})\/(\d{1,4})$/
const DAY_MS = 86_400_000

function dayLiteral(value: Scalar): string {
  if (typeof value !== 'string' || !DAY.test(value) || Number.isNaN(Date.parse(value)))
    throw new RangeError(`no day: ${value}`)
  return `DATE '${value}'`
}

function monthLiteral(value: Scalar): string {
  const parts = MONTH.exec(String(value))
  if (!parts) throw new RangeError(`no month: ${value}`)
  return String(Number(parts[1]) * 100 + Number(parts[2]))
}

/** Parses a meeting, written as its day and the key of its racecourse: `2024-09-08/2`. */
function meetingLiteral(value: Scalar): string {
  const parts = MEETING.exec(String(value))
  const instant = parts ? Date.parse(parts[1]!) : Number.NaN
  if (!parts || Number.isNaN(instant)) throw new RangeError(`no meeting: ${value}`)
  return String((instant / DAY_MS) * 1000 + Number(parts[2]))
}

type OfLevel = Omit<Dimension, 'level'>

/** Dimensions by name, all of one level. */
const ofLevel = <Name extends string>(level: Level, of: Record<Name, OfLevel>): Record<Name, Dimension> =>
  Object.fromEntries(
    Object.entries<OfLevel>(of).map(([name, dimension]) => [name, { level, ...dimension }]),
  ) as Record<Name, Dimension>

/** Text of which each value has a message, whose key begins with the column's name. */
const words = (sql: string, values?: readonly string[]): OfLevel => {
  const common = { type: 'text', sql, display: 'words', words: sql, order: 'count', few: true } as const
  return values ? { ...common, values } : common
}
/** The key of something that has a name in each language. */
const named = (table: string, key = `${table}_key`, sql = key): OfLevel => ({
  type: 'integer',
  sql,
  display: 'name',
  names: { table, key },
  order: 'count',
})
/** The key of something that can be followed: groups of it have its id beside the names. */
const identified = (table: string): OfLevel => ({
  ...named(table),
  names: { table, key: `${table}_key`, id: `${table}_id` },
})
/** A number by its size: each value, or bands from the lower edges `bins`. */
const sized = (
  sql: string,
  display: Dimension['display'] = 'integer',
  bins?: readonly number[],
  type: 'integer' | 'number' = 'integer',
): OfLevel => ({ type, sql, ...(bins ? { bins } : {}), display, order: 'key', few: true })

/** Dimensions of a race, which every row has. */
export const RACE_DIMENSIONS = ofLevel('race', {
  day: { type: 'text', sql: 'race_date', show: day, literal: dayLiteral, display: 'day', order: 'newest' },
  meeting: {
    type: 'text',
    sql: 'meeting_key',
    show: (sql) =>
      `strftime(DATE '1970-01-01' + (${sql} // 1000)::INTEGER, '%Y-%m-%d') || '/' || (${sql} % 1000)::VARCHAR`,
    literal: meetingLiteral,
    display: 'meeting',
    order: 'newest',
  },
  month: {
    type: 'text',
    sql: '(year(race_date) * 100 + month(race_date))::INTEGER',
    show: (sql) => `printf('%d-%02d', ${sql} // 100, ${sql} % 100)`,
    literal: monthLiteral,
    display: 'month',
    order: 'newest',
  },
  calendar_month: {
    ...sized('month(race_date)::TINYINT', 'calendar-month'),
    values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  },
  season: { ...sized('season', 'season'), order: 'newest' },
  weekday: { ...sized('isodow(race_date)::TINYINT', 'weekday'), values: [1, 2, 3, 4, 5, 6, 7] },
  region: { ...sized('region'), pinned: true },
  racecourse: { ...named('stadium'), few: true },
  course: { type: 'text', sql: 'course', display: 'text', order: 'count', few: true },
  track: words('track', TRACKS),
  going: words('going'),
  distance: sized('distance_m', 'distance'),
  class: { type: 'text', sql: 'race_class', display: 'class', order: 'count', few: true },
  race_no: sized('race_no'),
  field_size: sized('starters'),
  model: { ...words('model', MODEL_IDS), words: 'source', order: 'key', pinned: true },
  origin: { ...words('origin', ORIGINS), order: 'key', pinned: true },
})

/** Bet types on one horse. */
export const ONE_HORSE = [1, 2]

/** Lower edges of probability bands: narrow where most predictions fall. */
export const PROBABILITY_EDGES = [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4] as const
const ODDS_EDGES = [1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50]
const VALUE_EDGES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2]

/** Dimensions of a row that is a race: its favourite, the most probable horse by the market line. */
export const FAVOURITE_DIMENSIONS = ofLevel('race', {
  favourite_odds: sized('favourite_odds', 'odds', ODDS_EDGES, 'number'),
})

/** Dimensions with bands over a row's own columns. Odds are known whatever the outcome for win bets alone. */
export const BAND_DIMENSIONS = ofLevel('prediction', {
  outcome: { ...words('outcome', OUTCOMES), order: 'key' },
  probability: {
    ...sized('probability', 'percent', PROBABILITY_EDGES, 'number'),
    bandColumn: 'probability_band',
  },
  odds: { ...sized('win_odds', 'odds', ODDS_EDGES, 'number'), betTypes: [1] },
  /** From the first recorded odds to the final ones: −10% is a tenth shorter; unknown without first odds. */
  odds_move: {
    ...sized(
      '(win_odds::DOUBLE / opening_odds::DOUBLE - 1)',
      'change',
      [-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1],
      'number',
    ),
    betTypes: [1],
  },
  value: { ...sized('probability * win_odds', 'decimal', VALUE_EDGES, 'number'), betTypes: [1] },
  favourite_rank: { ...sized('favourite_rank'), betTypes: ONE_HORSE },
})

/** A runner's place in the orders of its field by the model and by the market; where they differ, by how many places. */
export const RANK_DIMENSIONS = ofLevel('prediction', {
  model_rank: sized('model_rank'),
  market_rank: sized('market_rank'),
  /** Above 0, the model places the runner before the market. */
  rank_difference: sized('(market_rank - model_rank)'),
})

/** Whether the model's first choice of a race is the favourite. */
export const FIRST_CHOICE_DIMENSIONS = ofLevel('prediction', {
  first_is_favourite: {
    type: 'boolean',
    sql: '(market_rank = 1)',
    display: 'yes-no',
    order: 'key',
    few: true,
  },
})

/** Of the model's chances of the whole field. */
export const CONTENDER_DIMENSIONS = ofLevel('prediction', {
  contenders: sized('contenders', 'integer', [1, 2, 3, 4, 5, 6, 7, 8, 9]),
})

export const PREDICTION_DIMENSIONS = ofLevel('prediction', {
  bet_type: { ...sized('bet_type', 'words'), words: 'gameplay', values: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
  /** Types overlap: a row counts once under each of its types. The planner handles this. */
  prediction_type: {
    type: 'integer',
    sql: 'prediction_type',
    values: [0, 1, 2, 3],
    display: 'words',
    words: 'predictionType',
    order: 'key',
  },
  rank: { ...sized('rank'), values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  /** Of a combination's horses by the market line, `1-3`: in its order where the bet type has one, otherwise ascending. */
  market_ranks: { type: 'text', sql: 'market_ranks', display: 'text', order: 'count', joined: true },
})

/** Attributes of a horse in the bet; a combination counts once for each of its horses. */
export const HORSE_DIMENSIONS = ofLevel('horse', {
  horse: identified('horse'),
  jockey: identified('jockey'),
  trainer: identified('trainer'),
  jockey_trainer: named('jockey_trainer', 'pair_key', '(jockey_key::INTEGER * 32768 + trainer_key)'),
  draw: sized('draw'),
  rating: sized('rating', 'integer', [0, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]),
  weight_carried: sized('weight_lb', 'weight', [0, 112, 115, 118, 121, 124, 127, 130, 133]),
  body_weight: sized('body_weight_lb', 'pounds', [0, 950, 1000, 1050, 1100, 1150, 1200, 1250]),
  gear: { type: 'text', sql: 'gear', display: 'text', order: 'count' },
  first_time_gear: { type: 'boolean', sql: 'first_time_gear', display: 'yes-no', order: 'key', few: true },
  days_since_run: sized('days_since_run', 'days', [0, 8, 15, 22, 29, 43, 61, 91, 181]),
  career_runs: sized('career_runs', 'integer', [0, 1, 2, 4, 7, 11, 21, 41]),
})

/** The third of the field in which a runner starts, by its draw, from the inside. */
export const DRAW_THIRD: Readonly<Record<'draw_third', Dimension>> = ofLevel('horse', {
  draw_third: {
    ...words(
      `(CASE least(3, ceil(draw * 3.0 / starters)) WHEN 1 THEN 'low' WHEN 2 THEN 'middle' WHEN 3 THEN 'high' END)`,
      DRAW_THIRDS,
    ),
    words: 'dimension.draw_third',
    order: 'key',
  },
})

const detailed = (dimension: OfLevel): OfLevel => ({ ...dimension, detail: true })
/** The chance of winning by a model of our own, whichever model the rows are of. */
const chanceBy = (model: string): OfLevel =>
  detailed(sized(`(chance_${model} / 10000.0)`, 'percent', PROBABILITY_EDGES, 'number'))
const CHANCES = ['chance_blended', 'chance_fundamental', 'chance_network']
/** The largest less the smallest of those chances; NULL without at least two. */
const SPREAD = `(CASE WHEN ${CHANCES.map((name) => `(${name} IS NOT NULL)::TINYINT`).join(' + ')} > 1
  THEN (greatest(${CHANCES.join(', ')}) - least(${CHANCES.join(', ')})) / 10000.0 END)`

/** What each of our models says of a runner, and how far apart they are. */
export const MODEL_DIMENSIONS = ofLevel('prediction', {
  chance_blended: chanceBy('blended'),
  chance_fundamental: chanceBy('fundamental'),
  chance_network: chanceBy('network'),
  model_spread: detailed(sized(SPREAD, 'percent', [0, 0.01, 0.02, 0.04, 0.06, 0.1], 'number')),
})

const yesNo = (sql: string): OfLevel =>
  detailed({ type: 'boolean', sql, display: 'yes-no', order: 'key', few: true })
const written = (sql: string, display: Dimension['display'] = 'text'): OfLevel =>
  detailed({ type: 'text', sql, display, order: 'count' })
/** A change against the last run in three words. */
const moved = (column: string, names: readonly [string, string, string], prefix: string): OfLevel =>
  detailed({
    ...words(
      `(CASE sign(${column}) WHEN -1 THEN '${names[0]}' WHEN 0 THEN '${names[1]}' WHEN 1 THEN '${names[2]}' END)`,
      names,
    ),
    words: prefix,
    order: 'key',
  })
/** From the front, by the quarter of the field. */
const STYLES = ['leader', 'prominent', 'midfield', 'behind'] as const
/** The style of a position at the first call, 0 in front and 1 behind all others; NULL without one. */
const styleSql = (position: string): string =>
  `(CASE WHEN ${position} < 0.25 THEN '${STYLES[0]}' WHEN ${position} < 0.5 THEN '${STYLES[1]}'
    WHEN ${position} < 0.75 THEN '${STYLES[2]}' WHEN ${position} >= 0.75 THEN '${STYLES[3]}' END)`
const WIN_EDGES = [0, 1, 2, 3, 5, 8]
const CHANGE_EDGES = [-150, -10, -5, 0, 5, 10]

/** What a horse had done before the race, and its pedigree: columns of the details of starters. */
export const DETAIL_DIMENSIONS = ofLevel('horse', {
  sire: written('sire'),
  dam_sire: written('dam_sire'),
  country: written('country'),
  age: detailed(sized('age')),
  sex: detailed({ ...words('sex', SEXES), words: 'dimension.sex' }),
  owner: written('owner'),
  last_place: detailed(sized('last_place')),
  place_before_last: detailed(sized('place_before_last')),
  last_margin: detailed(sized('last_margin', 'decimal', [0, 0.05, 1, 2, 4, 6, 10], 'number')),
  last_distance: detailed(sized('last_distance_m', 'distance')),
  last_class: written('last_class', 'class'),
  class_move: moved('class_move', ['down', 'same', 'up'], 'dimension.class_move'),
  distance_move: moved('distance_change_m', ['shorter', 'same', 'longer'], 'dimension.distance_move'),
  distance_change: detailed(sized('distance_change_m', 'metres', [-4000, -400, -200, 0, 200, 400])),
  rating_change: detailed(sized('rating_change', 'integer', CHANGE_EDGES)),
  weight_change: detailed(sized('weight_change_lb', 'pounds', CHANGE_EDGES)),
  body_weight_change: detailed(sized('body_weight_change_lb', 'pounds', [-500, -20, -10, 0, 10, 20])),
  jockey_change: yesNo('jockey_change'),
  racecourse_change: yesNo('racecourse_change'),
  surface_change: yesNo('surface_change'),
  rides_together: detailed(sized('rides_together', 'integer', [0, 1, 2, 4, 7, 11])),
  run_after_break: detailed(sized('run_after_break', 'integer', [1, 2, 3, 4, 6, 9])),
  career_wins: detailed(sized('career_wins', 'integer', WIN_EDGES)),
  course_wins: detailed(sized('course_wins', 'integer', WIN_EDGES)),
  distance_wins: detailed(sized('distance_wins', 'integer', WIN_EDGES)),
  going_wins: detailed(sized('going_wins', 'integer', WIN_EDGES)),
  early_position: detailed(sized('early_position', 'percent', [0, 0.25, 0.5, 0.75], 'number')),
  running_style: detailed({
    ...words(styleSql('early_position'), STYLES),
    words: 'dimension.running_style',
    order: 'key',
  }),
  going_change: moved('going_change', ['firmer', 'same', 'softer'], 'dimension.going_change'),
  leaders: detailed(sized('leaders')),
  new_gear: written('new_gear'),
})

/** Of a run with sectional times. */
const ofSections = (dimension: OfLevel): OfLevel => ({ ...dimension, sections: true })
/** Above 0 a part of the race was run faster than par: `againstPar` of `domain/pace.ts` as a share. */
const paceBands = (part: 'early' | 'late'): OfLevel =>
  ofSections(
    sized(
      `(${part}_par_ms::DOUBLE / ${part}_ms - 1)`,
      'change',
      [-1, -0.04, -0.02, -0.01, 0, 0.01, 0.02, 0.04],
      'number',
    ),
  )

/**
 * How a runner ran, by its sectional times: results of the run itself, known only after the race. A run without sections has
 * none of their values.
 */
export const AS_RUN_DIMENSIONS = ofLevel('horse', {
  /** Where the runner was at the end of the first section, by the quarters of `running_style`. */
  run_style: ofSections({
    ...words(styleSql('((first_position - 1)::DOUBLE / nullif(starters - 1, 0))'), STYLES),
    words: 'dimension.run_style',
    order: 'key',
  }),
  run_early_pace: paceBands('early'),
  run_late_pace: paceBands('late'),
  /** 1 is an even pace. */
  run_finishing_speed: ofSections(
    sized('finishing_speed::DOUBLE', 'percent', [0, 0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06], 'number'),
  ),
})

/**
 * Number columns of the reader's own file, each in bands of as many matched starters: the value is the band's number
 * from 0, or `NO_OWN_VALUE`. The edges are known where the file was opened.
 */
export const OWN_DIMENSIONS = ofLevel(
  'horse',
  bySlot((slot) => ({
    ...sized(slot, 'own-band'),
    values: [...OWN_BANDS, NO_OWN_VALUE],
    own: true,
  })),
)
