import { isMissing } from '../../../domain/reading/clean-text.ts'
import { printedLengths } from '../../../domain/margin.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import { NO_NAMES, UNKNOWN_RACE, UNKNOWN_RUNNER, personNamed, type RaceDraft } from '../../drafts/drafts.ts'
import { dayIn, integer, lenient, lenientCells, raceKey, required, text, wordIn } from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import { courseOf, finishOf, goingOn, marginOfDay, STADIUMS, titleCase, venueOf, wordOf } from './hk-cells.ts'
import { ENGLISH, ENGLISH_MARGINS } from './words.ts'

/** Copies that went through Excel have `9/14/14`. */
const ORDER = 'mdy'
const DAY = { order: ORDER, timeZone: HONG_KONG.timeZone } as const

const raceOf = (row: CsvRow): ReturnType<typeof raceKey> =>
  raceKey(
    venueOf(ENGLISH, required(row, 'race_course')),
    dayIn(row, 'race_date', DAY),
    integer(row, 'race_number'),
  )

/** A cell; `null` for what pandas and R write for a blank. */
const known = (cell: string | null): string | null => (cell === null || isMissing(cell) ? null : cell)

const MOST_LENGTHS = 99

/**
 * The margin as it is printed. Excel made numbers of most of them, `38110` of `5-3/4` and `0.5` of `+1/2`; a number that was
 * no margin is noted and unknown.
 */
function marginOf(row: CsvRow, note: Note): string | null {
  const cell = known(lenientCells(row, note).words('length_behind_winner'))
  if (cell === null || !/^\d+(?:\.\d+)?$/.test(cell)) return cell && (wordIn(ENGLISH_MARGINS, cell) ?? cell)
  const number = Number(cell)
  const margin = number > MOST_LENGTHS ? marginOfDay(number) : printedLengths(number)
  if (margin === null && number !== 0) note('not-a-margin', `length_behind_winner: ${cell}`)
  return margin
}

const CALLS = [1, 2, 3, 4, 5, 6].map((call) => `running_position_${call}`)

function readRunner(row: CsvRow, note: Note): Draft {
  const key = raceOf(row)
  const brand = required(row, 'horse_id')
  const { words, whole, time, odds } = lenientCells(row, note)
  const winOdds = odds('win_odds')
  const finish = finishOf(ENGLISH, known(text(row, 'finishing_position')), winOdds !== null)
  const horseNo = integer(row, 'horse_number', 1, 99)
  if (horseNo === null && finish.status !== 'withdrawn') throw new RowError('no-saddle-number', brand)
  const calls = CALLS.flatMap((column) => whole(column, 1, 99) ?? [])
  const finishTimeMs = time('finish_time')
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      winningTimeMs: finish.place === 1 ? finishTimeMs : null,
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand,
      horse: { ...NO_NAMES, en: titleCase(known(words('horse_name'))) },
      horseNo,
      jockey: personNamed(known(words('jockey'))),
      trainer: personNamed(known(words('trainer'))),
      draw: whole('draw', 1, 99),
      actualWeightLb: whole('actual_weight'),
      declaredWeightLb: whole('declared_horse_weight'),
      ...finish,
      margin: finish.place === 1 ? null : marginOf(row, note),
      runningPosition: calls.length === 0 ? null : calls.join(' '),
      finishTimeMs,
      winOdds,
    },
  }
}

function readRace(row: CsvRow, note: Note): Draft {
  const { words, whole } = lenientCells(row, note)
  const ground: Pick<RaceDraft, 'track' | 'course'> =
    lenient(note, () => courseOf(ENGLISH, text(row, 'track'))) ?? UNKNOWN_RACE
  const going = lenient(note, () => wordOf(ENGLISH.goings, text(row, 'track_condition'), 'unknown-going'))
  return {
    kind: 'race-facts',
    race: {
      ...UNKNOWN_RACE,
      ...raceOf(row),
      name: { ...NO_NAMES, en: titleCase(known(words('race_name'))) },
      raceClass: lenient(note, () => wordOf(ENGLISH.raceClasses, text(row, 'race_class'), 'unknown-class')),
      track: ground.track,
      course: ground.course,
      distanceM: whole('race_distance', 1, 10_000),
      going: goingOn(ground.track, going),
      status: 'final',
    },
  }
}

const RACES: FileKind = {
  name: 'races',
  order: 3,
  columns: [
    'race_date',
    'race_course',
    'race_number',
    'race_id',
    'race_class',
    'race_distance',
    'track_condition',
    'race_name',
    'track',
  ],
  read: readRace,
}

const RESULTS: FileKind = {
  name: 'horse results',
  order: 2,
  columns: [
    'race_id',
    'finishing_position',
    'horse_number',
    'horse_name',
    'horse_id',
    'jockey',
    'trainer',
    'actual_weight',
    'declared_horse_weight',
    'draw',
    'length_behind_winner',
    'running_position_1',
    'finish_time',
    'win_odds',
  ],
  joins: { kind: RACES.name, by: ['race_id'], days: { column: 'race_date', order: ORDER } },
  joinsFacts: true,
  read: readRunner,
  raceOf: (row) => raceOf(row).id,
}

/**
 * Kaggle's “Hong Kong horse racing results 2014–17 seasons”: a file of races and one of their runners, joined by a race id
 * that counts within a season, with or without the marks that Excel left. It has no dividends.
 */
export const KAGGLE_HK_FORMAT: ImportFormat = {
  name: 'kaggle-hk',
  encoding: 'utf8',
  region: HONG_KONG,
  lacks: ['post time', 'rating', 'gear', 'sections', 'dividends'],
  tolerated: [],
  completes: true,
  peopleIn: 'en',
  stadiums: STADIUMS,
  kinds: [RESULTS, RACES],
}
