import type { GameplayClass } from '../../../domain/gameplay.ts'
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
import { exchangeLine, selectionOf, startingPrice } from '../reading/exchange-prices.ts'
import { allBut } from '../reading/facts.ts'
import {
  nullOnRowError,
  RowError,
  type Draft,
  type FileKind,
  type ImportFormat,
  type Note,
  type NoteOfRow,
} from '../reading/format.ts'
import { classOf } from './australian-race.ts'
import { stadiumOf, TRACKS } from './betfair-tracks.ts'

/**
 * All times are those of the east coast, whatever their column is called: by them the last races of Perth start at a quarter to
 * seven in June, two hours after sunset there, and the first ones of New Zealand before nine in the morning.
 */
const CLOCKS = 'Australia/Sydney'

const NEW_ZEALAND = 'NZ'
const HORSE = 'SELECTION_ID'

/** Throws `unknown-venue`. */
function raceOf(row: CsvRow): ReturnType<typeof raceKey> {
  const track = required(row, 'TRACK')
  const stadiumId = stadiumOf(track)
  if (stadiumId === undefined) throw new RowError('unknown-venue', `${required(row, 'STATE_CODE')}: ${track}`)
  return raceKey(stadiumId, isoDay(row, 'LOCAL_MEETING_DATE'), integer(row, 'RACE_NO'))
}

const RESULTS = ['WINNER', 'LOSER'] as const

/** Whether a horse was placed; `null` where the file does not say it. Throws `unknown-word`. */
const wasPlaced = (row: CsvRow): boolean | null =>
  line(row, 'PLACE_RESULT') === null ? null : oneOf(row, 'PLACE_RESULT', RESULTS) === 'WINNER'

function readRunner(row: CsvRow, note: Note): Draft {
  if (line(row, 'STATE_CODE') === NEW_ZEALAND)
    return { kind: 'passed-over', what: 'runners of New Zealand, which is no region here' }
  const key = raceOf(row)
  const name = required(row, 'SELECTION_NAME')
  const horseNo = integer(row, 'TAB_NUMBER', 1, 99)
  if (horseNo === null) throw new RowError('no-saddle-number', name)
  const hasWon = oneOf(row, 'WIN_RESULT', RESULTS) === 'WINNER'
  const { words, whole } = lenientCells(row, note)
  const price = (column: string): number | null => lenient(note, () => startingPrice(row, column))
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
      brand: selectionOf(row, HORSE),
      horse: { ...NO_NAMES, en: name },
      horseNo,
      // Whoever did not win started, and has a place that nobody tells.
      status: 'finished',
      place: hasWon ? 1 : null,
      winOdds: price('WIN_BSP'),
    },
  }
}

/** Prices that cannot be read were noted with their row. */
const knownPrice = (row: CsvRow, column: string): number | null =>
  nullOnRowError(() => startingPrice(row, column))

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
  const horses = (of: readonly CsvRow[]): number => new Set(of.map((row) => selectionOf(row, HORSE))).size
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
    const price = knownPrice(row, `${market}_BSP`)
    const line = exchangeLine(race.id, gameplayClass, integer(row, 'TAB_NUMBER')!, { price })
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
  lacks: allBut('post time', 'class', 'distance', 'saddle number', 'odds'),
  tolerated: [],
  stadiums: TRACKS,
  kinds: [RUNNERS],
  warning:
    'these files say who won and who was placed, and not in which order: only win and place bets are settled, at Betfair’s starting prices before commission.',
}
