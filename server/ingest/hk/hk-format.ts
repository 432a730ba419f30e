import {
  combinationText,
  DOUBLE,
  doubleText,
  gameplayOf,
  type GameplayClass,
} from '../../../domain/gameplay.ts'
import { parseCents, parseDividendCents } from '../../../domain/money.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type PersonDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import {
  calendarDay,
  decimal,
  integer,
  isoDay,
  lenient,
  lenientCells,
  raceKey,
  raceTimeMs,
  required,
  saddleNumbers,
  text,
} from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import {
  COLOURS,
  formClass,
  GOINGS,
  IMPORT_TYPES,
  ORIGINS,
  POOLS,
  RACE_CLASSES,
  SEXES,
  SHORT_GOINGS,
  VENUES,
} from './words.ts'

const WITHDRAWN = new Set(['WV', 'WV-A', 'WX', 'WX-A', 'WXNR'])
const UNFINISHED = new Set(['PU', 'UR', 'FE', 'DNF', 'TNP', 'DISQ'])

/** The stadium, day and number that identify a race in every Hong Kong file. */
const raceKeyOf = (row: CsvRow): ReturnType<typeof raceKey> =>
  raceKey(venueOf(required(row, 'venue')), isoDay(row, 'date'), integer(row, 'race_no'))

function venueOf(venue: string): string {
  const stadiumId = VENUES[venue]
  if (stadiumId === undefined) throw new RowError('unknown-venue', venue)
  return stadiumId
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
  const cells = lenientCells(row, note)
  const { track, course } = lenient(note, () => courseOf(text(row, 'course'))) ?? UNKNOWN_RACE
  const going = lenient(note, () => wordOf(GOINGS, text(row, 'going'), 'unknown-going'))
  const raceClass = lenient(note, () => wordOf(RACE_CLASSES, text(row, 'race_class'), 'unknown-class'))
  const jockey = personOf(cells.words('jockey'))
  const trainer = personOf(cells.words('trainer'))
  const prize = cells.decimal('prize_hkd')
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      name: { ...NO_NAMES, hant: cells.words('race_name') },
      raceClass,
      track,
      course,
      distanceM: cells.whole('distance_m', 1, 10_000),
      going: going === 'firm' && track === 'awt' ? 'awt_fast' : going,
      ratingRange: cells.words('rating_range'),
      prizeCents: prize === null ? null : Math.round(prize * 100),
      winningTimeMs: lastSplitMs(cells.words('race_finish_time')),
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: horse.brand,
      horse: { ...NO_NAMES, hant: horse.name },
      horseNo,
      jockey,
      trainer,
      draw: cells.whole('draw', 1, 99),
      actualWeightLb: cells.whole('actual_wt_lbs'),
      declaredWeightLb: cells.whole('declared_wt_lbs'),
      ...finish,
      margin: cells.words('lbw'),
      runningPosition: cells.words('running_position'),
      finishTimeMs: cells.time('finish_time'),
      winOdds: cells.odds('win_odds'),
    },
  }
}

const personOf = (name: string | null): PersonDraft | null =>
  name === null ? null : { ...NO_NAMES, name, hant: name }

/** A race's time is the last of its cumulative splits, `(13.79) (35.93) (1:23.30)`. */
function lastSplitMs(cell: string | null): number | null {
  const splits = cell?.match(/\(([^)]+)\)/g) ?? []
  return raceTimeMs(splits.at(-1)?.slice(1, -1) ?? null)
}

const RESULTS: FileKind = {
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

/** Most rows have `01/01/2019`, the others `01/07/25`. */
function formDay(cell: string): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4})$/.exec(cell)
  if (!match) throw new RowError('bad-date', cell)
  const year = Number(match[3])
  return calendarDay(year < 100 ? 2000 + year : year, Number(match[2]), Number(match[1]))
}

function readForm(row: CsvRow, note: Note): Draft {
  const racecourse = required(row, 'racecourse')
  const awt = racecourse.endsWith('全天候')
  const stadiumId = venueOf(racecourse)
  const raceIndex = integer(row, 'race_index')
  if (raceIndex === null) throw new RowError('missing-field', 'race_index')
  const { words, whole, odds } = lenientCells(row, note)
  const going = SHORT_GOINGS[words('going') ?? ''] ?? null
  return {
    kind: 'form',
    form: {
      brand: required(row, 'horse_no'),
      date: formDay(required(row, 'date')),
      raceIndex,
      stadiumId,
      placeCode: required(row, 'place'),
      track: awt ? 'awt' : 'turf',
      course: words('course'),
      distanceM: whole('distance_m'),
      going: awt && going === 'firm' ? 'awt_fast' : going,
      raceClass: formClass(words('race_class')),
      draw: whole('draw'),
      rating: whole('rating'),
      trainer: words('trainer'),
      jockey: words('jockey'),
      margin: words('lbw'),
      winOdds: odds('win_odds'),
      actualWeightLb: whole('actual_wt_lbs'),
      declaredWeightLb: whole('declared_wt_lbs'),
      runningPosition: words('running_position'),
      finishTimeMs: raceTimeMs(words('finish_time')),
      gear: words('gear'),
    },
  }
}

const FORM: FileKind = {
  name: 'form',
  order: 3,
  columns: ['horse_no', 'race_index', 'place', 'date', 'racecourse', 'rating', 'gear'],
  read: readForm,
}

/** The site uses different layouts for retired and active horses; the file has the columns of both. */
function readHorse(row: CsvRow, note: Note): Draft {
  const brand = required(row, 'horse_no')
  const [colour, sex] = (text(row, '毛色___性別') ?? '').split(' / ')
  const origin = text(row, '出生地') ?? text(row, '出生地___馬齡')?.split(' / ')[0] ?? null
  const rating = decimal(row, '最後評分')
  return {
    kind: 'horse',
    horse: {
      ...NO_NAMES,
      brand,
      hant: required(row, 'name').replace(/ \(.*$/, ''),
      status: text(row, 'status'),
      origin: ORIGINS[origin ?? ''] ?? origin,
      sex: SEXES[sex ?? ''] ?? null,
      ...readAge(row, note),
      colour: COLOURS[colour ?? ''] ?? null,
      importType: IMPORT_TYPES[text(row, '進口類別') ?? ''] ?? null,
      owner: text(row, '馬主'),
      sire: text(row, '父系'),
      dam: text(row, '母系'),
      damSire: text(row, '外祖父'),
      seasonPrizeCents: prizeCents(text(row, '今季獎金*')),
      totalPrizeCents: prizeCents(text(row, '總獎金*') ?? text(row, '總獎金')),
      lastRating: rating === null ? null : Math.round(rating),
    },
  }
}

const OLDEST = 30

/** The layout of active horses prints country and age, `澳洲 / 5`, on the day of the profile. */
function readAge(row: CsvRow, note: Note): { age: number | null; ageOn: string | null } {
  const age = Number(/\/ (\d{1,2})$/.exec(text(row, '出生地___馬齡') ?? '')?.[1] ?? 0)
  const isKnown = age >= 1 && age <= OLDEST && text(row, 'profile_last_scraped') !== null
  const ageOn = isKnown ? lenient(note, () => isoDay(row, 'profile_last_scraped')) : null
  return { age: ageOn === null ? null : age, ageOn }
}

function prizeCents(cell: string | null): number | null {
  if (cell === null) return null
  try {
    return parseCents(cell.replace(/^\$/, ''))
  } catch {
    throw new RowError('bad-prize', cell)
  }
}

const readHorseName = (row: CsvRow): Draft => ({
  kind: 'horse-name',
  brand: required(row, 'brand'),
  names: { ...NO_NAMES, hant: required(row, 'name_zh'), en: titleCase(text(row, 'name_en')) },
})

/** Names are printed in capitals; screens show `Burst Away`. */
function titleCase(name: string | null): string | null {
  return (
    name
      ?.toLowerCase()
      .replace(
        /(^|[\s\-(])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      ) ?? null
  )
}

const HORSES: FileKind = {
  name: 'horses',
  order: 0,
  columns: ['horse_no', 'name', 'status', '毛色___性別', '進口類別', '父系', '母系', '外祖父'],
  read: readHorse,
}

const HORSE_NAMES: FileKind = {
  name: 'horse names',
  order: 1,
  columns: ['brand', 'name_zh', 'name_en', 'first_run', 'last_run'],
  read: readHorseName,
}

/** Both lists have the same columns, so the file name tells them apart. */
const personNames = (kind: 'jockey' | 'trainer'): FileKind => ({
  name: `${kind} names`,
  order: 1,
  columns: ['name_zh', 'name_en', 'rows_agreeing', 'rows_total'],
  fileName: new RegExp(kind),
  read: (row) => {
    const name = required(row, 'name_zh')
    return { kind, person: { ...NO_NAMES, name, hant: name, en: text(row, 'name_en') } }
  },
})

/** Published without a figure: not won, or "see details". */
const NO_FIGURE = new Set(['未能勝出', '詳情'])

/** The doubles of a meeting are numbered: 第一口孖寶, the first double, is on its first two races. */
const NUMBERED_DOUBLE = /^第.{1,2}口孖寶$/

function readDividend(row: CsvRow): Draft {
  const { id: raceId } = raceKeyOf(row)
  const pool = required(row, 'pool')
  const cell = required(row, 'dividend_hkd')
  const written = text(row, 'combination') ?? ''
  const gameplayClass = POOLS[pool] ?? null
  const isDouble = NUMBERED_DOUBLE.test(pool)
  const line = {
    raceId,
    pool: isDouble ? DOUBLE.key : gameplayClass === null ? pool : gameplayOf(gameplayClass).key,
    gameplayClass: isDouble ? DOUBLE.class : gameplayClass,
    combination: written,
  }
  const unpaid = (status: 'refund' | 'unknown'): Draft => ({
    kind: 'dividend',
    dividend: { ...line, status, dividendCents: null },
  })
  if (cell === '退款' && written === '') return unpaid('refund')
  if (gameplayClass !== null || isDouble) {
    const combination = gameplayClass === null ? doubleText(written) : horsesOf(gameplayClass, written)
    if (combination === null) throw new RowError('bad-combination', `${pool}: ${written}`)
    line.combination = combination
  }
  if (cell === '退款') return unpaid('refund')
  if (NO_FIGURE.has(cell)) return unpaid('unknown')
  try {
    return {
      kind: 'dividend',
      dividend: { ...line, status: 'paid', dividendCents: parseDividendCents(cell) },
    }
  } catch {
    throw new RowError('bad-dividend', `${pool}: ${cell}`)
  }
}

/** A combination of the horses that a pool's dividend names; `null` if there are too few, too many or none. */
function horsesOf(gameplayClass: GameplayClass, written: string): string | null {
  const horses = saddleNumbers(written.split(','))
  return horses?.length === gameplayOf(gameplayClass).size ? combinationText(gameplayClass, horses) : null
}

const DIVIDENDS: FileKind = {
  name: 'dividends',
  order: 4,
  columns: ['date', 'venue', 'race_no', 'pool', 'combination', 'dividend_hkd'],
  read: readDividend,
}

/** The scraped files of Hong Kong racing: Traditional Chinese, UTF-8, one row per runner. */
export const HK_FORMAT: ImportFormat = {
  name: 'hk',
  encoding: 'utf8',
  region: HONG_KONG,
  tolerated: ['dividend-contradicts-places'],
  stadiums: [
    { id: 'HKSHT', en: 'Sha Tin', hant: '沙田', hans: '沙田' },
    { id: 'HKHAV', en: 'Happy Valley', hant: '跑馬地', hans: '跑马地' },
    { id: 'HKCON', en: 'Conghua', hant: '從化', hans: '从化' },
  ],
  kinds: [HORSES, HORSE_NAMES, personNames('jockey'), personNames('trainer'), RESULTS, FORM, DIVIDENDS],
}
