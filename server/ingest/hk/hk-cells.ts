import {
  combinationText,
  DOUBLE,
  doubleText,
  gameplayOf,
  type GameplayClass,
} from '../../../domain/gameplay.ts'
import { QUARTERS } from '../../../domain/margin.ts'
import { parseDividendCents } from '../../../domain/money.ts'
import type { DividendDraft, RaceDraft, RunnerDraft, StadiumDraft } from '../../drafts/drafts.ts'
import { integer, isoDay, raceKey, required, saddleNumbers } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError } from '../reading/format.ts'
import type { HkWords } from './words.ts'

/** Cells of Hong Kong files in either language: each reader takes the words of the language. */

export const STADIUMS: readonly StadiumDraft[] = [
  { id: 'HKSHT', en: 'Sha Tin', hant: '沙田', hans: '沙田' },
  { id: 'HKHAV', en: 'Happy Valley', hant: '跑馬地', hans: '跑马地' },
  { id: 'HKCON', en: 'Conghua', hant: '從化', hans: '从化' },
]

const WITHDRAWN = new Set(['WV', 'WV-A', 'WX', 'WX-A', 'WXNR'])
const UNFINISHED = new Set(['PU', 'UR', 'FE', 'DNF', 'TNP', 'DISQ'])

/** Throws `unknown-venue`. */
export function venueOf({ venues }: HkWords, venue: string): string {
  const stadiumId = Object.hasOwn(venues, venue) ? venues[venue] : undefined
  if (stadiumId === undefined) throw new RowError('unknown-venue', venue)
  return stadiumId
}

/** The stadium, day and number that identify a race in every Hong Kong file. */
export const raceKeyOf = (
  words: HkWords,
  row: CsvRow,
  { venue, date }: { venue: string; date: string },
): ReturnType<typeof raceKey> =>
  raceKey(venueOf(words, required(row, venue)), isoDay(row, date), integer(row, 'race_no'))

/** Throws `unknown-course`. */
export function courseOf(
  { allWeather, turfCourse }: HkWords,
  cell: string | null,
): Pick<RaceDraft, 'track' | 'course'> {
  if (cell === null) return { track: null, course: null }
  if (cell === allWeather) return { track: 'awt', course: null }
  const match = turfCourse.exec(cell)
  if (!match) throw new RowError('unknown-course', cell)
  return { track: 'turf', course: match[1]! }
}

/** How a runner finished. `ran`: whether it did, where no place or code is given. Throws `unknown-place-code`. */
export function finishOf(
  { place }: HkWords,
  cell: string | null,
  ran: boolean,
): Pick<RunnerDraft, 'status' | 'place' | 'placeCode' | 'deadHeat'> {
  const match = place.exec(cell ?? '')
  if (match) {
    return { status: 'finished', place: Number(match[1]), placeCode: null, deadHeat: match[2] !== undefined }
  }
  const none = { place: null, placeCode: cell, deadHeat: false }
  if (cell !== null && WITHDRAWN.has(cell)) return { status: 'withdrawn', ...none }
  if (cell !== null && UNFINISHED.has(cell)) return { status: 'unfinished', ...none }
  if (cell !== null) throw new RowError('unknown-place-code', cell)
  return { status: ran ? 'unfinished' : 'withdrawn', ...none }
}

/** Our word for one in the file, `null` for a blank. Throws `RowError` of `kind` for an unknown word. */
export function wordOf(
  words: Readonly<Record<string, string>>,
  cell: string | null,
  kind: string,
): string | null {
  if (cell === null) return null
  if (!Object.hasOwn(words, cell)) throw new RowError(kind, cell)
  return words[cell]!
}

/** Firm turf and a fast all-weather track have one word. */
export const goingOn = (track: RaceDraft['track'], going: string | null): string | null =>
  going === 'firm' && track === 'awt' ? 'awt_fast' : going

/** The day that a spreadsheet counts as 0, in milliseconds, and the year of whose century `1-3/4` is a date. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
const CENTURY = 2000

/**
 * A margin that Excel took for a date, month first, and saved as the number of its day: `1-1/2` is 1 January 2002, `5-3/4`
 * 3 May 2004, and `1/2` 2 January of whatever year it was then. `null` if no margin becomes that day.
 *
 * ```ts
 * marginOfDay(38110) // => '5-3/4'
 * marginOfDay(42737) // => '1/2'
 * ```
 */
export function marginOfDay(day: number): string | null {
  const at = new Date(DAY_ZERO + day * DAY_MS)
  if (Number.isNaN(at.getTime())) return null
  const month = at.getUTCMonth() + 1
  const part = `${at.getUTCDate()}/${at.getUTCFullYear() - CENTURY}`
  if (QUARTERS.includes(part)) return `${month}-${part}`
  const alone = `${month}/${at.getUTCDate()}`
  return QUARTERS.includes(alone) ? alone : null
}

/** Names are printed in capitals; screens show `Burst Away`. */
export function titleCase(name: string | null): string | null {
  return (
    name
      ?.toLowerCase()
      .replace(
        /(^|[\s\-(])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      ) ?? null
  )
}

/** A published line: the saddle numbers of `written` have `separator` between them, `amount` may be in words. */
interface WrittenLine {
  raceId: string
  pool: string
  written: string
  separator: string
  amount: string
}

/** A dividend as it is published. Throws `bad-combination`, `bad-dividend`. */
export function dividendOf(
  words: HkWords,
  { raceId, pool, written, separator, amount }: WrittenLine,
): DividendDraft {
  const gameplayClass = words.pools[pool] ?? null
  const isDouble = words.double.test(pool)
  const line = {
    raceId,
    pool: isDouble ? DOUBLE.key : gameplayClass === null ? pool : gameplayOf(gameplayClass).key,
    gameplayClass: isDouble ? DOUBLE.class : gameplayClass,
    combination: written,
  }
  const unpaid = (status: 'refund' | 'unknown'): DividendDraft => ({ ...line, status, dividendCents: null })
  if (amount === words.refund && written === '') return unpaid('refund')
  if (gameplayClass !== null || isDouble) {
    const combination =
      gameplayClass === null ? doubleText(written) : horsesOf(gameplayClass, written.split(separator))
    if (combination === null) throw new RowError('bad-combination', `${pool}: ${written}`)
    line.combination = combination
  }
  if (amount === words.refund) return unpaid('refund')
  if (words.noFigure.has(amount)) return unpaid('unknown')
  try {
    return { ...line, status: 'paid', dividendCents: parseDividendCents(amount) }
  } catch {
    throw new RowError('bad-dividend', `${pool}: ${amount}`)
  }
}

/** A combination of the horses that a pool's dividend names; `null` if there are too few, too many or none. */
function horsesOf(gameplayClass: GameplayClass, written: readonly string[]): string | null {
  const horses = saddleNumbers(written)
  return horses?.length === gameplayOf(gameplayClass).size ? combinationText(gameplayClass, horses) : null
}
