import { nullOn } from './errors.ts'
import { STAKE_CENTS, oddsOfDividend } from './money.ts'
import { Finish, type Finisher } from './finish.ts'
import { choices, combinationText, GAMEPLAYS, gameplayOf, type GameplayClass } from './gameplay.ts'

type Outcome = 'hit' | 'miss' | 'void'

/** A published dividend line. `refund`: stakes are returned; `unknown`: published, but without a figure. */
export interface DividendLine {
  gameplayClass: GameplayClass
  /** In the format of `combinationText`; empty if the line is for the whole pool. */
  combination: string
  status: 'paid' | 'refund' | 'unknown'
  /** Cents for a stake of 10, stake included; `null` unless paid. */
  dividendCents: number | null
}

export interface RaceOutcome {
  /** The official result, or, if that was amended after the pools had paid, the order that they paid on. */
  finish: Finish
  /** Places paid by the race; 0 if it has no place pool. */
  places: number
  dividends: readonly DividendLine[]
  /**
   * Whether the published dividends contradict the official places: the result was amended
   * after the pools had paid.
   */
  amended: boolean
}

export interface Settled {
  outcome: Outcome
  /** Profit of a stake of 10 in cents; `null` if the published dividends do not determine it. */
  profitCents: number | null
  /** Decimal odds paid; `null` unless a hit with a known dividend. */
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

/** Every combination of a class that wins, of betting interests: after a dead heat several. */
export function winningCombinations(
  classId: GameplayClass,
  race: Pick<RaceOutcome, 'finish' | 'places'>,
): number[][] {
  const { rule, depth, size } = gameplayOf(classId)
  const candidates = race.finish.among(
    rule === 'among' && depth !== 'places' ? depth : Math.max(size, race.places),
  )
  return choices(candidates, size, rule === 'order').filter((horses) => isHit(classId, horses, race))
}

/** Whether the finish decides bets of a class: without the places behind the winner, it decides who won alone. */
export const isDecided = (classId: GameplayClass, finish: Finish): boolean =>
  finish.isOrderKnown || classId === 1

/**
 * How many combinations of a class win: more than usual after a dead heat. 0 for a class that is no bet type here, or if the
 * places contradict each other. `finishers`: every declared runner; `places`: paid by the race.
 */
export function hitCount(classId: number, finishers: readonly Finisher[], places: number): number {
  const bet = GAMEPLAYS.find((each) => each.class === classId)
  const finish = nullOn('bad-finish', () => new Finish(finishers))
  return bet === undefined || finish === null ? 0 : winningCombinations(bet.class, { finish, places }).length
}

const horsesOf = ({ combination }: DividendLine): number[] => combination.split('-').map(Number)

/** Whether a line is for a winning combination of starters. */
const isWinningLine = ({ status, combination }: DividendLine): boolean =>
  status === 'paid' && combination !== ''

/**
 * The outcome that a race is settled by. Pools that have paid are not paid again when a result is amended, so
 * the published lines take precedence over the places: if a paid line is not a hit by the official places,
 * the finishing order is rebuilt from the paid line of the longest ordered bet type (quartet, tierce,
 * forecast, win), followed by the other finishers in official order. `finishers`: every declared runner.
 * Throws `bad-finish` if places overlap.
 */
export function raceOutcome(
  finishers: readonly Finisher[],
  places: number,
  dividends: readonly DividendLine[],
): RaceOutcome {
  const official: RaceOutcome = { finish: new Finish(finishers), places, dividends, amended: false }
  // If our rules pay no places, the lines of a place pool cannot contradict them.
  const lines = dividends.filter((line) => isWinningLine(line) && (line.gameplayClass !== 2 || places > 0))
  const contradicts = ({ finish }: RaceOutcome): boolean =>
    lines.some(
      (line) =>
        isDecided(line.gameplayClass, finish) &&
        !isHit(line.gameplayClass, horsesOf(line), { finish, places }),
    )
  if (!contradicts(official)) return official
  const ordered = lines
    .filter(({ gameplayClass }) => gameplayOf(gameplayClass).rule === 'order')
    .toSorted((a, b) => b.gameplayClass - a.gameplayClass)
  const started = new Set(finishers.flatMap(({ horseNo, started: ran }) => (ran ? [horseNo] : [])))
  const first = ordered.map(horsesOf).find((horses) => horses.every((horse) => started.has(horse)))
  // Lines that contradict each other do not determine an order; each of them is still a
  // hit by itself (`settle`).
  if (first === undefined) return { ...official, amended: true }
  const paid = { ...official, finish: new Finish(reordered(finishers, first)), amended: true }
  return contradicts(paid) ? { ...official, amended: true } : paid
}

/** Finishers with `first` in the first places, followed by the others in their previous order. */
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
 * Settles one prediction by decisions section 2: flat stake of 10, from published
 * dividends, never displayed odds.
 *
 * Void: a horse did not start, the race pays no place (class 2), the pool was refunded, or neither lines nor the finish tell
 * what won, because the places behind the winner are unknown. A combination
 * with a published dividend is a hit at that dividend, regardless of the places; the places decide where its
 * line is missing, because a pool's lines are often incomplete. Unknown profit (`null`): a hit whose line is
 * not published, and any outcome of a pool without any published line, because it is then unknown whether
 * the bet could have been placed.
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
  if (!isDecided(classId, race.finish) && pool.length === 0) return VOID
  // Of a pool that the finish does not decide, the lines without a figure are those of the winners too.
  const isWinning = isDecided(classId, race.finish) ? isHit(classId, horses, race) : line !== undefined
  if (isWinning) return { outcome: 'hit', profitCents: null, paidOdds: null }
  return { outcome: 'miss', profitCents: pool.length === 0 ? null : -STAKE_CENTS, paidOdds: null }
}
