import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { OTHER_CLOCKS } from '../../../domain/course-clock.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { columnsOf, languageOfColumn, languageRules, type Language } from '../../../domain/languages.ts'
import { allValues, type Queries } from '../../db/database.ts'

/**
 * SQL for a table's name in a language, falling back to the other languages; of a horse to those that the language's
 * readers can read, otherwise null.
 */
export const nameIn = (language: Language, table: string): string =>
  `coalesce(${columnsOf(languageRules(language), table)
    .map((column) => `${table}.name_${column}`)
    .join(', ')})`

/** SQL for the language of the name that `nameIn` selects; `null` if there is no name in any language. */
export const nameLanguageIn = (language: Language, table: string): string =>
  `(case ${columnsOf(languageRules(language), table)
    .map((column) => `when ${table}.name_${column} is not null then '${languageOfColumn(column)}'`)
    .join(' ')} end)`

/** Letters and digits, without accents. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * A horse whose number says something beside its name. Where sources have no brands, horses are known by their names in other letters,
 * as in capitals: then the number is the name, which nobody has to read twice.
 */
export const withShownNumber = <Each extends { name: string; number: string }>(horse: Each): Each =>
  lettersOf(horse.number) === lettersOf(horse.name) ? { ...horse, number: horse.name } : horse

/** Regions that have races, with their names in a language. */
export const listRegions = ({ rows }: Queries, language: Language): Promise<{ id: string; name: string }[]> =>
  rows(
    `select id, ${nameIn(language, 'region')} as name from region
     where exists (select 1 from race where race.region_id = region.id) order by id`,
  )

/** Racecourses of a region, with their names in a language. */
export const listStadiums = (
  { rows }: Queries,
  regionId: string,
  language: Language,
): Promise<{ id: string; name: string }[]> =>
  rows(
    `select id, coalesce(${nameIn(language, 'stadium')}, id) as name from stadium where region_id = $1 order by id`,
    [regionId],
  )

export const SCHEDULE_DAYS = 7
const MAX_RACES = 200

/** SQL for the time zone of a racecourse. */
const COURSE_CLOCK = `case ${[...groupBy(OTHER_CLOCKS, ([, timeZone]) => timeZone)]
  .map(([zone, courses]) => `when stadium.id in (${courses.map(([id]) => `'${id}'`).join()}) then '${zone}'`)
  .join(' ')} else region.time_zone end`

/** SQL for a race's start time by the clocks of its racecourse, `HH:MM:SS`; called, so that the check of all statements can read it. */
export const localTime = (): string => `to_char(race.starts_at at time zone ${COURSE_CLOCK}, 'HH24:MI:SS')`

/** SQL for whether a model predicted a race. */
export const IS_PREDICTED = 'exists (select 1 from win_chance where win_chance.race_id = race.id)'

/** Selects races as the schedule has them, with further columns: ends after the joined tables. */
export const scheduleSql = (language: Language, further = ''): string =>
  `select race.id, ${nameIn(language, 'race')} as name, ${nameLanguageIn(language, 'race')} as name_language,
     coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name, race_no as stadium_num,
     starts_at as competition_date, ${localTime()} as time, race_date as date, race_no as round, weather,
     distance_m, race_class, track as track_type, course, going as track_condition,
     declared_starters as starters, race.status, numbers_by_name,
     ${IS_PREDICTED} as predicted${further}
   from race join stadium on stadium.id = race.stadium_id join region on region.id = race.region_id`

/** A region's races from the day `today` through the next seven days, at most 200. */
export const listSchedule = (
  { rows }: Queries,
  regionId: string,
  today: string,
  language: Language,
): Promise<ScheduledRace[]> =>
  rows(
    `${scheduleSql(language)}
     where race.region_id = $1 and race_date >= $2::date and race_date <= $2::date + ${SCHEDULE_DAYS}
     order by race_date, stadium.id, race_no limit ${MAX_RACES}`,
    [regionId, today],
  )

/** Silks of the numbered runners of a region's day, where they are known. */
export const listSilks = (
  { rows }: Queries,
  regionId: string,
  day: string,
): Promise<{ raceId: string; horseNumber: number; silks: string }[]> =>
  rows(
    `select race.id as race_id, horse_no as horse_number, silks
     from race join runner on runner.race_id = race.id
     where race.region_id = $1 and race_date = $2::date and silks is not null and horse_no is not null
     order by race.id, horse_no`,
    [regionId, day],
  )

/** Races of a region's day whose numbers are ours. */
export const listNumberedByName = (queries: Queries, regionId: string, day: string): Promise<string[]> =>
  allValues(
    queries,
    'select id from race where region_id = $1 and race_date = $2::date and numbers_by_name order by id',
    [regionId, day],
  )

export interface SchedulePage {
  regionId: string
  today: string
  limit: number
  offset: number
}

/** A page of a region's races, from `today` forward or back. */
export async function pageSchedule(
  { rows }: Queries,
  { regionId, today, limit, offset }: SchedulePage,
  direction: 'forward' | 'back',
  language: Language,
): Promise<ScheduledRace[]> {
  const [comparison, order] = direction === 'forward' ? ['>=', ''] : ['<=', 'desc']
  return rows(
    `${scheduleSql(language)} where race.region_id = $1 and race_date ${comparison} $2::date
     order by race_date ${order}, stadium.id, race_no limit $3 offset $4`,
    [regionId, today, limit, offset],
  )
}
