import { choices, gameplayOf, type GameplayClass } from './gameplay.ts'
import { OrderChances } from './order-chance.ts'
import { checkField, type OrderRule, type StageExponents } from './order-rule.ts'

/** Probabilities of single combinations of a field. */
export interface CombinationChances {
  /** Probability that a combination of the class wins; 0 if the class pays nothing in such a field. */
  of(classId: GameplayClass, horses: readonly number[]): number
}

/**
 * Probabilities of single combinations of a field, without building the table of all of them
 * (`combinationProbabilities`): a field of 14 has 24,024 quartets, and often only ten are needed.
 *
 * `win`: win probabilities of the starters, summing to 1; combinations are indexes into it. `places`: how many places the
 * race pays. Formulas: domain notes section 2. Throws `bad-field`.
 */
export function combinationChances(
  win: readonly number[],
  rule: OrderRule,
  places: number,
): CombinationChances {
  checkField(win, rule)
  return 'shape' in rule ? new OrderChances(win, rule.shape, places) : new HarvilleChances(win, rule, places)
}

class HarvilleChances implements CombinationChances {
  private readonly stages: readonly (readonly number[])[]
  private readonly sums: readonly number[]
  private readonly field: number
  private readonly places: number
  private placed: Float64Array | null = null
  private pairs: Float64Array | null = null

  constructor(win: readonly number[], { second, third, fourth }: StageExponents, places: number) {
    this.field = win.length
    this.places = places
    this.stages = [win, ...[second, third, fourth].map((exponent) => win.map((p) => p ** exponent))]
    this.sums = this.stages.map((stage) => stage.reduce((total, value) => total + value, 0))
  }

  of(classId: GameplayClass, horses: readonly number[]): number {
    const { rule, depth } = gameplayOf(classId)
    if (rule === 'order') return this.order(horses, IDENTITY)
    if (rule === 'set') {
      let sum = 0
      for (const permutation of PERMUTATIONS[horses.length]!) sum += this.order(horses, permutation)
      return sum
    }
    if (horses.length === 1 && depth === 'places') return this.amongPlaces()[horses[0]!]!
    return this.amongThree()[horses[0]! * this.field + horses[1]!]!
  }

  /** Probability that the first horses are exactly these, in the order of the permutation. */
  private order(horses: readonly number[], permutation: readonly number[]): number {
    let probability = 1
    for (let position = 0; position < horses.length; position += 1) {
      const stage = this.stages[position]!
      let rest = this.sums[position]!
      for (let before = 0; before < position; before += 1) rest -= stage[horses[permutation[before]!]!]!
      probability *= stage[horses[permutation[position]!]!]! / rest
    }
    return probability
  }

  private amongPlaces(): Float64Array {
    if (this.placed) return this.placed
    const placed = new Float64Array(this.field)
    this.visit(Math.min(this.places, this.field), (horses, depth, probability) => {
      for (let at = 0; at < depth; at += 1) placed[horses[at]!]! += probability
    })
    this.placed = placed
    return placed
  }

  private amongThree(): Float64Array {
    if (this.pairs) return this.pairs
    const { field } = this
    const pairs = new Float64Array(field * field)
    this.visit(field < 3 ? 0 : 3, (horses, _, probability) => {
      const a = horses[0]!
      const b = horses[1]!
      const c = horses[2]!
      pairs[a * field + b]! += probability
      pairs[a * field + c]! += probability
      pairs[b * field + c]! += probability
    })
    for (let a = 0; a < field; a += 1) {
      for (let b = 0; b < a; b += 1) {
        const both = pairs[a * field + b]! + pairs[b * field + a]!
        pairs[a * field + b] = both
        pairs[b * field + a] = both
      }
    }
    this.pairs = pairs
    return pairs
  }

  /** Visits every ordered choice of `depth` horses; `horses` is one array, reused for every visit. */
  private visit(
    depth: number,
    visit: (horses: Int32Array, depth: number, probability: number) => void,
  ): void {
    if (depth === 0) return
    const { field, stages, sums } = this
    const horses = new Int32Array(depth)
    const used = new Uint8Array(field)
    const walk = (position: number, before: number): void => {
      if (position === depth) {
        visit(horses, depth, before)
        return
      }
      const stage = stages[position]!
      let rest = sums[position]!
      for (let at = 0; at < position; at += 1) rest -= stage[horses[at]!]!
      for (let horse = 0; horse < field; horse += 1) {
        if (used[horse] === 1) continue
        horses[position] = horse
        used[horse] = 1
        walk(position + 1, before * (stage[horse]! / rest))
        used[horse] = 0
      }
    }
    walk(0, 1)
  }
}

const IDENTITY = [0, 1, 2, 3]
/** Every permutation of the positions of a set, by its number of horses. */
const PERMUTATIONS: readonly (readonly (readonly number[])[])[] = [0, 1, 2, 3, 4].map((size) =>
  choices(IDENTITY.slice(0, size), size, true),
)
