import { GOINGS } from '../../../contract/goings.ts'
import {
  combinationText,
  DOUBLE,
  doubleText,
  type GameplayClass,
  gameplayOf,
} from '../../../domain/gameplay.ts'
import { nullOn } from '../../../domain/errors.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { parseCents } from '../../../domain/money.ts'
import { parseRaceId } from '../../../domain/race-id.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import { OLDEST, readSex } from '../../../domain/reading/read-sex.ts'
import { readSilks } from '../../../domain/silks.ts'
import {
  instant,
  integer,
  isoDay,
  lenient,
  lenientCells,
  odds,
  oneOf,
  raceKey,
  required,
  saddleNumbers,
  text,
} from '../reading/cells.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import {
  personNamed,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import { startsOnItsDay } from '../../drafts/race-field.ts'
import { RowError, type Draft, type ImportFormat, type Note, type NoteOfRow } from '../reading/format.ts'

/**
 * The race of a row in our own layout, described in `docs/data-format.md` with templates in
 * `docs/templates/`.
 */
function raceKeyOf(row: CsvRow): ReturnType<typeof raceKey> {
  const stadiumId = required(row, 'stadium')
  if (!/^[A-Z]{5}$/.test(stadiumId))
    throw new RowError('unknown-venue', `stadium: ${stadiumId} (write it like HKSHT)`)
  return raceKey(stadiumId, isoDay(row, 'date'), integer(row, 'race_no'))
}

function readRunner(row: CsvRow, note: Note): Draft {
  const key = raceKeyOf(row)
  const status = oneOf(row, 'status', ['declared', 'finished', 'unfinished', 'withdrawn'])
  const place = integer(row, 'place', 1, 99)
  const horseNo = integer(row, 'horse_no', 1, 99)
  if (status === 'finished' && place === null) throw new RowError('missing-field', 'place')
  if (status !== 'withdrawn' && horseNo === null)
    throw new RowError('no-saddle-number', required(row, 'brand'))
  const raceStatus = oneOf(row, 'race_status', ['scheduled', 'final', 'abandoned'])
  const contradicts =
    (place !== null && status !== 'finished') ||
    (raceStatus !== 'final' && (status === 'finished' || status === 'unfinished'))
  if (contradicts) throw new RowError('contradictory-status', `${raceStatus} race, ${status}, place ${place}`)
  if (raceStatus === 'final' && status === 'declared') throw new RowError('no-result', required(row, 'brand'))
  const word = <Word extends string>(column: string, words: readonly Word[]): Word | null =>
    lenient(note, () => (text(row, column) === null ? null : oneOf(row, column, words)))
  const { words, whole, time, flag, by } = lenientCells(row, note)
  const age = whole('age', 1, OLDEST)
  const namesOf = (prefix: string) => ({
    en: words(`${prefix}_en`),
    hant: words(`${prefix}_hant`),
    hans: words(`${prefix}_hans`),
  })
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      name: namesOf('race_name'),
      startsAt: lenient(note, () => postTimeOf(row, key)),
      raceClass: words('race_class'),
      track: word('track', ['turf', 'awt', 'dirt']),
      course: words('course'),
      distanceM: whole('distance_m', 1, 10_000),
      going: word('going', GOINGS),
      weather: words('weather'),
      status: raceStatus,
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: required(row, 'brand'),
      horse: namesOf('horse_name'),
      horseNo,
      entryNo: whole('entry_no', 1, 99),
      jockey: personNamed(words('jockey')),
      trainer: personNamed(words('trainer')),
      draw: whole('draw', 1, 99),
      actualWeightLb: whole('actual_weight_lb'),
      declaredWeightLb: whole('declared_weight_lb'),
      rating: whole('rating'),
      gear: words('gear'),
      age,
      sex: by('sex', (cell) => readSex(cell, age)),
      owner: words('owner'),
      silks: words('silks'),
      status,
      place: status === 'finished' ? place : null,
      deadHeat: flag('dead_heat') ?? false,
      margin: words('margin'),
      runningPosition: words('running_position'),
      finishTimeMs: time('finish_time'),
      winOdds: lenient(note, () => odds(row, 'win_odds')),
    },
  }
}

/** Throws `start-on-another-day` if the post time is not on the race's day. */
function postTimeOf(row: CsvRow, { stadiumId, date }: ReturnType<typeof raceKey>): string | null {
  const startsAt = instant(row, 'starts_at_utc')
  if (!startsOnItsDay({ stadiumId, date, startsAt }))
    throw new RowError('start-on-another-day', `starts_at_utc: ${row['starts_at_utc']}`)
  return startsAt
}

/**
 * Horses that share a place are in a dead heat, and an entry has the lowest saddle number of its horses, whatever their rows
 * say; `note` receives the rows that say something else.
 */
function completeRace(race: RaceDraft, rows: readonly CsvRow[], note: NoteOfRow): { race: RaceDraft } {
  const sharing = groupBy(race.runners, ({ place }) => place)
  const entries = groupBy(race.runners, ({ entryNo }) => entryNo)
  const runners = race.runners.map((runner, index): RunnerDraft => {
    const { horseNo, place, entryNo, silks } = runner
    const reading = silks === null ? null : readSilks(silks)
    if (reading?.kind === 'unknown')
      note(index, 'unknown-silks', `${race.id} ${horseNo}: ${reading.words.join('; ')}`)
    const others = place === null ? 0 : sharing.get(place)!.length - 1
    if (others > 0 !== runner.deadHeat && 'dead_heat' in rows[index]!)
      note(index, 'dead-heat-contradicts-places', `${race.id} ${horseNo}: ${others} others have its place`)
    const numbers = entryNo === null ? [] : entries.get(entryNo)!.flatMap((each) => each.horseNo ?? [])
    const isEntry = entryNo !== null && entryNo === Math.min(...numbers)
    if (entryNo !== null && !isEntry)
      note(
        index,
        'entry-contradicts-numbers',
        `${race.id} ${horseNo}: entry ${entryNo} of ${numbers.join(', ')}`,
      )
    return { ...runner, deadHeat: others > 0, entryNo: isEntry ? entryNo : null }
  })
  return { race: { ...race, runners } }
}

function readDividend(row: CsvRow): Draft {
  const { id: raceId } = raceKeyOf(row)
  const classId = integer(row, 'gameplay_class')
  if (classId === null || classId < 1 || classId > DOUBLE.class)
    throw new RowError('unknown-word', `gameplay_class: ${classId}`)
  const status = oneOf(row, 'status', ['paid', 'refund', 'unknown'])
  const wholePool = status === 'refund' && text(row, 'combination') === null
  const combination = wholePool ? '' : combinationOf(classId, required(row, 'combination'))
  let dividendCents: number | null = null
  if (status === 'paid') {
    dividendCents = paidCents(required(row, 'dividend'))
  } else if (text(row, 'dividend') !== null)
    throw new RowError('contradictory-status', `${status}, dividend ${row['dividend']}`)
  // A double is listed at its second race.
  if (classId === DOUBLE.class && parseRaceId(raceId).raceNo < 2)
    throw new RowError('bad-combination', `${combination}: the first race ends no double`)
  const dividend = {
    raceId,
    pool: poolOf(classId),
    gameplayClass: classId,
    combination,
    status,
    dividendCents,
  }
  return { kind: 'dividend', dividend }
}

function paidCents(cell: string): number {
  const cents = nullOn('bad-amount', () => parseCents(cell))
  if (cents === null || cents === 0)
    throw new RowError('bad-dividend', `dividend: ${cell} (write it like 1234.50)`)
  return cents
}

/** A pool's name in the dividend table, from the number of its class. */
export const poolOf = (classId: number): string =>
  classId === DOUBLE.class ? DOUBLE.key : gameplayOf(classId as GameplayClass).key

/** A combination in its stored form. Throws `RowError` if it is not valid for the class. */
export function combinationOf(classId: number, written: string): string {
  if (classId === DOUBLE.class) {
    const double = doubleText(written)
    if (double === null) throw new RowError('bad-combination', written)
    return double
  }
  const gameplayClass = classId as GameplayClass
  const horses = saddleNumbers(written.split('-'))
  const { size, key } = gameplayOf(gameplayClass)
  if (horses?.length !== size)
    throw new RowError('bad-combination', `${written}: ${size} different saddle numbers for ${key}`)
  return combinationText(gameplayClass, horses)
}

function readTick(row: CsvRow): Draft {
  const { id } = raceKeyOf(row)
  const horseNo = integer(row, 'horse_no', 1, 99)
  const seenAt = instant(row, 'seen_at_utc')
  const value = odds(row, 'win_odds')
  if (horseNo === null || seenAt === null || value === null)
    throw new RowError('missing-field', 'horse_no, seen_at_utc, win_odds')
  return { kind: 'odds-tick', tick: { raceId: id, horseNo, seenAt, odds: value } }
}

const MOST_SECTIONS = 20

function readSection(row: CsvRow, note: Note): Draft {
  const { id: raceId } = raceKeyOf(row)
  const horseNo = integer(row, 'horse_no', 1, 99)
  const sectionNo = integer(row, 'section', 1, MOST_SECTIONS)
  if (horseNo === null || sectionNo === null) throw new RowError('missing-field', 'horse_no, section')
  const { words, whole, time } = lenientCells(row, note)
  const section = {
    sectionNo,
    position: whole('position', 1, 99),
    margin: words('margin'),
    timeMs: time('time'),
  }
  return {
    kind: 'sections',
    runner: { raceId, horseNo, brand: null, finishTimeMs: null, sections: [section] },
  }
}

const RACE_COLUMNS = ['stadium', 'date', 'race_no'] as const
const RUNNER_COLUMNS = [
  ...RACE_COLUMNS,
  'race_status',
  'starts_at_utc',
  ...['race_name', 'horse_name'].flatMap((name) => [`${name}_en`, `${name}_hant`, `${name}_hans`]),
  'race_class',
  'track',
  'course',
  'distance_m',
  'going',
  'weather',
  'horse_no',
  'entry_no',
  'brand',
  'jockey',
  'trainer',
  'draw',
  'actual_weight_lb',
  'declared_weight_lb',
  'rating',
  'gear',
  'age',
  'sex',
  'owner',
  'silks',
  'status',
  'place',
  'dead_heat',
  'win_odds',
  'margin',
  'running_position',
  'finish_time',
]
const DIVIDEND_COLUMNS = [...RACE_COLUMNS, 'gameplay_class', 'combination', 'status', 'dividend']
const ODDS_COLUMNS = [...RACE_COLUMNS, 'horse_no', 'seen_at_utc', 'win_odds']
const SECTION_COLUMNS = [...RACE_COLUMNS, 'horse_no', 'section', 'position', 'margin', 'time']

export const FURLONG_FORMAT: ImportFormat = {
  name: 'furlong',
  encoding: 'utf8',
  region: HONG_KONG,
  lacks: [],
  tolerated: [],
  stadiums: [],
  kinds: [
    {
      name: 'runners',
      order: 2,
      columns: [
        'stadium',
        'date',
        'race_no',
        'race_status',
        'horse_no',
        'brand',
        'status',
        'place',
        'win_odds',
      ],
      read: readRunner,
      raceOf: (row) => raceKeyOf(row).id,
      complete: completeRace,
      joinsFacts: true,
      documented: RUNNER_COLUMNS,
    },
    {
      name: 'dividends',
      order: 4,
      columns: DIVIDEND_COLUMNS,
      documented: DIVIDEND_COLUMNS,
      read: readDividend,
    },
    {
      name: 'odds',
      order: 5,
      columns: ODDS_COLUMNS,
      documented: ODDS_COLUMNS,
      read: readTick,
    },
    {
      name: 'sections',
      order: 6,
      columns: SECTION_COLUMNS,
      documented: SECTION_COLUMNS,
      read: readSection,
    },
  ],
}
