import { gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { STAKE_CENTS } from '../../../domain/money.ts'
import { AUSTRALIA } from '../../../domain/region.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type DividendDraft,
  type RaceDraft,
} from '../../drafts/drafts.ts'
import {
  clockTime,
  decimal,
  integer,
  isoDay,
  lenient,
  lenientCells,
  line,
  oneOf,
  raceKey,
  required,
} from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import {
  nullOnRowError,
  RowError,
  type Draft,
  type FileKind,
  type ImportFormat,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { stadiumOf, TRACKS } from './betfair-tracks.ts'

/**
 * All times are those of the east coast, whatever their column is called: by them the last races of Perth start at a quarter to
 * seven in June, two hours after sunset there, and the first ones of New Zealand before nine in the morning.
 */
const CLOCKS = 'Australia/Sydney'

const NEW_ZEALAND = 'NZ'

/** Throws `unknown-venue`. */
function raceOf(row: CsvRow): ReturnType<typeof raceKey> {
  const track = required(row, 'TRACK')
  const stadiumId = stadiumOf(track)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `${required(row, 'STATE_CODE')}: ${track}`)
  return raceKey(stadiumId, isoDay(row, 'LOCAL_MEETING_DATE'), integer(row, 'RACE_NO'))
}

/** Kinds of races that are classes here; others keep Betfair's words. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^CL(\d)$/, 'C$1'],
  [/^Grp(\d)$/, 'G$1'],
]

const classOf = (kind: string | null): string | null =>
  kind === null ? null : CLASSES.reduce((word, [pattern, own]) => word.replace(pattern, own), kind)

/** What Betfair writes for a price that there was none of. */
const NO_PRICE = 1000

/** A starting price; `null` if there was none. Throws `odds-out-of-range`. */
function priceIn(row: CsvRow, column: string): number | null {
  const price = decimal(row, column)
  if (price === null || price >= NO_PRICE || price === 0) return null
  if (price <= 1) throw new RowError('odds-out-of-range', `${column}: ${price}`)
  return price
}

const RESULTS = ['WINNER', 'LOSER'] as const

/** Whether a horse was placed; `null` where the file does not say it. Throws `unknown-word`. */
const wasPlaced = (row: CsvRow): boolean | null =>
  line(row, 'PLACE_RESULT') === null ? null : oneOf(row, 'PLACE_RESULT', RESULTS) === 'WINNER'

const MOST_ID = 1e12

/** Betfair's number of a horse, which is above 0. Throws `missing-field`, `not-a-number`, `not-whole`, `out-of-range`. */
function horseIdOf(row: CsvRow): string {
  const id = integer(row, 'SELECTION_ID', 1, MOST_ID)
  if (id === null) throw new RowError('missing-field', 'SELECTION_ID')
  return String(id)
}

function readRunner(row: CsvRow, note: Note): Draft {
  if (line(row, 'STATE_CODE') === NEW_ZEALAND)
    return { kind: 'passed-over', what: 'runners of New Zealand, which is no region here' }
  const key = raceOf(row)
  const name = required(row, 'SELECTION_NAME')
  const horseNo = integer(row, 'TAB_NUMBER', 1, 99)
  if (horseNo === null) throw new RowError('no-saddle-number', name)
  const hasWon = oneOf(row, 'WIN_RESULT', RESULTS) === 'WINNER'
  const { words, whole } = lenientCells(row, note)
  const price = (column: string): number | null => lenient(note, () => priceIn(row, column))
  // They are read again with the whole race, which has no place to tell of them.
  wasPlaced(row)
  price('PLACE_BSP')
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      startsAt: lenient(note, () => clockTime(row, 'SCHEDULED_RACE_TIME', key.date, CLOCKS)),
      raceClass: classOf(words('RACE_TYPE')),
      distanceM: whole('DISTANCE', 1, 10_000),
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: horseIdOf(row),
      horse: { ...NO_NAMES, en: name },
      horseNo,
      // Whoever did not win started, and has a place that nobody tells.
      status: 'finished',
      place: hasWon ? 1 : null,
      winOdds: price('WIN_BSP'),
    },
  }
}

/** What a bet at a starting price is paid, before commission; without one it is unknown. */
function lineOf(
  raceId: string,
  gameplayClass: GameplayClass,
  horseNo: number,
  price: number | null,
): DividendDraft {
  const { key: pool } = gameplayOf(gameplayClass)
  const line = { raceId, pool, gameplayClass, combination: String(horseNo) }
  if (price === null) return { ...line, status: 'unknown', dividendCents: null }
  return { ...line, status: 'paid', dividendCents: Math.round(price * STAKE_CENTS) }
}

/** Prices that cannot be read were noted with their row. */
const knownPrice = (row: CsvRow, column: string): number | null => nullOnRowError(() => priceIn(row, column))

/** More horses are placed only if some share the last place. */
const MOST_PLACES = 3

/**
 * Lines as dead heats leave them: winners share the stake. Of more placed horses than there are places, those that share the last
 * one are paid less, and nobody tells which they are: what all but the winners were paid is unknown.
 */
function withDeadHeats(lines: readonly DividendDraft[]): DividendDraft[] {
  const winners = lines.flatMap((line) => (line.gameplayClass === 1 ? [line.combination] : []))
  const isShared = lines.length - winners.length > MOST_PLACES
  return lines.map((line) => {
    if (line.gameplayClass === 1 && line.dividendCents !== null)
      return { ...line, dividendCents: Math.round(line.dividendCents / winners.length) }
    if (line.gameplayClass === 1 || !isShared || winners.includes(line.combination)) return line
    return { ...line, status: 'unknown', dividendCents: null }
  })
}

/** Whether the rows tell of some of the horses whether they were placed, and not of the others, which may have been placed too. */
function isPartlyTold(rows: readonly CsvRow[]): boolean {
  const told = rows.filter((row) => wasPlaced(row) !== null)
  const horses = (of: readonly CsvRow[]): number => new Set(of.map(horseIdOf)).size
  return told.length > 0 && horses(told) < horses(rows)
}

/**
 * The lines of a race, from every row of it: where Betfair had several place markets, a horse has several rows, of which one may
 * have the result. There are none of a place pool that is told in part, whose bets are then not judged.
 */
function completeRace(
  race: RaceDraft,
  rows: readonly CsvRow[],
  note: NoteOfRow,
): { race: RaceDraft; dividends: DividendDraft[] } {
  const lines = new Map<string, DividendDraft>()
  const hasPlaces = !isPartlyTold(rows)
  if (!hasPlaces) {
    const index = rows.findIndex((row) => wasPlaced(row) === null)
    note(index, 'place-results-missing', `${race.id}: PLACE_RESULT is blank for some of its horses`)
  }
  const add = (row: CsvRow, gameplayClass: GameplayClass, market: string): void => {
    const line = lineOf(race.id, gameplayClass, integer(row, 'TAB_NUMBER')!, knownPrice(row, `${market}_BSP`))
    const key = `${line.pool} ${line.combination}`
    if (lines.get(key)?.status !== 'paid') lines.set(key, line)
  }
  for (const row of rows) {
    if (oneOf(row, 'WIN_RESULT', RESULTS) === 'WINNER') add(row, 1, 'WIN')
    if (hasPlaces && wasPlaced(row) === true) add(row, 2, 'PLACE')
  }
  const winners = race.runners.filter(({ place }) => place === 1).length
  const runners = race.runners.map((runner) => ({
    ...runner,
    deadHeat: runner.place === 1 && winners > 1,
  }))
  return { race: { ...race, runners }, dividends: withDeadHeats([...lines.values()]) }
}

const RUNNERS: FileKind = {
  name: 'results',
  order: 2,
  columns: [
    'LOCAL_MEETING_DATE',
    'SCHEDULED_RACE_TIME',
    'TRACK',
    'STATE_CODE',
    'RACE_NO',
    'RACE_TYPE',
    'DISTANCE',
    'SELECTION_ID',
    'TAB_NUMBER',
    'SELECTION_NAME',
    'WIN_RESULT',
    'WIN_BSP',
    'PLACE_RESULT',
    'PLACE_BSP',
  ],
  read: readRunner,
  raceOf: (row) => raceOf(row).id,
  repeatsRunners: true,
  complete: completeRace,
}

/**
 * Betfair's months of Australian and New Zealand thoroughbreds: who won and who was placed, with prices of its exchange. The order
 * behind the winner is not in them, and never guessed.
 */
export const BETFAIR_ANZ_FORMAT: ImportFormat = {
  name: 'betfair-anz',
  encoding: 'utf8',
  region: AUSTRALIA,
  tolerated: [],
  stadiums: TRACKS,
  kinds: [RUNNERS],
  warning:
    'these files say who won and who was placed, and not in which order: only win and place bets are settled, at Betfair’s starting prices before commission.',
}
