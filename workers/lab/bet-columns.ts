import type { RowsPage } from '../../analytics/engine-api.ts'
import { MAX_LAB_BETS, type LabUniverse } from '../../analytics/lab-api.ts'
import { HIT, MISS, VOID, type BetTable } from '../../domain/bet-table.ts'
import { readPage } from './read-page.ts'

const CODES: Readonly<Record<string, number>> = { miss: MISS, hit: HIT, void: VOID }

const ODDS: ReadonlySet<string> = new Set(['final', 'opening', 'late'])
/** Odds are stored in single precision: 2.8 arrives as 2.7999999. */
const SINGLE_DIGITS = 7

/** The universes of which each row is a bet. */
export type RowsUniverse = Exclude<LabUniverse, 'boxes'>

/** Where the races and meetings of rows begin, given the keys of each row's race and meeting. */
export function boundsOf(
  rowRaces: readonly string[],
  rowMeetings: readonly string[],
  rowDays: readonly string[],
): Pick<BetTable, 'races' | 'meetings' | 'days'> & { raceKeys: string[] } {
  const races: number[] = []
  const meetings: number[] = []
  const days: string[] = []
  const raceKeys: string[] = []
  for (const [row, key] of rowRaces.entries()) {
    if (rowMeetings[row] !== rowMeetings[row - 1]) {
      meetings.push(races.length)
      days.push(rowDays[row]!)
    }
    if (key !== rowRaces[row - 1]) {
      races.push(row)
      raceKeys.push(key)
    }
  }
  meetings.push(races.length)
  races.push(rowRaces.length)
  return { races: Int32Array.from(races), meetings: Int32Array.from(meetings), days, raceKeys }
}

/** What identifies the bets of a table beside its numbers. */
export interface BetIdentities {
  readonly raceIds: readonly string[]
  readonly combinations: readonly string[]
  readonly raceNumbers: readonly number[]
  readonly betTypes: readonly number[]
  readonly days: readonly string[]
}

/** Collects rows in growable columns, with the identifiers of each bet. */
export class BetColumns implements BetIdentities {
  readonly raceIds: string[] = []
  readonly combinations: string[] = []
  readonly raceNumbers: number[] = []
  readonly betTypes: number[] = []
  /** Race of each bet, `2026-11-18/2 5`. */
  private readonly raceKeys: string[] = []
  private readonly meetingKeys: string[] = []
  readonly days: string[] = []
  private readonly numbers = {
    probability: [] as number[],
    market: [] as number[],
    final: [] as number[],
    opening: [] as number[],
    late: [] as number[],
    rank: [] as number[],
    outcome: [] as number[],
    profit: [] as number[],
  }
  private readonly universe: RowsUniverse

  constructor(universe: RowsUniverse) {
    this.universe = universe
  }

  get size(): number {
    return this.raceIds.length
  }

  /** Adds rows and returns the total; `null` if it would exceed `MAX_LAB_BETS`. */
  add({ bytes }: RowsPage): number | null {
    const { rows, column } = readPage(bytes)
    const starters = this.universe === 'starters'
    const combination = column(starters ? 'horse_no' : 'combination')
    const rank = column(starters ? 'model_rank' : 'rank')
    const betType = starters ? null : column('bet_type')
    const [raceId, day, meeting, raceNo] = ['race_id', 'day', 'meeting', 'race_no'].map(column)
    const outcome = column('outcome')
    const amounts = [
      ['probability', 'probability'],
      ['market', 'market_probability'],
      ['final', 'win_odds'],
      ['opening', 'opening_odds'],
      ['late', 'late_odds'],
      ['profit', 'profit_cents'],
    ] as const
    const read = amounts.map(([name, from]) => [name, column(from)] as const)
    if (this.size + rows > MAX_LAB_BETS) return null
    for (let row = 0; row < rows; row += 1) {
      const key = String(meeting!.get(row))
      this.raceIds.push(String(raceId!.get(row)))
      this.days.push(String(day!.get(row)))
      this.meetingKeys.push(key)
      this.raceNumbers.push(Number(raceNo!.get(row)))
      this.raceKeys.push(`${key} ${Number(raceNo!.get(row))}`)
      this.betTypes.push(betType === null ? 1 : Number(betType.get(row)))
      this.combinations.push(String(combination.get(row)))
      this.numbers.rank.push(Number(rank.get(row)))
      this.numbers.outcome.push(CODES[String(outcome.get(row))] ?? MISS)
      const isWin = this.betTypes.at(-1) === 1
      for (const [name, from] of read) {
        const value: unknown = from.get(row)
        // Rows of other bet types on one horse contain its win odds, which do not apply to them.
        const known = typeof value === 'number' && (isWin || !ODDS.has(name)) ? value : Number.NaN
        this.numbers[name].push(ODDS.has(name) ? Number(known.toPrecision(SINGLE_DIGITS)) : known)
      }
    }
    return this.size
  }

  /** The rows as a table for staking, and the key of each race. */
  table(): { bets: BetTable; raceKeys: string[] } {
    const { raceKeys, ...bounds } = boundsOf(this.raceKeys, this.meetingKeys, this.days)
    const { numbers } = this
    const bets = {
      size: this.size,
      ...bounds,
      probability: Float64Array.from(numbers.probability),
      market: Float64Array.from(numbers.market),
      finalOdds: Float64Array.from(numbers.final),
      openingOdds: Float64Array.from(numbers.opening),
      lateOdds: Float64Array.from(numbers.late, (odds, bet) => (odds > 0 ? odds : numbers.final[bet]!)),
      rank: Float64Array.from(numbers.rank),
      outcome: Uint8Array.from(numbers.outcome),
      profit: Float64Array.from(numbers.profit),
      win: Uint8Array.from(this.betTypes, (type) => (type === 1 ? 1 : 0)),
    }
    return { bets, raceKeys }
  }

  /** Bets whose odds two minutes before post time were recorded. */
  get late(): number {
    return this.numbers.late.reduce((sum, odds) => sum + (odds > 0 ? 1 : 0), 0)
  }
}
