import { STAKE_CENTS } from '../../../domain/money.ts'
import { readDistance, readWeight } from '../../../domain/reading/read-imperial.ts'
import { readOdds } from '../../../domain/reading/read-odds.ts'
import { OLDEST, readSex } from '../../../domain/reading/read-sex.ts'
import { readWhole } from '../../../domain/reading/read-whole.ts'
import { FRANCE, GREAT_BRITAIN, regionOfStadium } from '../../../domain/region.ts'
import { instantOf } from '../../../domain/wall-clock.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  personNamed,
  type DividendDraft,
  type RaceDraft,
} from '../../drafts/drafts.ts'
import { decimal, integer, isoDay, lenient, lenientCells, raceKey, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import {
  nullOnRowError,
  RACE_NO,
  RowError,
  type Draft,
  type FileKind,
  type ImportFormat,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { COURSES, SISTERS } from './courses.ts'
import {
  brandOf,
  classOf,
  courseOf,
  finishOf,
  gearOf,
  goingOf,
  groundOf,
  isVoid,
  MANY_LENGTHS,
  marginOf,
  offOf,
  prizeOf,
  surfaceOf,
  wasDisqualified,
  withCountry,
} from './rpscrape-cells.ts'

/** The columns that are read, by their names today. */
const PRESENT = {
  date: 'date',
  region: 'region',
  course: 'course',
  off: 'off',
  name: 'race_name',
  type: 'type',
  raceClass: 'class',
  pattern: 'pattern',
  ratings: 'rating_band',
  distance: 'dist',
  metres: 'dist_m',
  going: 'going',
  surface: 'surface',
  ran: 'ran',
  number: 'num',
  place: 'pos',
  draw: 'draw',
  behind: 'ovr_btn',
  horse: 'horse',
  pounds: 'lbs',
  weight: 'wgt',
  gear: 'hg',
  time: 'time',
  decimal: 'dec',
  price: 'sp',
  jockey: 'jockey',
  trainer: 'trainer',
  rating: 'or',
  prize: 'prize',
  sire: 'sire',
  dam: 'dam',
  damSire: 'damsire',
  age: 'age',
  sex: 'sex',
  owner: 'owner',
}
type Columns = typeof PRESENT

/** Their names in 2020, when the courses were those of addresses. */
const OF_2020: Columns = {
  date: 'Date',
  region: 'Region',
  course: 'Course',
  off: 'Off',
  name: 'Name',
  type: 'Type',
  raceClass: 'Class',
  pattern: 'Pattern',
  ratings: 'Rating_Band',
  distance: 'Dist',
  metres: 'Dist_M',
  going: 'Going',
  surface: 'Surface',
  ran: 'Ran',
  number: 'Num',
  place: 'Pos',
  draw: 'Draw',
  behind: 'Ovr_Btn',
  horse: 'Horse',
  pounds: 'Lbs',
  weight: 'Wgt',
  gear: 'HG',
  time: 'Time',
  decimal: 'Dec',
  price: 'SP',
  jockey: 'Jockey',
  trainer: 'Trainer',
  rating: 'OR',
  prize: 'Prize',
  sire: 'Sire',
  dam: 'Dam',
  damSire: 'Damsire',
  age: 'Age',
  sex: 'Sex',
  owner: 'Owner',
}

/** Those without which nothing can be made of a file. Of the others each file has some. */
const NEEDED = [
  'date',
  'course',
  'off',
  'name',
  'type',
  'distance',
  'going',
  'ran',
  'number',
  'place',
  'behind',
  'horse',
  'time',
  'jockey',
  'trainer',
  'rating',
] as const satisfies readonly (keyof Columns)[]

const readRating = (cell: string) => readWhole(cell, { from: 1, to: 999 })

/** French times are those of British clocks too. */
const CLOCKS = GREAT_BRITAIN.timeZone

/** Where and on which day a row's race was run; the country of one that is left out. */
function meetingOf(row: CsvRow, columns: Columns) {
  const at = courseOf(row, columns.course, columns.region)
  return 'country' in at ? at : { ...at, date: isoDay(row, columns.date) }
}

/** The race, of a row that has the number of its race. Throws `bad-race-number` for one of a country that is left out. */
function raceOf(row: CsvRow, columns: Columns) {
  const at = meetingOf(row, columns)
  if ('country' in at) throw new RowError('bad-race-number', at.country)
  const key = raceKey(at.stadiumId, at.date, integer(row, RACE_NO))
  return { ...at, time: offOf(row, columns.off), key }
}

function raceFacts(row: CsvRow, columns: Columns, note: Note): Omit<RaceDraft, 'runners'> {
  const { key, date, time, isAllWeather } = raceOf(row, columns)
  const { words, whole, by } = lenientCells(row, note)
  const going = lenient(note, () => goingOf(row, columns.going))
  const surface = lenient(note, () => surfaceOf(row, columns.surface))
  const pattern = words(columns.pattern)
  return {
    ...UNKNOWN_RACE,
    ...key,
    name: { ...NO_NAMES, en: words(columns.name) },
    startsAt: instantOf(date, time, CLOCKS),
    raceClass: classOf(words(columns.raceClass), pattern),
    ...groundOf({ type: words(columns.type), surface, going }, isAllWeather),
    distanceM: whole(columns.metres, 1, 10_000) ?? by(columns.distance, readDistance),
    going,
    ratingRange: words(columns.ratings),
    status: 'final',
  }
}

function readRunner(row: CsvRow, columns: Columns, note: Note): Draft {
  const at = meetingOf(row, columns)
  if ('country' in at) return { kind: 'passed-over', what: `runners in ${at.country}` }
  if (isVoid(row, columns.place)) return { kind: 'passed-over', what: 'runners of void races' }
  const horse = required(row, columns.horse)
  const { words, whole, decimal, time, by } = lenientCells(row, note)
  const horseNo = integer(row, columns.number, 1, 99)
  if (horseNo === null) throw new RowError('no-saddle-number', horse)
  const finish = finishOf(row, columns.place)
  const age = whole(columns.age, 1, OLDEST)
  const margin = finish.status === 'finished' ? marginOf(decimal(columns.behind)) : null
  // The number of runners is read before, and prizes are read again with the whole race.
  integer(row, columns.ran, 1, 99)
  lenient(note, () => prizeOf(row, columns.prize, regionOfStadium(at.stadiumId)!))
  return {
    kind: 'runner',
    race: raceFacts(row, columns, note),
    runner: {
      ...UNKNOWN_RUNNER,
      brand: brandOf(horse),
      horse: {
        ...NO_NAMES,
        en: horse,
        sire: words(columns.sire),
        dam: withCountry(words(columns.dam)),
        damSire: words(columns.damSire),
      },
      horseNo,
      jockey: personNamed(words(columns.jockey)),
      trainer: personNamed(words(columns.trainer)),
      draw: whole(columns.draw, 1, 99),
      actualWeightLb: by(columns.pounds, readWeight) ?? by(columns.weight, readWeight),
      rating: by(columns.rating, readRating),
      gear: lenient(note, () => gearOf(row, columns.gear)),
      age,
      sex: by(columns.sex, (cell) => readSex(cell, age)),
      owner: words(columns.owner),
      ...finish,
      margin,
      finishTimeMs: finish.status === 'finished' && margin !== MANY_LENGTHS ? time(columns.time) : null,
      winOdds: by(columns.decimal, readOdds) ?? by(columns.price, readOdds),
    },
  }
}

/**
 * What British and Irish bookmakers return for a stake of 10 on each winner at its starting price. After a dead heat, stakes are
 * divided by the number of winners (Tattersalls' rules on betting). The French price is that of a pool, rounded.
 */
function startingPrices({ id, stadiumId, runners }: RaceDraft): DividendDraft[] {
  if (regionOfStadium(stadiumId) === FRANCE) return []
  const winners = runners.filter(({ place }) => place === 1)
  return winners.map(({ horseNo, winOdds }) => {
    const line = { raceId: id, pool: 'win', gameplayClass: 1, combination: String(horseNo) } as const
    if (winOdds === null) return { ...line, status: 'unknown', dividendCents: null }
    const dividendCents = Math.round((winOdds * STAKE_CENTS) / winners.length)
    return { ...line, status: 'paid', dividendCents }
  })
}

/** A row's lengths behind the first horse; `null` if it has none. */
const behindOf = (row: CsvRow, { behind }: Columns): number | null =>
  nullOnRowError(() => decimal(row, behind))

/** How far the winner was behind the first horse: above 0 if that one lost its place. */
const winnerBehind = (rows: readonly CsvRow[], columns: Columns): number =>
  Math.min(
    ...rows.flatMap((row) => (finishOf(row, columns.place).place === 1 ? (behindOf(row, columns) ?? 0) : [])),
  )

/** The index of a row whose horse finished in front of the winner and was disqualified; -1 if there is none. */
function disqualifiedInFront(rows: readonly CsvRow[], columns: Columns, winner: number): number {
  return rows.findIndex((row) => {
    const behind = wasDisqualified(row, columns.place) ? behindOf(row, columns) : null
    return behind !== null && (behind === 0 || behind < winner)
  })
}

/** Without the margins of its rows, which are not behind the winner. */
function withoutMargins(
  { runners, ...race }: RaceDraft,
  rows: readonly CsvRow[],
  columns: Columns,
): RaceDraft {
  const own = new Map(rows.map((row) => [integer(row, columns.number), marginOf(behindOf(row, columns))]))
  return {
    ...race,
    runners: runners.map((runner) =>
      runner.margin === own.get(runner.horseNo) ? { ...runner, margin: null } : runner,
    ),
  }
}

/**
 * The time of the winner, the prizes of all, which are in the rows of those who won them, and what the winner paid. That is
 * unknown if a horse in front of it was disqualified: bets were paid on that one if it was after the race day.
 */
function completeRace(
  given: RaceDraft,
  rows: readonly CsvRow[],
  columns: Columns,
  note: NoteOfRow,
): { race: RaceDraft; dividends: DividendDraft[] } {
  const region = regionOfStadium(given.stadiumId)!
  const behind = winnerBehind(rows, columns)
  const inFront = disqualifiedInFront(rows, columns, behind)
  if (inFront >= 0) note(inFront, 'disqualified-in-front', `${given.id}: what the winner paid is not known`)
  const race = inFront >= 0 || behind > 0 ? withoutMargins(given, rows, columns) : given
  const prizes = rows.map((row) => nullOnRowError(() => prizeOf(row, columns.prize, region)))
  const sum = prizes.reduce((total, prize) => (total ?? 0) + (prize ?? 0), 0)
  const prize = prizes.includes(null) || sum === 0 ? null : sum
  const winner = race.runners.find(({ place }) => place === 1)
  return {
    race: {
      ...race,
      prizeCents: race.prizeCents ?? prize,
      winningTimeMs: race.winningTimeMs ?? winner?.finishTimeMs ?? null,
    },
    dividends: inFront >= 0 ? [] : startingPrices(race),
  }
}

const resultsIn = (name: string, columns: Columns): FileKind => ({
  name,
  order: 2,
  columns: NEEDED.map((column) => columns[column]),
  counts: {
    meetingOf(row) {
      const at = meetingOf(row, columns)
      return 'country' in at ? null : `${at.stadiumId} ${at.date}`
    },
    timeOf: (row) => offOf(row, columns.off),
    runnerOf: (row) => ({
      runner: required(row, columns.horse),
      ran: integer(row, columns.ran, 1, 99),
    }),
  },
  read: (row, note) => readRunner(row, columns, note),
  raceOf: (row) => raceOf(row, columns).key.id,
  complete: (race, rows, note) => completeRace(race, rows, columns, note),
})

/** Its runners cannot be bet on by number, and numbers are not guessed. */
const WITHOUT_NUMBERS: FileKind = {
  name: 'results without saddle numbers',
  order: 3,
  columns: ['date', 'course', 'time', 'race_name', 'band', 'distance', 'pos', 'name', 'sp', 'weight', 'gear'],
  read: () => ({ kind: 'passed-over', what: 'runners without saddle numbers' }),
}

/**
 * Results of Great Britain, Ireland and France in the layouts of `rpscrape`, which reads them from Racing Post's pages. Ratings
 * that are given after a race (`rpr`, `ts`) are not read: a model that had them would know the result. Races elsewhere
 * are left out: the files have some races of a meeting only, so that those left would get wrong numbers, and the sources of
 * those regions have them whole.
 */
export const RPSCRAPE_FORMAT: ImportFormat = {
  name: 'rpscrape',
  encoding: 'utf8',
  region: GREAT_BRITAIN,
  lacks: ['sections', 'dividends'],
  // In a few races the pages skip a place.
  tolerated: ['place-missing'],
  completes: true,
  peopleIn: 'en',
  stadiums: COURSES,
  sisters: SISTERS,
  kinds: [resultsIn('results', PRESENT), resultsIn('results of 2020', OF_2020), WITHOUT_NUMBERS],
}
