import { AUSTRALIA, dayIn, GREAT_BRITAIN, IRELAND } from '../../../domain/region.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { instantOf } from '../../../domain/wall-clock.ts'
import { NO_NAMES, UNKNOWN_RACE, UNKNOWN_RUNNER, type RaceDraft } from '../../drafts/drafts.ts'
import { placesOf } from '../../drafts/race-field.ts'
import { integer, isoDay, lenient, lenientCells, line, raceKey, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { selectionOf, startingPrice } from '../reading/exchange-prices.ts'
import {
  BY_NAME,
  nullOnRowError,
  NUMBERS,
  RowError,
  RUNNER_NO,
  type Draft,
  type FileKind,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { raceNamed, resultOf } from './betfair-sp-cells.ts'
import { completeRace, type Run } from './betfair-sp-race.ts'
import { courseNamed } from './courses.ts'

/** Regions by Betfair's numbers of countries. */
const COUNTRIES = new Map([
  [1, GREAT_BRITAIN],
  [35, IRELAND],
])

/** The cells that a row of a race without a market has none in. */
const OF_MARKETS = ['COUNTRY_ID', 'RACETIME', 'WIN_RESULT'] as const

/** The race of a row; a word for one that is left out. Throws `unknown-venue`, `bad-race-number`. */
function raceOf(row: CsvRow): ReturnType<typeof raceKey> | string {
  if (OF_MARKETS.every((column) => line(row, column) === null)) return 'rows of races that had no market'
  const country = integer(row, 'COUNTRY_ID')
  if (country === null) throw new RowError('missing-field', 'COUNTRY_ID')
  const region = COUNTRIES.get(country)
  if (region === undefined) return `rows of races in country ${country}`
  const track = required(row, 'TRACK')
  const stadiumId = courseNamed(track, region.code)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `TRACK: ${track}`)
  return raceKey(stadiumId, isoDay(row, 'LOCAL_RACE_DATE'), integer(row, 'RACE_NUMBER'))
}

/** Throws `bad-race-number` for a row that is left out. */
function raceIdOf(row: CsvRow): string {
  const race = raceOf(row)
  if (typeof race === 'string') throw new RowError('bad-race-number', race)
  return race.id
}

/** They are those of the east coast of Australia: `2026-05-05 23:00:00` for two in the afternoon in Britain. */
const CLOCKS = AUSTRALIA.timeZone
const TIME = /^(\d{4}-\d{2}-\d{2}) ((?:[01]\d|2[0-3]):[0-5]\d):[0-5]\d$/

/** The instant at which a race starts. Throws `missing-field`, `bad-time` for one that is no time, or not on the day of its race. */
function startOf(row: CsvRow, { stadiumId, date }: ReturnType<typeof raceKey>): string {
  const cell = required(row, 'RACETIME')
  const [, day, time] = TIME.exec(cell) ?? []
  const at = day === undefined || Number.isNaN(Date.parse(day)) ? null : instantOf(day, time!, CLOCKS)
  if (at === null || dayIn(clockOfCourse(stadiumId), new Date(at)) !== date)
    throw new RowError(
      'bad-time',
      `RACETIME: ${cell}, of a race on ${date} (write it like ${date} 23:35:00, ${CLOCKS})`,
    )
  return at
}

/** The counted number. Throws `missing-field`. */
function horseNoOf(row: CsvRow): number {
  const number = integer(row, RUNNER_NO)
  if (number === null) throw new RowError('missing-field', 'RUNNER_NAME')
  return number
}

function readRow(row: CsvRow, note: Note): Draft {
  const key = raceOf(row)
  if (typeof key === 'string') return { kind: 'passed-over', what: key }
  const { words } = lenientCells(row, note)
  const result = resultOf(row, 'WIN_RESULT', 'WIN_BSP')
  const price = (column: string): number | null => lenient(note, () => startingPrice(row, column))
  // They are read again with the whole race, which has no place to tell of them.
  if (line(row, 'PLACE_RESULT') !== null) resultOf(row, 'PLACE_RESULT', 'PLACE_BSP')
  price('PLACE_BSP')
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      name: { ...NO_NAMES, en: words('RACE_NAME') },
      startsAt: lenient(note, () => startOf(row, key)),
      ...raceNamed(words('WIN_MARKET_NAME') ?? ''),
      status: 'final',
      numbersByName: row[NUMBERS] === BY_NAME,
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: selectionOf(row, 'SELECTION_ID'),
      horse: { ...NO_NAMES, en: required(row, 'RUNNER_NAME') },
      horseNo: horseNoOf(row),
      status: result === 'removed' ? 'withdrawn' : 'finished',
      place: result === 'won' ? 1 : null,
      winOdds: result === 'removed' ? null : price('WIN_BSP'),
    },
  }
}

/** Cells that cannot be read were told with their row. */
const runOf = (row: CsvRow): Run => ({
  horseNo: horseNoOf(row),
  win: resultOf(row, 'WIN_RESULT', 'WIN_BSP'),
  winPrice: nullOnRowError(() => startingPrice(row, 'WIN_BSP')),
  place: nullOnRowError(() => resultOf(row, 'PLACE_RESULT', 'PLACE_BSP')),
  placePrice: nullOnRowError(() => startingPrice(row, 'PLACE_BSP')),
})

/**
 * What became of a race's horses where dead heats have no mark: several winners share the stake. Of more placed horses than there
 * are places, those that share the last one are paid less, and nobody tells which they are; more winners than places share them all.
 */
function withDeadHeats(runs: readonly Run[], places: number): Run[] {
  const winners = runs.filter(({ win }) => win === 'won').length
  const isShared = runs.filter(({ win, place }) => win !== 'removed' && place === 'won').length > places
  // One winner is paid in full, also where Betfair paid a place that the rules do not have.
  const areAllShared = winners > 1 && winners > places
  return runs.map((run) => ({
    ...run,
    win: run.win === 'won' && winners > 1 ? 'shared' : run.win,
    placePrice: isShared && (areAllShared || run.win !== 'won') ? null : run.placePrice,
  }))
}

function complete(race: RaceDraft, rows: readonly CsvRow[], note: NoteOfRow) {
  // A prediction that was published again stands in a row of its own, with the same results.
  const runs = new Map(rows.map((row) => [selectionOf(row, 'SELECTION_ID'), runOf(row)]))
  return completeRace(race, withDeadHeats([...runs.values()], placesOf(race, race.runners)), note)
}

/**
 * Months of British and Irish races in which Betfair's Automation Hub publishes its own model beside results and starting prices.
 * `RATED_PRICE`, the model's, is never read: it is a forecast and no fact of the race.
 */
export const MODEL_MONTHS: FileKind = {
  name: 'months of the model',
  order: 2,
  columns: [
    'LOCAL_RACE_DATE',
    'RACETIME',
    'COUNTRY_ID',
    'TRACK',
    'RACE_NAME',
    'WIN_MARKET_NAME',
    'RACE_NUMBER',
    'SELECTION_ID',
    'RUNNER_NAME',
    'WIN_BSP',
    'WIN_RESULT',
    'PLACE_BSP',
    'PLACE_RESULT',
  ],
  counts: {
    // Races have numbers: each is counted as a meeting of its own, so that its horses are.
    meetingOf(row) {
      const race = raceOf(row)
      return typeof race === 'string' ? null : race.id
    },
    timeOf: () => '',
    runnerOf: (row) => ({
      runner: `${required(row, 'RUNNER_NAME')} ${selectionOf(row, 'SELECTION_ID')}`,
      ran: null,
    }),
    numbersRunners: { raceIdOf: (race) => race, brandOf: (row) => selectionOf(row, 'SELECTION_ID') },
  },
  read: readRow,
  raceOf: raceIdOf,
  joinsFacts: true,
  repeatsRunners: true,
  complete,
}
