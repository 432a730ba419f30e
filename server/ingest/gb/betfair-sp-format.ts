import { AUSTRALIA, FRANCE, GREAT_BRITAIN, regionOfStadium } from '../../../domain/region.ts'
import { instantOf } from '../../../domain/wall-clock.ts'
import { NO_NAMES, UNKNOWN_RACE, UNKNOWN_RUNNER, type RaceDraft } from '../../drafts/drafts.ts'
import { dayIn, integer, lenient, raceKey, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { selectionOf, startingPrice } from '../reading/exchange-prices.ts'
import { allBut } from '../reading/facts.ts'
import {
  BY_NAME,
  nullOnRowError,
  NUMBERS,
  RACE_NO,
  RowError,
  RUNNER_NO,
  type Draft,
  type FileKind,
  type ImportFormat,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { australianRace } from '../au/australian-race.ts'
import { TRACKS } from '../au/betfair-tracks.ts'
import { horseOf, marketOf, meetingOf, offOf, raceNamed, resultOf } from './betfair-sp-cells.ts'
import { MODEL_MONTHS } from './betfair-model-months.ts'
import { completeRace, type Run } from './betfair-sp-race.ts'
import { COURSES, SISTERS } from './courses.ts'

/** The columns that are read. The others, with prices and stakes of before and after the off, are not. */
const CAPITALS = {
  market: 'EVENT_ID',
  menu: 'MENU_HINT',
  event: 'EVENT_NAME',
  time: 'EVENT_DT',
  horseId: 'SELECTION_ID',
  horse: 'SELECTION_NAME',
  result: 'WIN_LOSE',
  price: 'BSP',
}
type Columns = typeof CAPITALS

const SMALL: Columns = {
  market: 'event_id',
  menu: 'menu_hint',
  event: 'event_name',
  time: 'event_dt',
  horseId: 'selection_id',
  horse: 'selection_name',
  result: 'win_lose',
  price: 'bsp',
}

/** Cells that a row of a win market has from the horse's row of the place market. */
const PLACE_RESULT = '#place_result'
const PLACE_PRICE = '#place_price'

const marketIn = (row: CsvRow, { event }: Columns) => marketOf(required(row, event))

/** Where and on which day a row's race was run; `null` for one of which nothing is needed. */
function placeOf(row: CsvRow, columns: Columns): { stadiumId: string; date: string } | null {
  if (marketIn(row, columns) === 'other') return null
  const at = meetingOf(row, columns.menu, columns.time)
  return 'country' in at ? null : at
}

const isAustralian = ({ stadiumId }: { stadiumId: string }): boolean =>
  regionOfStadium(stadiumId) === AUSTRALIA

/** The race of a row that has the number of its race. Throws `bad-race-number` for one of which nothing is needed. */
function raceOf(row: CsvRow, columns: Columns) {
  const at = placeOf(row, columns)
  if (at === null) throw new RowError('bad-race-number', required(row, columns.event))
  const raceNo = isAustralian(at)
    ? australianRace(required(row, columns.event)).raceNo
    : integer(row, RACE_NO)
  return raceKey(at.stadiumId, at.date, raceNo)
}

/** The instant of a race's off. */
function startOf(
  row: CsvRow,
  { stadiumId, date }: { stadiumId: string; date: string },
  { time }: Columns,
): string {
  const off = offOf(row, time)
  const { timeZone } = regionOfStadium(stadiumId)!
  return isAustralian({ stadiumId })
    ? instantOf(dayIn(row, time, { order: 'dmy', timeZone: 'UTC' }), off, 'UTC')
    : instantOf(date, off, timeZone)
}

/** What the name of a win market says of its race. */
function factsNamed(name: string, isInAustralia: boolean): Partial<RaceDraft> {
  if (!isInAustralia) return { name: { ...NO_NAMES, en: name }, ...raceNamed(name) }
  const { distanceM, raceClass } = australianRace(name)
  return { distanceM, raceClass }
}

/** The saddle number if the file has it, or else the counted one. Throws `no-saddle-number`. */
function horseNoOf(row: CsvRow, { horse }: Columns): number {
  const number = horseOf(required(row, horse)).printedNo ?? integer(row, RUNNER_NO)
  if (number === null || number < 1) throw new RowError('no-saddle-number', required(row, horse))
  return number
}

function raceFacts(row: CsvRow, columns: Columns): Omit<RaceDraft, 'runners'> {
  const key = raceOf(row, columns)
  return {
    ...UNKNOWN_RACE,
    ...key,
    startsAt: startOf(row, key, columns),
    ...factsNamed(required(row, columns.event), isAustralian(key)),
    status: 'final',
  }
}

const OTHER_MARKETS = 'rows of other markets than those of winners and placed horses of races'

function readRow(row: CsvRow, columns: Columns, note: Note): Draft | readonly Draft[] {
  const market = marketIn(row, columns)
  if (market === 'other') return { kind: 'passed-over', what: OTHER_MARKETS }
  const at = meetingOf(row, columns.menu, columns.time)
  if ('country' in at) return { kind: 'passed-over', what: `rows of races in ${at.country}` }
  const brand = selectionOf(row, columns.horseId)
  const result = resultOf(row, columns.result, columns.price)
  const price = lenient(note, () => startingPrice(row, columns.price))
  if (market === 'place') return []
  return {
    kind: 'runner',
    race: raceFacts(row, columns),
    runner: {
      ...UNKNOWN_RUNNER,
      brand,
      horse: { ...NO_NAMES, en: horseOf(required(row, columns.horse)).name },
      horseNo: horseNoOf(row, columns),
      // Whoever ran and did not win has a place that nobody tells.
      status: result === 'removed' ? 'withdrawn' : 'finished',
      place: result === 'won' || result === 'shared' ? 1 : null,
      winOdds: result === 'removed' ? null : price,
    },
  }
}

/** Prices that cannot be read were noted with their row, and place results that cannot be were rejected with theirs. */
function runOf(row: CsvRow, columns: Columns): Run {
  return {
    horseNo: horseNoOf(row, columns),
    win: resultOf(row, columns.result, columns.price),
    winPrice: nullOnRowError(() => startingPrice(row, columns.price)),
    place: nullOnRowError(() => resultOf(row, PLACE_RESULT, PLACE_PRICE)),
    placePrice: nullOnRowError(() => startingPrice(row, PLACE_PRICE)),
  }
}

/** Throws `two-races-of-one-time`. */
function completeRows(race: RaceDraft, rows: readonly CsvRow[], columns: Columns, note: NoteOfRow) {
  const markets = new Set(rows.map((row) => required(row, columns.market)))
  if (markets.size > 1) throw new RowError('two-races-of-one-time', [...markets].join(', '))
  const runs = rows.map((row) => runOf(row, columns))
  const numbersByName = rows.some(
    (row) => row[NUMBERS] === BY_NAME && horseOf(required(row, columns.horse)).printedNo === null,
  )
  return completeRace({ ...race, numbersByName }, runs, note)
}

/** What a horse's rows of both markets have in common; `null` for one of which nothing is needed. */
function runnerOf(row: CsvRow, columns: Columns): string | null {
  const at = placeOf(row, columns)
  if (at === null) return null
  return `${at.stadiumId} ${at.date} ${offOf(row, columns.time)} ${selectionOf(row, columns.horseId)}`
}

const pricesIn = (name: string, columns: Columns): FileKind => ({
  name,
  order: 2,
  columns: Object.values(columns),
  counts: {
    meetingOf(row) {
      const at = marketIn(row, columns) === 'win' ? placeOf(row, columns) : null
      // Australian races and horses have numbers.
      return at === null || isAustralian(at) ? null : `${at.stadiumId} ${at.date}`
    },
    timeOf: (row) => offOf(row, columns.time),
    // By their names, and by their ids where two have the same.
    runnerOf: (row) => ({
      runner: `${required(row, columns.horse)} ${selectionOf(row, columns.horseId)}`,
      ran: null,
    }),
    numbersRunners: {
      raceIdOf(meeting, raceNo) {
        const [stadiumId, date] = meeting.split(' ') as [string, string]
        return raceKey(stadiumId, date, raceNo).id
      },
      brandOf: (row) => selectionOf(row, columns.horseId),
    },
  },
  seconds: {
    isSecond: (row) => marketIn(row, columns) === 'place',
    runnerOf: (row) => runnerOf(row, columns),
    cellsOf: (row) => ({
      [PLACE_RESULT]: row[columns.result] ?? '',
      [PLACE_PRICE]: row[columns.price] ?? '',
    }),
  },
  read: (row, note) => readRow(row, columns, note),
  raceOf: (row) => raceOf(row, columns).id,
  complete: (race, rows, note) => completeRows(race, rows, columns, note),
})

/**
 * Betfair's files of starting prices of Great Britain, Ireland and Australia, a day or more of win or place markets each: who won and who was
 * placed, with prices of its exchange. The order behind the winner is not in them, and never guessed.
 */
export const BETFAIR_SP_FORMAT: ImportFormat = {
  name: 'betfair-sp',
  encoding: 'utf8',
  region: GREAT_BRITAIN,
  lacks: allBut('race name', 'post time', 'class', 'distance', 'saddle number', 'odds'),
  tolerated: [],
  stadiums: [...COURSES.filter(({ id }) => regionOfStadium(id) !== FRANCE), ...TRACKS],
  sisters: SISTERS,
  kinds: [pricesIn('prices', CAPITALS), pricesIn('prices in small letters', SMALL), MODEL_MONTHS],
  warning:
    'British and Irish files have no saddle numbers: horses are numbered in the order of their names, and the numbers are not those of the racecard. The files say who won and who was placed, and not in which order: only win and place bets are settled, at Betfair’s starting prices before commission.',
}
