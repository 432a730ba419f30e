import type { RaceReport } from '../../../contract/api/report.ts'
import { DOUBLE } from '../../../domain/gameplay.ts'
import type { Language } from '../../../domain/languages.ts'
import type { ModelChoice } from '../../model/headline.ts'
import type { Queries } from '../../db/database.ts'
import { nameIn, nameLanguageIn } from './schedule.ts'

type CourseRunRow = RaceReport['runners'][number]['courseRuns'][number] & { horseId: string }

/** Earlier runs of a race's horses over its course and distance, newest first, `most` per horse. */
export const listCourseRuns = ({ rows }: Queries, raceId: string, most: number): Promise<CourseRunRow[]> =>
  rows(
    `select horse_id, race_id, date, place, starters, odds, finish_time_ms, actual_weight from (
       select earlier.horse_id, run.id as race_id, run.race_date as date,
         coalesce(earlier.place::text, earlier.place_code) as place, run.declared_starters as starters,
         earlier.win_odds as odds, earlier.finish_time_ms, earlier.actual_weight_lb as actual_weight,
         row_number() over (partition by earlier.horse_id order by run.race_date desc, run.id desc)::int as number
       from race join runner on runner.race_id = race.id
       join runner as earlier on earlier.horse_id = runner.horse_id
       join race as run on run.id = earlier.race_id and run.race_date < race.race_date and run.status = 'final'
         and run.stadium_id = race.stadium_id and run.distance_m = race.distance_m and run.track is not distinct from race.track
       where race.id = $1
     ) as runs where number <= $2 order by horse_id, date desc`,
    [raceId, most],
  )

type SelectedRow = Omit<RaceReport['selected'][number], 'profit'> & { profitCents: number | null }

/** A model's selected prediction of each bet type for a race, settled once the result is known. */
export const listSelected = ({ rows }: Queries, model: ModelChoice, raceId: string): Promise<SelectedRow[]> =>
  rows(
    `select p.gameplay_class, p.combination, p.probability,
       coalesce(s.paid_odds, p.odds_seen) as odds, s.paid_odds is not null as odds_paid, s.outcome,
       s.profit_cents
     from race join prediction p on p.race_id = race.id and p.model_id = coalesce($2::text, race.headline_model)
     left join settlement s on s.race_id = p.race_id and s.model_id = p.model_id
       and s.gameplay_class = p.gameplay_class and s.rank = p.rank
     where race.id = $1 and p.selected order by p.gameplay_class`,
    [raceId, model],
  )

export interface ChanceRow {
  modelId: string
  horseNo: number
  probability: number
  /** Log-odds relative to the race's mean, largest first; empty if the model gives no reasons. */
  reasons: { feature: string; value: number }[]
}

/** Every model's win probabilities for a race, ordered by model and saddle number. */
export async function listChances({ rows }: Queries, raceId: string): Promise<ChanceRow[]> {
  const found = await rows<Omit<ChanceRow, 'reasons'> & { reasons: string }>(
    `select model_id, horse_no, probability, reasons
     from win_chance join model on model.id = model_id where race_id = $1 order by model.key, horse_no`,
    [raceId],
  )
  return found.map((row) => ({ ...row, reasons: parseReasons(row.reasons) }))
}

/** Parses stored reasons such as `jockey 0.312 draw -0.100`. */
export function parseReasons(text: string): { feature: string; value: number }[] {
  const words = text === '' ? [] : text.split(' ')
  return Array.from({ length: words.length / 2 }, (_, index) => ({
    feature: words[index * 2]!,
    value: Number(words[index * 2 + 1]),
  }))
}

/** The race's headline model, which is shown by default. */
export async function readHeadlineModel({ rows }: Queries, raceId: string): Promise<string> {
  const [row] = await rows<{ model: string }>('select headline_model as model from race where id = $1', [
    raceId,
  ])
  return row!.model
}

/** Jockeys with their names; without one, the id. */
export const listJockeys = (
  { rows }: Queries,
  ids: readonly string[],
  language: Language,
): Promise<{ id: string; name: string; nameLanguage: Language | null }[]> =>
  rows(
    `select id, coalesce(${nameIn(language, 'jockey')}, id) as name, ${nameLanguageIn(language, 'jockey')} as name_language
     from jockey where id = any($1::text[]) order by id`,
    [ids],
  )

/** Published dividends of a race's nine bet types, and of the double that ends with this race. */
export const listDividends = (
  { rows }: Queries,
  raceId: string,
): Promise<{ gameplayClass: number; combination: string; dividendCents: number | null }[]> =>
  rows(
    `select gameplay_class, combination, dividend_cents from dividend
     where race_id = $1 and gameplay_class is not null order by gameplay_class, combination`,
    [raceId],
  )

/** A paid dividend, in cents per 10 units staked, stake included. */
export interface PaidDividend {
  raceId: string
  gameplayClass: number
  combination: string
  dividendCents: number
}

/** Every paid dividend of a region's supported bet types. */
export const readDividends = ({ rows }: Queries, regionId: string): Promise<PaidDividend[]> =>
  rows(
    `select race_id, gameplay_class, combination, dividend_cents
     from race join dividend on race_id = race.id
     where region_id = $1 and gameplay_class < ${DOUBLE.class} and dividend.status = 'paid' and dividend_cents is not null
     order by race_id, gameplay_class, combination`,
    [regionId],
  )
