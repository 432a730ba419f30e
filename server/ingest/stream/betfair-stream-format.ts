import { MOST_ODDS } from '../../../domain/reading/read-odds.ts'
import { AUSTRALIA, FRANCE, GREAT_BRITAIN, regionOfStadium } from '../../../domain/region.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type DividendDraft,
  type RaceDraft,
} from '../../drafts/drafts.ts'
import { australianRace } from '../au/australian-race.ts'
import { TRACKS } from '../au/betfair-tracks.ts'
import { horseOf, raceNamed } from '../gb/betfair-sp-cells.ts'
import { COURSES } from '../gb/courses.ts'
import { integer, lenient, line, oneOf, raceKey, required } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { exchangeLine, selectionOf, startingPrice } from '../reading/exchange-prices.ts'
import { allBut } from '../reading/facts.ts'
import {
  BY_NAME,
  nullOnRowError,
  NUMBERS,
  RACE_NO,
  RowError,
  RUNNER_NO,
  type Draft,
  type ImportFormat,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { MARKET_COLUMNS } from '../reading/market-file.ts'
import { CLOSED, isPlace, isWin, meetingOf, REMOVED, timeIn, unusedRow } from './market-cells.ts'
import { HELD, PLACE_BSP, PLACE_RESULT, PLACES, readMarkets, STADIUM } from './market-races.ts'

/** No race of thoroughbreds is as long. */
const MOST_METRES = 10_000

/** A distance in metres that can be one. Throws `out-of-range`. */
function possibleMetres(metres: number | null): number | null {
  if (metres !== null && (metres < 1 || metres > MOST_METRES))
    throw new RowError('out-of-range', `market_name: ${metres} m (1 m to ${MOST_METRES} m)`)
  return metres
}

/** The race, of a row that has the number of its race. Throws `bad-race-number`, `unknown-venue`, `unknown-zone`. */
function raceOf(row: CsvRow): ReturnType<typeof raceKey> {
  const { stadiumId, date } = meetingOf(row)
  // A place market that is left out is no reason to leave out the race.
  const printed = isWin(row) ? australianRace(line(row, 'market_name') ?? '').raceNo : null
  return raceKey(row[STADIUM] ?? stadiumId, date, integer(row, RACE_NO) ?? printed)
}

function raceFacts(row: CsvRow, note: Note): Omit<RaceDraft, 'runners'> {
  const key = raceOf(row)
  const name = required(row, 'market_name')
  const race = {
    ...UNKNOWN_RACE,
    ...key,
    startsAt: timeIn(row, 'starts_at'),
    status: 'final',
    numbersByName: row[NUMBERS] === BY_NAME,
  } as const
  if (regionOfStadium(key.stadiumId) !== AUSTRALIA)
    return { ...race, name: { ...NO_NAMES, en: name }, ...raceNamed(name) }
  const { distanceM, raceClass } = australianRace(name)
  return { ...race, distanceM: lenient(note, () => possibleMetres(distanceM)), raceClass }
}

const knownPrice = (row: CsvRow, column: string): number | null =>
  nullOnRowError(() => startingPrice(row, column))

const LEFT_OUT = {
  prices_after_off: 'prices after the off',
  prices_of_reductions: 'prices that are no trades, published with the removal of a runner',
  prices_after_removal: 'prices of removed runners',
  prices_replaced: 'prices that have another one of the same moment',
} as const

/** How many prices of a row are no odds of before the off. */
const leftOut = (row: CsvRow): Draft[] =>
  Object.entries(LEFT_OUT).map(([column, what]) => ({
    kind: 'passed-over',
    what,
    count: integer(row, column) ?? 0,
  }))

const pricesIn = (row: CsvRow): string[] => (row['prices'] === '' ? [] : row['prices']!.split(';'))

/** A row's odds over time; those that cannot be are noted. */
function ticksOf(row: CsvRow, raceId: string, horseNo: number, note: Note): Draft[] {
  return pricesIn(row).flatMap((pair): Draft[] => {
    const [pt, odds] = pair.split(' ').map(Number) as [number, number]
    const seenAt = new Date(pt).toISOString()
    if (odds > 1 && odds <= MOST_ODDS) return [{ kind: 'odds-tick', tick: { raceId, horseNo, seenAt, odds } }]
    note('odds-out-of-range', `prices: ${odds} at ${seenAt}`)
    return []
  })
}

const FINISHED = ['WINNER', 'LOSER', 'PLACED'] as const

/** Throws `no-saddle-number`. */
function readStarter(row: CsvRow, note: Note): Draft[] {
  const race = raceFacts(row, note)
  const { name } = horseOf(required(row, 'runner_name'))
  const hasWon = oneOf(row, 'runner_status', FINISHED) === 'WINNER'
  const horseNo = integer(row, RUNNER_NO, 1, 99)
  if (horseNo === null) throw new RowError('no-saddle-number', name)
  // It is read again with the whole race, which has no place to tell of it.
  lenient(note, () => startingPrice(row, PLACE_BSP))
  return [
    {
      kind: 'runner',
      race,
      runner: {
        ...UNKNOWN_RUNNER,
        brand: selectionOf(row, 'runner'),
        horse: { ...NO_NAMES, en: name },
        horseNo,
        // Whoever did not win started, and has a place that nobody tells.
        status: 'finished',
        place: hasWon ? 1 : null,
        winOdds: lenient(note, () => startingPrice(row, 'bsp')),
      },
    },
    ...ticksOf(row, race.id, horseNo, note),
    ...leftOut(row),
  ]
}

/** A removed runner is stored without its number, by which the declared starters are counted, and without its prices. */
function readRemoved(row: CsvRow, note: Note): Draft[] {
  const prices: Draft = {
    kind: 'passed-over',
    what: LEFT_OUT.prices_after_removal,
    count: pricesIn(row).length,
  }
  const race = raceFacts(row, note)
  // A source that has no removed runners does not have to be told of them.
  const isNew = row[HELD] !== 'own'
  const runner: Draft = isNew
    ? {
        kind: 'runner',
        race,
        runner: {
          ...UNKNOWN_RUNNER,
          brand: selectionOf(row, 'runner'),
          horse: { ...NO_NAMES, en: horseOf(required(row, 'runner_name')).name },
          horseNo: null,
          status: 'withdrawn',
        },
      }
    : { kind: 'passed-over', what: 'removed runners of races that are stored' }
  return [runner, prices, ...leftOut(row)]
}

/** Adds odds over time to the race of another source, whose facts and result stay. */
function readOddsOnly(row: CsvRow, note: Note): Draft[] {
  const horseNo = integer(row, RUNNER_NO, 1, 99)
  const isRemoved = row['runner_status'] === REMOVED
  const what = 'runners of races of another source, to which their odds over time are added'
  const counted: Draft[] = [{ kind: 'passed-over', what }, ...leftOut(row)]
  const { id } = raceOf(row)
  if (horseNo !== null && !isRemoved) return [...counted, ...ticksOf(row, id, horseNo, note)]
  if (!isRemoved) note('no-such-runner', `${id}: ${horseOf(required(row, 'runner_name')).name}`)
  return [
    ...counted,
    { kind: 'passed-over', what: LEFT_OUT.prices_after_removal, count: pricesIn(row).length },
  ]
}

/** Throws `no-result` for a row of a market that is not closed. */
function requireClosed(row: CsvRow): void {
  if (row['market_status'] !== CLOSED)
    throw new RowError(
      'no-result',
      `market ${required(row, 'market')} is ${required(row, 'market_status')} at the end`,
    )
}

function readRow(row: CsvRow, note: Note): Draft | Draft[] {
  const unused = unusedRow(row)
  if (unused !== null) return { kind: 'passed-over', what: unused }
  if (isPlace(row)) {
    if (row[HELD] === '')
      return { kind: 'passed-over', what: 'runners of place markets, without a win market' }
    requireClosed(row)
    return { kind: 'passed-over', what: 'runners of place markets, which are read with the win market' }
  }
  meetingOf(row)
  // Also of a race of another source: prices of a market that ends too early would stand for those of the off.
  requireClosed(row)
  if (row[HELD] === 'other') return readOddsOnly(row, note)
  return row['runner_status'] === REMOVED ? readRemoved(row, note) : readStarter(row, note)
}

const hasWon = (row: CsvRow): boolean => row['runner_status'] === 'WINNER'
const wasPlaced = (row: CsvRow): boolean => row[PLACE_RESULT] === 'WINNER'
const numberOf = (row: CsvRow): number => integer(row, RUNNER_NO)!

/**
 * The lines of the place pool: where more were placed than there are places, nobody tells who shared the last one. More winners
 * than places share them all.
 */
function placeLines(raceId: string, placed: readonly CsvRow[]): DividendDraft[] {
  const places = Math.max(0, ...placed.map((row) => integer(row, PLACES) ?? 0))
  const winners = placed.filter(hasWon).length
  const isShared = places > 0 && placed.length > places
  return placed.map((row) => {
    const share = isShared && (!hasWon(row) || winners > places) ? null : 1
    return exchangeLine(raceId, 2, numberOf(row), { price: knownPrice(row, PLACE_BSP), share })
  })
}

/**
 * A race with what its starting prices paid. There are no lines of a place pool that is told of some of its starters only: others
 * may have been placed too.
 */
function completeRace(
  race: RaceDraft,
  rows: readonly CsvRow[],
  note: NoteOfRow,
): { race: RaceDraft; dividends: DividendDraft[] } {
  const starters = [...new Map(rows.map((row) => [row['runner'], row])).values()].filter(
    (row) => row['runner_status'] !== REMOVED,
  )
  const winners = starters.filter(hasWon)
  const untold = starters.filter((row) => (row[PLACE_RESULT] ?? '') === '')
  const isPartly = untold.length > 0 && untold.length < starters.length
  if (isPartly)
    note(
      rows.indexOf(untold[0]!),
      'place-results-missing',
      `${race.id}: its place market lacks ${untold.length} starters`,
    )
  const win = winners.map((row) =>
    exchangeLine(race.id, 1, numberOf(row), { price: knownPrice(row, 'bsp'), share: 1 / winners.length }),
  )
  const place = untold.length > 0 ? [] : placeLines(race.id, starters.filter(wasPlaced))
  const runners = race.runners.map((runner) => ({
    ...runner,
    deadHeat: runner.place === 1 && winners.length > 1,
  }))
  return { race: { ...race, runners }, dividends: [...win, ...place] }
}

/**
 * Betfair's history of its exchange as a stream, a market a file: odds over time of races in Great Britain, Ireland and Australia,
 * with who won and who was placed. The order behind the winner is not in it, and never guessed. Races that are stored by another
 * source get their odds over time, and keep everything else.
 */
export const BETFAIR_STREAM_FORMAT: ImportFormat = {
  name: 'betfair-stream',
  encoding: 'utf8',
  region: GREAT_BRITAIN,
  lacks: allBut('race name', 'post time', 'class', 'distance', 'saddle number', 'odds'),
  tolerated: [],
  completes: true,
  peopleIn: 'en',
  stadiums: [...COURSES.filter(({ id }) => regionOfStadium(id) !== FRANCE), ...TRACKS],
  kinds: [
    {
      name: 'markets',
      order: 2,
      columns: [...MARKET_COLUMNS],
      isOneRace: true,
      hasAllOdds: true,
      together: readMarkets,
      read: readRow,
      raceOf: (row) => raceOf(row).id,
      complete: completeRace,
    },
  ],
  warning:
    'markets say who won and who was placed, and not in which order: only win and place bets are settled, at Betfair’s starting prices before commission. British and Irish races are numbered by their times, and their horses, which have no saddle numbers there, by their names; races that another source has stored keep its numbers.',
}
