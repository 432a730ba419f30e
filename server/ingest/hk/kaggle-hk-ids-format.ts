import { printedLengths } from '../../../domain/margin.ts'
import { OLDEST, readSex } from '../../../domain/reading/read-sex.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type Names,
  type PersonDraft,
  type RaceDraft,
  type SectionDraft,
} from '../../drafts/drafts.ts'
import { dayIn, integer, lenient, lenientCells, raceKey, required, text } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import { courseOf, dividendOf, finishOf, goingOn, STADIUMS, venueOf, wordOf } from './hk-cells.ts'
import { ENGLISH } from './words.ts'

/** Copies that went through a spreadsheet have `02/06/1997`, the second of June. */
const ORDER = 'dmy'
const DAY = { order: ORDER, timeZone: HONG_KONG.timeZone } as const

const raceOf = (row: CsvRow): ReturnType<typeof raceKey> =>
  raceKey(venueOf(ENGLISH, required(row, 'venue')), dayIn(row, 'date', DAY), integer(row, 'race_no'))

/** Throws `missing-field`. */
function idOf(row: CsvRow, column: string): number {
  const id = integer(row, column, 0)
  if (id === null) throw new RowError('missing-field', column)
  return id
}

/** The publisher left out all names: what is shown is the publisher's number. */
const numbered = (en: string, hant: string, id: number): Names => ({
  ...NO_NAMES,
  en: `${en} ${id}`,
  hant: `${hant}${id}`,
})

function personOf(id: number | null, en: string, hant: string): PersonDraft | null {
  if (id === null) return null
  const names = numbered(en, hant, id)
  return { ...names, name: names.en! }
}

const MS_PER_SECOND = 1000
const MOST_SECONDS = 3600
const MOST_LENGTHS = 99
const SECTIONS = [1, 2, 3, 4, 5, 6]

/** Cells of a run in the units of a draft: times are seconds here, and margins lengths. */
function runCells(row: CsvRow, note: Note) {
  const cells = lenientCells(row, note)
  return {
    ...cells,
    milliseconds: (column: string): number | null => {
      const seconds = cells.decimal(column, 0, MOST_SECONDS)
      // Nobody runs in no time: a zero stands for an unknown one.
      return seconds === null || seconds <= 0 ? null : Math.round(seconds * MS_PER_SECOND)
    },
    margin: (column: string): string | null => {
      const lengths = cells.decimal(column)
      if (lengths === null || lengths > MOST_LENGTHS || lengths <= 0) return null
      return printedLengths(lengths) ?? String(lengths)
    },
  }
}

type RunCells = ReturnType<typeof runCells>

const sectionsOf = ({ whole, margin, milliseconds }: RunCells): SectionDraft[] =>
  SECTIONS.map((sectionNo) => ({
    sectionNo,
    position: whole(`position_sec${sectionNo}`, 1, 99),
    margin: margin(`behind_sec${sectionNo}`),
    timeMs: milliseconds(`time${sectionNo}`),
  })).filter(({ position, timeMs }) => position !== null || timeMs !== null)

function readRun(row: CsvRow, note: Note): Draft[] {
  const key = raceOf(row)
  const horseId = idOf(row, 'horse_id')
  const horseNo = integer(row, 'horse_no', 1, 99)
  const place = integer(row, 'result', 1, 99)
  const cells = runCells(row, note)
  const { words, whole, odds, by } = cells
  const age = whole('horse_age', 1, OLDEST)
  const winOdds = odds('win_odds')
  const finish = finishOf(ENGLISH, place === null ? null : String(place), winOdds !== null)
  if (horseNo === null && finish.status !== 'withdrawn')
    throw new RowError('no-saddle-number', String(horseId))
  const finishTimeMs = cells.milliseconds('finish_time')
  const sections = sectionsOf(cells)
  const calls = sections.flatMap(({ position }) => position ?? [])
  const run: Draft = {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      winningTimeMs: place === 1 ? finishTimeMs : null,
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: String(horseId),
      horse: numbered('Horse', '馬匹', horseId),
      horseNo,
      jockey: personOf(whole('jockey_id'), 'Jockey', '騎師'),
      trainer: personOf(whole('trainer_id'), 'Trainer', '練馬師'),
      draw: whole('draw', 1, 99),
      actualWeightLb: whole('actual_weight'),
      declaredWeightLb: whole('declared_weight'),
      rating: whole('horse_rating'),
      gear: words('horse_gear'),
      age,
      sex: by('horse_type', (cell) => readSex(cell, age)),
      ...finish,
      margin: place === 1 ? null : cells.margin('lengths_behind'),
      runningPosition: calls.length === 0 ? null : calls.join(' '),
      finishTimeMs,
      winOdds,
    },
  }
  if (sections.length === 0 || horseNo === null || finish.status === 'withdrawn') return [run]
  const runner = { raceId: key.id, horseNo, brand: String(horseId), finishTimeMs, sections }
  return [run, { kind: 'sections', runner }]
}

const ALL_WEATHER = '1'
const TURF = '0'

/** Turf has a rail; the all-weather track has none, whatever the file says. Throws `unknown-course`. */
function groundOf(row: CsvRow): Pick<RaceDraft, 'track' | 'course'> {
  const surface = text(row, 'surface')
  if (surface === null || surface === ALL_WEATHER)
    return courseOf(ENGLISH, surface === null ? null : ENGLISH.allWeather)
  if (surface !== TURF) throw new RowError('unknown-course', `surface: ${surface}`)
  return { track: 'turf', course: text(row, 'config') }
}

/** Rating range of a race for horses without a rating, and of group races. */
const UNRATED = 'G'

/**
 * Classes 1 to 5. The unrated races of class 6 are griffin races: first on their day, short, and of the lowest prizes. Those of
 * 0 and of 11 to 13 have the highest, without a word of which grade they are, and stay unknown. Throws `unknown-class`.
 */
function classOf(row: CsvRow): string | null {
  const raceClass = text(row, 'race_class')
  if (raceClass === '6' && text(row, 'horse_ratings') === UNRATED) return ENGLISH.raceClasses['Griffin']!
  return wordOf(ENGLISH.raceClasses, raceClass, 'unknown-class')
}

/** Where the file has each dividend, by its pool. */
const LINES = [
  ...[1, 2].map((line) => ({ pool: 'WIN', column: 'win', line })),
  ...[1, 2, 3, 4].map((line) => ({ pool: 'PLACE', column: 'place', line })),
]

/** Dividends are HK$ for 10, in the order of the horses beside them. */
const dividendsOf = (row: CsvRow, raceId: string, note: Note): Draft[] =>
  LINES.flatMap(({ pool, column, line }) => {
    const written = text(row, `${column}_combination${line}`)
    const amount = text(row, `${column}_dividend${line}`)
    if (written === null && amount === null) return []
    const dividend = lenient(note, () =>
      dividendOf(ENGLISH, { raceId, pool, written: written ?? '', separator: '-', amount: amount ?? '' }),
    )
    return dividend === null ? [] : [{ kind: 'dividend', dividend }]
  })

function readRace(row: CsvRow, note: Note): Draft[] {
  const key = raceOf(row)
  const { words, whole, decimal } = lenientCells(row, note)
  const { track, course } = lenient(note, () => groundOf(row)) ?? UNKNOWN_RACE
  const going = lenient(note, () => wordOf(ENGLISH.goings, text(row, 'going'), 'unknown-going'))
  const ratings = words('horse_ratings')
  const prize = decimal('prize')
  const facts: Draft = {
    kind: 'race-facts',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      raceClass: lenient(note, () => classOf(row)),
      track,
      course,
      distanceM: whole('distance', 1, 10_000),
      going: goingOn(track, going),
      ratingRange: ratings === UNRATED ? null : ratings,
      prizeCents: prize === null ? null : Math.round(prize * 100),
      status: 'final',
    },
  }
  return [facts, ...dividendsOf(row, key.id, note)]
}

const RACES: FileKind = {
  name: 'races',
  order: 3,
  columns: [
    'race_id',
    'date',
    'venue',
    'race_no',
    'config',
    'surface',
    'distance',
    'going',
    'horse_ratings',
    'race_class',
    'place_combination1',
    'place_dividend1',
    'win_combination1',
    'win_dividend1',
  ],
  read: readRace,
}

const RUNS: FileKind = {
  name: 'runs',
  order: 2,
  columns: [
    'race_id',
    'horse_no',
    'horse_id',
    'result',
    'lengths_behind',
    'horse_rating',
    'declared_weight',
    'actual_weight',
    'draw',
    'finish_time',
    'win_odds',
    'trainer_id',
    'jockey_id',
  ],
  joins: { kind: RACES.name, by: ['race_id'], days: { column: 'date', order: ORDER } },
  joinsFacts: true,
  read: readRun,
  raceOf: (row) => raceOf(row).id,
}

/**
 * Kaggle's “Horse Racing in HK”, 1997 to 2005: races with win and place dividends, and runs with numbers in place of names.
 * Its own format beside `kaggle-hk`, because nothing of it can be compared with other sources: whoever imports it is told that
 * its days and names are none.
 */
export const KAGGLE_HK_IDS_FORMAT: ImportFormat = {
  name: 'kaggle-hk-ids',
  encoding: 'utf8',
  region: HONG_KONG,
  lacks: ['race name', 'post time', 'dividends'],
  tolerated: ['dividend-contradicts-places'],
  completes: true,
  peopleIn: 'en',
  warning:
    'the publisher of these files moved all days, so that no race was run on its day, and left out all names: horses, jockeys and trainers have numbers. They are good for history and models, and are no record of these days.',
  stadiums: STADIUMS,
  kinds: [RUNS, RACES],
}
