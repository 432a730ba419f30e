import type { HorsePace, PaceMapOfRace, RaceSections } from '../../contract/api/pace.ts'
import { FurlongError } from '../../domain/errors.ts'
import { groupBy } from '../../domain/group-by.ts'
import { againstPar, paceFigures, parsOf, sectionLengths, speedOf } from '../../domain/pace.ts'
import type { Language } from '../../domain/languages.ts'
import type { Queries } from '../db/database.ts'
import { earlyPlace } from '../model/features/learn.ts'
import { paceMap } from '../model/features/pace-map.ts'
import { readPaceField, readPaceRecord } from '../store/pace/pace-map-store.ts'
import {
  hasHorse,
  readHorseSections,
  readParSamples,
  readRunRace,
  readSections,
} from '../store/pace/section-store.ts'
import { nameIn } from '../store/racing/schedule.ts'

/** Runs of a horse of which the pace is told. */
const HORSE_RUNS = 60

/** The sections of a race against par; nothing of a race that was not run. Throws `no-such-race`. */
export async function raceSections(queries: Queries, raceId: string): Promise<RaceSections> {
  const race = await readRunRace(queries, raceId)
  if (race === null) throw new FurlongError('no-such-race')
  return race.isRun ? sectionsOf(queries, raceId, race.distanceM) : { sections: [], runners: [] }
}

/** Where the starters of a race are expected, and of a race that was run, where they were. Throws `no-such-race`. */
export async function racePaceMap(queries: Queries, raceId: string): Promise<PaceMapOfRace> {
  const race = await readRunRace(queries, raceId)
  if (race === null) throw new FurlongError('no-such-race')
  return mapOf(queries, raceId, race)
}

/** The pace figures of a horse's runs with sections, newest first. Throws `not-found`. */
export async function horsePace(queries: Queries, horseId: string, language: Language): Promise<HorsePace> {
  if (!(await hasHorse(queries, horseId))) throw new FurlongError('not-found')
  const stadiumName = `coalesce(${nameIn(language, 'stadium')}, stadium.id)`
  const { runs, sections } = await readHorseSections(queries, horseId, { stadiumName, limit: HORSE_RUNS })
  const own = groupBy(sections, ({ raceId }) => raceId)
  const samples = groupBy(
    await readParSamples(
      queries,
      runs.map(({ raceId }) => raceId),
    ),
    ({ raceId }) => raceId,
  )
  return runs.map(({ count, ...run }) => {
    const known = own.get(run.raceId) ?? []
    return {
      ...run,
      positions: Array.from(
        { length: count },
        (_, index) => known.find(({ sectionNo }) => sectionNo === index + 1)?.position ?? null,
      ),
      ...paceFigures(known, {
        count,
        distanceM: run.distanceM,
        pars: parsOf(samples.get(run.raceId) ?? [], count),
      }),
    }
  })
}

/** Positions at the published calls, `6 3 1`. */
const positionsOf = (published: string | null): (number | null)[] =>
  published === null || published.trim() === ''
    ? []
    : published
        .trim()
        .split(/\s+/)
        .map((call) => (/^[1-9]\d?$/.test(call) ? Number(call) : null))

async function mapOf(
  queries: Queries,
  raceId: string,
  { regionId, distanceM, isRun }: NonNullable<Awaited<ReturnType<typeof readRunRace>>>,
): Promise<PaceMapOfRace> {
  const field = await readPaceField(queries, raceId)
  const { leaders, pressure, starters } = paceMap(
    field.map(({ horseNo, runs }) => ({
      horseNo,
      runs: runs.map((run) => ({ early: earlyPlace(run.calls, run.starters) })),
    })),
  )
  const sections = groupBy(isRun ? await readSections(queries, raceId) : [], ({ horseNo }) => horseNo)
  const real = field.map(({ horseNo, calls: published }) => {
    if (!isRun) return []
    return sections.get(horseNo)?.map(({ position }) => position) ?? positionsOf(published)
  })
  const count = Math.max(0, ...real.map((positions) => positions.length))
  const lengths = sectionLengths(distanceM, count)
  return {
    leaders,
    pressure,
    starters: starters.map(({ horseNo, ...expected }, index) => ({
      ...expected,
      horseNumber: horseNo,
      draw: field[index]!.draw,
      positions: real[index]!,
    })),
    calls: Array.from({ length: count }, (_, call) =>
      lengths === null ? null : lengths.slice(0, call + 1).reduce((sum, lengthM) => sum + lengthM, 0),
    ),
    record: (await readPaceRecord(queries, regionId))?.seasons ?? [],
  }
}

async function sectionsOf(queries: Queries, raceId: string, distanceM: number | null): Promise<RaceSections> {
  const stored = await readSections(queries, raceId)
  const count = Math.max(0, ...stored.map(({ sectionNo }) => sectionNo))
  const lengths = sectionLengths(distanceM, count)
  const samples = count === 0 ? [] : await readParSamples(queries, [raceId])
  const pars = parsOf(samples, count)
  return {
    sections: pars.map((parMs, index) => {
      const sample = samples.find(({ sectionNo }) => sectionNo === index + 1)
      return {
        sectionNo: index + 1,
        lengthM: lengths?.[index] ?? null,
        parMs,
        parRaces: sample?.allRaces ?? 0,
        parSameRaces: sample?.sameRaces ?? 0,
      }
    }),
    runners: [...groupBy(stored, ({ horseNo }) => horseNo)].map(([horseNumber, own]) => ({
      horseNumber,
      ...paceFigures(own, { count, distanceM, pars }),
      sections: own.map(({ sectionNo, position, margin, timeMs }) => {
        const lengthM = lengths?.[sectionNo - 1]
        const parMs = pars[sectionNo - 1] ?? null
        return {
          sectionNo,
          position,
          margin,
          timeMs,
          speed: timeMs === null || lengthM === undefined ? null : speedOf(lengthM, timeMs),
          againstPar: timeMs === null || parMs === null ? null : againstPar(timeMs, parMs),
        }
      }),
    })),
  }
}
