import { combinationCount, gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { isHit, type RaceOutcome } from '../../domain/settlement.ts'

/** Cached probabilities of random draws, which are the same for every prediction of a race and bet type. */
export class RandomChances {
  private readonly known = new WeakMap<RaceOutcome, Map<GameplayClass, number>>()

  /** `null` for a race whose places contradict each other. */
  of(classId: GameplayClass, { outcome }: { outcome: RaceOutcome | null }): number | null {
    if (outcome === null) return null
    const ofRace = this.known.get(outcome) ?? new Map<GameplayClass, number>()
    this.known.set(outcome, ofRace)
    const chance = ofRace.get(classId) ?? randomChance(classId, outcome)
    ofRace.set(classId, chance)
    return chance
  }
}

/**
 * Probability that a combination drawn at random from the starters wins: winning combinations divided by all
 * combinations. A dead heat makes several combinations win, and the horses of a coupled entry count as one
 * starter.
 */
export function randomChance(classId: GameplayClass, race: Pick<RaceOutcome, 'finish' | 'places'>): number {
  const all = combinationCount(classId, race.finish.starters)
  if (all === 0) return 0
  const { rule, depth, size } = gameplayOf(classId)
  const candidates = race.finish.among(
    rule === 'among' && depth !== 'places' ? depth : Math.max(size, race.places),
  )
  let winning = 0
  for (const horses of choices(candidates, size, rule === 'order')) {
    if (isHit(classId, horses, race)) winning += 1
  }
  return winning / all
}

/** Every choice of `size` items: in every order if `ordered`, otherwise each set once. */
function* choices(items: readonly number[], size: number, ordered: boolean): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (const [index, item] of items.entries()) {
    const rest = ordered ? items.toSpliced(index, 1) : items.slice(index + 1)
    for (const others of choices(rest, size - 1, ordered)) yield [item, ...others]
  }
}
