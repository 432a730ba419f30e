import { FEATURE_GROUPS } from '../scoring/features/catalogue.ts'
import { INTERPLAY } from '../scoring/models/predict.ts'

/** Tables of dataset files. Names, units and meaning of every column: `docs/data-format.md`. */
export interface TableSchema {
  name: string
  /** Column definitions in DuckDB's SQL. */
  columns: readonly string[]
}

const names = ['name_en VARCHAR', 'name_hant VARCHAR', 'name_hans VARCHAR'] as const

export const OUTCOME_TYPE = `ENUM ('hit', 'miss', 'void')`
export const ORIGIN_TYPE = `ENUM ('locked', 'backtest', 'changed')`
export const FEATURE_GROUP_TYPE = `ENUM (${[...FEATURE_GROUPS, INTERPLAY].map((group) => `'${group}'`).join(', ')})`
export const RUNNER_STATUS_TYPE = `ENUM ('declared', 'finished', 'unfinished', 'withdrawn')`
export const RACE_STATUS_TYPE = `ENUM ('scheduled', 'final', 'abandoned')`
export const TRACK_TYPE = `ENUM ('turf', 'awt', 'dirt')`
export const DIVIDEND_STATUS_TYPE = `ENUM ('paid', 'refund', 'unknown')`

export const STADIUM: TableSchema = {
  name: 'stadium',
  columns: ['stadium_key SMALLINT', 'stadium_id VARCHAR', 'region_id VARCHAR', ...names],
}
export const HORSE: TableSchema = {
  name: 'horse',
  columns: ['horse_key INTEGER', 'horse_id VARCHAR', 'region_id VARCHAR', 'brand VARCHAR', ...names],
}
export const JOCKEY: TableSchema = {
  name: 'jockey',
  columns: ['jockey_key SMALLINT', 'jockey_id VARCHAR', ...names],
}
export const TRAINER: TableSchema = {
  name: 'trainer',
  columns: ['trainer_key SMALLINT', 'trainer_id VARCHAR', ...names],
}
export const MODEL: TableSchema = { name: 'model', columns: ['model_key TINYINT', 'model_id VARCHAR'] }

export const RACE: TableSchema = {
  name: 'race',
  columns: [
    'race_key INTEGER',
    'race_id VARCHAR',
    'race_date DATE',
    'stadium_key SMALLINT',
    'race_no TINYINT',
    ...names,
    'race_class VARCHAR',
    `track ${TRACK_TYPE}`,
    'course VARCHAR',
    'distance_m SMALLINT',
    'going VARCHAR',
    'declared_starters TINYINT',
    'starters TINYINT',
    'places TINYINT',
    'winning_time_ms INTEGER',
    `status ${RACE_STATUS_TYPE}`,
  ],
}
export const RUNNER: TableSchema = {
  name: 'runner',
  columns: [
    'race_key INTEGER',
    'race_date DATE',
    'horse_no TINYINT',
    'horse_key INTEGER',
    'jockey_key SMALLINT',
    'trainer_key SMALLINT',
    'draw TINYINT',
    'actual_weight_lb SMALLINT',
    'declared_weight_lb SMALLINT',
    'rating SMALLINT',
    'gear VARCHAR',
    `status ${RUNNER_STATUS_TYPE}`,
    'place TINYINT',
    'place_code VARCHAR',
    'dead_heat BOOLEAN',
    'margin VARCHAR',
    'running_position VARCHAR',
    'finish_time_ms INTEGER',
    'win_odds DOUBLE',
  ],
}
export const DIVIDEND: TableSchema = {
  name: 'dividend',
  columns: [
    'race_key INTEGER',
    'race_date DATE',
    'gameplay_class TINYINT',
    'combination VARCHAR',
    `status ${DIVIDEND_STATUS_TYPE}`,
    'dividend_cents BIGINT',
  ],
}
export const PREDICTION: TableSchema = {
  name: 'prediction',
  columns: [
    'race_key INTEGER',
    'race_date DATE',
    'stadium_key SMALLINT',
    'race_no TINYINT',
    'gameplay_class TINYINT',
    'model_key TINYINT',
    'rank TINYINT',
    'horse_no_1 TINYINT',
    'horse_no_2 TINYINT',
    'horse_no_3 TINYINT',
    'horse_no_4 TINYINT',
    'probability FLOAT',
    'selected BOOLEAN',
    'cautious BOOLEAN',
    'upset_guard BOOLEAN',
    `outcome ${OUTCOME_TYPE}`,
    'profit_cents BIGINT',
    'odds DOUBLE',
    'odds_paid BOOLEAN',
    'random_chance DOUBLE',
    `origin ${ORIGIN_TYPE}`,
  ],
}
export const WIN_CHANCE: TableSchema = {
  name: 'win_chance',
  columns: [
    'race_key INTEGER',
    'race_date DATE',
    'stadium_key SMALLINT',
    'model_key TINYINT',
    'horse_no TINYINT',
    'probability FLOAT',
    'won FLOAT',
    `origin ${ORIGIN_TYPE}`,
  ],
}
export const REASON: TableSchema = {
  name: 'reason',
  columns: [
    'race_key INTEGER',
    'race_date DATE',
    'model_key TINYINT',
    'horse_no TINYINT',
    'rank TINYINT',
    `feature ${FEATURE_GROUP_TYPE}`,
    'log_odds FLOAT',
  ],
}
export const PREDICTION_LOCK: TableSchema = {
  name: 'prediction_lock',
  columns: [
    'number INTEGER',
    'race_key INTEGER',
    'race_id VARCHAR',
    'race_date DATE',
    'model_key TINYINT',
    'model_id VARCHAR',
    'sha256 VARCHAR',
    'locked_at VARCHAR',
    'chain VARCHAR',
  ],
}
export const ODDS_TICK: TableSchema = {
  name: 'odds_tick',
  columns: ['race_key INTEGER', 'horse_no TINYINT', 'seen_at TIMESTAMP', 'odds DOUBLE'],
}

const totals = [
  'predictions INTEGER',
  'hits INTEGER',
  'voids INTEGER',
  'unknown INTEGER',
  'unknown_hits INTEGER',
  'stake_cents BIGINT',
  'profit_cents BIGINT',
  'random_hits DOUBLE',
] as const

export const ACCURACY_DAY: TableSchema = {
  name: 'accuracy_day',
  columns: [
    'race_date DATE',
    'gameplay_class TINYINT',
    'prediction_type TINYINT',
    'model_key TINYINT',
    `origin ${ORIGIN_TYPE}`,
    ...totals,
  ],
}
export const ACCURACY_CUBE: TableSchema = {
  name: 'accuracy_cube',
  columns: [
    'race_date DATE',
    'stadium_key SMALLINT',
    'gameplay_class TINYINT',
    'prediction_type TINYINT',
    'model_key TINYINT',
    `origin ${ORIGIN_TYPE}`,
    ...totals,
  ],
}
