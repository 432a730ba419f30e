import { CombinationTable } from './combination-table.ts'
import { FurlongError } from './errors.ts'
import { gameplayOf, type GameplayClass } from './gameplay.ts'

/** Stage exponents of the discounted Harville formulas: 2nd, 3rd and 4th place. */
export interface StageExponents {
  second: number
  third: number
  fourth: number
}

export const PLAIN_HARVILLE: StageExponents = { second: 1, third: 1, fourth: 1 }

/** Largest field that the formulas accept. */
export const MAX_FIELD = 30

export type ClassTables = Record<GameplayClass, CombinationTable>

/**
 * Every combination of every class 1 to 9 with its probability.
 *
 * `win`: win probabilities of the starters, each above 0, summing to 1; combinations are indexes into it.
 * `places`: how many places the race pays (0: class 2 is empty). A class that needs more horses than there
 * are is empty. Formula: domain notes section 2 (Benter 1994; Lo and Bacon-Shone). Throws `bad-field`.
 */
export function combinationProbabilities(
  win: readonly number[],
  exponents: StageExponents,
  places: number,
): ClassTables {
  const sum = win.reduce((total, value) => total + value, 0)
  if (win.length > MAX_FIELD || win.some((p) => !(p > 0)) || !(Math.abs(sum - 1) < 1e-6)) {
    throw new FurlongError('bad-field', { value: win.join(' ') })
  }
  const field = win.length
  const orders = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, field, 'order'))
  const sets = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, field, 'set'))
  walkOrders(win, exponents, (length, horses, probability) => {
    orders[length - 1]!.add(horses, probability)
    sets[length - 1]!.add(horses, probability)
  })
  const table = (classId: GameplayClass): CombinationTable => {
    const { rule, size } = gameplayOf(classId)
    return (rule === 'order' ? orders : sets)[size - 1]!
  }
  return {
    1: table(1),
    2: amongFirst(sets, Math.min(places, field), 1, field),
    3: table(3),
    4: amongFirst(sets, field < 3 ? 0 : 3, 2, field),
    5: table(5),
    6: table(6),
    7: table(7),
    8: table(8),
    9: table(9),
  }
}

/** Visits every ordered choice of one to four horses; `horses` is one array, reused for every visit. */
function walkOrders(
  win: readonly number[],
  { second, third, fourth }: StageExponents,
  visit: (length: number, horses: Int32Array, probability: number) => void,
): void {
  const field = win.length
  const stages = [win, ...[second, third, fourth].map((e) => win.map((p) => p ** e))]
  const horses = new Int32Array(4)
  const used = new Uint8Array(field)
  const walk = (position: number, before: number): void => {
    const stage = stages[position]!
    let rest = 0
    for (let horse = 0; horse < field; horse += 1) if (used[horse] === 0) rest += stage[horse]!
    for (let horse = 0; horse < field; horse += 1) {
      if (used[horse] === 1) continue
      const probability = before * (stage[horse]! / rest)
      horses[position] = horse
      visit(position + 1, horses, probability)
      if (position === 3) continue
      used[horse] = 1
      walk(position + 1, probability)
      used[horse] = 0
    }
  }
  walk(0, 1)
}

/** P(the chosen horses are all among the first `depth`), summed over the sets of the first `depth`. */
function amongFirst(
  sets: readonly CombinationTable[],
  depth: number,
  chosen: 1 | 2,
  field: number,
): CombinationTable {
  const among = new CombinationTable(chosen, field, 'set')
  const first = sets[depth - 1]
  if (!first) return among
  const picked = new Int32Array(4)
  for (let row = 0; row < first.length; row += 1) {
    const horses = first.horses(row)
    const probability = first.probability(row)
    for (const [index, horse] of horses.entries()) {
      picked[0] = horse
      if (chosen === 1) among.add(picked, probability)
      for (const other of chosen === 2 ? horses.slice(index + 1) : []) {
        picked[1] = other
        among.add(picked, probability)
      }
    }
  }
  return among
}

/** P(first `k`) of each horse of the field; sums to `k` if the field has that many horses. */
export function firstKProbabilities(
  win: readonly number[],
  exponents: StageExponents,
  k: 1 | 2 | 3,
): number[] {
  const table = combinationProbabilities(win, exponents, k)[2]
  const chances = win.map(() => 0)
  for (let row = 0; row < table.length; row += 1) {
    chances[table.horses(row)[0]!] = table.probability(row)
  }
  return chances
}
