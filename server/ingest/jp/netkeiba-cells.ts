import { lengthsOf, printedLengths } from '../../../domain/margin.ts'
import { cleanText } from '../../../domain/reading/clean-text.ts'
import type { RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import { decimal, line, raceKey, wordIn } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { nullOnRowError, RowError, type NoteOfRow } from '../reading/format.ts'
import { FAR, MARGIN_WORDS, RACECOURSES } from './netkeiba-words.ts'

/** Cells of netkeiba's pages, as they stand in files of either header. */

/** The text of a cell in its plain form: full-width digits and letters as half-width ones, half-width kana as full-width ones. */
export function plain(row: CsvRow, column: string): string | null {
  const cell = line(row, column)
  return cell === null ? null : cleanText(cell)
}

/** Year, racecourse, meeting of the year, day of the meeting and race, each of two digits but the year. */
const RACE_ID = /^\d{4}(\d{2})\d{4}(\d{2})(?:\.0)?$/

interface PublishedId {
  racecourse: string
  raceNo: number
}

/** The parts of netkeiba's race id. pandas leaves the column without a name. Throws `missing-field`, `bad-race-id`. */
export function publishedId(row: CsvRow): PublishedId {
  const cell = plain(row, 'race_id' in row ? 'race_id' : '')
  if (cell === null) throw new RowError('missing-field', 'race_id')
  const [, racecourse, raceNo] = RACE_ID.exec(cell) ?? []
  if (racecourse === undefined)
    throw new RowError(
      'bad-race-id',
      `${cell} (write it like 202605021211: year, racecourse, meeting, day, race)`,
    )
  return { racecourse, raceNo: Number(raceNo) }
}

/** Whether a race is one of the JRA, and not of local racing. */
export const isOfJra = ({ racecourse }: PublishedId): boolean => Object.hasOwn(RACECOURSES, racecourse)

/** Throws `unknown-venue` for a race of local racing. */
export function raceOfId({ racecourse, raceNo }: PublishedId, date: string): ReturnType<typeof raceKey> {
  if (!Object.hasOwn(RACECOURSES, racecourse)) throw new RowError('unknown-venue', racecourse)
  return raceKey(RACECOURSES[racecourse]!.id, date, raceNo)
}

const PLACE = /^(0?[1-9]|[1-9]\d)(?:\.0)?(?: ?\((?:降|再)\))?$/

/** Whoever started without a place, and whoever did not start, as the product shows them. */
const CODES: Readonly<Record<string, Pick<RunnerDraft, 'status' | 'placeCode'>>> = {
  中: { status: 'unfinished', placeCode: 'DNF' },
  失: { status: 'unfinished', placeCode: 'DISQ' },
  取: { status: 'withdrawn', placeCode: 'WX' },
  除: { status: 'withdrawn', placeCode: 'WX' },
}

/** Whole words that files have in place of their first character. */
const WHOLE_CODES: Readonly<Record<string, string>> = { 中止: '中', 失格: '失', 取消: '取', 除外: '除' }

/**
 * How a runner finished: `3`, `4(降)` for one that was demoted to its place, 中 did not finish, 失 disqualified, 取 withdrawn
 * and 除 scratched. Throws `missing-field`, `unknown-place-code`.
 */
export function finishOf(
  row: CsvRow,
  column: string,
): Pick<RunnerDraft, 'status' | 'place' | 'placeCode' | 'deadHeat'> & { isDemoted: boolean } {
  const cell = plain(row, column)
  if (cell === null) throw new RowError('missing-field', column)
  const [, place] = PLACE.exec(cell) ?? []
  if (place !== undefined)
    return {
      status: 'finished',
      place: Number(place),
      placeCode: null,
      deadHeat: false,
      isDemoted: cell.includes('降'),
    }
  const code = wordIn(CODES, wordIn(WHOLE_CODES, cell) ?? cell)
  if (code === undefined) throw new RowError('unknown-place-code', cell)
  return { ...code, place: null, deadHeat: false, isDemoted: false }
}

const KILOGRAMS_PER_POUND = 0.453_592_37

/**
 * Kilograms as whole pounds. Nothing is lost of half kilograms: each has another pound, and half of them back from the pound is
 * the same.
 */
export const poundsOf = (kilograms: number | null): number | null =>
  kilograms === null ? null : Math.round(kilograms / KILOGRAMS_PER_POUND)

/** What is printed if a horse was not weighed. */
const NOT_WEIGHED = '計不'

/** Kilograms of `448(+14)`, without the change. Throws `not-a-weight`. */
export function bodyWeight(row: CsvRow, column: string): number | null {
  const cell = plain(row, column)
  if (cell === null || cell === NOT_WEIGHED) return null
  const [, kilograms] = /^(\d{3})(?:\.0)?(?: ?\([^)]*\))?$/.exec(cell) ?? []
  if (kilograms === undefined)
    throw new RowError('not-a-weight', `${column}: ${cell} (write it like 448(+14))`)
  return Number(kilograms)
}

/** A name without the marks of allowances and of the trainer's side: `[東]`, `▲`. */
export function nameIn(row: CsvRow, column: string): string | null {
  const cell = plain(row, column)
  return cell?.replace(/^(?:\[[^\]]*\]|[▲△☆★◇◎○])\s*/u, '') ?? null
}

const JUMP = /障害|ジャンプ|J(?:S|H)?\(|J・?G[I1-3]/

/** Whether a race is over jumps, which its name alone says. */
export const isJump = (name: string): boolean => JUMP.test(name)

const GRADE = /(J)?・?G(III|II|I|[123])(?![A-Z])/
const CONDITIONS = /新馬|未勝利|[123]勝|(?:500|900|1000|1600)万|オープン|\(OP\)|\(L\)/
const SHOWN: Readonly<Record<string, string>> = { '(OP)': 'オープン', '(L)': 'L' }

/**
 * The class of a race that its name says: `G1` to `G3`, `JG1` to `JG3` over jumps, and others in its words, those over jumps
 * with 障害; `null` if it says none.
 */
export function classOf(name: string): string | null {
  const [, jump = '', grade] = GRADE.exec(name) ?? []
  if (grade !== undefined) return `${jump}G${/\d/.test(grade) ? grade : grade.length}`
  const [word] = CONDITIONS.exec(name) ?? []
  if (word === undefined) return null
  const shown = SHOWN[word] ?? (word.endsWith('勝') ? `${word}クラス` : word)
  return isJump(name) ? `障害${shown}` : shown
}

interface Margin {
  shown: string
  lengths: number
}

const IN_LENGTHS = /^(?:[1-9]\d?|(?:[1-9]\d?\.)?(?:1\/[24]|3\/4))$/

/** A margin to the horse in front: `2`, `3/4`, `1.3/4`, クビ; `null` if it is none of certain length. */
export function marginOf(cell: string): Margin | null {
  const inWords = wordIn(MARGIN_WORDS, cell)
  if (inWords !== undefined) return inWords
  if (!IN_LENGTHS.test(cell)) return null
  const shown = cell.replace('.', '-')
  return { shown, lengths: lengthsOf(shown)! }
}

const HUNDREDTHS = 100
const inText = (lengths: number): string => {
  const rounded = Math.round(lengths * HUNDREDTHS) / HUNDREDTHS
  return printedLengths(rounded) ?? String(rounded)
}

/** How far a horse is behind the winner. */
interface Behind {
  /** `null`: not known. */
  lengths: number | null
  isFar: boolean
}

/** A runner with a place, in the order of the places. */
interface Placed {
  index: number
  /** Its margin to the horse in front. */
  cell: string | null
  /** Whether it did not finish where it is placed, so that no margin behind it is known. */
  isDemoted: boolean
}

function furtherBehind(before: Behind, { cell, isDemoted }: Placed, margin: Margin | null): Behind {
  if (before.isFar || before.lengths === null) return before
  if (isDemoted || margin === null) return { lengths: null, isFar: !isDemoted && cell === FAR.word }
  return { lengths: before.lengths + margin.lengths, isFar: false }
}

const shownOf = ({ lengths, isFar }: Behind): string | null =>
  isFar ? FAR.shown : lengths === null ? null : inText(lengths)

/**
 * The margin to the winner of each runner with a place: the sum of the margins to the horse in front, words by their usual
 * lengths. The second's is shown as it was published. `note` receives margins that could not be read.
 */
function marginsToWinner(placed: readonly Placed[], note: NoteOfRow): Map<number, string | null> {
  const margins = new Map<number, string | null>()
  let behind: Behind = { lengths: 0, isFar: false }
  for (const [order, runner] of placed.entries()) {
    const { index, cell, isDemoted } = runner
    const margin = cell === null ? null : marginOf(cell)
    if (cell !== null && cell !== FAR.word && margin === null) note(index, 'not-a-margin', cell)
    if (order > 0) behind = furtherBehind(behind, runner, margin)
    const isPublished = order === 1 && margin !== null && !isDemoted
    margins.set(index, order === 0 ? null : isPublished ? margin.shown : shownOf(behind))
  }
  return margins
}

const CENTS_OF_UNIT = 10_000 * 100
const MOST_PRIZE = 1e6

/** The prize of a runner in 10,000 yen; 0 for a blank. Throws `not-a-number`, `out-of-range`. */
export const prizeOf = (row: CsvRow, column: string): number => decimal(row, column, 0, MOST_PRIZE) ?? 0

/** The columns of a header that are read of a whole race. */
interface RaceColumns {
  place: string
  margin: string
  /** The prize of a runner, in 10,000 yen; `null` if the header has none. */
  prize: string | null
}

/** Cents of a race's prize; `null` if it has none, or if one of them cannot be read. */
function prizeCentsOf(rows: readonly CsvRow[], column: string | null): number | null {
  if (column === null) return null
  const prizes = rows.map((row) => nullOnRowError(() => prizeOf(row, column)))
  const sum = prizes.reduce<number>((total, prize) => total + (prize ?? 0), 0)
  return prizes.includes(null) || sum === 0 ? null : Math.round(sum * CENTS_OF_UNIT)
}

/** A race with what depends on all its rows: dead heats, margins to the winner, its time and prize. */
export function completeRace(
  race: RaceDraft,
  rows: readonly CsvRow[],
  { place: placeColumn, margin, prize }: RaceColumns,
  note: NoteOfRow,
): { race: RaceDraft } {
  const placed = race.runners
    .flatMap(({ place }, index) => (place === null ? [] : [{ place, index }]))
    .toSorted((a, b) => a.place - b.place)
    .map(({ index }) => ({
      index,
      // What is no text was noted with its row.
      cell: nullOnRowError(() => plain(rows[index]!, margin)),
      isDemoted: finishOf(rows[index]!, placeColumn).isDemoted,
    }))
  const margins = marginsToWinner(placed, note)
  const sharing = new Map<number, number>()
  for (const { place } of race.runners) if (place !== null) sharing.set(place, (sharing.get(place) ?? 0) + 1)
  const runners = race.runners.map((runner, index) => ({
    ...runner,
    deadHeat: runner.place !== null && sharing.get(runner.place)! > 1,
    margin: margins.get(index) ?? null,
  }))
  const winningTimeMs = runners.find(({ place }) => place === 1)?.finishTimeMs ?? null
  return { race: { ...race, runners, winningTimeMs, prizeCents: prizeCentsOf(rows, prize) } }
}
