import type { Follow, FollowKind, Stable, StableEntry } from '../../../contract/api/follow.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import type { Language } from '../../../domain/languages.ts'
import type { Queries } from '../../db/database.ts'
import { nameIn, nameLanguageIn, scheduleSql, withShownNumber } from '../racing/schedule.ts'

type Horse = Stable['horses'][number]
type Person = Stable['people'][number]

/** What a customer follows as a page shows it: public facts of racing, and the customer's own notes. */
export async function readStable(
  queries: Queries,
  follows: Follow[],
  customerId: string,
  language: Language,
): Promise<Stable> {
  const targets = (kind: FollowKind): string[] =>
    follows.filter((each) => each.kind === kind).map(({ target }) => target)
  const people = { jockey: targets('jockey'), trainer: targets('trainer') }
  const entries = await listEntries(queries, targets('horse'), people, language)
  const raceIds = [...new Set([...targets('race'), ...entries.map(({ raceId }) => raceId)])]
  return {
    follows,
    horses: await listHorses(queries, targets('horse'), customerId, language),
    people: [
      ...(await listPeople(queries, 'jockey', people.jockey, language)),
      ...(await listPeople(queries, 'trainer', people.trainer, language)),
    ],
    entries,
    races: await listRaces(queries, raceIds, targets('meeting'), language),
  }
}

/** Runs that are listed of a horse. */
const RUNS = 3

async function listHorses(
  { rows }: Queries,
  ids: string[],
  customerId: string,
  language: Language,
): Promise<Horse[]> {
  if (ids.length === 0) return []
  const horses = await rows<Omit<Horse, 'runs'>>(
    `select horse.id, brand as number, coalesce(${nameIn(language, 'horse')}, brand) as name,
       ${nameLanguageIn(language, 'horse')} as name_language,
       (select silks from runner join race on race.id = runner.race_id where horse_id = horse.id and silks is not null
        order by race_date desc, race.id desc limit 1) as silks,
       (select content from note where note.horse_id = horse.id and note.customer_id = $2::uuid
        order by note.created_at desc, note.id desc limit 1) as note
     from unnest($1::text[]) with ordinality as followed (id, position) join horse on horse.id = followed.id
     order by position`,
    [ids, customerId],
  )
  const runs = await rows<Horse['runs'][number] & { horseId: string }>(
    `select horse_id, race_id, race_date as date, coalesce(${nameIn(language, 'stadium')}, stadium.id) as stadium_name,
       distance_m, coalesce(place::text, place_code, '') as place
     from unnest($1::text[]) as followed (id) cross join lateral (
       select runner.horse_id, runner.race_id, runner.place, runner.place_code, race.race_date, race.stadium_id, race.distance_m
       from runner join race on race.id = runner.race_id
       where runner.horse_id = followed.id and race.status = 'final' and runner.status <> 'withdrawn'
       order by race.race_date desc, race.id desc limit ${RUNS}) as run
     join stadium on stadium.id = run.stadium_id order by race_date desc, race_id desc`,
    [ids],
  )
  return horses.map((horse) => ({
    ...withShownNumber(horse),
    runs: runs.flatMap(({ horseId, ...run }) => (horseId === horse.id ? [run] : [])),
  }))
}

const listPeople = async (
  { rows }: Queries,
  kind: Person['kind'],
  ids: string[],
  language: Language,
): Promise<Person[]> =>
  ids.length === 0
    ? []
    : rows(
        `with newest as (select region_id, max(season) as season from race where status = 'final' group by region_id),
         record as (
           select ${kind}_id as id, count(*)::int as runs, (count(*) filter (where place = 1))::int as wins,
             (count(*) filter (where place <= 3))::int as placed
           from newest join race using (region_id, season) join runner on runner.race_id = race.id
           where race.status = 'final' and runner.status <> 'withdrawn' and ${kind}_id = any($1) group by 1)
         select '${kind}' as kind, person.id, coalesce(${nameIn(language, 'person')}, person.id) as name,
           ${nameLanguageIn(language, 'person')} as name_language, person.region_id as country_region_id, newest.season,
           coalesce(record.runs, 0) as runs, coalesce(record.wins, 0) as wins, coalesce(record.placed, 0) as placed
         from unnest($1::text[]) with ordinality as followed (id, position) join ${kind} person on person.id = followed.id
         left join newest on newest.region_id = person.region_id left join record on record.id = person.id
         order by position`,
        [ids],
      )

const listEntries = async (
  { rows }: Queries,
  horses: string[],
  people: Record<Person['kind'], string[]>,
  language: Language,
): Promise<StableEntry[]> =>
  horses.length + people.jockey.length + people.trainer.length === 0
    ? []
    : rows(
        `select race.id as race_id, horse.id as horse_id, horse_no as horse_number,
           entry_no as entry_number, coalesce(${nameIn(language, 'horse')}, horse.brand) as name, ${nameLanguageIn(language, 'horse')} as name_language,
           draw, jockey_id, ${nameIn(language, 'jockey')} as jockey, ${nameLanguageIn(language, 'jockey')} as jockey_language,
           trainer_id, ${nameIn(language, 'trainer')} as trainer, ${nameLanguageIn(language, 'trainer')} as trainer_language,
           runner.status = 'withdrawn' as withdrawn
         from race join runner on runner.race_id = race.id join horse on horse.id = runner.horse_id
         left join jockey on jockey.id = jockey_id left join trainer on trainer.id = trainer_id
         where race.status = 'scheduled' and (horse_id = any($1) or jockey_id = any($2) or trainer_id = any($3))
         order by race_date, starts_at nulls last, race.id, horse_no nulls last, horse.id`,
        [horses, people.jockey, people.trainer],
      )

const listRaces = async (
  { rows }: Queries,
  ids: string[],
  meetings: string[],
  language: Language,
): Promise<ScheduledRace[]> =>
  ids.length + meetings.length === 0
    ? []
    : rows(
        `${scheduleSql(language)} where race.id = any($1) or left(race.id, -2) = any($2)
         order by race_date, starts_at nulls last, race.id`,
        [ids, meetings],
      )
