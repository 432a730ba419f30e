import { groupBy } from '../../../domain/group-by.ts'
import type { ParSample } from '../../../domain/pace.ts'
import { first, isAny, type Queries } from '../../db/database.ts'

export const hasHorse = (queries: Queries, horseId: string): Promise<boolean> =>
  isAny(queries, 'select from horse where id = $1', [horseId])

/** A section of a runner as it is stored. */
export interface StoredSection {
  raceId: string
  horseNo: number
  sectionNo: number
  position: number | null
  margin: string | null
  timeMs: number | null
}

/** A race's region and distance in metres, and whether it was run; `null` if there is no such race. */
export const readRunRace = (
  queries: Queries,
  raceId: string,
): Promise<{ regionId: string; distanceM: number | null; isRun: boolean } | null> =>
  first(queries, `select region_id, distance_m, status = 'final' as is_run from race where id = $1`, [raceId])

/** All sections of a race, by saddle number and section. */
export const readSections = ({ rows }: Queries, raceId: string): Promise<StoredSection[]> =>
  rows(
    `select race_id, horse_no, section_no, position, margin, time_ms from section
     where race_id = $1 order by horse_no, section_no`,
    [raceId],
  )

/** The sections of a race's runners, by saddle number. */
interface SectionsOfRace {
  raceKey: number
  raceId: string
  distanceM: number | null
  runners: { horseNo: number; sections: SectionOfRun[] }[]
}
type SectionOfRun = Pick<StoredSection, 'sectionNo' | 'position' | 'timeMs'>

/** The sections of the races of a region that meet a condition, `$2` in it being `value`. */
export async function readSectionsOf(
  { rows }: Queries,
  regionId: string,
  condition: string,
  value: string | number,
): Promise<SectionsOfRace[]> {
  const found = await rows<Omit<SectionsOfRace, 'runners'> & Pick<StoredSection, 'horseNo'> & SectionOfRun>(
    `select race.key as race_key, race.id as race_id, distance_m, horse_no, section_no, position, time_ms
     from race join section on section.race_id = race.id
     where race.region_id = $1 and ${condition} order by race.key, horse_no, section_no`,
    [regionId, value],
  )
  return [...groupBy(found, ({ raceKey }) => raceKey).values()].map((ofRace) => {
    const { raceKey, raceId, distanceM } = ofRace[0]!
    const byHorse = groupBy(ofRace, ({ horseNo }) => horseNo)
    return {
      raceKey,
      raceId,
      distanceM,
      runners: [...byHorse].map(([horseNo, sections]) => ({ horseNo, sections })),
    }
  })
}

/** A run of a horse with sections. */
export interface SectionedRun {
  raceId: string
  date: string
  stadiumName: string
  distanceM: number | null
  place: string
  /** How many sections the race has. */
  count: number
}

/** The newest runs of a horse with sections, and those sections. */
export async function readHorseSections(
  { rows }: Queries,
  horseId: string,
  { stadiumName, limit }: { stadiumName: string; limit: number },
): Promise<{ runs: SectionedRun[]; sections: StoredSection[] }> {
  const runs = await rows<SectionedRun>(
    `select race.id as race_id, race_date as date, ${stadiumName} as stadium_name, distance_m,
       coalesce(place::text, place_code, '') as place,
       (select max(section_no) from section where race_id = race.id) as count
     from runner join race on race.id = runner.race_id join stadium on stadium.id = race.stadium_id
     where horse_id = $1 and race.status = 'final'
       and exists (select from section where race_id = race.id and horse_no = runner.horse_no)
     order by race_date desc, race.id desc limit $2`,
    [horseId, limit],
  )
  const sections = await rows<StoredSection>(
    `select section.race_id, section.horse_no, section_no, position, section.margin, time_ms
     from runner join section on section.race_id = runner.race_id and section.horse_no = runner.horse_no
     where horse_id = $1 and runner.race_id = any($2::text[]) order by 1, 3`,
    [horseId, runs.map(({ raceId }) => raceId)],
  )
  return { runs, sections }
}

/**
 * The samples from which `parOf` computes pars, by race and section: races of days before the race's own at its racecourse,
 * surface and distance, and those of them with its rails and going.
 */
export const readParSamples = (
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<(ParSample & { raceId: string; sectionNo: number })[]> =>
  rows(
    `select target.id as race_id, median.section_no, avg(median_ms) as all_ms, count(*) as all_races,
       avg(median_ms) filter (where alike) as same_ms, count(*) filter (where alike) as same_races
     from race target join race past on past.stadium_id = target.stadium_id and past.distance_m = target.distance_m
         and past.track is not distinct from target.track and past.race_date < target.race_date
         and past.status = 'final'
       join race_section median on median.race_id = past.id
       cross join lateral (select past.course is not distinct from target.course
         and past.going is not distinct from target.going as alike) as conditions
     where target.id = any($1::text[]) group by target.id, median.section_no`,
    [raceIds],
  )

/**
 * The same samples for many races that were run, of the sections of which a time is known. Each earlier race is read once, not
 * once for each race that it counts for: of a season that took as long as all else that is read of it. For the few races of a
 * page `readParSamples` is quicker.
 */
export const readParSamplesOfMany = (
  { rows }: Queries,
  raceIds: readonly string[],
): ReturnType<typeof readParSamples> =>
  rows(
    `select * from (
       select race.id as race_id, section_no, avg(median_ms) over earlier as all_ms, count(*) over earlier as all_races,
         avg(median_ms) over alike as same_ms, count(*) over alike as same_races
       from race join race_section on race_id = race.id
       where status = 'final'
         and (stadium_id, distance_m) in (select stadium_id, distance_m from race where id = any($1::text[]))
       window earlier as (partition by stadium_id, distance_m, track, section_no
           order by race_date range between unbounded preceding and interval '1 day' preceding),
         alike as (partition by stadium_id, distance_m, track, section_no, course, going
           order by race_date range between unbounded preceding and interval '1 day' preceding)
     ) as sample where race_id = any($1::text[]) and all_races > 0`,
    [raceIds],
  )
