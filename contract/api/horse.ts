import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, horseId, line, money, nameLanguage, page, paging, raceId, regionId } from './fields.ts'

const HorseLine = z.strictObject({
  id: z.string(),
  number: z.string(),
  name: z.string(),
  nameLanguage,
  nameEn: z.string().nullable(),
  countryRegion: z.string(),
  sex: z.string().nullable(),
  colour: z.string().nullable(),
  status: z.string().nullable(),
  lastRating: z.number().nullable(),
  /** Told by its ages in races; `null` where they are not known. */
  birthYear: z.number().nullable(),
})

export const queryRaceHorse = endpoint('open', 'GET /race/api/queryRaceHorse', {
  summary: 'Horses, page by page; with a text those whose name in any language, or brand number, has it',
  query: z.object({ ...paging, countryRegionId: regionId.optional(), text: line(40).optional() }),
  result: page(HorseLine),
})
export type HorsePage = ResultOf<typeof queryRaceHorse>

const HorseForm = z.strictObject({
  raceId: raceId.nullable(),
  date: day,
  stadiumName: z.string().nullable(),
  place: z.string().nullable(),
  /** `false`: withdrawn before the start. */
  started: z.boolean(),
  jockeyName: z.string().nullable(),
  /** `null` if the name is that of the horse's own form record, too. */
  jockeyLanguage: nameLanguage,
  distanceM: z.number().nullable(),
  going: z.string().nullable(),
  raceClass: z.string().nullable(),
  draw: z.number().nullable(),
  rating: z.number().nullable(),
  actualWeightLb: z.number().nullable(),
  /** Distance behind the winner, as published. */
  margin: z.string().nullable(),
  finishTimeMs: z.number().nullable(),
  odds: z.number().nullable(),
})

export const queryHorseInfo = endpoint('open', 'GET /race/api/queryHorseInfo', {
  summary: 'A horse and its runs, the last 200 at most',
  query: z.object({ id: horseId }),
  result: HorseLine.extend({
    /** In years, as published on the day `ageOn`. */
    age: z.number().nullable(),
    ageOn: day.nullable(),
    importType: z.string().nullable(),
    owner: z.string().nullable(),
    /** The jockey's colours in the newest race of which they are known. */
    silks: z.string().nullable(),
    trainer: z.string().nullable(),
    trainerLanguage: nameLanguage,
    sire: z.string().nullable(),
    dam: z.string().nullable(),
    maternalGrandsire: z.string().nullable(),
    /** In the region's currency. */
    seasonPrize: money.nullable(),
    totalPrize: money.nullable(),
    averageRating: z.number().nullable(),
    form: z.array(HorseForm),
  }),
})
export type Horse = ResultOf<typeof queryHorseInfo>

const MetRun = z.strictObject({
  /** Official place as published: a number, a code, or `null`. */
  place: z.string().nullable(),
  actualWeightLb: z.number().nullable(),
  draw: z.number().nullable(),
  rating: z.number().nullable(),
  odds: z.number().nullable(),
  jockeyName: z.string().nullable(),
  jockeyLanguage: nameLanguage,
  /** Distance behind the winner, as published. */
  margin: z.string().nullable(),
  finishTimeMs: z.number().nullable(),
})

const MetRace = z.strictObject({
  /** `null`: known only from the form records of both. */
  raceId: raceId.nullable(),
  date: day,
  /** `true`: both are declared, and the race was not run yet. */
  coming: z.boolean(),
  stadiumName: z.string().nullable(),
  distanceM: z.number().nullable(),
  going: z.string().nullable(),
  raceClass: z.string().nullable(),
  run: MetRun,
  otherRun: MetRun,
})

export const queryHeadToHead = endpoint('open', 'GET /race/api/queryHeadToHead', {
  summary:
    'The races in which two horses both ran, and those for which both are declared; the last 200 at most',
  query: z.object({ horseId, otherId: horseId }),
  result: z.strictObject({ races: z.array(MetRace) }),
})
export type HeadToHead = ResultOf<typeof queryHeadToHead>
