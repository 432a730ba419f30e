import type { ScheduledRace } from '../../contract/api/racing.ts'
import type { Queries } from './database.ts'

/** Columns of the three languages; the first that has a name wins. */
const NAME_ORDER = {
  en: ['en', 'hant', 'hans'],
  'zh-Hant': ['hant', 'hans', 'en'],
  'zh-Hans': ['hans', 'hant', 'en'],
} as const

export type NameLanguage = keyof typeof NAME_ORDER

const nameIn = (language: NameLanguage, table: string): string =>
  `coalesce(${NAME_ORDER[language].map((column) => `${table}.name_${column}`).join(', ')})`

/** Regions that have races, in a language. */
export async function listRegions(
  { rows }: Queries,
  language: NameLanguage,
): Promise<{ id: string; name: string }[]> {
  return rows(
    `select id, ${nameIn(language, 'region')} as name from region
     where exists (select 1 from race where race.region_id = region.id) order by id`,
  )
}

const SCHEDULE_DAYS = 7
const MOST_RACES = 200

/** Races of a region from `today` (its own day) and the days after it. */
export async function listSchedule(
  { rows }: Queries,
  regionId: string,
  today: string,
  language: NameLanguage,
): Promise<ScheduledRace[]> {
  return rows(
    `select race.id, ${nameIn(language, 'race')} as name, coalesce(${nameIn(language, 'stadium')}, stadium.id) as "stadiumName",
       race_no as "stadiumNum", starts_at as "competitionDate", race_date as "date", race_no as "round",
       distance_m as "distanceM", race_class as "raceClass", declared_starters as "starters", race.status
     from race join stadium on stadium.id = race.stadium_id
     where race.region_id = $1 and race_date >= $2::date and race_date <= $2::date + ${SCHEDULE_DAYS}
     order by race_date, stadium.id, race_no limit ${MOST_RACES}`,
    [regionId, today],
  )
}
