import type { RowsPage } from '../../analytics/engine-api.ts'
import { MAX_LAB_BETS, type LabBox, type LabBoxes } from '../../analytics/lab-api.ts'
import { readDividends } from '../../analytics/rows.ts'
import { HIT, MISS, VOID, type BetTable, type BoxColumns } from '../../domain/bet-table.ts'
import { boxText, combinationsOf, expectedWinners, settleBox, type SettledBox } from '../../domain/boxes.ts'
import { combinationChances } from '../../domain/combination-chance.ts'
import { FurlongError } from '../../domain/errors.ts'
import { STAKE_CENTS } from '../../domain/money.ts'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { ownWin, type ChanceMix } from '../../domain/own-bet-chances.ts'
import { raceOutcome, type RaceOutcome } from '../../domain/settlement.ts'
import { boundsOf, type BetIdentities } from './bet-columns.ts'
import type { FinishedVector } from './race-vectors.ts'
import { readPage } from './read-page.ts'

/** How the places follow from predicted probabilities, and from the market's. */
const USUAL_ORDER = { shape: USUAL_SHAPE }

/** The races that boxes are made in, with their published dividends, collected from one row each. */
export class BoxRaces {
  readonly raceIds: string[] = []
  readonly raceNumbers: number[] = []
  readonly days: string[] = []
  private readonly meetingKeys: string[] = []
  private readonly places: number[] = []
  private readonly dividends: (string | null)[] = []
  /** How each race is settled, once it was; `null` where its places contradict each other. */
  private readonly outcomes: (RaceOutcome | null | undefined)[] = []

  /** Adds rows and returns the total; `null` if it would exceed `MAX_LAB_BETS`. */
  add({ bytes }: RowsPage): number | null {
    const { rows, column } = readPage(bytes)
    const [raceId, day, meeting, raceNo] = ['race_id', 'day', 'meeting', 'race_no'].map(column)
    const [places, dividends] = [column('places_paid'), column('dividends')]
    if (this.raceIds.length + rows > MAX_LAB_BETS) return null
    for (let row = 0; row < rows; row += 1) {
      this.raceIds.push(String(raceId!.get(row)))
      this.days.push(String(day!.get(row)))
      this.meetingKeys.push(String(meeting!.get(row)))
      this.raceNumbers.push(Number(raceNo!.get(row)))
      this.places.push(Number(places.get(row)))
      const lines: unknown = dividends.get(row)
      this.dividends.push(typeof lines === 'string' ? lines : null)
    }
    return this.raceIds.length
  }

  /** A box of each race, as a table for staking, and what identifies each. `onRace`: called after each race. */
  boxes(
    vectors: ReadonlyMap<string, FinishedVector>,
    box: LabBox,
    mix: ChanceMix | null,
    onRace?: (done: number, all: number) => void,
  ): { bets: BetTable; identities: BetIdentities; races: number } {
    const { bets, boxes } = this.emptyTable()
    const combinations = this.raceIds.map(() => '')
    let races = 0
    for (const [race, raceId] of this.raceIds.entries()) {
      const vector = vectors.get(raceId)
      const made = vector && this.boxOf(race, vector, box, mix)
      if (made) {
        if (mix !== null) races += 1
        combinations[race] = made.text
        boxes.combinations[race] = combinationsOf(box)
        bets.probability[race] = made.expected
        fill(bets, boxes, race, made)
      }
      onRace?.(race + 1, this.raceIds.length)
    }
    const betTypes = this.raceIds.map(() => box.pool)
    return { bets, identities: { ...this.identified, combinations, betTypes }, races }
  }

  private get identified(): Pick<BetIdentities, 'raceIds' | 'raceNumbers' | 'days'> {
    const { raceIds, raceNumbers, days } = this
    return { raceIds, raceNumbers, days }
  }

  /** The first horses of a race as a box, and what it won; `null` if the race allows none. */
  private boxOf(race: number, vector: FinishedVector, box: LabBox, mix: ChanceMix | null): MadeBox | null {
    const win = mix === null ? vector.model : ownWin(vector, mix, this.raceIds[race]!)
    const ranked = box.by === 'market' ? vector.market : win
    const size = box.bankers + box.legs
    const outcome = this.outcomeOf(race, vector)
    if (ranked === null || ranked.length < size || outcome === null) return null
    const first = [...ranked.keys()]
      .toSorted((a, b) => ranked[b]! - ranked[a]! || vector.numbers[a]! - vector.numbers[b]!)
      .slice(0, size)
    const horses = first.map((index) => vector.numbers[index]!)
    const settled = settleBox(box, horses, outcome)
    const chances = combinationChances(win, mix?.order ?? USUAL_ORDER, outcome.places)
    return {
      text: boxText(box, horses),
      expected: expectedWinners(box, first, chances),
      settled,
      fair: fairPaid(box, settled, vector, outcome.places, win),
    }
  }

  private outcomeOf(race: number, { finishers }: FinishedVector): RaceOutcome | null {
    const known = this.outcomes[race]
    if (known !== undefined) return known
    const outcome = outcomeOrNull(finishers, this.places[race]!, this.dividends[race]!)
    this.outcomes[race] = outcome
    return outcome
  }

  /** The races as rows without a box. */
  emptyTable(): { bets: BetTable; boxes: BoxColumns; raceKeys: string[] } {
    const size = this.raceIds.length
    const rowRaces = this.raceNumbers.map((number, race) => `${this.meetingKeys[race]!} ${number}`)
    const { raceKeys, ...bounds } = boundsOf(rowRaces, this.meetingKeys, this.days)
    const unknown = (): Float64Array => new Float64Array(size).fill(Number.NaN)
    const none = (): Float64Array => new Float64Array(size)
    const boxes = { combinations: none(), live: none(), winners: none(), worst: none(), best: none() }
    const bets = {
      size,
      ...bounds,
      probability: unknown(),
      market: unknown(),
      finalOdds: unknown(),
      openingOdds: unknown(),
      lateOdds: unknown(),
      rank: new Float64Array(size).fill(1),
      outcome: new Uint8Array(size),
      profit: unknown(),
      win: new Uint8Array(size),
      boxes,
    }
    return { bets, boxes, raceKeys }
  }
}

interface MadeBox {
  text: string
  expected: number
  settled: SettledBox
  /** Cents that the winners without a dividend would have been paid for HK$10 each, by the market's chances. */
  fair: number
}

/** `null` where the places of a race contradict each other: nothing can be settled by them. */
function outcomeOrNull(
  finishers: FinishedVector['finishers'],
  places: number,
  dividends: string | null,
): RaceOutcome | null {
  try {
    return raceOutcome(finishers, places, readDividends(dividends))
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-finish') return null
    throw error
  }
}

/** By the market line, or by the probabilities in use if the race has none. */
function fairPaid(
  { pool }: LabBox,
  { unpriced }: SettledBox,
  { numbers, market }: FinishedVector,
  places: number,
  win: readonly number[],
): number {
  if (unpriced.length === 0) return 0
  const chances = combinationChances(market ?? win, USUAL_ORDER, places)
  const paid = unpriced.map((horses) =>
    Math.max(
      1,
      1 /
        chances.of(
          pool,
          horses.map((horse) => numbers.indexOf(horse)),
        ),
    ),
  )
  return paid.reduce((sum, each) => sum + each * STAKE_CENTS, 0)
}

/** Writes what a box won into the columns of its race. */
function fill(bets: BetTable, boxes: BoxColumns, race: number, { settled, fair }: MadeBox): void {
  const { live, winners, paid, unpriced, unheld } = settled
  boxes.live[race] = live
  boxes.winners[race] = winners
  const known = paid - live * STAKE_CENTS
  boxes.worst[race] = known + unpriced.length * STAKE_CENTS
  boxes.best[race] = known + fair
  bets.outcome[race] = live === 0 ? VOID : winners > 0 ? HIT : MISS
  bets.profit[race] = live > 0 && (unheld || unpriced.length > 0) ? Number.NaN : known
}

/** What the placed boxes were made of. `stakes`: of each bet; `null` where the bets are no boxes. */
export function boxFigures(
  { boxes, outcome, probability, size }: BetTable,
  stakes: Float64Array,
): LabBoxes | null {
  if (boxes === undefined) return null
  const sums: LabBoxes = { combinations: 0, winners: 0, expected: 0, without: 0 }
  for (let race = 0; race < size; race += 1) {
    if (boxes.combinations[race] === 0) sums.without += 1
    if (!(stakes[race]! > 0) || outcome[race] === VOID) continue
    sums.combinations += boxes.live[race]!
    if (boxes.live[race] !== boxes.combinations[race]) continue
    sums.winners += boxes.winners[race]!
    sums.expected += probability[race]!
  }
  return sums
}
