import type { Horse } from '../../contract/api/horse.ts'
import type { Competitor, RaceInfo, ScheduledRace } from '../../contract/api/racing.ts'

/** A race that was run, its runners and a horse, as the server sends them; tests change what they are about. */

const RACE_ID = 'HKSHT2026010401'

export const raceInfo = (given: Partial<RaceInfo> = {}): RaceInfo => ({
  raceId: RACE_ID,
  name: 'New Year Handicap',
  nameLanguage: 'en',
  countryRegionId: '100000',
  countryRegionName: 'Hong Kong',
  stadiumName: 'Sha Tin',
  date: '2026-01-04',
  competitionDate: '2026-01-04T05:00:00.000Z',
  time: '13:00:00',
  weather: null,
  raceNumber: 1,
  distance: 1200,
  trackType: 'turf',
  course: 'A',
  trackCondition: 'good',
  raceClass: 'C5',
  rating: null,
  starters: 3,
  numbersByName: false,
  status: 'final',
  models: [{ model: 'market-baseline', origin: 'backtest' }],
  headlineModel: 'market-baseline',
  amended: false,
  isAnalyzer: 1,
  isSubscribe: 1,
  tips: null,
  ...given,
})

/** The id of a race of the same meeting. */
export const idOf = (number: number): string => `${RACE_ID.slice(0, -2)}${String(number).padStart(2, '0')}`

/** A race of that meeting as the schedule has it. */
export const scheduled = (number: number, given: Partial<ScheduledRace> = {}): ScheduledRace => ({
  id: idOf(number),
  name: null,
  nameLanguage: null,
  stadiumName: 'Sha Tin',
  competitionDate: null,
  time: null,
  date: '2026-01-04',
  starters: 12,
  numbersByName: false,
  status: 'final',
  stadiumNum: number,
  round: number,
  distanceM: 1200,
  raceClass: 'C4',
  trackType: 'turf',
  course: 'A',
  trackCondition: 'good',
  weather: 'fine',
  predicted: true,
  ...given,
})

export const runner = (number: number, given: Partial<Competitor> = {}): Competitor => ({
  horseId: `HK-H${number}`,
  horseNumber: number,
  name: `Horse ${number}`,
  horseName: `Horse ${number}`,
  nameLanguage: 'en',
  horseNameCn: null,
  isAnalyzer: 1,
  trackType: 'turf',
  weather: null,
  raceNumber: 1,
  distance: 1200,
  trackCondition: 'good',
  raceClass: 'C5',
  draw: number,
  ratingScore: 40,
  jockeyId: `HK-Jockey ${number}`,
  trainerId: `HK-Trainer ${number}`,
  jockey: `Jockey ${number}`,
  jockeyLanguage: 'en',
  trainer: `Trainer ${number}`,
  trainerLanguage: 'en',
  finishLength: null,
  finishTimeMs: null,
  margin: null,
  actualWeight: 126,
  runningPosition: null,
  declaredWeight: 1100,
  age: null,
  sex: null,
  gear: null,
  lastRuns: [],
  ranking: '',
  status: 'finished',
  entryNumber: null,
  odds: 4,
  openingOdds: 5,
  tenMinuteOdds: null,
  silks: null,
  probability: 0.25,
  predictedRank: null,
  ...given,
})

/** Three finishers in another order than their numbers, and a horse that was withdrawn. */
export const RUNNERS: readonly Competitor[] = [
  runner(1, { ranking: '3', odds: 10, openingOdds: 8, probability: 0.1, predictedRank: 3 }),
  runner(2, { ranking: '1', odds: 2, openingOdds: 2.5, probability: 0.55, predictedRank: 1 }),
  runner(3, { ranking: '2', odds: 2.5, openingOdds: 2.5, probability: 0.35, predictedRank: 2 }),
  runner(4, { status: 'withdrawn', ranking: 'WV', odds: null, openingOdds: null, probability: null }),
]

export const DIVIDENDS = [
  { bet_type: 1, combination: '2', status: 'paid', dividend_cents: 2050 },
  { bet_type: 2, combination: '2', status: 'paid', dividend_cents: 1250 },
  { bet_type: 2, combination: '3', status: 'paid', dividend_cents: 1400 },
  { bet_type: 3, combination: '2-3', status: 'refund', dividend_cents: null },
]

/** A horse of which little is known. */
export const horseInfo = (given: Partial<Horse> = {}): Horse => ({
  id: 'HK-H7',
  number: 'H007',
  name: 'Golden Mile',
  nameLanguage: 'en',
  nameEn: 'Golden Mile',
  countryRegion: 'Hong Kong',
  sex: null,
  colour: null,
  status: null,
  lastRating: null,
  birthYear: null,
  age: null,
  ageOn: null,
  importType: null,
  owner: null,
  silks: null,
  trainer: null,
  trainerLanguage: null,
  sire: null,
  dam: null,
  maternalGrandsire: null,
  seasonPrize: null,
  totalPrize: null,
  averageRating: null,
  form: [],
  ...given,
})
