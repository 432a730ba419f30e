import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, horseId, raceId } from './fields.ts'

/** In percent; `null` where a time or a par is missing (`domain/pace.ts`). */
const figures = {
  /** Mean speed in the last section against that of the whole race: 100 is an even pace. */
  finishingSpeed: z.number().nullable(),
  /** How much faster than par the part before the last 800 m, and the last section, were run. */
  earlyPace: z.number().nullable(),
  latePace: z.number().nullable(),
}

export const queryRaceSections = endpoint('open', 'GET /race/api/queryRaceSections', {
  summary: 'Sectional times of a race that was run, against par; empty if none are known',
  query: z.object({ raceId }),
  result: z.strictObject({
    /** From the start. */
    sections: z.array(
      z.strictObject({
        sectionNo: z.number().int(),
        /** Metres. */
        lengthM: z.number().nullable(),
        parMs: z.number().nullable(),
        /** Earlier races of which the par is the mean, and those of them with the same rails and going. */
        parRaces: z.number().int(),
        parSameRaces: z.number().int(),
      }),
    ),
    runners: z.array(
      z.strictObject({
        horseNumber: z.number().int(),
        ...figures,
        sections: z.array(
          z.strictObject({
            sectionNo: z.number().int(),
            position: z.number().int().nullable(),
            /** As published: behind the leader; of the leader, ahead of the second. */
            margin: z.string().nullable(),
            timeMs: z.number().int().nullable(),
            /** Metres a second. */
            speed: z.number().nullable(),
            /** How much faster than par, in percent. */
            againstPar: z.number().nullable(),
          }),
        ),
      }),
    ),
  }),
})
export type RaceSections = ResultOf<typeof queryRaceSections>

export const queryPaceMap = endpoint('open', 'GET /race/api/queryPaceMap', {
  summary:
    'Where the starters of a race are expected at the first call, from runs of earlier days; where they were, once it was run',
  query: z.object({ raceId }),
  result: z.strictObject({
    /** Starters that usually lead. */
    leaders: z.number().int(),
    /** Mean tendency of the field to go forward, 0 to 1; 0.5 if nothing is known. */
    pressure: z.number(),
    starters: z.array(
      z.strictObject({
        horseNumber: z.number().int(),
        draw: z.number().int().nullable(),
        /** Expected, relative to the field: 0 in front, 1 behind all others; about two of three runs are between the others. */
        early: z.number(),
        low: z.number(),
        high: z.number(),
        /** Among the starters, from 1 in front. */
        rank: z.number().int(),
        /** Earlier runs of which the first position is known. */
        runs: z.number().int(),
        leads: z.boolean(),
        /** Real positions at the ends of the sections, or at the published calls; empty before the result. */
        positions: z.array(z.number().int().nullable()),
      }),
    ),
    /** Where the calls are, in metres from the start; `null` where it is unknown. */
    calls: z.array(z.number().nullable()),
    /** How well maps of past races agreed with them, by season. */
    record: z.array(
      z.strictObject({
        season: z.number().int(),
        races: z.number().int(),
        /** Mean rank correlation of the expected and the real position at the first call. */
        correlation: z.number(),
        /** Share of races in which the first expected led. */
        led: z.number(),
      }),
    ),
  }),
})
export type PaceMapOfRace = ResultOf<typeof queryPaceMap>

export const queryHorsePace = endpoint('open', 'GET /race/api/queryHorsePace', {
  summary: 'Finishing speed, early and late pace of a horse’s runs, newest first; the last 60 at most',
  query: z.object({ id: horseId }),
  result: z.array(
    z.strictObject({
      raceId,
      date: day,
      stadiumName: z.string(),
      distanceM: z.number().nullable(),
      /** Place or published code. */
      place: z.string(),
      /** At the end of each section. */
      positions: z.array(z.number().int().nullable()),
      ...figures,
    }),
  ),
})
export type HorsePace = ResultOf<typeof queryHorsePace>
