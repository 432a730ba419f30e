import { MODEL_IDS } from '../contract/model-ids.ts'
import { ORIGINS } from '../contract/record-vocabulary.ts'
import { table, type Column } from './table.ts'

/**
 * Every table of the dataset files. The builder's statements, the appender, the client's tables and
 * the column lists of `docs/data-format.md` are derived from this module. Changing a column
 * requires a new `DATASET_SCHEMA`.
 */

const key = (type: 'TINYINT' | 'SMALLINT' | 'INTEGER', meaning: string): Column => ({ type, meaning })
const names = {
  name_en: { type: 'VARCHAR', meaning: 'English name' },
  name_hant: { type: 'VARCHAR', meaning: 'name in Traditional Chinese' },
  name_hans: { type: 'VARCHAR', meaning: 'name in Simplified Chinese' },
} as const

export const OUTCOMES = ['hit', 'miss', 'void'] as const
export const TRACKS = ['turf', 'awt', 'dirt'] as const

const TRACK = { type: { enum: TRACKS }, meaning: 'surface' } as const
const MODEL_COLUMN = { type: { enum: MODEL_IDS }, meaning: 'model' } as const
const ORIGIN = {
  type: { enum: ORIGINS },
  meaning: 'locked before the off, backtest, or changed: no longer what was locked',
} as const
const RACE_KEY = { type: 'INTEGER', meaning: 'key of the race' } as const
const RACE_DATE = { type: 'DATE', meaning: 'race day at the racecourse' } as const
const STADIUM_KEY = { type: 'SMALLINT', meaning: 'key of the racecourse' } as const
const BET_TYPE = { type: 'TINYINT', meaning: 'bet type, 1 to 9' } as const
const HORSE_NO = { type: 'TINYINT', meaning: 'saddle number' } as const

const STADIUM = table('stadium', 'Racecourses of a region.', {
  stadium_key: STADIUM_KEY,
  stadium_id: { type: 'VARCHAR', meaning: 'code of five capitals' },
  region_id: { type: 'VARCHAR', meaning: 'region' },
  ...names,
})
const HORSE = table('horse', 'Horses of a region.', {
  horse_key: key('INTEGER', 'key of the horse'),
  horse_id: { type: 'VARCHAR', meaning: 'id of the horse' },
  region_id: { type: 'VARCHAR', meaning: 'region' },
  brand: { type: 'VARCHAR', meaning: 'brand number' },
  ...names,
  sire: { type: 'VARCHAR', meaning: 'sire' },
  dam_sire: { type: 'VARCHAR', meaning: 'dam’s sire' },
  country: { type: 'VARCHAR', meaning: 'country of birth' },
})
const JOCKEY = table('jockey', 'Jockeys of a region.', {
  jockey_key: key('SMALLINT', 'key of the jockey'),
  jockey_id: { type: 'VARCHAR', meaning: 'id of the jockey' },
  ...names,
})
const TRAINER = table('trainer', 'Trainers of a region.', {
  trainer_key: key('SMALLINT', 'key of the trainer'),
  trainer_id: { type: 'VARCHAR', meaning: 'id of the trainer' },
  ...names,
})

export const RACE = table('race', 'Races of a season.', {
  race_key: RACE_KEY,
  race_id: { type: 'VARCHAR', meaning: 'race id' },
  race_date: RACE_DATE,
  stadium_key: STADIUM_KEY,
  race_no: { type: 'TINYINT', meaning: 'number of the race on its day' },
  ...names,
  race_class: { type: 'VARCHAR', meaning: 'class or grade' },
  track: TRACK,
  course: { type: 'VARCHAR', meaning: 'course or rail, `A+3`' },
  distance_m: { type: 'SMALLINT', unit: 'm', meaning: 'distance' },
  going: { type: 'VARCHAR', meaning: 'going' },
  declared_starters: { type: 'TINYINT', meaning: 'declared starters' },
  starters: { type: 'TINYINT', meaning: 'horses that ran' },
  places: { type: 'TINYINT', meaning: 'places paid, 0 without a place pool' },
  winning_time_ms: { type: 'INTEGER', unit: 'ms', meaning: 'time of the winner' },
  status: { type: { enum: ['scheduled', 'final', 'abandoned'] }, meaning: 'state of the race' },
  predicted_by: {
    type: 'VARCHAR',
    meaning: 'models that predicted it, `market-baseline blended`; empty: none',
  },
})
export const RUNNER = table('runner', 'Declared runners of a season’s races.', {
  race_key: RACE_KEY,
  race_date: RACE_DATE,
  horse_no: HORSE_NO,
  horse_key: key('INTEGER', 'key of the horse'),
  jockey_key: key('SMALLINT', 'key of the jockey'),
  trainer_key: key('SMALLINT', 'key of the trainer'),
  draw: { type: 'TINYINT', meaning: 'starting stall' },
  actual_weight_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'weight carried' },
  declared_weight_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'the horse’s own weight' },
  rating: { type: 'SMALLINT', meaning: 'official rating' },
  gear: { type: 'VARCHAR', meaning: 'gear, `B1/TT`: 1 first time, - removed' },
  status: {
    type: { enum: ['declared', 'finished', 'unfinished', 'withdrawn'] },
    meaning: 'state of the runner',
  },
  place: { type: 'TINYINT', meaning: 'official place' },
  place_code: { type: 'VARCHAR', meaning: 'why there is no place' },
  dead_heat: { type: 'BOOLEAN', meaning: 'shared its place' },
  margin: { type: 'VARCHAR', meaning: 'margin behind the winner' },
  running_position: { type: 'VARCHAR', meaning: 'positions at the sections' },
  finish_time_ms: { type: 'INTEGER', unit: 'ms', meaning: 'finish time' },
  win_odds: { type: 'DOUBLE', meaning: 'final win odds, decimal' },
})
const DIVIDEND = table('dividend', 'Published dividends of a season.', {
  race_key: RACE_KEY,
  race_date: RACE_DATE,
  bet_type: { ...BET_TYPE, meaning: `${BET_TYPE.meaning}; 10: the double, listed at its second race` },
  combination: { type: 'VARCHAR', meaning: 'saddle numbers, `3-7`; of a double the two winners, `3/7`' },
  status: { type: { enum: ['paid', 'refund', 'unknown'] }, meaning: 'state of the line' },
  dividend_cents: { type: 'BIGINT', unit: 'cents', meaning: 'for a stake of 10, stake included' },
})
const PREDICTION_LOCK = table('prediction_lock', 'What was locked before the off.', {
  number: { type: 'INTEGER', meaning: 'entry of the region’s chain' },
  race_key: RACE_KEY,
  race_id: { type: 'VARCHAR', meaning: 'race id' },
  race_date: RACE_DATE,
  model: MODEL_COLUMN,
  sha256: { type: 'VARCHAR', meaning: 'hash of what was locked' },
  locked_at: { type: 'VARCHAR', meaning: 'instant, ISO 8601, UTC' },
  chain: { type: 'VARCHAR', meaning: 'hash of the chain at this entry' },
})

/** Columns of the race, repeated in every row so that no query needs a join. */
export const OF_RACE = {
  race_key: RACE_KEY,
  region: { type: 'INTEGER', meaning: 'region id as a number' },
  season: { type: 'SMALLINT', meaning: 'year in which the season began' },
  race_date: RACE_DATE,
  meeting_key: { type: 'INTEGER', meaning: 'days since 1970-01-01 × 1,000 + stadium_key' },
  stadium_key: STADIUM_KEY,
  race_no: { type: 'TINYINT', meaning: 'number of the race on its day' },
  track: TRACK,
  course: { type: 'VARCHAR', meaning: 'course or rail' },
  going: { type: 'VARCHAR', meaning: 'going' },
  distance_m: { type: 'SMALLINT', unit: 'm', meaning: 'distance' },
  race_class: { type: 'VARCHAR', meaning: 'class or grade' },
  starters: { type: 'TINYINT', meaning: 'horses that ran' },
  model: MODEL_COLUMN,
  origin: ORIGIN,
} as const

export const PREDICTION = table('prediction', 'Settled predictions of one model: ten a race and bet type.', {
  ...OF_RACE,
  bet_type: BET_TYPE,
  rank: { type: 'TINYINT', meaning: '1: the most probable combination of its race and bet type' },
  horse_no_1: { type: 'TINYINT', meaning: 'in order for ordered bet types, else ascending' },
  horse_no_2: { type: 'TINYINT', meaning: 'NULL for a bet on fewer horses' },
  horse_no_3: { type: 'TINYINT', meaning: 'NULL for a bet on fewer horses' },
  horse_no_4: { type: 'TINYINT', meaning: 'NULL for a bet on fewer horses' },
  probability: { type: 'FLOAT', meaning: 'of the combination, by the model' },
  market_probability: { type: 'FLOAT', meaning: 'of the combination, by the market line' },
  random_chance: {
    type: 'DOUBLE',
    meaning: 'winning combinations over all combinations of the interests that started',
  },
  win_odds: { type: 'FLOAT', meaning: 'final win odds of the horse; NULL for a bet on several' },
  opening_odds: { type: 'FLOAT', meaning: 'first win odds seen of the horse; NULL where none were recorded' },
  late_odds: {
    type: 'FLOAT',
    meaning:
      'last win odds seen of the horse two minutes before post time; NULL where none were recorded by then',
  },
  favourite_rank: { type: 'TINYINT', meaning: 'of the horse by final win odds; NULL for a bet on several' },
  selected: { type: 'BOOLEAN', meaning: 'the main pick' },
  cautious: { type: 'BOOLEAN', meaning: 'the cautious pick' },
  upset_guard: { type: 'BOOLEAN', meaning: 'the upset pick' },
  outcome: { type: { enum: OUTCOMES }, meaning: 'void: stake back' },
  profit_cents: { type: 'BIGINT', unit: 'cents', meaning: 'of a flat stake of HK$10; NULL: unknown' },
  odds: { type: 'DOUBLE', meaning: 'paid odds of a hit, else the last odds seen' },
  odds_paid: { type: 'BOOLEAN', meaning: 'whether `odds` were paid' },
})
export const STARTER = table(
  'starter',
  'Every starter of every race, with its win probability by one model.',
  {
    ...OF_RACE,
    interests: { type: 'TINYINT', meaning: 'betting interests in the model’s line; a coupled entry is one' },
    horse_no: { type: 'TINYINT', meaning: 'saddle number; of a coupled entry the lowest' },
    horse_key: key('INTEGER', 'key of the horse'),
    jockey_key: key('SMALLINT', 'key of the jockey'),
    trainer_key: key('SMALLINT', 'key of the trainer'),
    draw: { type: 'TINYINT', meaning: 'starting stall' },
    rating: { type: 'SMALLINT', meaning: 'official rating' },
    weight_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'weight carried' },
    body_weight_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'the horse’s own weight' },
    gear: { type: 'VARCHAR', meaning: 'gear without marks, `B/TT`; empty: none' },
    first_time_gear: { type: 'BOOLEAN', meaning: 'some gear is worn for the first time' },
    days_since_run: { type: 'SMALLINT', unit: 'days', meaning: 'since its last run; NULL: first run here' },
    career_runs: { type: 'SMALLINT', meaning: 'runs before this race in these data' },
    place: { type: 'TINYINT', meaning: 'official place' },
    win_odds: { type: 'FLOAT', meaning: 'final win odds, decimal' },
    opening_odds: { type: 'FLOAT', meaning: 'first win odds seen; NULL where none were recorded' },
    late_odds: {
      type: 'FLOAT',
      meaning: 'last win odds seen two minutes before post time; NULL where none were recorded by then',
    },
    favourite_rank: { type: 'TINYINT', meaning: '1: the shortest final win odds' },
    model_rank: { type: 'TINYINT', meaning: '1: the most probable by the model' },
    market_rank: { type: 'TINYINT', meaning: '1: the most probable by the market line' },
    probability: { type: 'FLOAT', meaning: 'of winning, by the model' },
    market_probability: { type: 'FLOAT', meaning: 'of winning, by the market line' },
    won: { type: 'FLOAT', meaning: '1, a share of it in a dead heat, else 0' },
    outcome: { type: { enum: OUTCOMES }, meaning: 'of a win bet; void: stake back' },
    profit_cents: { type: 'BIGINT', unit: 'cents', meaning: 'of a win bet of HK$10; NULL: unknown' },
  },
)
const EARLIER_WINS = { type: 'SMALLINT' } as const
/** What follows from earlier days alone, but for the going, the chances of models that use odds, and the place bet. */
export const STARTER_DETAIL = table(
  'starter_detail',
  'What every starter had done before its race, and a place bet on it. Changes are against its last run.',
  {
    race_key: RACE_KEY,
    race_date: RACE_DATE,
    horse_no: { type: 'TINYINT', meaning: 'saddle number; of a coupled entry the lowest' },
    last_place: { type: 'TINYINT', meaning: 'place at its last run' },
    place_before_last: { type: 'TINYINT', meaning: 'place at the run before its last' },
    last_distance_m: { type: 'SMALLINT', unit: 'm', meaning: 'distance of its last run' },
    last_class: { type: 'VARCHAR', meaning: 'class of its last run' },
    class_move: { type: 'TINYINT', meaning: '1: a higher class, −1: a lower one, 0: the same' },
    distance_change_m: { type: 'SMALLINT', unit: 'm', meaning: 'change of the distance' },
    rating_change: { type: 'SMALLINT', meaning: 'change of the official rating' },
    weight_change_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'change of the weight carried' },
    body_weight_change_lb: { type: 'SMALLINT', unit: 'lb', meaning: 'change of the horse’s own weight' },
    jockey_change: { type: 'BOOLEAN', meaning: 'another jockey' },
    racecourse_change: { type: 'BOOLEAN', meaning: 'another racecourse' },
    surface_change: { type: 'BOOLEAN', meaning: 'another surface' },
    rides_together: { type: 'SMALLINT', meaning: 'earlier runs under the same jockey' },
    run_after_break: {
      type: 'SMALLINT',
      meaning: '1: the first run after 60 days or more, or ever; 2: the run after that, and so on',
    },
    career_wins: { ...EARLIER_WINS, meaning: 'earlier wins in these data' },
    course_wins: { ...EARLIER_WINS, meaning: 'of these, on the same racecourse and surface' },
    distance_wins: { ...EARLIER_WINS, meaning: 'of these, at the same distance' },
    going_wins: { ...EARLIER_WINS, meaning: 'of these, on the same going' },
    early_position: {
      type: 'FLOAT',
      meaning: 'mean position at the first call of its last four runs: 0 in front, 1 behind all others',
    },
    last_margin: {
      type: 'FLOAT',
      unit: 'lengths',
      meaning: 'behind the winner at its last run; 0: it won. NULL where no length is published',
    },
    going_change: {
      type: 'TINYINT',
      meaning:
        'going of the race against that of the first race of its meeting on the same surface. 1: softer, −1: firmer, 0: the same',
    },
    chance_blended: {
      type: 'SMALLINT',
      meaning: 'chance of winning by the model blended, in ten-thousandths',
    },
    chance_fundamental: {
      type: 'SMALLINT',
      meaning: 'chance of winning by the model fundamental, in ten-thousandths',
    },
    chance_network: {
      type: 'SMALLINT',
      meaning: 'chance of winning by the model network, in ten-thousandths',
    },
    leaders: { type: 'TINYINT', meaning: 'starters of the race whose early_position is below 0.25' },
    new_gear: { type: 'VARCHAR', meaning: 'gear worn for the first time, `B/TT`; empty: none' },
    age: { type: 'TINYINT', unit: 'years', meaning: 'on the day of the race' },
    sex: { type: 'VARCHAR', meaning: 'on the day of the race' },
    owner: { type: 'VARCHAR', meaning: 'on the day of the race' },
    place_outcome: { type: { enum: OUTCOMES }, meaning: 'of a place bet; NULL: the race pays no place' },
    place_profit_cents: {
      type: 'BIGINT',
      unit: 'cents',
      meaning: 'of a place bet of HK$10; NULL: unknown, or no place pool',
    },
    place_chance: { type: 'FLOAT', meaning: 'of being placed, by the market line' },
  },
)
/** What sectional times say of a run: known only after the race. A starter without sections has no row. */
export const STARTER_SECTIONS = table(
  'starter_sections',
  'How starters ran, of which the sectional times are known. Pars are those of earlier days.',
  {
    race_key: RACE_KEY,
    race_date: RACE_DATE,
    horse_no: HORSE_NO,
    first_position: { type: 'TINYINT', meaning: 'position at the end of the first section' },
    finishing_speed: {
      type: 'FLOAT',
      meaning: 'speed in the last section over that of the whole race; 1: an even pace',
    },
    early_ms: {
      type: 'INTEGER',
      unit: 'ms',
      meaning: 'time before the last 800 m; NULL: a time is missing, or it has no par',
    },
    early_par_ms: {
      type: 'FLOAT',
      unit: 'ms',
      meaning: 'par of the same, which needs five earlier races; NULL with it',
    },
    late_ms: {
      type: 'INTEGER',
      unit: 'ms',
      meaning: 'time of the last section; NULL: a time is missing, or it has no par',
    },
    late_par_ms: {
      type: 'FLOAT',
      unit: 'ms',
      meaning: 'par of the same, which needs five earlier races; NULL with it',
    },
  },
)
const REASON = table('reason', 'The five largest reasons for each starter.', {
  race_key: RACE_KEY,
  race_date: RACE_DATE,
  model: MODEL_COLUMN,
  horse_no: HORSE_NO,
  rank: { type: 'TINYINT', meaning: '1: the largest' },
  feature: { type: 'VARCHAR', meaning: 'group of features' },
  log_odds: { type: 'FLOAT', meaning: 'against the mean of the race' },
})
const ODDS_TICK = table('odds_tick', 'Win odds as they were seen over time.', {
  race_key: RACE_KEY,
  race_date: RACE_DATE,
  horse_no: HORSE_NO,
  seen_at: { type: 'TIMESTAMP', meaning: 'instant, UTC' },
  odds: { type: 'DOUBLE', meaning: 'decimal odds, stake included' },
})

/** Public daily totals. */
export const ACCURACY_DAY = table(
  'accuracy_day',
  'Totals of settled predictions by day, bet type and prediction type (0: all ten; 1 main, 2 cautious, 3 upset pick).',
  {
    season: OF_RACE.season,
    region: OF_RACE.region,
    race_date: RACE_DATE,
    bet_type: BET_TYPE,
    prediction_type: { type: 'TINYINT', meaning: '0 to 3' },
    model: MODEL_COLUMN,
    origin: ORIGIN,
    predictions: { type: 'DOUBLE', meaning: 'settled predictions' },
    hits: { type: 'DOUBLE', meaning: 'hits' },
    voids: { type: 'DOUBLE', meaning: 'void predictions' },
    unknown: { type: 'DOUBLE', meaning: 'predictions of unknown profit' },
    unknown_hits: { type: 'DOUBLE', meaning: 'hits of unknown profit' },
    staked: { type: 'DOUBLE', unit: 'cents', meaning: 'stakes of bets of known profit' },
    profit: { type: 'DOUBLE', unit: 'cents', meaning: 'profit of the same' },
    chance_hits: { type: 'DOUBLE', meaning: 'hits of as many blind draws' },
  },
)

/** Tables of each kind of file. */
export const FILE_TABLES = {
  reference: [STADIUM, HORSE, JOCKEY, TRAINER],
  racing: [RACE, RUNNER, DIVIDEND, PREDICTION_LOCK, ACCURACY_DAY],
  record: [PREDICTION, STARTER],
  details: [STARTER_DETAIL],
  sections: [STARTER_SECTIONS],
  reasons: [REASON],
  ticks: [ODDS_TICK],
  recent: [PREDICTION, STARTER, STARTER_DETAIL, STARTER_SECTIONS],
} as const
