import type { HeadToHead } from '../../../contract/api/horse.ts'
import type { Language } from '../../../domain/languages.ts'
import { firstValue, type Queries } from '../../db/database.ts'
import { bearerOf, bearerPeriods, FORM_OF_BEARERS } from './form-store.ts'
import { nameIn, nameLanguageIn } from './schedule.ts'

/** Whether both horses are known. */
export const hasHorses = async (queries: Queries, horseId: string, otherId: string): Promise<boolean> =>
  (await firstValue<number>(queries, 'select count(*) as known from horse where id in ($1, $2)', [
    horseId,
    otherId,
  ])) === 2

type MetRace = HeadToHead['races'][number]
type MetRun = MetRace['run']

/** One horse's run of a race that both are in. */
type Line = Omit<MetRace, 'run' | 'otherRun'> & MetRun & { horseId: string }

/**
 * The races in which two horses both ran, and those for which both are declared, newest first. A race without stored
 * results is found in the form records of both.
 */
export async function listMetRaces(
  { rows }: Queries,
  horseId: string,
  otherId: string,
  language: Language,
  limit: number,
): Promise<MetRace[]> {
  const lines = await rows<Line>(
    `select race.id as race_id, race_date as date, race.status = 'scheduled' as coming,
       ${nameIn(language, 'stadium')} as stadium_name, distance_m, going, race_class, runner.horse_id,
       coalesce(place::text, place_code) as place, actual_weight_lb, draw, rating, win_odds as odds,
       ${nameIn(language, 'jockey')} as jockey_name, ${nameLanguageIn(language, 'jockey')} as jockey_language,
       margin, finish_time_ms
     from runner join race on race.id = runner.race_id join stadium on stadium.id = race.stadium_id
     left join jockey on jockey.id = runner.jockey_id
     where runner.horse_id in ($1, $2) and runner.status <> 'withdrawn' and race.status <> 'abandoned'
       and exists (select 1 from runner met where met.race_id = runner.race_id and met.horse_id in ($1, $2)
         and met.horse_id <> runner.horse_id and met.status <> 'withdrawn')
     order by race_date desc, race.id desc, runner.horse_id limit $3`,
    [horseId, otherId, limit * 2],
  )
  const recorded = await rows<Line>(
    `with ${bearerPeriods('(h.region_id, h.brand) in (select region_id, brand from horse where id in ($1, $2))')}, record as (
       select f.*, horse.id as horse_id
       from horse join (${FORM_OF_BEARERS}) on f.region_id = horse.region_id and f.brand = horse.brand
       where horse.id in ($1, $2) and ${bearerOf(`split_part(horse.id, '-', 1)`)} = horse.id
         and f.stadium_id is not null and f.place_code not like 'W%'
         and not exists (select 1 from runner join race on race.id = runner.race_id
           where runner.horse_id = horse.id and race.race_date = f.race_date)
     )
     select null::text as race_id, record.race_date as date, false as coming, ${nameIn(language, 'stadium')} as stadium_name,
       distance_m, going, race_class, record.horse_id, coalesce(substring(place_code from '^[0-9]+'), place_code) as place,
       actual_weight_lb, draw, rating, win_odds as odds, coalesce(${nameIn(language, 'jockey')}, record.jockey) as jockey_name,
       ${nameLanguageIn(language, 'jockey')} as jockey_language, margin, finish_time_ms
     from record left join stadium on stadium.id = record.stadium_id
     left join jockey on jockey.id = split_part(record.horse_id, '-', 1) || '-' || record.jockey
     where exists (select 1 from record met where met.region_id = record.region_id and met.race_date = record.race_date
       and met.race_index = record.race_index and met.horse_id <> record.horse_id)
     order by record.race_date desc, record.race_index desc, record.horse_id limit $3`,
    [horseId, otherId, limit * 2],
  )
  return [...pairs(lines, horseId), ...pairs(recorded, horseId)]
    .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
    .slice(0, limit)
}

/** Two lines after each other are of one race. */
function pairs(lines: readonly Line[], horseId: string): MetRace[] {
  const races: MetRace[] = []
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const both = [lines[at]!, lines[at + 1]!]
    const { race, run } = parted(both.find((line) => line.horseId === horseId)!)
    const other = parted(both.find((line) => line.horseId !== horseId)!)
    races.push({ ...race, run, otherRun: other.run })
  }
  return races
}

/** What is of the race, and what is of the horse's run. */
function parted({ horseId: _horseId, ...line }: Line) {
  const { raceId, date, coming, stadiumName, distanceM, going, raceClass, ...run } = line
  return { race: { raceId, date, coming, stadiumName, distanceM, going, raceClass }, run }
}
