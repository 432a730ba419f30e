import { CombinationTable, sortedCode } from './combination-table.ts'
import { OrderField, ORDERS_OF_THREE } from './order-chance.ts'

/** Tables of the orders and of the sets of the first one to four. */
export type OrderTables = Record<'orders' | 'sets', readonly CombinationTable[]>

/** What a chance is at least, because a table knows an entry by its not being 0. */
const LEAST = 1e-300

/** Every ordered choice of one to four horses in the order model, and every set. `win`: as `checkField` accepts them. */
export function orderTables(win: readonly number[], shape: number): OrderTables {
  const size = win.length
  const orders = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, size, 'order'))
  const sets = ([1, 2, 3, 4] as const).map((length) => new CombinationTable(length, size, 'set'))
  for (const [horse, chance] of win.entries()) {
    orders[0]!.addAt(horse, Math.max(LEAST, chance))
    sets[0]!.addAt(horse, Math.max(LEAST, chance))
  }
  const field = new OrderField(win, shape)
  addPairs(field, orders[1]!, sets[1]!)
  addThrees(field, orders[2]!, sets[2]!)
  addFours(field, orders[3]!, sets[3]!)
  return { orders, sets }
}

function addPairs(field: OrderField, orders: CombinationTable, sets: CombinationTable): void {
  const { size, points, finished, inverse, hazard, none } = field
  const curve = new Float64Array(points)
  for (let a = 0; a < size; a += 1) {
    for (let point = 0; point < points; point += 1)
      curve[point] = finished[a * points + point]! * inverse[a * points + point]! * none[point]!
    for (let b = 0; b < size; b += 1) {
      if (a === b) continue
      let chance = LEAST
      for (let point = 0; point < points; point += 1) chance += curve[point]! * hazard[b * points + point]!
      orders.addAt(a * size + b, chance)
      sets.addAt(Math.min(a, b) * size + Math.max(a, b), chance)
    }
  }
}

function addThrees(field: OrderField, orders: CombinationTable, sets: CombinationTable): void {
  const { size, points, inverse, hazard, none } = field
  if (size < 3) return
  const curve = new Float64Array(points)
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b < size; b += 1) {
      if (a === b) continue
      const pair = field.before(a, b)
      for (let point = 0; point < points; point += 1)
        curve[point] =
          pair[point]! * (none[point]! * inverse[a * points + point]! * inverse[b * points + point]!)
      const low = Math.min(a, b)
      const high = Math.max(a, b)
      for (let c = 0; c < size; c += 1) {
        if (c === a || c === b) continue
        let chance = LEAST
        for (let point = 0; point < points; point += 1) chance += curve[point]! * hazard[c * points + point]!
        orders.addAt((a * size + b) * size + c, chance)
        const x = Math.min(low, c)
        const y = Math.max(low, Math.min(high, c))
        const z = Math.max(high, c)
        sets.addAt((x * size + y) * size + z, chance)
      }
    }
  }
}

/** The six orders of three horses share a pass over the fourth: most of a table's time is spent here. */
function addFours(field: OrderField, orders: CombinationTable, sets: CombinationTable): void {
  const { size, points, hazard } = field
  if (size < 4) return
  const curves = new Float64Array(6 * points)
  const sums = new Float64Array(6)
  const codes = new Int32Array(6)
  for (let a = 0; a < size; a += 1) {
    for (let b = a + 1; b < size; b += 1) {
      for (let c = b + 1; c < size; c += 1) {
        field.three(a, b, c, curves)
        const horses = [a, b, c]
        for (const [row, [x, y, z]] of ORDERS_OF_THREE.entries())
          codes[row] = ((horses[x]! * size + horses[y]!) * size + horses[z]!) * size
        for (let d = 0; d < size; d += 1) {
          if (d === a || d === b || d === c) continue
          sumSix(curves, hazard, d * points, points, sums)
          let all = 0
          for (let row = 0; row < 6; row += 1) {
            orders.addAt(codes[row]! + d, sums[row]!)
            all += sums[row]!
          }
          sets.addAt(sortedCode(a, b, c, d, size), all)
        }
      }
    }
  }
}

/** Products of six curves with a seventh, summed. */
function sumSix(
  curves: Float64Array,
  weights: Float64Array,
  from: number,
  points: number,
  sums: Float64Array,
): void {
  let [s0, s1, s2, s3, s4, s5] = [LEAST, LEAST, LEAST, LEAST, LEAST, LEAST]
  for (let point = 0; point < points; point += 1) {
    const weight = weights[from + point]!
    s0 += curves[point]! * weight
    s1 += curves[point + points]! * weight
    s2 += curves[point + 2 * points]! * weight
    s3 += curves[point + 3 * points]! * weight
    s4 += curves[point + 4 * points]! * weight
    s5 += curves[point + 5 * points]! * weight
  }
  sums[0] = s0
  sums[1] = s1
  sums[2] = s2
  sums[3] = s3
  sums[4] = s4
  sums[5] = s5
}
