import { groupBy } from '../../domain/group-by.ts'
import { rankCorrelation } from '../../domain/rank-correlation.ts'
import type { Database } from '../db/database.ts'
import { earlyPlace } from '../model/features/learn.ts'
import { paceMap } from '../model/features/pace-map.ts'
import { RETAINED_RUNS, type Run } from '../model/features/state.ts'
import {
  readCalls,
  readPaceRecord,
  readRegionSeasons,
  writePaceRecord,
  type PaceSeason,
  type StoredCall,
} from '../store/pace/pace-map-store.ts'

/** The order of fewer positions says little. */
const FEWEST_POSITIONS = 4

/** Runs of horses before a day, by horse, newest last. */
type Runs = Map<string, Pick<Run, 'early'>[]>

/** How well the map of a race that was run agreed with it; `null` if too few positions are known, or nothing was expected. */
function agreementOf(
  starts: readonly StoredCall[],
  runs: Runs,
): { correlation: number; led: boolean } | null {
  const { starters } = paceMap(
    starts.map(({ horseId, horseNo }) => ({ horseNo, runs: runs.get(horseId) ?? [] })),
  )
  const known = starts.flatMap(({ calls, starters: field }, index) => {
    const real = earlyPlace(calls, field)
    return real === null ? [] : [{ real, expected: starters[index]!.early }]
  })
  if (known.length < FEWEST_POSITIONS) return null
  const correlation = rankCorrelation(
    known.map(({ expected }) => expected),
    known.map(({ real }) => real),
  )
  if (correlation === null) return null
  const first = known.reduce((front, each) => (each.expected < front.expected ? each : front))
  return { correlation, led: first.real === 0 }
}

/** Learns the positions of a day, after all of its races have been compared. */
function learnDay(starts: readonly StoredCall[], runs: Runs): void {
  for (const { horseId, calls, starters } of starts) {
    const own = runs.get(horseId) ?? []
    own.push({ early: earlyPlace(calls, starters) })
    runs.set(horseId, own.slice(-RETAINED_RUNS))
  }
}

/** How well the maps of a season's races agreed with them, each from the runs of earlier days; `runs` learns the season. */
export function measureSeason(season: number, starts: readonly StoredCall[], runs: Runs): PaceSeason | null {
  const agreements = [...groupBy(starts, ({ date }) => date).values()].flatMap((day) => {
    const races = [...groupBy(day, ({ raceId }) => raceId).values()]
    const ofDay = races.map((race) => agreementOf(race, runs)).filter((each) => each !== null)
    learnDay(day, runs)
    return ofDay
  })
  const races = agreements.length
  if (races === 0) return null
  return {
    season,
    races,
    correlation: agreements.reduce((sum, { correlation }) => sum + correlation, 0) / races,
    led: agreements.filter(({ led }) => led).length / races,
  }
}

/**
 * Measures the pace maps of every region by season, and stores what is shown beside them. Returns the seasons by region.
 * `again`: also those of a region that has as many results as when it was measured last.
 */
export async function measurePaceMaps(
  database: Database,
  { again }: { again: boolean },
): Promise<{ regionId: string; seasons: PaceSeason[] }[]> {
  const regions = groupBy(await readRegionSeasons(database), ({ regionId }) => regionId)
  const measured: { regionId: string; seasons: PaceSeason[] }[] = []
  for (const [regionId, list] of regions) {
    const results = list.reduce((sum, season) => sum + season.results, 0)
    const before = await readPaceRecord(database, regionId)
    if (!again && before?.results === results) continue
    const runs: Runs = new Map()
    const seasons: PaceSeason[] = []
    for (const { season } of list) {
      const one = measureSeason(season, await readCalls(database, regionId, season), runs)
      if (one !== null) seasons.push(one)
    }
    await writePaceRecord(database, regionId, { results, seasons })
    measured.push({ regionId, seasons })
  }
  return measured
}
