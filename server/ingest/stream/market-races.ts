import { groupBy } from '../../../domain/group-by.ts'
import { AUSTRALIA, regionOfStadium } from '../../../domain/region.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'
import { namesake, spelling } from '../../drafts/horse-names.ts'
import { horseOf } from '../gb/betfair-sp-cells.ts'
import { SISTERS } from '../gb/courses.ts'
import { instant, raceIdsOn, required } from '../reading/cells.ts'
import { readRows, type CsvFile, type CsvRow } from '../reading/csv-file.ts'
import {
  BY_NAME,
  nullOnRowError,
  NUMBERS,
  RACE_NO,
  RowError,
  RUNNER_NO,
  type StoredRaces,
} from '../reading/format.ts'
import {
  CLOSED,
  isPlace,
  isWin,
  mayBeAt,
  mayBeWin,
  meetingOf,
  REMOVED,
  timeIn,
  type Meeting,
} from './market-cells.ts'

/** Whether the race is stored: by this source (`own`), or by another one whose numbers it has (`other`); blank if it is not. */
export const HELD = '#held'
/** The course of the stored race, which Betfair may call by the name of another one. */
export const STADIUM = '#stadium'
/** Whether the runner was placed, `WINNER` or `LOSER`, by its place market, with the starting price and the number of places. */
export const PLACE_RESULT = '#place_result'
export const PLACE_BSP = '#place_bsp'
export const PLACES = '#places'

interface Runner {
  id: string
  name: string
  /** As it stands before the name. */
  printedNo: number | null
  isRemoved: boolean
}

interface MarketRace extends Meeting {
  market: string
  /** When it was to start when its market opened. */
  first: string
  /** When the first race of the meeting was to start then; `null` if the market does not say it. */
  opens: string | null
  runners: Map<string, Runner>
}

interface Held {
  race: RaceDraft
  isOwn: boolean
}

const meetingKey = ({ stadiumId, date }: Meeting): string => `${stadiumId} ${date}`

/** Of a row that cannot be read: why, and what may tell where its race is. */
interface Unplaced {
  error: RowError
  row: CsvRow
}

const PLACE_COLUMNS = [
  'country',
  'venue',
  'timezone',
  'starts_at',
  'first_starts_at',
  'meeting_starts_at',
] as const

/** All markets of an import. */
class Markets {
  readonly races = new Map<string, MarketRace>()
  /** Runners of races, by meeting. */
  private readonly runners = new Set<string>()
  /** By meeting and runner; `null` for one of which two markets say different things. */
  private readonly placed = new Map<string, CsvRow | null>()
  /** Win markets of which a row cannot be read, and the race is not among `races`. */
  private readonly unplaced = new Map<string, Unplaced>()

  add(row: CsvRow): void {
    try {
      if (isWin(row)) this.addRunner(row)
      else if (isPlace(row) && row['market_status'] === CLOSED) this.addPlace(row)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      const market = row['market'] ?? ''
      if (this.races.has(market) || this.unplaced.has(market) || !mayBeWin(row)) return
      const cells = Object.fromEntries(PLACE_COLUMNS.map((column) => [column, row[column] ?? '']))
      this.unplaced.set(market, { error, row: cells })
    }
  }

  /** Throws why the race of a win market cannot be read; `undefined` if the row is of no such market. */
  raceOf(row: CsvRow): MarketRace | undefined {
    const market = row['market'] ?? ''
    const race = this.races.get(market)
    const unplaced = this.unplaced.get(market)
    if (race === undefined && unplaced !== undefined) throw unplaced.error
    return race
  }

  /** A market that cannot be read, and may be that of one more race of a meeting. */
  unplacedAt(meeting: Meeting): string | null {
    const found = [...this.unplaced].find(([, { row }]) => mayBeAt(row, meeting))
    return found === undefined ? null : found[0]
  }

  private addRunner(row: CsvRow): void {
    const market = required(row, 'market')
    const race = this.races.get(market) ?? {
      market,
      ...meetingOf(row),
      first: timeIn(row, 'first_starts_at'),
      opens: instant(row, 'meeting_starts_at'),
      runners: new Map<string, Runner>(),
    }
    this.races.set(market, race)
    const id = required(row, 'runner')
    this.runners.add(`${meetingKey(race)} ${id}`)
    race.runners.set(id, {
      id,
      ...horseOf(required(row, 'runner_name')),
      isRemoved: row['runner_status'] === REMOVED,
    })
  }

  private addPlace(row: CsvRow): void {
    // It may have run in another race of the meeting.
    if (row['runner_status'] === REMOVED) return
    const key = `${meetingKey(meetingOf(row))} ${required(row, 'runner')}`
    const cells = {
      [PLACE_RESULT]: required(row, 'runner_status'),
      [PLACE_BSP]: row['bsp'] ?? '',
      [PLACES]: row['winners'] ?? '',
    }
    const known = this.placed.get(key)
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(cells)
    this.placed.set(key, isSame ? cells : null)
  }

  placeOf(race: MarketRace, runner: string): CsvRow {
    return this.placed.get(`${meetingKey(race)} ${runner}`) ?? {}
  }

  /** Whether the runner of a place market is in a race. Throws `two-rows-of-one-runner` if another place market contradicts it. */
  hasRace(row: CsvRow): boolean {
    const meeting = nullOnRowError(() => meetingKey(meetingOf(row)))
    const runner = `${meeting} ${row['runner']}`
    if (meeting === null || !this.runners.has(runner)) return false
    if (row['runner_status'] !== REMOVED && this.placed.get(runner) === null)
      throw new RowError('two-rows-of-one-runner', `${runner}: two place markets say different things`)
    return true
  }
}

/** The races of a meeting that are stored, also those at the sister of its course, which Betfair calls by the same name. */
async function storedRaces({ stadiumId, date }: MarketRace, stored: StoredRaces): Promise<RaceDraft[]> {
  const sister = SISTERS.get(stadiumId)
  const ids = (sister === undefined ? [stadiumId] : [stadiumId, sister])
    .flatMap((stadium) => raceIdsOn(stadium, date))
    .filter((id) => stored.hasRace(id))
  return ids.length === 0 ? [] : [...(await stored.draftsOf(ids)).values()]
}

/** Whether more than half of a race's runners are in a stored race, by what is known of both. */
function areIn(
  race: MarketRace,
  stored: RaceDraft,
  keyOf: (runner: Runner) => string,
  storedKey: (of: RaceDraft['runners'][number]) => string,
): boolean {
  const keys = new Set(stored.runners.map(storedKey))
  const starters = [...race.runners.values()].filter(({ isRemoved }) => !isRemoved)
  return 2 * starters.filter((runner) => keys.has(keyOf(runner))).length > starters.length
}

/** The stored race that a market is of: a horse runs once a day, so that its names find it. */
function heldOf(race: MarketRace, stored: readonly RaceDraft[]): Held | null {
  const own = stored.find((each) =>
    areIn(
      race,
      each,
      ({ id }) => id,
      ({ brand }) => brand,
    ),
  )
  if (own !== undefined) return { race: own, isOwn: true }
  const other = stored.find((each) =>
    areIn(
      race,
      each,
      ({ name }) => spelling(name),
      ({ horse }) => spelling(horse.en ?? ''),
    ),
  )
  return other === undefined ? null : { race: other, isOwn: false }
}

/** Why the races of a meeting cannot be numbered by the order of their times; `null` if they can. */
function doubtOf(
  races: readonly MarketRace[],
  held: ReadonlyMap<string, Held>,
  stored: readonly RaceDraft[],
  unplaced: string | null,
): string | null {
  if (unplaced !== null) return `market ${unplaced}, which cannot be read, may be of one more race`
  const at = races.findIndex(({ first }, index) => first === races[index + 1]?.first)
  if (at >= 0) return `two markets at ${races[at]!.first}`
  const opens = races.flatMap((race) => race.opens ?? []).toSorted()[0]
  if (opens !== undefined && opens < races[0]!.first) return `no market of the first race, at ${opens}`
  const known = new Set(races.flatMap(({ market }) => held.get(market)?.race.id ?? []))
  const missing = stored.find(({ id }) => !known.has(id))
  if (missing !== undefined) return `no market of ${missing.id}, which is stored`
  const moved = races.find(({ market }, index) => (held.get(market)?.race.raceNo ?? index + 1) !== index + 1)
  return moved === undefined ? null : `${held.get(moved.market)!.race.id} is stored with another number`
}

type Numbers = ReadonlyMap<string, number | string>

/** The numbers of a meeting's races that are not stored, by their markets; a text says why there is none. */
function numbersOf(
  races: readonly MarketRace[],
  held: ReadonlyMap<string, Held>,
  stored: readonly RaceDraft[],
  unplaced: string | null,
): Numbers {
  const inOrder = races.toSorted((a, b) => a.first.localeCompare(b.first))
  const doubt = doubtOf(inOrder, held, stored, unplaced)
  return new Map(inOrder.map(({ market }, index) => [market, doubt ?? index + 1]))
}

/**
 * Of a race that is not stored: the printed number, or where there are none the starter's place in the order of the names, as
 * other files of Betfair are read.
 */
function ownNumber(race: MarketRace, { id, name, printedNo, isRemoved }: Runner): string {
  if (isRemoved) return ''
  if (regionOfStadium(race.stadiumId) === AUSTRALIA) return String(printedNo ?? '')
  const keyOf = (runner: Pick<Runner, 'id' | 'name'>): string => `${runner.name} ${runner.id}`
  const starters = [...race.runners.values()].filter((runner) => !runner.isRemoved)
  return String(printedNo ?? starters.map(keyOf).toSorted().indexOf(keyOf({ id, name })) + 1)
}

/** The runner of a stored race that a runner of its market is: by Betfair's number, or the only one of its name on both sides. */
function storedRunner(
  { race, isOwn }: Held,
  market: MarketRace,
  runner: Runner,
): RaceDraft['runners'][number] | undefined {
  if (isOwn) return race.runners.find(({ brand }) => brand === runner.id)
  const found = namesake(runner.name, race.runners, ({ horse }) => horse.en ?? '')
  const back =
    found === null ? null : namesake(found.horse.en ?? '', [...market.runners.values()], ({ name }) => name)
  return found !== null && back?.id === runner.id ? found : undefined
}

/** Whether horses of a race that is not stored have no printed numbers; those of Australia are refused. */
const areByName = ({ stadiumId, runners }: MarketRace): boolean =>
  regionOfStadium(stadiumId) !== AUSTRALIA &&
  [...runners.values()].some(({ isRemoved, printedNo }) => !isRemoved && printedNo === null)

/** The cells of a row of a stored race; `runner` is `undefined` if it cannot be read. */
const heldCells = (held: Held, market: MarketRace, runner: Runner | undefined): CsvRow => ({
  [HELD]: held.isOwn ? 'own' : 'other',
  [RACE_NO]: String(held.race.raceNo),
  [STADIUM]: held.race.stadiumId,
  [NUMBERS]: held.race.numbersByName ? BY_NAME : '',
  [RUNNER_NO]: runner === undefined ? '' : String(storedRunner(held, market, runner)?.horseNo ?? ''),
})

/**
 * What all markets say together: the numbers of races and runners, which are those of the stored race if there is one, and whether
 * a runner was placed. Rows of Australia have the number of the race in the name of their market. What is returned throws
 * `race-number-uncertain`, `two-rows-of-one-runner`, and why the race of a row cannot be read.
 */
export async function readMarkets(
  files: readonly CsvFile[],
  stored: StoredRaces,
): Promise<(row: CsvRow) => CsvRow> {
  const markets = new Markets()
  for (const file of files) for await (const { row } of readRows(file)) markets.add(row)
  const held = new Map<string, Held>()
  const numbers = new Map<string, number | string>()
  for (const races of groupBy(markets.races.values(), meetingKey).values()) {
    const known = await storedRaces(races[0]!, stored)
    for (const race of races) {
      const found = heldOf(race, known)
      if (found !== null) held.set(race.market, found)
    }
    if (regionOfStadium(races[0]!.stadiumId) === AUSTRALIA) continue
    const unplaced = markets.unplacedAt(races[0]!)
    for (const [market, number] of numbersOf(races, held, known, unplaced)) numbers.set(market, number)
  }
  const cellsOf = (row: CsvRow, race: MarketRace): CsvRow => {
    const runner = race.runners.get(row['runner'] ?? '')
    const found = held.get(race.market)
    if (found !== undefined) return heldCells(found, race, runner)
    const number = numbers.get(race.market)
    if (typeof number === 'string')
      throw new RowError('race-number-uncertain', `${meetingKey(race)}, ${race.market}: ${number}`)
    // Of a runner that cannot be read, the reason is told where it is read, and its race is left out.
    return {
      [RACE_NO]: String(number ?? ''),
      [RUNNER_NO]: runner === undefined ? '' : ownNumber(race, runner),
      [NUMBERS]: areByName(race) ? BY_NAME : '',
    }
  }
  return (row) => {
    if (isPlace(row)) return { ...row, [HELD]: markets.hasRace(row) ? 'own' : '' }
    const race = isWin(row) ? markets.raceOf(row) : undefined
    if (race === undefined) return row
    return { ...row, ...cellsOf(row, race), ...markets.placeOf(race, row['runner'] ?? '') }
  }
}
