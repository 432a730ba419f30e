import { GammaField, gridOf } from './gamma-field.ts'
import { gameplayOf, type GameplayClass } from './gameplay.ts'
import { solveRates } from './order-strengths.ts'

/**
 * Weights of the differences of the values beside the last one of a cumulative sum (Gauss's central formula to the
 * seventh difference).
 */
const BESIDE_1 = 1 / 24 + 22 / 1440 + 955 / 120960 + 34958 / 7257600
const BESIDE_2 = -(11 / 1440 + 764 / 120960 + 34958 / 7257600)
const BESIDE_3 = 191 / 120960 + 14982 / 7257600
const BESIDE_4 = -2497 / 7257600
/** Empty values before and after an integrand. */
const AROUND = 4

/** A field whose finishing times fit its win chances, with the curves that orders of several runners share. */
export class OrderField extends GammaField {
  readonly rates: Float64Array
  /** Densities of the finishing times, times the points' weights. */
  private readonly density: Float64Array
  private readonly pairs: (Float64Array | undefined)[]
  private readonly integrand: Float64Array

  /** `win`: as `checkField` accepts them. */
  constructor(win: readonly number[], shape: number, rates: Float64Array = solveRates(win, shape)) {
    super(rates, gridOf(shape))
    this.rates = rates
    this.density = this.hazard.map((hazard, at) => hazard / this.inverse[at]!)
    this.pairs = Array.from({ length: rates.length ** 2 })
    this.integrand = new Float64Array(this.points + 2 * AROUND)
  }

  /** P(`a` finishes before `b`, and both by a point's time). */
  before(a: number, b: number): Float64Array {
    const known = this.pairs[a * this.size + b]
    if (known) return known
    const { points, size, finished, rates } = this
    // The less likely order is summed, and the other is what remains, so that both keep their precision.
    const [weak, strong] = rates[a]! < rates[b]! || (rates[a] === rates[b] && a < b) ? [a, b] : [b, a]
    const rare = new Float64Array(points)
    this.accumulate(finished, weak * points, strong, rare, 0)
    const usual = new Float64Array(points)
    for (let point = 0; point < points; point += 1)
      usual[point] = Math.max(
        0,
        finished[weak * points + point]! * finished[strong * points + point]! - rare[point]!,
      )
    this.pairs[weak * size + strong] = rare
    this.pairs[strong * size + weak] = usual
    return this.pairs[a * size + b]!
  }

  /**
   * For each of the six orders of three runners: P(they finish in it by a point's time, and no other has), in the rows of
   * `into`. Their sum is exact, so that so are sets of four.
   */
  three(a: number, b: number, c: number, into: Float64Array): void {
    const { points, finished, inverse, none } = this
    this.accumulate(this.before(a, b), 0, c, into, 0)
    this.accumulate(this.before(a, c), 0, b, into, points)
    this.accumulate(this.before(b, a), 0, c, into, 2 * points)
    this.accumulate(this.before(b, c), 0, a, into, 3 * points)
    this.accumulate(this.before(c, a), 0, b, into, 4 * points)
    this.accumulate(this.before(c, b), 0, a, into, 5 * points)
    for (let point = 0; point < points; point += 1) {
      let sum = 0
      for (let at = point; at < 6 * points; at += points) sum += into[at]!
      const [atA, atB, atC] = [a * points + point, b * points + point, c * points + point]
      const wanted =
        none[point]! *
        (finished[atA]! * inverse[atA]!) *
        (finished[atB]! * inverse[atB]!) *
        (finished[atC]! * inverse[atC]!)
      const factor = sum > 0 ? wanted / sum : 0
      for (let at = point; at < 6 * points; at += points) into[at]! *= factor
    }
  }

  /** ∫ of a curve, from `from` on, over the finishing times of a runner, up to each point: into `into` from `to` on. */
  private accumulate(
    curve: Float64Array,
    from: number,
    runner: number,
    into: Float64Array,
    to: number,
  ): void {
    const { points, density, integrand } = this
    const row = runner * points
    for (let point = 0; point < points; point += 1)
      integrand[point + AROUND] = curve[from + point]! * density[row + point]!
    let sum = 0
    for (let point = 0; point < points; point += 1) {
      const at = point + AROUND
      const here = integrand[at]!
      const sumHere =
        sum +
        here / 2 +
        BESIDE_1 * (integrand[at - 1]! - integrand[at + 1]!) +
        BESIDE_2 * (integrand[at - 2]! - integrand[at + 2]!) +
        BESIDE_3 * (integrand[at - 3]! - integrand[at + 3]!) +
        BESIDE_4 * (integrand[at - 4]! - integrand[at + 4]!)
      into[to + point] = sumHere > 0 ? sumHere : 0
      sum += here
    }
  }
}

/** Positions of three runners in each of their orders. */
export const ORDERS_OF_THREE = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

/**
 * Probabilities of single combinations of a field in the order model, without the tables of all of them.
 *
 * `win`: as `checkField` accepts them; combinations are indexes into it. `places`: how many places the race pays.
 */
export class OrderChances {
  private readonly win: readonly number[]
  private readonly field: OrderField
  private readonly places: number
  private placed: Float64Array | null = null
  private readonly threes = new Map<number, Float64Array>()

  constructor(win: readonly number[], shape: number, places: number) {
    this.win = win
    this.field = new OrderField(win, shape)
    this.places = places
  }

  /** Probability that a combination of the class wins; 0 if the class pays nothing in such a field. */
  of(classId: GameplayClass, horses: readonly number[]): number {
    const { rule, depth } = gameplayOf(classId)
    if (rule !== 'among' && horses.length === 1) return this.win[horses[0]!]!
    if (rule === 'order') return this.order(horses)
    if (rule === 'set') return this.firstSet(horses)
    if (horses.length === 1 && depth === 'places') {
      this.placed ??= this.amongFirst(Math.min(this.places, this.field.size))
      return this.placed[horses[0]!]!
    }
    return this.field.size < 3 ? 0 : this.pairAmongThree(horses[0]!, horses[1]!)
  }

  /**
   * P(the first are exactly these horses): the integral of the moment at which the last of them finishes. With the odds o
   * of having finished and the hazard h of each, that is the slope in ε of ∏ (o + εh).
   */
  private firstSet(horses: readonly number[]): number {
    const { points, finished, inverse, hazard, none } = this.field
    let total = 0
    for (let point = 0; point < points; point += 1) {
      let product = 1
      let slope = 0
      for (let place = 0; place < horses.length; place += 1) {
        const at = horses[place]! * points + point
        const odds = finished[at]! * inverse[at]!
        slope = slope * odds + product * hazard[at]!
        product *= odds
      }
      total += slope * none[point]!
    }
    return total
  }

  /** P(both are among the first three): summed over the third of the set. */
  private pairAmongThree(a: number, b: number): number {
    const { size, points, finished, inverse, hazard, none } = this.field
    let total = 0
    for (let point = 0; point < points; point += 1) {
      const atA = a * points + point
      const atB = b * points + point
      const oddsA = finished[atA]! * inverse[atA]!
      const oddsB = finished[atB]! * inverse[atB]!
      let odds = 0
      let rates = 0
      for (let other = 0, at = point; other < size; other += 1, at += points) {
        if (other === a || other === b) continue
        odds += finished[at]! * inverse[at]!
        rates += hazard[at]!
      }
      total += ((oddsA * hazard[atB]! + oddsB * hazard[atA]!) * odds + oddsA * oddsB * rates) * none[point]!
    }
    return total
  }

  /**
   * P(a horse is among the first `depth`), of every horse: for its sets of that many, the slope of the elementary
   * symmetric polynomial of o + εh. The others' polynomials are joined from those of the horses before and after it,
   * because dividing its own out would lose all digits once it is certain to have finished.
   */
  private amongFirst(depth: number): Float64Array {
    const { size, points, finished, inverse, hazard, none } = this.field
    const among = new Float64Array(size)
    if (depth === 0) return among
    if (depth === 1) return Float64Array.from(this.win)
    // Polynomials of degree 0 to depth − 1, then their slopes: of the horses from each on, and of those before.
    const after = new Float64Array((size + 1) * 2 * depth)
    const before = new Float64Array(2 * depth)
    for (let point = 0; point < points; point += 1) {
      after[size * 2 * depth] = 1
      for (let horse = size - 1; horse >= 0; horse -= 1) {
        const at = horse * points + point
        addHorse(
          after,
          (horse + 1) * 2 * depth,
          horse * 2 * depth,
          depth,
          finished[at]! * inverse[at]!,
          hazard[at]!,
        )
      }
      before.fill(0)
      before[0] = 1
      for (let horse = 0; horse < size; horse += 1) {
        const at = horse * points + point
        const odds = finished[at]! * inverse[at]!
        const next = (horse + 1) * 2 * depth
        let value = 0
        let slope = 0
        for (let degree = 0; degree < depth; degree += 1) {
          const other = next + depth - 1 - degree
          value += before[degree]! * after[other]!
          slope += before[degree + depth]! * after[other]! + before[degree]! * after[other + depth]!
        }
        among[horse]! += (odds * slope + hazard[at]! * value) * none[point]!
        addHorse(before, 0, 0, depth, odds, hazard[at]!)
      }
    }
    return among
  }

  /** Probability that the first horses are exactly these, in this order. */
  private order(horses: readonly number[]): number {
    const [a, b, c, d] = horses as [number, number, number?, number?]
    const { points, finished, inverse, hazard, none } = this.field
    let total = 0
    if (d !== undefined) {
      const [curve, from] = this.three(a, b, c!)
      for (let point = 0; point < points; point += 1)
        total += curve[from + point]! * hazard[d * points + point]!
    } else if (c === undefined) {
      for (let point = 0; point < points; point += 1) {
        const at = a * points + point
        total += finished[at]! * inverse[at]! * hazard[b * points + point]! * none[point]!
      }
    } else {
      const curve = this.field.before(a, b)
      for (let point = 0; point < points; point += 1)
        total +=
          curve[point]! *
          hazard[c * points + point]! *
          (none[point]! * inverse[a * points + point]! * inverse[b * points + point]!)
    }
    return total
  }

  /** The curve of three runners' order, and where it begins. */
  private three(a: number, b: number, c: number): [Float64Array, number] {
    const { size, points } = this.field
    const [x, y, z] = [a, b, c].toSorted((one, other) => one - other) as [number, number, number]
    const key = (x * size + y) * size + z
    let found = this.threes.get(key)
    if (!found) {
      found = new Float64Array(6 * points)
      this.field.three(x, y, z, found)
      this.threes.set(key, found)
    }
    const runners = [x, y, z]
    const first = runners.indexOf(a)
    const row = 2 * first + (runners.indexOf(b) > (first === 0 ? 1 : 0) ? 1 : 0)
    return [found, row * points]
  }
}

/** Elementary symmetric polynomials and their slopes with one more horse, from one place of an array to another. */
function addHorse(
  values: Float64Array,
  from: number,
  to: number,
  depth: number,
  odds: number,
  rate: number,
): void {
  for (let degree = depth - 1; degree > 0; degree -= 1) {
    const lower = values[from + degree - 1]!
    values[to + degree + depth] =
      values[from + degree + depth]! + values[from + degree - 1 + depth]! * odds + lower * rate
    values[to + degree] = values[from + degree]! + lower * odds
  }
  values[to] = 1
  values[to + depth] = 0
}
