import { STAKE_CENTS, oddsOfDividend } from './money.ts'
import { Finish, type Finisher } from './finish.ts'
import { combinationText, gameplayOf, type GameplayClass } from './gameplay.ts'

export type Outcome = 'hit' | 'miss' | 'void'

/** A published dividend line. `refund`: stakes back; `unknown`: published, but without a figure of its own. */
export interface DividendLine {
  gameplayClass: GameplayClass
  /** As `combinationText` writes it; empty when the line is for the whole pool. */
  combination: string
  status: 'paid' | 'refund' | 'unknown'
  /** Cents per HK$10, stake included; `null` unless paid. */
  dividendCents: number | null
}

export interface RaceOutcome {
  /** The official result, or, where that was amended after the pools had paid, the order that they paid on. */
  finish: Finish
  /** Places paid by the race, 0 where it has no place pool. */
  places: number
  dividends: readonly DividendLine[]
  /** The published dividends contradict the official places: the result was amended after the pools had paid. */
  amended: boolean
}

export interface Settled {
  outcome: Outcome
  /** Profit of a HK$10 stake in cents; `null` when the published dividends cannot tell. */
  profitCents: number | null
  /** Decimal odds paid; `null` unless a hit whose dividend is known. */
  paidOdds: number | null
}

const VOID: Settled = { outcome: 'void', profitCents: 0, paidOdds: null }

/** Whether a combination wins in some finishing order that the result allows. */
export function isHit(
  classId: GameplayClass,
  horses: readonly number[],
  { finish, places }: Pick<RaceOutcome, 'finish' | 'places'>,
): boolean {
  const { rule, depth } = gameplayOf(classId)
  if (rule === 'order') return finish.allowsOrder(horses)
  if (rule === 'set') return finish.allowsSet(horses)
  return finish.allowsAmong(horses, depth === 'places' ? places : depth)
}

const horsesOf = ({ combination }: DividendLine): number[] => combination.split('-').map(Number)

/** A line that names a winning combination of starters. */
const isWinningLine = ({ status, combination }: DividendLine): boolean =>
  status === 'paid' && combination !== ''

/**
 * What a race is settled by. Pools that have paid are not paid again when a result is amended, so the published lines
 * come before the places: where a paid line is no hit by the official places, the finishing order is rebuilt from the
 * paid line of the longest ordered bet type (quartet, tierce, forecast, win), followed by the other finishers in
 * official order. `finishers`: every declared runner. Throws `bad-finish` where places overlap.
 */
export function raceOutcome(
  finishers: readonly Finisher[],
  places: number,
  dividends: readonly DividendLine[],
): RaceOutcome {
  const official: RaceOutcome = { finish: new Finish(finishers), places, dividends, amended: false }
  // Without places by our rules a place pool cannot contradict them.
  const lines = dividends.filter((line) => isWinningLine(line) && (line.gameplayClass !== 2 || places > 0))
  const contradicts = ({ finish }: RaceOutcome): boolean =>
    lines.some((line) => !isHit(line.gameplayClass, horsesOf(line), { finish, places }))
  if (!contradicts(official)) return official
  const ordered = lines
    .filter(({ gameplayClass }) => gameplayOf(gameplayClass).rule === 'order')
    .toSorted((a, b) => b.gameplayClass - a.gameplayClass)
  const started = new Set(finishers.flatMap(({ horseNo, started: ran }) => (ran ? [horseNo] : [])))
  const first = ordered.map(horsesOf).find((horses) => horses.every((horse) => started.has(horse)))
  // Lines that contradict each other tell no order; each of them is still a hit by itself (`settle`).
  if (first === undefined) return { ...official, amended: true }
  const paid = { ...official, finish: new Finish(reordered(finishers, first)), amended: true }
  return contradicts(paid) ? { ...official, amended: true } : paid
}

/** Finishers with `first` at the first places and the others behind them in their old order. */
function reordered(finishers: readonly Finisher[], first: readonly number[]): Finisher[] {
  const behind = finishers
    .filter(({ started, place, horseNo }) => started && place !== null && !first.includes(horseNo))
    .toSorted((a, b) => a.place! - b.place! || a.horseNo - b.horseNo)
    .map(({ horseNo }) => horseNo)
  const order = [...first, ...behind]
  return finishers.map((finisher) => {
    const index = order.indexOf(finisher.horseNo)
    return index < 0 ? finisher : { ...finisher, place: index + 1 }
  })
}

/**
 * Settles one prediction by decisions section 2: flat stake HK$10, from published dividends, never displayed odds.
 *
 * Void: a horse did not start, the race pays no place (class 2), or the pool was refunded. A combination with a
 * published dividend is a hit at that dividend, whatever the places say; the places decide where its line is missing,
 * for a pool's lines are often incomplete. Unknown profit (`null`): a hit whose line is not published, and any outcome of
 * a pool of which nothing at all was published, for whether it could have been played is not known either.
 */
export function settle(
  classId: GameplayClass,
  horses: readonly number[],
  race: Omit<RaceOutcome, 'amended'>,
): Settled {
  if (horses.some((horse) => race.finish.didNotStart(horse))) return VOID
  if (classId === 2 && race.places === 0) return VOID
  const pool = race.dividends.filter((line) => line.gameplayClass === classId)
  if (pool.some((line) => line.status === 'refund' && line.combination === '')) return VOID
  const combination = combinationText(classId, horses)
  const line = pool.find((candidate) => candidate.combination === combination)
  if (line?.status === 'refund') return VOID
  if (line?.status === 'paid' && line.dividendCents !== null) {
    return {
      outcome: 'hit',
      profitCents: line.dividendCents - STAKE_CENTS,
      paidOdds: oddsOfDividend(line.dividendCents),
    }
  }
  if (isHit(classId, horses, race)) return { outcome: 'hit', profitCents: null, paidOdds: null }
  return { outcome: 'miss', profitCents: pool.length === 0 ? null : -STAKE_CENTS, paidOdds: null }
}
