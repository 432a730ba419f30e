import { JUMP_COURSES } from '../../../contract/jump-courses.ts'
import { combinationText, gameplayOf } from '../../../domain/gameplay.ts'
import { parseDividendCents } from '../../../domain/money.ts'
import { readSexAndAge } from '../../../domain/reading/read-sex.ts'
import { JAPAN } from '../../../domain/region.ts'
import { NO_NAMES, UNKNOWN_RACE, UNKNOWN_RUNNER, personNamed, type RaceDraft } from '../../drafts/drafts.ts'
import {
  clockTime,
  dayIn,
  integer,
  lenient,
  lenientCells,
  required,
  saddleNumbers,
  wordIn,
  type raceKey,
} from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import {
  bodyWeight,
  classOf,
  completeRace,
  finishOf,
  isJump,
  isOfJra,
  nameIn,
  plain,
  poundsOf,
  prizeOf,
  publishedId,
  raceOfId,
} from './netkeiba-cells.ts'
import { BRACKET_POOLS, goingOf, POOLS, RACECOURSES, SURFACES, WEATHERS } from './netkeiba-words.ts'

/** Kilograms that a horse can carry. */
const MOST_CARRIED = 200
const DAY = { order: 'ymd', timeZone: JAPAN.timeZone } as const

/** Local racing, whose race ids are made otherwise. */
const LOCAL = 'races of local racing'

/** The columns of one of the two headers; `null` where it has none. */
interface Columns {
  date: string
  place: string
  horseNo: string
  horseId: string
  horse: string
  sexAndAge: string
  weight: string
  jockey: string
  time: string
  margin: string
  calls: string | null
  odds: string
  bodyWeight: string
  trainer: string
  owner: string | null
  prize: string | null
  surface: string
  distance: string
  going: string
  weather: string
  startTime: string | null
  raceName: string | null
  /** Has the class in its words. */
  raceClass: string
}

const ENGLISH: Columns = {
  date: 'race_date',
  place: 'finish_pos',
  horseNo: 'umaban',
  horseId: 'horse_id',
  horse: 'horse_name',
  sexAndAge: 'sex_age',
  weight: 'kinryo',
  jockey: 'jockey_name',
  time: 'time',
  margin: 'margin',
  calls: 'passing_order',
  odds: 'odds_final',
  bodyWeight: 'weight',
  trainer: 'trainer_name',
  owner: 'owner_name',
  prize: 'prize',
  surface: 'surface',
  distance: 'distance_m',
  going: 'going',
  weather: 'weather',
  startTime: 'start_time',
  raceName: 'race_name',
  raceClass: 'race_name',
}

const JAPANESE: Columns = {
  date: 'date',
  place: '着順',
  horseNo: '馬番',
  horseId: 'horse_id',
  horse: '馬名',
  sexAndAge: '性齢',
  weight: '斤量',
  jockey: '騎手',
  time: 'タイム',
  margin: '着差',
  calls: '通過',
  odds: '単勝',
  bodyWeight: '馬体重',
  trainer: '調教師',
  owner: null,
  prize: null,
  surface: 'race_type',
  distance: 'course_len',
  going: 'ground_state',
  weather: 'weather',
  startTime: null,
  raceName: null,
  raceClass: 'class',
}

const raceOf = (row: CsvRow, { date }: Columns): ReturnType<typeof raceKey> =>
  raceOfId(publishedId(row), dayIn(row, date, DAY))

/** Our word for a cell's, which is noted as `kind` if there is none. */
function wordOf<Word>(
  note: Note,
  kind: string,
  cell: string | null,
  find: (cell: string) => Word | undefined,
): Word | null {
  if (cell === null) return null
  const word = find(cell)
  if (word === undefined) note(kind, cell)
  return word ?? null
}

type Ground = Pick<RaceDraft, 'track' | 'course' | 'distanceM' | 'going' | 'weather' | 'raceClass'>

function groundOf(row: CsvRow, columns: Columns, note: Note): Ground {
  const { whole } = lenientCells(row, note)
  const words = (column: string): string | null => lenient(note, () => plain(row, column))
  const surface = words(columns.surface)
  const track = wordOf(note, 'unknown-course', surface, (word) => wordIn(SURFACES, word))
  const written = words(columns.raceClass) ?? ''
  const name = surface?.startsWith('障') === true && !isJump(written) ? `障害${written}` : written
  const isOverJumps = isJump(name)
  return {
    track,
    distanceM: whole(columns.distance, 1, 10_000),
    // The same word is another going on dirt.
    going:
      track === null && !isOverJumps
        ? null
        : wordOf(note, 'unknown-going', words(columns.going), (word) => goingOf(track, word)),
    weather: wordOf(note, 'unknown-weather', words(columns.weather), (word) => wordIn(WEATHERS, word)),
    course: isOverJumps ? JUMP_COURSES[1] : null,
    raceClass: classOf(name),
  }
}

/** Positions at the calls, `10-9`, as ours: `10 9`. Throws `bad-position`. */
function callsOf(row: CsvRow, { calls }: Columns): string | null {
  const cell = calls === null ? null : plain(row, calls)
  if (cell === null) return null
  if (!/^\d{1,2}(?:-\d{1,2})*$/.test(cell)) throw new RowError('bad-position', `${calls}: ${cell}`)
  return cell.replaceAll('-', ' ')
}

function readRunner(row: CsvRow, columns: Columns, note: Note): Draft {
  if (!isOfJra(publishedId(row))) return { kind: 'passed-over', what: LOCAL }
  const key = raceOf(row, columns)
  const horse = plain(row, columns.horse)
  if (horse === null) throw new RowError('missing-field', columns.horse)
  const { isDemoted: _demoted, ...finish } = finishOf(row, columns.place)
  const horseNo = integer(row, columns.horseNo, 1, 99)
  if (horseNo === null && finish.status !== 'withdrawn') throw new RowError('no-saddle-number', horse)
  const { decimal, odds, time, by } = lenientCells(row, note)
  const sexAndAge = by(columns.sexAndAge, readSexAndAge)
  const person = (column: string) => personNamed(lenient(note, () => nameIn(row, column)))
  // They are read again with the whole race.
  lenient(note, () => plain(row, columns.margin))
  if (columns.prize !== null) lenient(note, () => prizeOf(row, columns.prize!))
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      ...groundOf(row, columns, note),
      name: {
        ...NO_NAMES,
        hant: columns.raceName === null ? null : lenient(note, () => plain(row, columns.raceName!)),
      },
      startsAt:
        columns.startTime === null
          ? null
          : lenient(note, () => clockTime(row, columns.startTime!, key.date, JAPAN.timeZone)),
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: plain(row, columns.horseId) ?? horse,
      // It has no other name, and readers of any language know it by this rather than by netkeiba's number.
      horse: { ...NO_NAMES, en: horse, hant: horse },
      horseNo,
      jockey: person(columns.jockey),
      trainer: person(columns.trainer),
      // Horses enter the stalls in the order of their numbers.
      draw: horseNo,
      actualWeightLb: poundsOf(decimal(columns.weight, 1, MOST_CARRIED)),
      age: sexAndAge?.age ?? null,
      sex: sexAndAge?.sex ?? null,
      owner: columns.owner === null ? null : lenient(note, () => plain(row, columns.owner!)),
      declaredWeightLb: poundsOf(lenient(note, () => bodyWeight(row, columns.bodyWeight))),
      ...finish,
      runningPosition: lenient(note, () => callsOf(row, columns)),
      finishTimeMs: time(columns.time),
      winOdds: odds(columns.odds),
    },
  }
}

const resultsIn = (name: string, columns: Columns, needed: readonly (keyof Columns)[]): FileKind => ({
  name,
  order: 2,
  columns: needed.flatMap((column) => columns[column] ?? []),
  read: (row, note) => readRunner(row, columns, note),
  raceOf: (row) => raceOf(row, columns).id,
  complete: (race, rows, note) => completeRace(race, rows, columns, note),
})

const NEEDED = [
  'date',
  'place',
  'horseNo',
  'horse',
  'weight',
  'jockey',
  'time',
  'margin',
  'odds',
  'bodyWeight',
  'trainer',
] as const

const RESULTS = resultsIn('results', ENGLISH, [
  ...NEEDED,
  'horseId',
  'surface',
  'distance',
  'going',
  'raceName',
])

const JAPANESE_RESULTS = resultsIn('Japanese results', JAPANESE, NEEDED)

/** Payouts are yen for 100, stake included; an arrow divides horses in order, a hyphen others. */
function readPayout(row: CsvRow): Draft {
  const id = publishedId(row)
  if (!isOfJra(id)) return { kind: 'passed-over', what: LOCAL }
  const { id: raceId } = raceOf(row, ENGLISH)
  const pool = plain(row, 'bet_type')
  if (pool === null) throw new RowError('missing-field', 'bet_type')
  if (BRACKET_POOLS.has(pool)) return { kind: 'passed-over', what: `lines of ${pool} (bets on brackets)` }
  const gameplayClass = wordIn(POOLS, pool)
  if (gameplayClass === undefined) throw new RowError('unknown-pool', pool)
  const written = required(row, 'combination')
  const horses = saddleNumbers(written.split(/→|-|－/))
  const { key, size } = gameplayOf(gameplayClass)
  if (horses?.length !== size) throw new RowError('bad-combination', `${pool}: ${written}`)
  const combination = combinationText(gameplayClass, horses)
  return {
    kind: 'dividend',
    dividend: { raceId, pool: key, gameplayClass, combination, status: 'paid', dividendCents: payoutOf(row) },
  }
}

/** Throws `bad-dividend`. */
function payoutOf(row: CsvRow): number {
  const cell = plain(row, 'payout')?.replace(/円$/, '') ?? ''
  try {
    return parseDividendCents(`${cell}/$100`)
  } catch {
    throw new RowError('bad-dividend', `payout: ${cell}`)
  }
}

const PAYOUTS: FileKind = {
  name: 'payouts',
  order: 4,
  columns: ['race_id', 'bet_type', 'combination', 'payout'],
  // They lack the day.
  joins: {
    kind: RESULTS.name,
    by: ['race_id'],
    isWholeAlone: true,
  },
  read: readPayout,
}

/**
 * Results and payouts of the JRA as people save netkeiba's pages: with the English header of scrapers, or with that of the pages,
 * by pandas, in UTF-8 or in Windows' Japanese encoding.
 */
export const NETKEIBA_FORMAT: ImportFormat = {
  name: 'netkeiba',
  encoding: 'utf8',
  otherwise: 'shift_jis',
  region: JAPAN,
  lacks: ['rating', 'gear', 'sections'],
  // A horse may be disqualified after the pools have paid.
  tolerated: ['dividend-contradicts-places'],
  stadiums: Object.values(RACECOURSES),
  kinds: [RESULTS, JAPANESE_RESULTS, PAYOUTS],
}
