import { CombinationTable, sortedCode } from './combination-table.ts'
import type { StageExponents } from './order-rule.ts'
import type { OrderTables } from './order-tables.ts'

/**
 * Every ordered choice of one to four horses, and every set, by the discounted Harville formulas (Benter 1994; Lo and
 * Bacon-Shone). `win`: as `checkField` accepts them.
 */
export function harvilleTables(win: readonly number[], exponents: StageExponents): OrderTables {
  const orders = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, win.length, 'order'))
  const sets = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, win.length, 'set'))
  addOrders(win, exponents, orders, sets)
  return { orders, sets }
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
