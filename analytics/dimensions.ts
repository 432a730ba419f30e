import { MODEL_IDS } from '../contract/model-ids.ts'
import { ORIGINS } from '../contract/record-vocabulary.ts'
import type { Dimension, Scalar } from './model.ts'
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

/** Dimensions of a race, which every row has. */
export const RACE_DIMENSIONS = {
  day: {
    level: 'race',
    type: 'text',
    sql: 'race_date',
    show: day,
    literal: dayLiteral,
    display: 'day',
    order: 'newest',
  },
  meeting: {
    level: 'race',
    type: 'text',
    sql: 'meeting_key',
    show: (sql) =>
      `strftime(DATE '1970-01-01' + (${sql} // 1000)::INTEGER, '%Y-%m-%d') || '/' || (${sql} % 1000)::VARCHAR`,
    literal: meetingLiteral,
    display: 'meeting',
    order: 'newest',
  },
  month: {
    level: 'race',
    type: 'text',
    sql: '(year(race_date) * 100 + month(race_date))::INTEGER',
    show: (sql) => `printf('%d-%02d', ${sql} // 100, ${sql} % 100)`,
    literal: monthLiteral,
    display: 'month',
    order: 'newest',
  },
  calendar_month: {
    level: 'race',
    type: 'integer',
    sql: 'month(race_date)::TINYINT',
    values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    display: 'calendar-month',
    order: 'key',
    few: true,
  },
  season: { level: 'race', type: 'integer', sql: 'season', display: 'season', order: 'newest', few: true },
  weekday: {
    level: 'race',
    type: 'integer',
    sql: 'isodow(race_date)::TINYINT',
    values: [1, 2, 3, 4, 5, 6, 7],
    display: 'weekday',
    order: 'key',
    few: true,
  },
  region: {
    level: 'race',
    type: 'integer',
    sql: 'region',
    display: 'integer',
    order: 'key',
    few: true,
    pinned: true,
  },
  racecourse: {
    level: 'race',
    type: 'integer',
    sql: 'stadium_key',
    display: 'name',
    names: { table: 'stadium', key: 'stadium_key' },
    order: 'count',
    few: true,
  },
  course: { level: 'race', type: 'text', sql: 'course', display: 'text', order: 'count', few: true },
  track: {
    level: 'race',
    type: 'text',
    sql: 'track',
    values: TRACKS,
    display: 'words',
    words: 'track',
    order: 'count',
    few: true,
  },
  going: {
    level: 'race',
    type: 'text',
    sql: 'going',
    display: 'words',
    words: 'going',
    order: 'count',
    few: true,
  },
  distance: { level: 'race', type: 'integer', sql: 'distance_m', display: 'metres', order: 'key', few: true },
  class: { level: 'race', type: 'text', sql: 'race_class', display: 'class', order: 'count', few: true },
  race_no: { level: 'race', type: 'integer', sql: 'race_no', display: 'integer', order: 'key', few: true },
  field_size: {
    level: 'race',
    type: 'integer',
    sql: 'starters',
    display: 'integer',
    order: 'key',
    few: true,
  },
  model: {
    level: 'race',
    type: 'text',
    sql: 'model',
    values: MODEL_IDS,
    display: 'words',
    words: 'source',
    order: 'key',
    few: true,
    pinned: true,
  },
  origin: {
    level: 'race',
    type: 'text',
    sql: 'origin',
    values: ORIGINS,
    display: 'words',
    words: 'origin',
    order: 'key',
    few: true,
    pinned: true,
  },
} satisfies Record<string, Dimension>

/** Bet types on one horse. */
export const ONE_HORSE = [1, 2]

/** Lower edges of probability bands: narrow where most predictions fall. */
export const PROBABILITY_EDGES = [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4] as const

/** Dimensions with bands over a row's own columns. Odds are known whatever the outcome for win bets alone. */
export const BAND_DIMENSIONS = {
  outcome: {
    level: 'prediction',
    type: 'text',
    sql: 'outcome',
    values: OUTCOMES,
    display: 'words',
    words: 'outcome',
    order: 'key',
    few: true,
  },
  probability: {
    level: 'prediction',
    type: 'number',
    sql: 'probability',
    bins: PROBABILITY_EDGES,
    bandColumn: 'probability_band',
    display: 'percent',
    order: 'key',
    few: true,
  },
  odds: {
    level: 'prediction',
    type: 'number',
    sql: 'win_odds',
    bins: [1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50],
    betTypes: [1],
    display: 'odds',
    order: 'key',
    few: true,
  },
  /** From the first recorded odds to the final ones: −10% is a tenth shorter; unknown without first odds. */
  odds_move: {
    level: 'prediction',
    type: 'number',
    sql: '(win_odds::DOUBLE / opening_odds::DOUBLE - 1)',
    bins: [-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1],
    betTypes: [1],
    display: 'change',
    order: 'key',
    few: true,
  },
  value: {
    level: 'prediction',
    type: 'number',
    sql: 'probability * win_odds',
    bins: [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2],
    betTypes: [1],
    display: 'decimal',
    order: 'key',
    few: true,
  },
  favourite_rank: {
    level: 'prediction',
    type: 'integer',
    sql: 'favourite_rank',
    betTypes: ONE_HORSE,
    display: 'integer',
    order: 'key',
    few: true,
  },
} satisfies Record<string, Dimension>

export const PREDICTION_DIMENSIONS = {
  bet_type: {
    level: 'prediction',
    type: 'integer',
    sql: 'bet_type',
    values: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    display: 'words',
    words: 'gameplay',
    order: 'key',
    few: true,
  },
  /** Types overlap: a row counts once under each of its types. The planner handles this. */
  prediction_type: {
    level: 'prediction',
    type: 'integer',
    sql: 'prediction_type',
    values: [0, 1, 2, 3],
    display: 'words',
    words: 'predictionType',
    order: 'key',
  },
  rank: {
    level: 'prediction',
    type: 'integer',
    sql: 'rank',
    values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    display: 'integer',
    order: 'key',
    few: true,
  },
} satisfies Record<string, Dimension>

/** Attributes of a horse in the bet; a combination counts once for each of its horses. */
export const HORSE_DIMENSIONS = {
  horse: {
    level: 'horse',
    type: 'integer',
    sql: 'horse_key',
    display: 'name',
    names: { table: 'horse', key: 'horse_key' },
    order: 'count',
  },
  jockey: {
    level: 'horse',
    type: 'integer',
    sql: 'jockey_key',
    display: 'name',
    names: { table: 'jockey', key: 'jockey_key' },
    order: 'count',
  },
  trainer: {
    level: 'horse',
    type: 'integer',
    sql: 'trainer_key',
    display: 'name',
    names: { table: 'trainer', key: 'trainer_key' },
    order: 'count',
  },
  jockey_trainer: {
    level: 'horse',
    type: 'integer',
    sql: '(jockey_key::INTEGER * 32768 + trainer_key)',
    display: 'name',
    names: { table: 'jockey_trainer', key: 'pair_key' },
    order: 'count',
  },
  draw: { level: 'horse', type: 'integer', sql: 'draw', display: 'integer', order: 'key', few: true },
  rating: {
    level: 'horse',
    type: 'integer',
    sql: 'rating',
    bins: [0, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120],
    display: 'integer',
    order: 'key',
    few: true,
  },
  weight_carried: {
    level: 'horse',
    type: 'integer',
    sql: 'weight_lb',
    bins: [0, 112, 115, 118, 121, 124, 127, 130, 133],
    display: 'pounds',
    order: 'key',
    few: true,
  },
  body_weight: {
    level: 'horse',
    type: 'integer',
    sql: 'body_weight_lb',
    bins: [0, 950, 1000, 1050, 1100, 1150, 1200, 1250],
    display: 'pounds',
    order: 'key',
    few: true,
  },
  gear: { level: 'horse', type: 'text', sql: 'gear', display: 'text', order: 'count' },
  first_time_gear: {
    level: 'horse',
    type: 'boolean',
    sql: 'first_time_gear',
    display: 'yes-no',
    order: 'key',
    few: true,
  },
  days_since_run: {
    level: 'horse',
    type: 'integer',
    sql: 'days_since_run',
    bins: [0, 8, 15, 22, 29, 43, 61, 91, 181],
    display: 'days',
    order: 'key',
    few: true,
  },
  career_runs: {
    level: 'horse',
    type: 'integer',
    sql: 'career_runs',
    bins: [0, 1, 2, 4, 7, 11, 21, 41],
    display: 'integer',
    order: 'key',
    few: true,
  },
} satisfies Record<string, Dimension>
