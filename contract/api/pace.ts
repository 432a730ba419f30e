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
