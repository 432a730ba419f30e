import { combinationText, gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { UNITED_STATES } from '../../../domain/region.ts'
import {
  calendarDay,
  decimal,
  integer,
  lenient,
  lenientCells,
  raceKey,
  required,
  text,
  wordIn,
} from '../reading/cells.ts'
import { withDeadHeats } from '../reading/complete.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import {
  NO_NAMES,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type DividendDraft,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import { TRACKS, US_STADIUMS } from './tracks.ts'

const GOINGS: Readonly<Record<string, string>> = {
  FT: 'fast',
  FM: 'firm',
  GD: 'good',
  YL: 'yielding',
  SY: 'sloppy',
  MY: 'muddy',
  WF: 'wet_fast',
  SL: 'slow',
}

/** `O` appears in the files without a legend, so its surface stays unknown. */
const SURFACES: Readonly<Record<string, 'dirt' | 'turf' | null>> = {
  D: 'dirt',
  T: 'turf',
  t: 'turf',
  O: null,
}

const METRES_A_YARD = 0.9144
const MOST_YARDS = 10_000
/** Payoffs are per US$2; dividends here are per 10. */
const UNITS = 5

function raceKeyOf(track: string, date: string, raceNo: number | null): ReturnType<typeof raceKey> {
  if (!Object.hasOwn(TRACKS, track)) throw new RowError('unknown-venue', track)
  return raceKey(`US${track}`, date, raceNo)
}

/** Parses a day written `5/27/16`. */
function slashDay(cell: string): string {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{2})$/.exec(cell)
  if (!match) throw new RowError('bad-date', cell)
  return calendarDay(2000 + Number(match[3]), Number(match[1]), Number(match[2]))
}

/** Payoffs that cannot be read were noted with their row. */
const payCents = (row: CsvRow, column: string): number =>
  Math.round((lenientCells(row, () => {}).decimal(column) ?? 0) * 100 * UNITS)

function paid(
  raceId: string,
  gameplayClass: GameplayClass,
  horses: number[],
  cents: number,
): DividendDraft[] {
  if (cents <= 0) return []
  const combination = combinationText(gameplayClass, horses)
  const pool = gameplayOf(gameplayClass).key
  return [{ raceId, pool, gameplayClass, combination, status: 'paid', dividendCents: cents }]
}

const raceOf = (row: CsvRow) =>
  raceKeyOf(required(row, 'track'), slashDay(required(row, 'Date')), integer(row, 'RaceNum'))

function readRunner(row: CsvRow, note: Note): Draft {
  const key = raceOf(row)
  const name = required(row, 'Name')
  const horseNo = integer(row, 'PP', 1, 99)
  const place = integer(row, 'FinishPosition', 1, 99)
  const cells = lenientCells(row, note)
  const toOne = lenient(note, () => oddsToOne(row, name))
  const yards = cells.decimal('DistYrds', 1, MOST_YARDS)
  const purse = cells.decimal('Purse', 0)
  const surface = lenient(note, () => surfaceOf(row))
  if (horseNo === null) throw new RowError('no-saddle-number', name)
  for (const column of PAYS) cells.decimal(column)
  return {
    kind: 'runner',
    race: {
      ...UNKNOWN_RACE,
      ...key,
      raceClass: cells.words('ClassDescriptor'),
      track: surface,
      distanceM: yards === null ? null : Math.round(yards * METRES_A_YARD),
      going: lenient(note, () => wordIn(GOINGS, text(row, 'TrackCondition') ?? '') ?? null),
      prizeCents: purse === null ? null : Math.round(purse * 100),
      status: 'final',
    },
    runner: {
      ...UNKNOWN_RUNNER,
      brand: name,
      horse: { ...NO_NAMES, en: name },
      horseNo,
      draw: horseNo,
      actualWeightLb: cells.whole('Weight'),
      status: place === null ? 'unfinished' : 'finished',
      place,
      winOdds: toOne === null ? null : toOne + 1,
    },
  }
}

function oddsToOne(row: CsvRow, name: string): number | null {
  const toOne = decimal(row, 'Odds')
  if (toOne === null || toOne <= 0) throw new RowError('odds-out-of-range', `${name}: ${toOne}`)
  return toOne
}

function surfaceOf(row: CsvRow): RaceDraft['track'] {
  const surface = required(row, 'surface')
  if (!Object.hasOwn(SURFACES, surface)) throw new RowError('unknown-course', surface)
  return SURFACES[surface]!
}

const PAYS = ['$2WinPay', '$2PlacePay', '$2ShowPay'] as const

/** A runner with the payoffs printed on its row, in cents per 10. */
interface PaidRunner {
  runner: RunnerDraft & { horseNo: number }
  pays: { win: number; place: number; show: number }
}

/** Whether it has payoffs that its own place does not explain: another horse of its entry earned them. */
const isUnexplained = ({ runner: { place }, pays }: PaidRunner): boolean => {
  const at = place ?? Number.POSITIVE_INFINITY
  return (pays.win > 0 && at > 1) || (pays.place > 0 && at > 2) || (pays.show > 0 && at > 3)
}

/**
 * Coupled entries, `1` and `1A`, run as one betting interest: they have one price, and every horse of the
 * entry is printed with the entry's payoffs. The charts lack the program numbers, so an entry is recognised
 * as horses with equal odds and equal payoffs of which one has a payoff that its place does not explain. An
 * entry that paid nothing looks like two horses with equal odds, and is treated as such. An entry has its
 * lowest saddle number.
 */
function coupled(runners: readonly PaidRunner[]): RunnerDraft[] {
  const alike = groupBy(
    runners.filter(({ pays }) => pays.win + pays.place + pays.show > 0),
    ({ runner, pays }) => `${runner.winOdds} ${pays.win} ${pays.place} ${pays.show}`,
  )
  const entryOf = new Map<number, number>()
  for (const group of alike.values()) {
    if (group.length < 2 || !group.some(isUnexplained)) continue
    const number = Math.min(...group.map(({ runner }) => runner.horseNo))
    for (const { runner } of group) entryOf.set(runner.horseNo, number)
  }
  return runners.map(({ runner }) => ({ ...runner, entryNo: entryOf.get(runner.horseNo) ?? null }))
}

/**
 * Entries and dividends of a whole race. Win and place payoffs are on the horse's row; exacta and quinella
 * are on every row of the race, and the places determine the winning combination.
 */
function completeRace(
  race: RaceDraft,
  rows: readonly CsvRow[],
): { race: RaceDraft; dividends: DividendDraft[] } {
  const paidRunners = race.runners.flatMap((runner, index): PaidRunner[] => {
    const row = rows[index]!
    const { horseNo } = runner
    if (horseNo === null) return []
    const [win, place, show] = PAYS.map((column) => payCents(row, column)) as [number, number, number]
    return [{ runner: { ...runner, horseNo }, pays: { win, place, show } }]
  })
  const runners = coupled(paidRunners)
  const ofInterest = new Map<number, DividendDraft[]>()
  for (const [index, { pays }] of paidRunners.entries()) {
    const { entryNo, horseNo } = runners[index]!
    const interest = entryNo ?? horseNo!
    ofInterest.set(interest, [
      ...paid(race.id, 1, [interest], pays.win),
      ...paid(race.id, 2, [interest], pays.place),
    ])
  }
  const pair = firstTwo(runners)
  return {
    race: withDeadHeats({ ...race, runners }),
    dividends: [
      ...[...ofInterest.values()].flat(),
      // After a dead heat, one printed payoff belongs to one of several combinations, and the file does not
      // say which.
      ...(pair === null
        ? []
        : [
            ...paid(race.id, 5, pair, payCents(rows[0]!, 'ExactaPay')),
            ...paid(race.id, 3, pair, payCents(rows[0]!, 'QuinellaPay')),
          ]),
    ],
  }
}

/** The betting interests that came first and second; `null` after a dead heat between two of them. */
function firstTwo(runners: readonly RunnerDraft[]): [number, number] | null {
  const best = new Map<number, number>()
  for (const { place, entryNo, horseNo } of runners) {
    const interest = entryNo ?? horseNo!
    if (place !== null) best.set(interest, Math.min(place, best.get(interest) ?? place))
  }
  const [first, second, third] = [...best].toSorted(([, a], [, b]) => a - b)
  if (!first || !second || first[1] === second[1] || second[1] === third?.[1]) return null
  return [first[0], second[0]]
}

/** Dates look like `05-27-2016<br>13:15`; descriptions end in thousands of blanks. */
function readRaceInfo(row: CsvRow): Draft {
  const match = /^(\d{2})-(\d{2})-(\d{4})<br>/.exec(required(row, 'date_time'))
  const raceNo = /^R(\d{1,2})$/.exec(required(row, 'race_number'))
  if (!match || !raceNo) throw new RowError('bad-date', required(row, 'date_time'))
  const date = calendarDay(Number(match[3]), Number(match[1]), Number(match[2]))
  const { id } = raceKeyOf(required(row, 'track'), date, Number(raceNo[1]))
  const words = text(row, 'race_description')?.replace(/\s+/g, ' ') ?? null
  return {
    kind: 'race-name',
    raceId: id,
    names: { ...NO_NAMES, en: words === null ? null : words.slice(0, 200) },
  }
}

const RESULTS: FileKind = {
  name: 'results',
  order: 2,
  columns: ['Name', 'Odds', 'FinishPosition', '$2WinPay', 'track', 'RaceNum', 'Date', 'PP'],
  read: readRunner,
  raceOf: (row) => raceOf(row).id,
  complete: completeRace,
}

const RACE_INFO: FileKind = {
  name: 'race information',
  order: 3,
  columns: ['track', 'race_number', 'date_time', 'race_description'],
  read: readRaceInfo,
}

/** Charts of North American tracks: English, latin-1, odds to one, payoffs per US$2. */
export const US_FORMAT: ImportFormat = {
  name: 'us',
  encoding: 'latin1',
  region: UNITED_STATES,
  lacks: ['post time', 'jockey', 'trainer', 'rating', 'gear', 'margin', 'time', 'sections'],
  // Of a few races a row is missing.
  tolerated: ['dividend-contradicts-places', 'place-missing', 'place-beyond-field'],
  stadiums: US_STADIUMS,
  kinds: [RESULTS, RACE_INFO],
}
