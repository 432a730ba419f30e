import { addDays, dayIn, HONG_KONG } from '../../domain/region.ts'

/** Request bodies of a simulated race day in Hong Kong: all races and horses are invented. */
export const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** The day after `now`, in Hong Kong. */
export const tomorrow = (now: Date): string => addDays(dayIn(HONG_KONG.timeZone, now), 1)

export const raceOf = (day: string, raceNo: number): string =>
  `HKSHT${day.replaceAll('-', '')}${String(raceNo).padStart(2, '0')}`

/** When every race of `cardOf` has been run. */
export const afterMeeting = (day: string): Date => new Date(`${day}T23:00:00Z`)

export const cardOf = (day: string, raceNo: number) => ({
  raceId: raceOf(day, raceNo),
  startsAt: `${day}T${String(4 + Math.floor(raceNo / 6)).padStart(2, '0')}:${String((raceNo % 6) * 10).padStart(2, '0')}:00Z`,
  name: { en: `Trial Handicap ${raceNo}`, hant: `試驗讓賽${raceNo}`, hans: null },
  raceClass: 'class 4',
  track: 'turf',
  course: 'A',
  distanceM: 1200,
  going: 'good',
  runners: NUMBERS.map((horseNo) => ({
    horseNo,
    brand: `T${raceNo}${String(horseNo).padStart(2, '0')}`,
    horse: { en: `Trial Horse ${raceNo} ${horseNo}`, hant: `試馬${raceNo}${horseNo}`, hans: null },
    jockey: `Jockey ${horseNo}`,
    trainer: `Trainer ${horseNo}`,
    draw: horseNo,
    actualWeightLb: 120 + horseNo,
    rating: 50 + horseNo,
  })),
})

/** Odds that differ by horse and `step`, so that each batch changes them. */
export const oddsOf = (day: string, raceNo: number, step = 0, seenAt = new Date()) => ({
  raceId: raceOf(day, raceNo),
  seenAt: seenAt.toISOString(),
  odds: NUMBERS.map((horseNo) => ({ horseNo, odds: 2 + horseNo + ((step * horseNo) % 7) / 10 })),
})

/** Finishing order by saddle number; `without`: the withdrawn numbers. */
export const resultOf = (day: string, raceNo: number, without: readonly number[] = []) => ({
  raceId: raceOf(day, raceNo),
  status: 'final',
  going: 'good_to_firm',
  winningTimeMs: 69_000 + raceNo,
  runners: NUMBERS.filter((horseNo) => !without.includes(horseNo)).map((horseNo, index) => ({
    horseNo,
    place: index + 1,
    margin: index === 0 ? null : `${index}`,
    finishTimeMs: 69_000 + raceNo + index * 100,
    winOdds: 3 + horseNo,
  })),
})

export const dividendsOf = (day: string, raceNo: number, winner: number) => ({
  raceId: raceOf(day, raceNo),
  lines: [
    { gameplayClass: 1, combination: String(winner), status: 'paid', dividendCents: 4000 },
    { gameplayClass: 2, combination: String(winner), status: 'paid', dividendCents: 1500 },
  ],
})

/** One race of each kind of batch. */
export const feedSamples = (day: string) => ({
  cards: cardOf(day, 1),
  withdrawals: { raceId: raceOf(day, 1), horses: [1] },
  odds: oddsOf(day, 1),
  results: resultOf(day, 1),
  dividends: dividendsOf(day, 1, 1),
})
