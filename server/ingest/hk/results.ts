import { makeRaceId } from '../../../domain/race-id.ts'
import { decimal, integer, isoDay, lenient, odds, raceTimeMs, required, text } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { NO_NAMES, type RaceDraft, type RunnerDraft } from '../../drafts/drafts.ts'
import { RowError, type Draft, type FileKind, type Note } from '../reading/format.ts'
import { GOINGS, RACE_CLASSES, VENUES } from './words.ts'

const WITHDRAWN = new Set(['WV', 'WV-A', 'WX', 'WX-A', 'WXNR'])
const UNFINISHED = new Set(['PU', 'UR', 'FE', 'DNF', 'TNP', 'DISQ'])

/** The stadium, day and number that identify a race in every Hong Kong file. */
export function raceKeyOf(row: CsvRow): { id: string; stadiumId: string; date: string; raceNo: number } {
  const venue = required(row, 'venue')
  const stadiumId = VENUES[venue]
  if (stadiumId === undefined) throw new RowError('unknown-venue', venue)
  const date = isoDay(row, 'date')
  const raceNo = integer(row, 'race_no')
  if (raceNo === null || raceNo < 1 || raceNo > 99) throw new RowError('bad-race-number', String(raceNo))
  return { id: makeRaceId({ stadium: stadiumId, date, raceNo }), stadiumId, date, raceNo }
}

/** `通勝 (S246)` → name and brand; the brand is the horse's id. */
function horseOf(row: CsvRow): { name: string; brand: string } {
  const cell = required(row, 'horse_name')
  const match = /^(.+?) \(([A-Z]{1,2}\d{3})\)$/.exec(cell)
  if (!match) throw new RowError('horse-without-brand', cell)
  return { name: match[1]!, brand: match[2]! }
}

function courseOf(cell: string | null): Pick<RaceDraft, 'track' | 'course'> {
  if (cell === null) return { track: null, course: null }
  if (cell === '全天候跑道') return { track: 'awt', course: null }
  const match = /^草地 - "(.+)" 賽道$/.exec(cell)
  if (!match) throw new RowError('unknown-course', cell)
  return { track: 'turf', course: match[1]! }
}

function finishOf(row: CsvRow): Pick<RunnerDraft, 'status' | 'place' | 'placeCode' | 'deadHeat'> {
  const cell = text(row, 'place')
  const match = /^(\d{1,2})( 平頭馬)?$/.exec(cell ?? '')
  if (match) {
    return { status: 'finished', place: Number(match[1]), placeCode: null, deadHeat: match[2] !== undefined }
  }
  const none = { place: null, placeCode: cell, deadHeat: false }
  if (cell !== null && WITHDRAWN.has(cell)) return { status: 'withdrawn', ...none }
  if (cell !== null && UNFINISHED.has(cell)) return { status: 'unfinished', ...none }
  if (cell !== null) throw new RowError('unknown-place-code', cell)
  return { status: text(row, 'win_odds') === null ? 'withdrawn' : 'unfinished', ...none }
}

/** Our word for one in the file, `null` for a blank. Throws `RowError` of `kind` for an unknown word. */
function wordOf(words: Readonly<Record<string, string>>, cell: string | null, kind: string): string | null {
  if (cell === null) return null
  if (!Object.hasOwn(words, cell)) throw new RowError(kind, cell)
  return words[cell]!
}

function readRunner(row: CsvRow, note: Note): Draft {
  const key = raceKeyOf(row)
  const horse = horseOf(row)
  const finish = finishOf(row)
  const horseNo = integer(row, 'horse_no', 1, 99)
  if (horseNo === null && finish.status !== 'withdrawn') throw new RowError('no-saddle-number', horse.brand)
  const whole = (column: string, from: number, to: number): number | null =>
    lenient(note, () => integer(row, column, from, to))
  const { track, course } = lenient(note, () => courseOf(text(row, 'course'))) ?? {
    track: null,
    course: null,
  }
  const going = lenient(note, () => wordOf(GOINGS, text(row, 'going'), 'unknown-going'))
  const raceClass = lenient(note, () => wordOf(RACE_CLASSES, text(row, 'race_class'), 'unknown-class'))
  const words = (column: string): string | null => lenient(note, () => text(row, column))
  const jockey = words('jockey')
  const trainer = words('trainer')
  const prize = lenient(note, () => decimal(row, 'prize_hkd'))
  return {
    kind: 'runner',
    race: {
      ...key,
      name: { ...NO_NAMES, hant: words('race_name') },
      startsAt: null,
      raceClass,
      track,
      course,
      distanceM: whole('distance_m', 1, 10_000),
      going: going === 'firm' && track === 'awt' ? 'awt_fast' : going,
      weather: null,
      ratingRange: words('rating_range'),
      prizeCents: prize === null ? null : Math.round(prize * 100),
      winningTimeMs: lastSplitMs(words('race_finish_time')),
      status: 'final',
    },
    runner: {
      brand: horse.brand,
      horse: { ...NO_NAMES, hant: horse.name },
      horseNo,
      entryNo: null,
      jockey: jockey === null ? null : { ...NO_NAMES, name: jockey, hant: jockey },
      trainer: trainer === null ? null : { ...NO_NAMES, name: trainer, hant: trainer },
      draw: whole('draw', 1, 99),
      actualWeightLb: whole('actual_wt_lbs', 0, 9999),
      declaredWeightLb: whole('declared_wt_lbs', 0, 9999),
      rating: null,
      gear: null,
      ...finish,
      margin: words('lbw'),
      runningPosition: words('running_position'),
      finishTimeMs: lenient(note, () => raceTimeMs(text(row, 'finish_time'))),
      winOdds: lenient(note, () => odds(row, 'win_odds')),
    },
  }
}

/** A race's time is the last of its cumulative splits, `(13.79) (35.93) (1:23.30)`. */
function lastSplitMs(cell: string | null): number | null {
  const splits = cell?.match(/\(([^)]+)\)/g) ?? []
  return raceTimeMs(splits.at(-1)?.slice(1, -1) ?? null)
}

export const HK_RESULTS: FileKind = {
  name: 'results',
  order: 2,
  columns: [
    'date',
    'venue',
    'race_no',
    'race_class',
    'course',
    'place',
    'horse_no',
    'horse_name',
    'win_odds',
  ],
  read: readRunner,
  raceOf: (row) => raceKeyOf(row).id,
}
