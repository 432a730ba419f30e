import { CombinationTable } from './combination-table.ts'
import { GAMEPLAYS, type GameplayClass } from './gameplay.ts'
import { harvilleTables } from './harville.ts'
import { checkField, type OrderRule } from './order-rule.ts'
import { orderTables } from './order-tables.ts'

export type ClassTables = Record<GameplayClass, CombinationTable>

/**
 * Every combination of every class 1 to 9 with its probability.
 *
 * `win`: win probabilities of the starters, summing to 1; combinations are indexes into it. `rule`: how the places behind
 * the winner follow from them. `places`: how many places the race pays (0: class 2 is empty). A class that needs more
 * horses than there are is empty. Formulas: domain notes section 2. Throws `bad-field`.
 */
export function combinationProbabilities(
  win: readonly number[],
  rule: OrderRule,
  places: number,
): ClassTables {
  checkField(win, rule)
  const field = win.length
  const { orders, sets } = 'shape' in rule ? orderTables(win, rule.shape) : harvilleTables(win, rule)
  const among: Partial<ClassTables> = {
    2: amongFirst(sets, Math.min(places, field), 1, field),
    4: amongFirst(sets, field < 3 ? 0 : 3, 2, field),
  }
  return Object.fromEntries(
    GAMEPLAYS.map(({ class: classId, rule: kind, size }) => [
      classId,
      among[classId] ?? (kind === 'order' ? orders : sets)[size - 1]!,
    ]),
  ) as ClassTables
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
