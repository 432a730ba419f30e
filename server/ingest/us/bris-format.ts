import { combinationText, DOUBLE, gameplayOf, type GameplayClass } from '../../../domain/gameplay.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { OLDEST } from '../../../domain/reading/read-sex.ts'
import { UNITED_STATES } from '../../../domain/region.ts'
import {
  NO_NAMES,
  personNamed,
  UNKNOWN_PROFILE,
  UNKNOWN_RACE,
  UNKNOWN_RUNNER,
  type RaceDraft,
  type RunnerDraft,
} from '../../drafts/drafts.ts'
import { integer, lenient, lenientCells, line, required } from '../reading/cells.ts'
import { withDeadHeats } from '../reading/complete.ts'
import type { CsvRow } from '../reading/csv-file.ts'
import { RowError, type Draft, type FileKind, type ImportFormat, type Note } from '../reading/format.ts'
import {
  brandOf,
  classOf,
  combinationsOf,
  courseOf,
  distanceOf,
  dividendOf,
  doubleOf,
  finishOf,
  goingOf,
  isScratched,
  legsOf,
  marginOf,
  oddsOf,
  offOf,
  personOf,
  positionsOf,
  programOf,
  raceOf,
  surfaceOf,
  WAGERS,
  weatherOf,
  winningTimeOf,
} from './bris-cells.ts'
import { US_STADIUMS } from './tracks.ts'

/** With the card, because a track may have one by day and one in the evening. */
const RACE = ['track', 'date', 'race', 'card'] as const
/** The cells that every line begins with. */
const FIRST = [/^[A-Z]{2,3}$/, /^(?:19|20)\d{6}$/, /^\d{1,2}$/, /^[DE]$/]

/** The names of the cells of a line, by their numbers, which count from 1 as in the layout's description. */
function cells(count: number, named: Readonly<Record<number, string>>): string[] {
  return Array.from({ length: count }, (_, index) => RACE[index] ?? named[index + 1] ?? `cell ${index + 1}`)
}

const headless = (count: number, named: Readonly<Record<number, string>>): FileKind['headless'] => ({
  names: cells(count, named),
  first: FIRST,
})

const IN_RACES = {
  5: 'distance',
  6: 'unit',
  9: 'surface',
  13: 'type',
  19: 'class',
  22: 'purse',
  30: 'conditions',
  37: 'starters',
  38: 'going',
  44: 'time',
  50: 'off',
  55: 'name',
  63: 'weather',
}

const IN_RUNNERS = {
  5: 'horse',
  8: 'post',
  9: 'program',
  10: 'born',
  14: 'jockey_last',
  15: 'jockey_first',
  16: 'jockey_middle',
  19: 'trainer_last',
  20: 'trainer_first',
  21: 'trainer_middle',
  24: 'owner_last',
  25: 'owner_first',
  26: 'owner_middle',
  31: 'odds',
  32: 'without_bets',
  38: 'weight',
  55: 'start',
  56: 'call_1',
  57: 'call_2',
  58: 'call_3',
  59: 'stretch',
  60: 'finish',
  61: 'official',
  73: 'behind',
}

function raceFacts(row: CsvRow, note: Note): Omit<RaceDraft, 'runners'> {
  const key = raceOf(row)
  const { words, whole } = lenientCells(row, note)
  const distanceM = lenient(note, () => distanceOf(row))
  const track = lenient(note, () => surfaceOf(row))
  const purse = whole('purse', 0, 1e9)
  return {
    ...UNKNOWN_RACE,
    ...key,
    // The conditions are cut into cells in the middle of a word, and those at the end are missing.
    name: { ...NO_NAMES, en: words('name') },
    startsAt: lenient(note, () => offOf(row, key.date)),
    raceClass: lenient(note, () => classOf(row)),
    track,
    course: courseOf(row),
    distanceM,
    going: lenient(note, () => goingOf(row, track)),
    weather: lenient(note, () => weatherOf(row)),
    prizeCents: purse === null ? null : purse * 100,
    winningTimeMs: lenient(note, () => winningTimeOf(row, distanceM)),
    status: 'final',
  }
}

/** Tells what of a race cannot be read, and of a race that nobody ran in. */
function readRace(row: CsvRow, note: Note): Draft {
  const { id, name } = raceFacts(row, note)
  return { kind: 'race-name', raceId: id, names: name }
}

const RACES: FileKind = {
  name: 'races',
  fileName: /\.1$/,
  order: 3,
  columns: [...RACE, ...Object.values(IN_RACES)],
  headless: headless(99, IN_RACES),
  read: readRace,
}

function readRunner(row: CsvRow, note: Note): Draft {
  const race = raceFacts(row, () => {})
  const year = Number(race.date.slice(0, 4))
  const born = lenientCells(row, note).whole('born', year - OLDEST, year - 1)
  const name = required(row, 'horse')
  const { behind: _behind, ...finish } = finishOf(row)
  const starts = finish.status !== 'withdrawn'
  // It is read again with the whole race.
  integer(row, 'starters', 1, 99)
  const person = (kind: 'jockey' | 'trainer') => personNamed(lenient(note, () => personOf(row, kind)))
  return {
    kind: 'runner',
    race,
    runner: {
      ...UNKNOWN_RUNNER,
      brand: brandOf(name),
      horse: { ...NO_NAMES, en: name },
      horseNo: starts ? programOf(row).horseNo : null,
      jockey: person('jockey'),
      trainer: person('trainer'),
      draw: starts ? lenientCells(row, note).whole('post', 1, 98) : null,
      actualWeightLb: lenientCells(row, note).whole('weight', 1, 999),
      // American horses have their birthday on 1 January.
      age: born === null ? null : year - born,
      owner: lenient(note, () => personOf(row, 'owner')),
      ...finish,
      runningPosition: starts ? lenient(note, () => positionsOf(row)) : null,
      winOdds: starts ? lenient(note, () => oddsOf(row)) : null,
    },
  }
}

/**
 * With the entries of the program: horses with one number run as one betting interest. Its first horse has the number, which is
 * also its own if the others were scratched; bets on it are written so.
 */
function withEntries(runners: readonly RunnerDraft[], rows: readonly CsvRow[]): RunnerDraft[] {
  const started = runners.flatMap((runner, index) =>
    isScratched(rows[index]!) ? [] : [{ runner, interest: programOf(rows[index]!).interest }],
  )
  const numbers = new Map<RunnerDraft, Pick<RunnerDraft, 'horseNo' | 'entryNo'>>()
  for (const [interest, horses] of groupBy(started, (each) => each.interest)) {
    const inOrder = horses.toSorted((a, b) => a.runner.horseNo! - b.runner.horseNo!)
    for (const [index, { runner }] of inOrder.entries())
      numbers.set(runner, {
        horseNo: index === 0 ? interest : runner.horseNo,
        entryNo: inOrder.length > 1 ? interest : null,
      })
  }
  return runners.map((runner) => ({ ...runner, ...numbers.get(runner) }))
}

/** Margins behind the winner: unknown behind one that did not finish first, because lengths are behind that one. */
function withMargins(runners: readonly RunnerDraft[], rows: readonly CsvRow[]): RunnerDraft[] {
  const finishes = rows.map(finishOf)
  const isFirst = finishes.some(({ place, behind }) => place === 1 && behind === 0)
  return runners.map((runner, index) => {
    const { place, behind } = finishes[index]!
    return { ...runner, margin: isFirst && place !== 1 && behind !== null ? marginOf(behind) : null }
  })
}

/** Throws `runners-missing`, `runners-too-many`: with other runners, the race would be settled as another one. */
function completeRace(race: RaceDraft, rows: readonly CsvRow[]): { race: RaceDraft } {
  const ran = integer(rows[0]!, 'starters', 1, 99)
  const starters = race.runners.filter(({ status }) => status !== 'withdrawn').length
  if (ran !== null && starters !== ran)
    throw new RowError(starters < ran ? 'runners-missing' : 'runners-too-many', `${starters} of ${ran}`)
  const runners = withMargins(withEntries(race.runners, rows), rows)
  // The time is that of whoever finished first, who may have been disqualified.
  const timed = runners.map((runner, index) => ({
    ...runner,
    finishTimeMs: runner.place === 1 && finishOf(rows[index]!).behind === 0 ? race.winningTimeMs : null,
  }))
  return { race: withDeadHeats({ ...race, runners: timed }) }
}

const RUNNERS: FileKind = {
  name: 'results',
  fileName: /\.2$/,
  order: 2,
  columns: [...RACE, ...Object.values(IN_RUNNERS)],
  headless: headless(99, IN_RUNNERS),
  joins: { kind: RACES.name, by: RACE },
  read: readRunner,
  raceOf: (row) => raceOf(row).id,
  complete: completeRace,
}

const paid = (raceId: string, gameplayClass: GameplayClass, horses: number[], cents: number): Draft => ({
  kind: 'dividend',
  dividend: {
    raceId,
    pool: gameplayOf(gameplayClass).key,
    gameplayClass,
    combination: combinationText(gameplayClass, horses),
    status: 'paid',
    dividendCents: cents,
  },
})

/** Bets on a win, a place and a show are for two dollars everywhere. */
const MUTUEL = '2.00'
const SHOW = 'pays of show bets'

function readMutuels(row: CsvRow): Draft[] {
  const { id } = raceOf(row)
  const win = dividendOf(row, 'win', MUTUEL)
  const place = dividendOf(row, 'place', MUTUEL)
  const show = dividendOf(row, 'show', MUTUEL)
  // The third of a race without show bets has a line, and nothing to be paid.
  if (win === null && place === null && show === null)
    return [{ kind: 'passed-over', what: 'horses that paid nothing' }]
  const { interest } = programOf(row)
  return [
    ...(win === null ? [] : [paid(id, 1, [interest], win)]),
    ...(place === null ? [] : [paid(id, 2, [interest], place)]),
    ...(show === null ? [] : [{ kind: 'passed-over', what: SHOW } as const]),
  ]
}

const IN_MUTUELS = { 5: 'horse', 8: 'program', 9: 'win', 10: 'place', 11: 'show' }

const MUTUELS: FileKind = {
  name: 'win and place pays',
  fileName: /\.3$/,
  order: 4,
  columns: [...RACE, ...Object.values(IN_MUTUELS)],
  headless: headless(25, IN_MUTUELS),
  read: readMutuels,
}

function readExotic(row: CsvRow): Draft[] {
  const { id: raceId } = raceOf(row)
  const wager = required(row, 'wager')
  const bet = Object.hasOwn(WAGERS, wager) ? WAGERS[wager]! : null
  if (bet === null) return [{ kind: 'passed-over', what: `lines of ${wager}` }]
  const cents = dividendOf(row, 'pay', required(row, 'stake'))
  if (cents === null) return [{ kind: 'passed-over', what: `lines of ${wager} that paid nothing` }]
  const written = required(row, 'winning_numbers')
  const legs = legsOf(written)
  if (bet === 'double') {
    const combination = doubleOf(legs, written)
    const line = { raceId, pool: DOUBLE.key, gameplayClass: DOUBLE.class, combination } as const
    return [{ kind: 'dividend', dividend: { ...line, status: 'paid', dividendCents: cents } }]
  }
  const known = legs.flatMap((leg) => (leg === null ? [] : [leg]))
  if (known.length < legs.length)
    return [{ kind: 'passed-over', what: `lines of ${wager} that any horse completes (ALL)` }]
  const combinations = combinationsOf(known)
  if (legs.length !== gameplayOf(bet).size || combinations.length === 0)
    throw new RowError('bad-combination', `${wager}: ${written}`)
  return combinations.map((horses) => paid(raceId, bet, horses, cents))
}

const IN_EXOTICS = { 5: 'wager', 6: 'stake', 7: 'pay', 9: 'winning_numbers' }

const EXOTICS: FileKind = {
  name: 'pays of other bets',
  fileName: /\.4$/,
  order: 4,
  columns: [...RACE, ...Object.values(IN_EXOTICS)],
  headless: headless(25, IN_EXOTICS),
  read: readExotic,
}

function readWinner(row: CsvRow, note: Note): Draft {
  const { id: raceId } = raceOf(row)
  const name = required(row, 'horse')
  const [sire, dam, damSire] = ['sire', 'dam', 'dam_sire'].map((each) => lenient(note, () => line(row, each)))
  return {
    kind: 'horse',
    horse: {
      ...UNKNOWN_PROFILE,
      ...NO_NAMES,
      brand: brandOf(name),
      raceId,
      en: name,
      sire: sire ?? null,
      dam: dam ?? null,
      damSire: damSire ?? null,
    },
  }
}

const IN_WINNERS = { 5: 'horse', 14: 'sire', 15: 'dam', 16: 'dam_sire' }

const WINNERS: FileKind = {
  name: 'breeding of winners',
  fileName: /\.5$/,
  order: 3,
  columns: [...RACE, ...Object.values(IN_WINNERS)],
  headless: headless(25, IN_WINNERS),
  read: readWinner,
}

/** The comprehensive charts of BRIS: five files without a header for a day at a track, in latin-1, odds to one. */
export const BRIS_FORMAT: ImportFormat = {
  name: 'bris',
  encoding: 'latin1',
  region: UNITED_STATES,
  lacks: ['rating', 'gear', 'sections'],
  // A horse may be disqualified after the pools have paid, and one without bets on it may finish in front.
  tolerated: ['dividend-contradicts-places', 'place-missing'],
  stadiums: US_STADIUMS,
  kinds: [RACES, RUNNERS, MUTUELS, EXOTICS, WINNERS],
}
