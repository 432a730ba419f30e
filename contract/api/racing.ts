import { z } from 'zod'
import { ORIGINS } from '../record-vocabulary.ts'
import { endpoint, type ResultOf } from './endpoint.ts'
import {
  day,
  entryNumber,
  flag,
  gameplayClass,
  instant,
  modelId,
  money,
  nameLanguage,
  negativeDays,
  paging,
  raceId,
  regionId,
  share,
} from './fields.ts'

export const queryCountryRegion = endpoint('open', 'GET /sys/api/queryCountryRegion', {
  summary: 'Racing regions that have races',
  result: z.array(z.strictObject({ id: z.string(), name: z.string() })),
})

export const queryStadiumByCountryRegionId = endpoint('open', 'GET /sys/api/queryStadiumByCountryRegionId', {
  summary: 'Racecourses of a region',
  query: z.object({ countryRegionId: regionId }),
  result: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      /** Degrees, WGS 84; `null` if the location is unknown. */
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    }),
  ),
})
export type Stadium = ResultOf<typeof queryStadiumByCountryRegionId>[number]

/** Whether the numbers of the race's horses are ours, in the order of their names: the source has no saddle numbers. */
const numbersByName = z.boolean()

/** When and where a race is, and whether it was run. */
const programme = {
  name: z.string().nullable(),
  /** Of the race's name; `null` if it has none. */
  nameLanguage,
  stadiumName: z.string(),
  /** Start, UTC; `null` if the source does not give it. */
  competitionDate: instant.nullable(),
  /** Start by the clocks of the racecourse, `HH:MM:SS`. */
  time: z.string().nullable(),
  /** Race day at the racecourse. */
  date: day,
  starters: z.number().int(),
  status: z.enum(['scheduled', 'final', 'abandoned']),
  numbersByName,
}

export const ScheduledRace = z.strictObject({
  id: z.string(),
  ...programme,
  /** Number of the race at its meeting. */
  stadiumNum: z.number().int(),
  round: z.number().int(),
  distanceM: z.number().int().nullable(),
  raceClass: z.string().nullable(),
  trackType: z.string().nullable(),
  /** The rails of a turf track, such as `C+3`. */
  course: z.string().nullable(),
  trackCondition: z.string().nullable(),
  weather: z.string().nullable(),
  /** Whether a model predicted it, whoever may see what: otherwise there is nothing to unlock. */
  predicted: z.boolean(),
})
export type ScheduledRace = z.infer<typeof ScheduledRace>

const regionDay = { countryRegionId: regionId, today: day }

export const queryRace = endpoint('open', 'GET /race/api/queryRace', {
  summary: 'Races of a region from a day on, a week at most',
  query: z.object(regionDay),
  result: z.array(ScheduledRace),
})

export const queryRacePage = endpoint('open', 'GET /race/api/queryRacePage', {
  summary: 'Races of a region from a day on, page by page',
  query: z.object({ ...paging, ...regionDay }),
  result: z.array(ScheduledRace),
})

export const queryRacePageDesc = endpoint('open', 'GET /race/api/queryRacePageDesc', {
  summary: 'Races of a region up to a day, newest day first, page by page',
  query: z.object({ ...paging, ...regionDay }),
  result: z.array(ScheduledRace),
})

/** What a race was won by, and what became of the first choice. */
const settledRace = {
  /** More than one after a dead heat; none before the result, or if the source does not tell. */
  winners: z.array(
    z.strictObject({
      horseNumber: z.number().int().nullable(),
      entryNumber,
      name: z.string(),
      nameLanguage,
      silks: z.string().nullable(),
      /** In the currency of the region for 10 to win; `null` if it is unknown. */
      dividend: money.nullable(),
    }),
  ),
  /** The settled first choice to win; `null` if there is none, or without access. */
  pick: z
    .strictObject({
      horseNumber: z.number().int(),
      outcome: z.enum(['hit', 'miss', 'void']),
      profit: money.nullable(),
      origin: z.enum(ORIGINS),
    })
    .nullable(),
}

export const queryRaceSubscribe = endpoint('customer', 'GET /race/api/queryRaceSubscribe', {
  summary:
    'Races of a region that the customer subscribed to, up to a week after a day, newest first, with their results',
  query: z.object({ ...paging, ...regionDay }),
  result: z.array(z.strictObject({ ...ScheduledRace.shape, ...settledRace })),
})
export type SubscribedRace = ResultOf<typeof queryRaceSubscribe>[number]

/** One row of the record: the selected prediction of a race and bet type, settled. */
export const RecordItem = z.strictObject({
  id: z.string(),
  raceId,
  date: day,
  stadiumName: z.string(),
  stadiumNum: z.number().int(),
  round: z.number().int(),
  gameplayClass: z.number().int(),
  /** Saddle numbers that the result line of this bet type shows, `3-7`; longer after a dead heat. */
  results: z.string(),
  /** Predicted saddle numbers, `3-7`. */
  predictionResults: z.string(),
  outcome: z.enum(['hit', 'miss', 'void']),
  isAccuracy: flag,
  probability: share,
  /** In the currency of the region for a stake of 10; `null` where the published dividends do not determine it. */
  profit: money.nullable(),
  odds: z.number().nullable(),
  /** `false`: the odds are the last recorded ones, not those paid. */
  oddsPaid: z.boolean(),
  origin: z.enum(ORIGINS),
  numbersByName,
})
export type RecordItem = z.infer<typeof RecordItem>

export const queryRacePredictionAccuracy = endpoint('viewer', 'GET /race/api/queryRacePredictionAccuracy', {
  summary: 'Settled predictions up to a day, newest first; how far back depends on who asks',
  query: z.object({ ...paging, ...regionDay, gameplayClass: gameplayClass.optional() }),
  result: z.array(RecordItem),
})

export const queryLastRacePredictionAccuracy = endpoint(
  'viewer',
  'GET /race/api/queryLastRacePredictionAccuracy',
  {
    summary: 'Win predictions of the last two meetings up to a day, three races each',
    query: z.object({ today: day, countryRegionId: regionId.optional() }),
    result: z.array(RecordItem),
  },
)

const MeetingRace = z.strictObject({
  raceId,
  raceNo: z.number().int(),
  numbersByName,
  ...settledRace,
  /** Rank of the winner among the ten stored win predictions; `null` beyond those, or without access. */
  rank: z.number().int().nullable(),
})

const Meeting = z.strictObject({ date: day, stadiumName: z.string(), races: z.array(MeetingRace) })
export type Meeting = z.infer<typeof Meeting>
export type MeetingRace = z.infer<typeof MeetingRace>

export const queryMeetingResults = endpoint('viewer', 'GET /race/api/queryMeetingResults', {
  summary: 'Winners of the last two meetings up to a day, the last one first, beside the first choices',
  query: z.object(regionDay),
  result: z.array(Meeting),
})

export const queryDaySilks = endpoint('open', 'GET /race/api/queryDaySilks', {
  summary: 'Silks of the runners of a day, as far as they are known',
  query: z.object(regionDay),
  result: z.array(z.strictObject({ raceId, horseNumber: z.number().int(), silks: z.string() })),
})

export const queryNumberedByName = endpoint('open', 'GET /race/api/queryNumberedByName', {
  summary:
    'Races of a day whose horses have no saddle numbers in the source, and are numbered by their names',
  query: z.object(regionDay),
  result: z.array(raceId),
})

/** Saddle numbers of a combination; `null` where it has fewer, or without access. */
const competitorNumbers = {
  raceCompetitor1Num: z.number().int(),
  raceCompetitor2Num: z.number().int().nullable(),
  raceCompetitor3Num: z.number().int().nullable(),
  raceCompetitor4Num: z.number().int().nullable(),
}

export const Tip = z.strictObject({
  id: z.string(),
  raceId,
  raceDate: day,
  date: day,
  raceNo: z.number().int(),
  numbersByName,
  stadiumName: z.string(),
  time: z.string().nullable(),
  /** Win probability of the first horse. */
  probability: share,
  ...competitorNumbers,
  /** Odds of the first horse when the tip was published. */
  odds: z.number().nullable(),
  /** Win odds of the first horse over time, oldest first; empty without access to the race's odds. */
  chartData: z.array(z.strictObject({ createTime: instant, odds: z.number() })),
  /** 1: the first horse won. */
  isAccuracy: flag,
  topCompetitors: z.array(
    z.strictObject({
      ranking: z.number().int(),
      /** `null` if the viewer has no access (shown as `?`). */
      horseNumber: z.number().int().nullable(),
      /** `null` without access, and for a number that no runner has. */
      horseId: z.string().nullable(),
      name: z.string().nullable(),
      nameLanguage,
      /** The jockey's colours, as published; `null` if they are unknown, or without access. */
      silks: z.string().nullable(),
      probability: share.nullable(),
      /** Last recorded win odds. */
      odds: z.number().nullable(),
      /** `probability` minus the market's, whose chances are the inverse odds scaled to 1; `null` if an odds is unknown. */
      edge: z.number().nullable(),
      /** Place or published code; empty until the result is known, or without access. */
      result: z.string(),
    }),
  ),
  status: z.enum(['scheduled', 'final', 'abandoned']),
  /** Of the first horse as a win bet: void if it did not start; `null` before the result. */
  outcome: z.enum(['hit', 'miss', 'void']).nullable(),
  /** Whether all four numbers are included. */
  open: z.boolean(),
})
export type Tip = z.infer<typeof Tip>

export const queryRaceTips = endpoint('viewer', 'GET /race/api/queryRaceTips', {
  summary:
    'Tips of coming races and of those already run from a day on, a week at most; how many races and numbers depends on who asks',
  query: z.object(regionDay),
  result: z.array(Tip),
})

export const queryPredictionsTotal = endpoint('open', 'GET /race/api/queryPredictionsTotal', {
  summary: 'How many predictions were made for races up to a day, of a region or of all',
  query: z.object({ today: day, countryRegionId: regionId.optional() }),
  result: z.number().int(),
})

export const queryAccuracyInDays = endpoint('open', 'GET /race/api/queryAccuracyInDays', {
  summary:
    'Hits among settled selected predictions of the last days, void ones aside; null when there are none',
  query: z.object({
    days: negativeDays,
    countryRegionId: regionId.optional(),
    gameplayClass: gameplayClass.default(1),
  }),
  result: share.nullable(),
})

/** A race's conditions, which are also in each of its runners. */
const conditions = {
  weather: z.string().nullable(),
  raceNumber: z.number().int(),
  distance: z.number().nullable(),
  trackType: z.string().nullable(),
  trackCondition: z.string().nullable(),
  raceClass: z.string().nullable(),
}

export const queryRaceInfo = endpoint('viewer', 'GET /race/api/queryRaceInfo', {
  summary: 'One race; its tip as far as who asks may see it',
  query: z.object({ raceId }),
  result: z.strictObject({
    raceId,
    countryRegionId: regionId,
    countryRegionName: z.string(),
    ...programme,
    ...conditions,
    course: z.string().nullable(),
    rating: z.string().nullable(),
    /** Models that predicted the race, and the one that is displayed first. */
    models: z.array(z.strictObject({ model: z.string(), origin: z.enum(ORIGINS) })),
    headlineModel: z.string(),
    /** Whether the result was amended after the pools had paid; the paid result counts. */
    amended: z.boolean(),
    /** 1: the result is known. */
    isAnalyzer: flag,
    /** 1: the viewer has access to all predictions of the race, by subscription or as VIP. */
    isSubscribe: flag,
    tips: Tip.nullable(),
  }),
})
export type RaceInfo = ResultOf<typeof queryRaceInfo>

/** A runner, as the card and the report show it. */
export const runner = {
  horseId: z.string(),
  horseNumber: z.number().int().nullable(),
  entryNumber,
  name: z.string(),
  nameLanguage,
  draw: z.number().nullable(),
  jockey: z.string().nullable(),
  jockeyLanguage: nameLanguage,
  trainer: z.string().nullable(),
  trainerLanguage: nameLanguage,
  actualWeight: z.number().nullable(),
  ratingScore: z.number().nullable(),
  /** Place or published code; empty until the result is known. */
  ranking: z.string(),
  /** Last recorded win odds. */
  odds: z.number().nullable(),
}

const Competitor = z.strictObject({
  ...runner,
  jockeyId: z.string().nullable(),
  trainerId: z.string().nullable(),
  horseName: z.string(),
  horseNameCn: z.string().nullable(),
  isAnalyzer: flag,
  ...conditions,
  finishLength: z.string().nullable(),
  /** Same as `finishLength`: both names are in use. */
  margin: z.string().nullable(),
  /** `null` until the result is known, for who did not finish, and where the source has none. */
  finishTimeMs: z.number().int().nullable(),
  runningPosition: z.string().nullable(),
  declaredWeight: z.number().nullable(),
  /** In years, on the day of the race; `null` if it was published too long before or after it to be sure. */
  age: z.number().int().nullable(),
  /** Such as `gelding`; `null` if it is unknown. */
  sex: z.string().nullable(),
  /** Gear as published, `B1/TT`: 1 first time, - removed; `null` if none is known. */
  gear: z.string().nullable(),
  /** Places, or published codes, of the last six runs before this race, newest first. */
  lastRuns: z.array(z.string()),
  /** The jockey's colours, as published; `domain/silks.ts` reads them. */
  silks: z.string().nullable(),
  status: z.enum(['declared', 'finished', 'unfinished', 'withdrawn']),
  /** The first recorded win odds; `null` if there are none, or without access to the odds over time. */
  openingOdds: z.number().nullable(),
  /** The win odds ten minutes before post time; `null` until then, if none are recorded, or without access to the odds over time. */
  tenMinuteOdds: z.number().nullable(),
  /** Win probability; `null` if the viewer has no access to the race's predictions. */
  probability: share.nullable(),
  /** Rank of that probability among the ten stored predictions; `null` beyond those, or without access. */
  predictedRank: z.number().int().nullable(),
})

export const queryRaceCompetitor = endpoint('viewer', 'GET /race/api/queryRaceCompetitor', {
  summary: 'Runners of a race',
  query: z.object({ raceId }),
  result: z.array(Competitor),
})
export type Competitor = ResultOf<typeof queryRaceCompetitor>[number]

const Prediction = z.strictObject({
  /** The parameter of `queryOddsTrack`. */
  id: z.string(),
  raceId,
  gameplayClass: z.number().int(),
  ranking: z.number().int(),
  ...competitorNumbers,
  names: z.array(z.string()),
  probability: share,
  odds: z.number().nullable(),
  oddsPaid: z.boolean(),
  /** 1 selected, 2 cautious, 3 upset guard. */
  predictionTypes: z.array(z.number().int()),
  isAccuracy: flag,
  outcome: z.enum(['hit', 'miss', 'void']).nullable(),
  profit: money.nullable(),
})

export const queryRacePredictionCache = endpoint('customer', 'GET /race/api/queryRacePredictionCache', {
  summary: 'Predictions of a race and bet type, most probable first; for subscribers of the race and VIP',
  query: z.object({ ...paging, raceId, gameplayClass, model: modelId.optional() }),
  result: z.array(Prediction),
})
export type Prediction = ResultOf<typeof queryRacePredictionCache>[number]

const OddsTick = z.strictObject({ createTime: instant, odds: z.number(), horseNumber: z.number().int() })

export const queryOddsTrack = endpoint('customer', 'GET /race/api/queryOddsTrack', {
  summary: 'Win odds over time of each horse of a prediction; for subscribers of the race and VIP',
  query: z.object({
    rprId: z.string().regex(/^[A-Z]{5}\d{10}-[1-9]-\d{1,3}(-[a-z-]{1,30})?$/, 'field.invalid'),
  }),
  result: z.array(OddsTick),
})
export type OddsPoint = ResultOf<typeof queryOddsTrack>[number]

export const queryRaceMarket = endpoint('customer', 'GET /race/api/queryRaceMarket', {
  summary:
    'Win odds over time of every horse of a race, thinned to one a minute in the last hour, five minutes in the last day, an hour before; for subscribers of the race and VIP',
  query: z.object({ raceId }),
  result: z.array(OddsTick),
})
