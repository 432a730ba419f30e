import { groupBy } from '../../../../domain/group-by.ts'
import { paceFigures, parsOf, partsAgainstPar } from '../../../../domain/pace.ts'
import type { Queries } from '../../../db/database.ts'
import { readParSamplesOfMany, readSectionsOf } from '../../pace/section-store.ts'

/** How a starter ran, by its sections; `null` where a position, a time or a par is missing. */
export interface AsRun {
  raceKey: number
  horseNo: number
  /** Position at the end of the first section. */
  firstPosition: number | null
  /** Speed in the last section over that of the whole race: 1 is an even pace. */
  finishingSpeed: number | null
  /** Time before the last 800 m and over the last section, and their pars of earlier days, in milliseconds. */
  earlyMs: number | null
  earlyParMs: number | null
  lateMs: number | null
  lateParMs: number | null
}

/** The runs with sections of the races of a region that meet a condition, `$2` in it being `value`, by race and saddle number. */
export async function readAsRun(
  queries: Queries,
  regionId: string,
  condition: string,
  value: string | number,
): Promise<AsRun[]> {
  const races = await readSectionsOf(queries, regionId, condition, value)
  const samples = await readParSamplesOfMany(
    queries,
    races.map(({ raceId }) => raceId),
  )
  const byRace = groupBy(samples, ({ raceId }) => raceId)
  return races.flatMap(({ raceKey, raceId, distanceM, runners }) => {
    const count = Math.max(...runners.flatMap(({ sections }) => sections.map(({ sectionNo }) => sectionNo)))
    const race = { count, distanceM, pars: parsOf(byRace.get(raceId) ?? [], count) }
    return runners.map(({ horseNo, sections }): AsRun => {
      const { early, late } = partsAgainstPar(sections, race)
      const { finishingSpeed } = paceFigures(sections, race)
      return {
        raceKey,
        horseNo,
        firstPosition: sections.find(({ sectionNo }) => sectionNo === 1)?.position ?? null,
        finishingSpeed: finishingSpeed === null ? null : finishingSpeed / 100,
        earlyMs: early?.timeMs ?? null,
        earlyParMs: early?.parMs ?? null,
        lateMs: late?.timeMs ?? null,
        lateParMs: late?.parMs ?? null,
      }
    })
  })
}
