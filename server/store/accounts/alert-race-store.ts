import type { Language } from '../../../domain/languages.ts'
import { first, type Queries } from '../../db/database.ts'
import { nameIn } from '../racing/schedule.ts'

/** What an alert says of a race and one of its runners, as they are known now. */
export interface AlertRace {
  stadium: string
  raceNo: number
  startsAt: string | null
  horse: string | null
  /** Of the runner; its current odds are on every card. */
  odds: number | null
  /** Names of the first three, in order; `null` before the result. */
  placed: string | null
}

/** A race with the runner that an alert is about, named in a language; `null` if the race is no longer there. */
export const readAlertRace = (
  queries: Queries,
  raceId: string,
  horseId: string | null,
  language: Language,
): Promise<AlertRace | null> =>
  first(
    queries,
    `select coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium, race_no, starts_at,
       coalesce(${nameIn(language, 'horse')}, horse.brand) as horse, runner.win_odds as odds,
       (select string_agg(placed.horse_no::text, '–' order by placed.place, placed.horse_no) from runner placed
        where placed.race_id = race.id and placed.place <= 3) as placed
     from race join stadium on stadium.id = race.stadium_id
     left join horse on horse.id = $2
     left join runner on runner.race_id = race.id and runner.horse_id = $2
     where race.id = $1`,
    [raceId, horseId],
  )

/** The name of a jockey in a language; `null` if there is no such jockey. */
export const readJockeyName = async (
  queries: Queries,
  jockeyId: string,
  language: Language,
): Promise<string | null> => {
  const row = await first<{ name: string | null }>(
    queries,
    `select ${nameIn(language, 'jockey')} as name from jockey where id = $1`,
    [jockeyId],
  )
  return row?.name ?? null
}
