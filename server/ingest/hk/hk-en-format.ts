import { groupBy } from '../../../domain/group-by.ts'
import { DOUBLE } from '../../../domain/gameplay.ts'
import { printedLengths } from '../../../domain/margin.ts'
import { HONG_KONG } from '../../../domain/region.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  personNamed,
  type DividendDraft,
} from '../../drafts/drafts.ts'
import { decimal, integer, lenient, lenientCells, required, text, wordIn } from '../reading/cells.ts'
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
  wordOf,
} from './hk-cells.ts'
import { ENGLISH, ENGLISH_MARGINS } from './words.ts'

/** Where a layout has what identifies a race. */
interface RaceColumns {
  venue: string
  date: string
}

const TABLES: RaceColumns = { venue: 'racecourse', date: 'date' }
const PAGES: RaceColumns = { venue: 'racecourse', date: 'meeting_date' }

/** Where a layout has a runner. */
interface RunnerColumns {
  race: RaceColumns
  place: string
  brand: string
  weight: string
  bodyWeight: string
  time: string
  /** Whether `time` is a number of seconds, of which 72 and 69.8 are some. */
  isInSeconds: boolean
  /** Either the margin as it is printed, or its lengths. */
  margin: (row: CsvRow, note: Note) => string | null
}

/** Some files have a blank brand, and `REAL SUPREME  (CL247)` as the name. Throws `horse-without-brand`. */
function horseOf(row: CsvRow, column: string): { name: string; brand: string } {
  const cell = required(row, 'horse_name')
  const inside = /^(.+?)\s+\(([A-Z]{1,2}\d{3})\)$/.exec(cell)
  const brand = text(row, column) ?? inside?.[2]
  if (brand === undefined) throw new RowError('horse-without-brand', cell)
  return { name: inside?.[1] ?? cell, brand }
}

const printedMargin = (row: CsvRow, note: Note): string | null => {
  const margin = lenientCells(row, note).words('lbw')
  return margin === null ? null : (wordIn(ENGLISH_MARGINS, margin) ?? margin)
}

/** A short head; a nose and a neck have one figure there, so that 0.05 lengths are not known to be either. */
const SHORT_HEAD = 0.1

/** Lengths behind the winner as they are printed: `2-3/4` for 2.75. */
function marginOfLengths(row: CsvRow, note: Note): string | null {
  const lengths = lenient(note, () => decimal(row, 'lbw_lengths'))
  if (lengths === SHORT_HEAD) return 'SH'
  return lengths === null ? null : printedLengths(lengths)
}

const MS_PER_SECOND = 1000
const MOST_SECONDS = 3600

const readRunner =
  ({ race, ...columns }: RunnerColumns) =>
  (row: CsvRow, note: Note): Draft => {
    const key = raceKeyOf(ENGLISH, row, race)
    const { name, brand } = horseOf(row, columns.brand)
    const finish = finishOf(ENGLISH, text(row, columns.place), text(row, 'win_odds') !== null)
    const horseNo = integer(row, 'horse_no', 1, 99)
    if (horseNo === null && finish.status !== 'withdrawn') throw new RowError('no-saddle-number', brand)
    const { words, whole, time, odds, decimal: number } = lenientCells(row, note)
    const seconds = columns.isInSeconds ? number(columns.time, 0, MOST_SECONDS) : null
    const finishTimeMs = columns.isInSeconds
      ? seconds && Math.round(seconds * MS_PER_SECOND)
      : time(columns.time)
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
        horse: { ...NO_NAMES, en: titleCase(name) },
        horseNo,
        jockey: personNamed(words('jockey')),
        trainer: personNamed(words('trainer')),
        draw: whole('draw', 1, 99),
        actualWeightLb: whole(columns.weight),
        declaredWeightLb: whole(columns.bodyWeight),
        ...finish,
        margin: finish.place === 1 ? null : columns.margin(row, note),
        runningPosition:
          words('running_positions')
            ?.split(/[-\s]+/)
            .join(' ') ?? null,
        finishTimeMs,
        winOdds: odds('win_odds'),
      },
    }
  }

const results = (name: string, columns: RunnerColumns, margin: string): FileKind => ({
  name,
  order: 2,
  columns: [
    ...Object.values(columns.race),
    'race_no',
    'horse_no',
    'horse_name',
    'jockey',
    'trainer',
    columns.place,
    columns.brand,
    columns.weight,
    columns.bodyWeight,
    columns.time,
    margin,
    'draw',
    'running_positions',
    'win_odds',
  ],
  joinsFacts: true,
  read: readRunner(columns),
  raceOf: (row) => raceKeyOf(ENGLISH, row, columns.race).id,
})

const readRace =
  (columns: RaceColumns) =>
  (row: CsvRow, note: Note): Draft => {
    const key = raceKeyOf(ENGLISH, row, columns)
    const { words, whole, decimal: number, flag } = lenientCells(row, note)
    const { track, course } = lenient(note, () => courseOf(ENGLISH, text(row, 'course'))) ?? UNKNOWN_RACE
    const going = lenient(note, () => wordOf(ENGLISH.goings, text(row, 'going'), 'unknown-going'))
    const prize = number('prize_hkd')
    return {
      kind: 'race-facts',
      race: {
        ...UNKNOWN_RACE,
        ...key,
        name: { ...NO_NAMES, en: titleCase(words('race_name')) },
        raceClass: lenient(note, () => wordOf(ENGLISH.raceClasses, text(row, 'race_class'), 'unknown-class')),
        track,
        course,
        distanceM: whole('distance_m', 1, 10_000),
        going: goingOn(track, going),
        ratingRange: words('rating_band'),
        prizeCents: prize === null ? null : Math.round(prize * 100),
        status: flag('abandoned') === true ? 'abandoned' : 'final',
      },
    }
  }

const races = (name: string, columns: RaceColumns, others: readonly string[]): FileKind => ({
  name,
  order: 3,
  columns: [
    ...Object.values(columns),
    'race_no',
    'race_class',
    'distance_m',
    'rating_band',
    'course',
    'going',
    ...others,
  ],
  read: readRace(columns),
})

/** Where a layout has a dividend. */
interface DividendColumns {
  race: RaceColumns
  combination: string
  separator: string
  amount: string
  /** The amount as it is printed, with commas between thousands, or words in its place. */
  printed: string | null
}

/** Pools over several races, and on people: no bet type here. */
const OTHER_POOLS =
  /^(?:\d{1,2}(?:ST|ND|RD|TH) )?(DOUBLE TRIO|TREBLE|TRIPLE TRIO|SIX UP|SIX WIN|COMPOSITE WIN|3 PICK 1|JOCKEY CHALLENGE|TRAINER CHALLENGE)/

/** An amount without its commas and closing zeros. */
const figureOf = (cell: string): string => String(Number(cell.replaceAll(',', '')))

/** The one amount of a row. Throws `two-amounts` if its two columns differ. */
function amountOf(row: CsvRow, { amount, printed }: DividendColumns): string {
  const figure = text(row, amount)
  const words = printed === null ? null : text(row, printed)
  if (figure === null) return words ?? required(row, amount)
  if (words !== null && /^[\d,.]+$/.test(words) && figureOf(words) !== figureOf(figure))
    throw new RowError('two-amounts', `${figure} and ${words}`)
  return figure
}

const readDividend =
  (columns: DividendColumns) =>
  (row: CsvRow): Draft => {
    const { id: raceId } = raceKeyOf(ENGLISH, row, columns.race)
    const pool = required(row, 'pool')
    const other = OTHER_POOLS.exec(pool)?.[1]
    if (other !== undefined) return { kind: 'passed-over', what: `dividends of ${other}` }
    if (ENGLISH.pools[pool] === undefined && !ENGLISH.double.test(pool))
      throw new RowError('unknown-pool', pool)
    return {
      kind: 'dividend',
      dividend: dividendOf(ENGLISH, {
        raceId,
        pool,
        written: text(row, columns.combination) ?? '',
        separator: columns.separator,
        amount: amountOf(row, columns),
      }),
    }
  }

const secondLeg = ({ combination }: DividendDraft): string => combination.split('/')[1] ?? ''

/**
 * A double pays a consolation on the second of its second race, printed like the double itself: the double is the line on a
 * horse that the win pool of that race paid.
 */
function withoutConsolations(lines: readonly DividendDraft[]): { kept: DividendDraft[]; passedOver: number } {
  const kept = [...groupBy(lines, ({ raceId }) => raceId).values()].flatMap((ofRace) => {
    const winners = new Set(
      ofRace.flatMap(({ gameplayClass, combination }) => (gameplayClass === 1 ? [combination] : [])),
    )
    return ofRace.filter(
      (each) =>
        each.gameplayClass !== DOUBLE.class ||
        winners.size === 0 ||
        secondLeg(each)
          .split(',')
          .some((horse) => winners.has(horse)),
    )
  })
  return { kept, passedOver: lines.length - kept.length }
}

const dividends = (name: string, columns: DividendColumns): FileKind => ({
  name,
  order: 4,
  columns: [...Object.values(columns.race), 'race_no', 'pool', columns.combination, columns.amount],
  read: readDividend(columns),
  passOver: { what: 'consolations of doubles', from: withoutConsolations },
})

/** A file that others of its folder belong to, and of which nothing is needed. */
const companion = (name: string, columns: readonly string[]): FileKind => ({
  name,
  order: 9,
  columns,
  read: () => ({ kind: 'passed-over', what: name }),
})

/**
 * Hong Kong results in English, with every dividend line, as tables (`date`, `placing`) or as the pages have them
 * (`meeting_date`, `finish_position`). They complete the races of `HK_FORMAT`, whose names are Chinese and whose place pools
 * have one line.
 */
export const HK_EN_FORMAT: ImportFormat = {
  name: 'hk-en',
  encoding: 'utf8',
  region: HONG_KONG,
  lacks: ['post time', 'rating', 'gear', 'sections'],
  tolerated: ['dividend-contradicts-places'],
  completes: true,
  peopleIn: 'en',
  stadiums: STADIUMS,
  kinds: [
    results(
      'results',
      {
        race: TABLES,
        place: 'placing',
        brand: 'brand',
        weight: 'actual_weight_lb',
        bodyWeight: 'declared_horse_weight_lb',
        time: 'finish_seconds',
        isInSeconds: true,
        margin: marginOfLengths,
      },
      'lbw_lengths',
    ),
    results(
      'page results',
      {
        race: PAGES,
        place: 'finish_position',
        brand: 'horse_code',
        weight: 'actual_weight',
        bodyWeight: 'declared_horse_weight',
        time: 'finish_time',
        isInSeconds: false,
        margin: printedMargin,
      },
      'lbw',
    ),
    races('races', TABLES, ['surface']),
    races('page races', PAGES, ['race_name', 'prize_hkd']),
    dividends('dividends', {
      race: TABLES,
      combination: 'combination',
      separator: '-',
      amount: 'dividend_hkd_per_10',
      printed: null,
    }),
    dividends('page dividends', {
      race: PAGES,
      combination: 'winning_combination',
      separator: ',',
      amount: 'dividend_hkd',
      printed: 'dividend_text',
    }),
    companion('meetings', ['meeting_id', 'meeting_date', 'racecourse', 'venue_name', 'race_count']),
    companion('odds snapshots', [
      'snapshot_id',
      'captured_at',
      'meeting_date',
      'racecourse',
      'race_no',
      'odds_type',
      'odds',
    ]),
  ],
}
