import type { Queries } from '../../db/database.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { RETAINED_RUNS } from '../../model/features/state.ts'

/** A starter with its runs before the race's day, the newest last. */
export interface StoredPaceStarter {
  horseNo: number
  draw: number | null
  /** Its own positions at the calls of this race, `6 3 1`; `null` before the result. */
  calls: string | null
  runs: { calls: string | null; starters: number }[]
}

/** SQL: how many horses ran in the race of `column`. */
const startersOf = (column: string): string =>
  `(select count(*) from runner field where field.race_id = ${column} and field.status <> 'withdrawn'
    and field.horse_no is not null)`

/** The starters of a race, with as many runs of earlier days as the model's features remember. */
export const readPaceField = ({ rows }: Queries, raceId: string): Promise<StoredPaceStarter[]> =>
  rows(
    `select runner.horse_no, runner.draw, runner.running_position as calls, coalesce(runs.list, '[]') as runs
     from runner join race on race.id = runner.race_id
     cross join lateral (
       select jsonb_agg(jsonb_build_object('calls', calls, 'starters', starters) order by race_date, id) as list
       from (select past.id, past.race_date, run.running_position as calls, ${startersOf('past.id')} as starters
         from runner run join race past on past.id = run.race_id
         where run.horse_id = runner.horse_id and past.status = 'final' and run.status <> 'withdrawn'
           and past.race_date < race.race_date
         order by past.race_date desc, past.id desc limit ${RETAINED_RUNS}) as newest) as runs
     where runner.race_id = $1 and runner.status <> 'withdrawn' and runner.horse_no is not null
     order by runner.horse_no`,
    [raceId],
  )

/** A start of a race that was run. */
export interface StoredCall {
  raceId: string
  date: string
  horseId: string
  horseNo: number
  calls: string | null
  starters: number
}

/** The seasons of every region, and how many races of each have results. */
export const readRegionSeasons = ({
  rows,
}: Queries): Promise<{ regionId: string; season: number; results: number }[]> =>
  rows(
    `select region_id, season, count(*) as results from race where status = 'final' group by 1, 2 order by 1, 2`,
  )

/** The starts of a region's season, in the order of their days. */
export const readCalls = ({ rows }: Queries, regionId: string, season: number): Promise<StoredCall[]> =>
  rows(
    `select race_id, race_date as date, horse_id, horse_no, running_position as calls,
       count(*) over (partition by race_id) as starters
     from runner join race on race.id = runner.race_id
     where region_id = $1 and season = $2 and race.status = 'final' and runner.status <> 'withdrawn'
       and horse_no is not null
     order by race_date, race_id, horse_no`,
    [regionId, season],
  )

/** How well the expected positions of a season agreed with the real ones. */
export interface PaceSeason {
  season: number
  races: number
  /** Mean rank correlation of the expected and the real position at the first call. */
  correlation: number
  /** Share of races in which the runner that was expected in front was in front. */
  led: number
}

const nameOf = (regionId: string): string => `pace-map-record ${regionId}`

/** What was measured in a region, and of how many races with results. */
interface PaceRecord {
  results: number
  seasons: PaceSeason[]
}

/** The last measurement of a region; `null` before the first. */
export async function readPaceRecord(queries: Queries, regionId: string): Promise<PaceRecord | null> {
  const stored = await readSetting(queries, nameOf(regionId))
  return stored === null ? null : (JSON.parse(stored) as PaceRecord)
}

export const writePaceRecord = (queries: Queries, regionId: string, record: PaceRecord): Promise<void> =>
  writeSetting(queries, nameOf(regionId), JSON.stringify(record))

/** Until the next measurement, nothing is said of how well the pace maps of a region agreed. */
export async function forgetPaceRecord({ rows }: Queries, regionId: string): Promise<void> {
  await rows('delete from setting where name = $1', [nameOf(regionId)])
}
