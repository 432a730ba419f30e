import type { ModelId } from '../contract/model-ids.ts'
import { NAME_COLUMNS } from '../domain/languages.ts'
import { horseName } from './name-sql.ts'
import { text } from './sql.ts'

/** How many earlier runs are compared with a runner. */
const NEAREST_RUNS = 200

/** What two runs are compared by: of an earlier run, and of the runner, both as numbers that may be unknown. */
const COMPARED: Readonly<Record<string, { run: string; runner: string }>> = {
  draw: { run: 'draw::DOUBLE / starters', runner: 'draw::DOUBLE / field' },
  field: { run: 'starters::DOUBLE', runner: 'field::DOUBLE' },
  // 1,000 and 1,200 m differ more than 2,000 and 2,200 m; a week and a month more than a year and thirteen months.
  distance: { run: 'ln(distance_m)', runner: 'ln(distance_m)' },
  rating: { run: 'rating::DOUBLE', runner: 'rating::DOUBLE' },
  weight: { run: 'weight_lb::DOUBLE', runner: 'actual_weight_lb::DOUBLE' },
  body_weight: { run: 'body_weight_lb::DOUBLE', runner: 'declared_weight_lb::DOUBLE' },
  days: { run: 'ln(days_since_run + 1)', runner: 'ln(days_since_run + 1)' },
  career: { run: 'ln(career_runs + 1)', runner: 'ln(career_runs + 1)' },
}
const NAMES = Object.keys(COMPARED)

const columns = (of: 'run' | 'runner'): string =>
  NAMES.map((name) => `${COMPARED[name]![of]} AS ${name}`).join(', ')

/** Squared difference in standard deviations: 1 where one of the two is unknown, 0 where both are. */
const squared = (name: string): string =>
  `CASE WHEN pool.${name} IS NULL AND runner.${name} IS NULL THEN 0 WHEN pool.${name} IS NULL OR runner.${name} IS NULL THEN 1
    ELSE coalesce(pow((pool.${name} - runner.${name}) / nullif(spread.${name}, 0), 2), 0) END`

/**
 * The earlier runs on the same surface that are nearest to a runner by what was known of them before their races, without
 * odds and without a model's chances: the root of the mean squared difference in eight values, each in standard deviations
 * over those earlier runs. A runner whose horse last ran in another region has no days since its last run.
 */
export const nearestSql = (raceId: string, horseNo: number, model: ModelId): string => `WITH declared AS (
    SELECT race.race_key, race.race_date, race.track, race.distance_m, runner.horse_key, runner.horse_no, runner.draw,
      coalesce(race.starters, race.declared_starters) AS field, runner.rating, runner.actual_weight_lb, runner.declared_weight_lb
    FROM race JOIN runner USING (race_key)
    WHERE race.race_id = ${text(raceId)} AND runner.horse_no = ${horseNo}
  ), run AS (
    SELECT starter.* FROM starter, declared
    WHERE starter.model = ${text(model)} AND starter.race_date < declared.race_date
      -- One that was withdrawn late had a chance, and no run.
      AND (starter.outcome IS DISTINCT FROM 'void' OR starter.place IS NOT NULL)
  ), last AS (
    SELECT run.race_date AS last_date, run.career_runs AS last_runs FROM run JOIN declared USING (horse_key)
    ORDER BY run.race_date DESC LIMIT 1
  ), runner AS (
    SELECT race_key, track, ${columns('runner')} FROM (
      SELECT declared.*, date_diff('day', last_date, race_date) AS days_since_run, coalesce(last_runs + 1, 0) AS career_runs
      FROM declared LEFT JOIN last ON true
    )
  ), pool AS (
    SELECT race_key, race_date, horse_no, horse_key, place, win_odds, won, market_probability, ${columns('run')}
    FROM run WHERE track = (SELECT track FROM declared)
  ), spread AS (
    SELECT ${NAMES.map((name) => `stddev_samp(${name}) AS ${name}`).join(', ')} FROM pool
  ), near AS (
    SELECT pool.*, sqrt((${NAMES.map(squared).join(' + ')}) / ${NAMES.length}) AS difference FROM pool, runner, spread
    ORDER BY difference, pool.race_date DESC, pool.race_key, pool.horse_no LIMIT ${NEAREST_RUNS}
  )
  SELECT race_id, strftime(near.race_date, '%Y-%m-%d') AS day, near.horse_no::DOUBLE AS horse_no,
    ${NAME_COLUMNS.map((language) => `${horseName(language)} AS horse_${language}`).join(', ')},
    near.place::DOUBLE AS place, near.win_odds::DOUBLE AS odds, near.won::DOUBLE AS won,
    near.market_probability::DOUBLE AS expected, near.difference
  FROM near JOIN race ON race.race_key = near.race_key JOIN horse ON horse.horse_key = near.horse_key
  ORDER BY near.difference, near.race_date DESC, near.race_key, near.horse_no`
