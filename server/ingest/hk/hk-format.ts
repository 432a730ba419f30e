import { parseCents } from '../../../domain/money.ts'
import { OLDEST } from '../../../domain/reading/read-sex.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import { NO_NAMES, UNKNOWN_RACE, UNKNOWN_RUNNER, type PersonDraft } from '../../drafts/drafts.ts'
import {
  calendarDay,
  decimal,
  integer,
  isoDay,
  lenient,
  lenientCells,
  raceTimeMs,
  required,
  text,
  wordIn,
} from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import {
  courseOf,
  dividendOf,
  finishOf,
  goingOn,
  raceKeyOf,
  STADIUMS,
  titleCase,
  venueOf,
  wordOf,
} from './hk-cells.ts'
import { CHINESE, COLOURS, formClass, IMPORT_TYPES, ORIGINS, SEXES, SHORT_GOINGS } from './words.ts'

/** The columns that identify a race in every one of these files. */
const RACE = { venue: 'venue', date: 'date' }

/** `通勝 (S246)` → name and brand; the brand is the horse's id. */
function horseOf(row: CsvRow): { name: string; brand: string } {
  const cell = required(row, 'horse_name')
  const match = /^(.+?) \(([A-Z]{1,2}\d{3})\)$/.exec(cell)
  if (!match) throw new RowError('horse-without-brand', cell)
  return { name: match[1]!, brand: match[2]! }
}

function readRunner(row: CsvRow, note: Note): Draft {
  const key = raceKeyOf(CHINESE, row, RACE)
  const horse = horseOf(row)
  const finish = finishOf(CHINESE, text(row, 'place'), text(row, 'win_odds') !== null)
  const horseNo = integer(row, 'horse_no', 1, 99)
  if (horseNo === null && finish.status !== 'withdrawn') throw new RowError('no-saddle-number', horse.brand)
  const cells = lenientCells(row, note)
  const { track, course } = lenient(note, () => courseOf(CHINESE, text(row, 'course'))) ?? UNKNOWN_RACE
  const going = lenient(note, () => wordOf(CHINESE.goings, text(row, 'going'), 'unknown-going'))
  const raceClass = lenient(note, () => wordOf(CHINESE.raceClasses, text(row, 'race_class'), 'unknown-class'))
  const jockey = personOf(cells.words('jockey'))
  const trainer = personOf(cells.words('trainer'))
  const prize = cells.decimal('prize_hkd', 0)
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
      going: goingOn(track, going),
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
  raceOf: (row) => raceKeyOf(CHINESE, row, RACE).id,
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
  const stadiumId = venueOf(CHINESE, racecourse)
  const raceIndex = integer(row, 'race_index')
  if (raceIndex === null) throw new RowError('missing-field', 'race_index')
  const { words, whole, odds } = lenientCells(row, note)
  const going = wordIn(SHORT_GOINGS, words('going') ?? '') ?? null
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
      going: goingOn(awt ? 'awt' : 'turf', going),
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
  const rating = decimal(row, '最後評分', 0, 999)
  return {
    kind: 'horse',
    horse: {
      ...NO_NAMES,
      brand,
      hant: required(row, 'name').replace(/ \(.*$/, ''),
      status: text(row, 'status'),
      origin: wordIn(ORIGINS, origin ?? '') ?? origin,
      sex: wordIn(SEXES, sex ?? '') ?? null,
      ...readAge(row, note),
      colour: wordIn(COLOURS, colour ?? '') ?? null,
      importType: wordIn(IMPORT_TYPES, text(row, '進口類別') ?? '') ?? null,
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

const readDividend = (row: CsvRow): Draft => ({
  kind: 'dividend',
  dividend: dividendOf(CHINESE, {
    raceId: raceKeyOf(CHINESE, row, RACE).id,
    pool: required(row, 'pool'),
    written: text(row, 'combination') ?? '',
    separator: ',',
    amount: required(row, 'dividend_hkd'),
  }),
})

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
  lacks: ['post time', 'sections'],
  tolerated: ['dividend-contradicts-places'],
  peopleIn: 'hant',
  stadiums: STADIUMS,
  kinds: [HORSES, HORSE_NAMES, personNames('jockey'), personNames('trainer'), RESULTS, FORM, DIVIDENDS],
}
