import { CombinationTable, sortedCode } from './combination-table.ts'
import { FurlongError } from './errors.ts'
import { GAMEPLAYS, type GameplayClass } from './gameplay.ts'

/** Stage exponents of the discounted Harville formulas: 2nd, 3rd and 4th place. */
export interface StageExponents {
  second: number
  third: number
  fourth: number
}

/** Largest field that the formulas accept. */
const MAX_FIELD = 30

/** Throws `bad-field` unless the win probabilities are above 0 and sum to 1, and the field is not too large. */
export function checkField(win: readonly number[]): void {
  const sum = win.reduce((total, value) => total + value, 0)
  if (win.length > MAX_FIELD || win.some((p) => !(p > 0)) || !(Math.abs(sum - 1) < 1e-6))
    throw new FurlongError('bad-field', { value: win.join(' ') })
}

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
  checkField(win)
  const field = win.length
  const orders = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, field, 'order'))
  const sets = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, field, 'set'))
  addOrders(win, exponents, orders, sets)
  const among: Partial<ClassTables> = {
    2: amongFirst(sets, Math.min(places, field), 1, field),
    4: amongFirst(sets, field < 3 ? 0 : 3, 2, field),
  }
  return Object.fromEntries(
    GAMEPLAYS.map(({ class: classId, rule, size }) => [
      classId,
      among[classId] ?? (rule === 'order' ? orders : sets)[size - 1]!,
    ]),
  ) as ClassTables
}

/**
 * Adds every ordered choice of one to four horses to the tables of orders and of sets, by length. Written out
 * as four loops: visiting each choice by a function takes twice as long, and scoring spends much of its time
 * here.
 */
function addOrders(
  win: readonly number[],
  { second, third, fourth }: StageExponents,
  orders: readonly CombinationTable[],
  sets: readonly CombinationTable[],
): void {
  const field = win.length
  const [order1, order2, order3, order4] = orders as FourTables
  const [set1, set2, set3, set4] = sets as FourTables
  const [stage1, stage2, stage3, stage4] = [1, second, third, fourth].map((exponent, place) =>
    Float64Array.from(win, (p) => (place === 0 ? p : p ** exponent)),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  const used = new Uint8Array(field)
  const restOf = (stage: Float64Array): number => {
    let rest = 0
    for (let horse = 0; horse < field; horse += 1) if (used[horse] === 0) rest += stage[horse]!
    return rest
  }
  const rest1 = restOf(stage1)
  for (let a = 0; a < field; a += 1) {
    const chance1 = stage1[a]! / rest1
    order1.addAt(a, chance1)
    set1.addAt(a, chance1)
    used[a] = 1
    const rest2 = restOf(stage2)
    for (let b = 0; b < field; b += 1) {
      if (used[b] === 1) continue
      const chance2 = chance1 * (stage2[b]! / rest2)
      const code2 = a * field + b
      const low = Math.min(a, b)
      const high = Math.max(a, b)
      order2.addAt(code2, chance2)
      set2.addAt(low * field + high, chance2)
      used[b] = 1
      const rest3 = restOf(stage3)
      for (let c = 0; c < field; c += 1) {
        if (used[c] === 1) continue
        const chance3 = chance2 * (stage3[c]! / rest3)
        const code3 = code2 * field + c
        const x = Math.min(low, c)
        const y = Math.max(low, Math.min(high, c))
        const z = Math.max(high, c)
        order3.addAt(code3, chance3)
        set3.addAt((x * field + y) * field + z, chance3)
        used[c] = 1
        const rest4 = restOf(stage4)
        for (let d = 0; d < field; d += 1) {
          if (used[d] === 1) continue
          const chance4 = chance3 * (stage4[d]! / rest4)
          order4.addAt(code3 * field + d, chance4)
          set4.addAt(sortedCode(x, y, z, d, field), chance4)
        }
        used[c] = 0
      }
      used[b] = 0
    }
    used[a] = 0
  }
}

type FourTables = readonly [CombinationTable, CombinationTable, CombinationTable, CombinationTable]

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
