export interface Combination {
  /** Indexes into the field; in finishing order for ordered classes, otherwise ascending. */
  horses: number[]
  probability: number
}

/**
 * Combinations of one to four horses of a field with their probabilities, in flat arrays, because a field of
 * 14 has 24,024 ordered quartets, and ten seasons have thousands of fields.
 */
export class CombinationTable {
  private readonly size: number
  private readonly field: number
  private readonly ordered: boolean
  private readonly slots: Float64Array
  private readonly codes: Int32Array
  private count = 0

  constructor(size: 1 | 2 | 3 | 4, field: number, kind: 'order' | 'set') {
    this.size = size
    this.field = field
    this.ordered = kind === 'order'
    this.slots = new Float64Array(field ** size)
    let most = 1
    for (let place = 0; place < size; place += 1)
      most = (most * (field - place)) / (kind === 'order' ? 1 : place + 1)
    this.codes = new Int32Array(Math.max(0, most))
  }

  /** Number of combinations added. */
  get length(): number {
    return this.count
  }

  /** Adds `probability` to the combination of the leading horses of `horses`. */
  add(horses: Int32Array, probability: number): void {
    this.addAt(this.ordered ? this.orderCode(horses) : this.setCode(horses), probability)
  }

  /**
   * Adds `probability` to the combination with a code: the horses, of a set in ascending order, as digits of a
   * number to the base of the field.
   */
  addAt(code: number, probability: number): void {
    const before = this.slots[code]!
    // A probability that underflows to 0 may be added again and again.
    if (before === 0 && this.count < this.codes.length) {
      this.codes[this.count] = code
      this.count += 1
    }
    this.slots[code] = before + probability
  }

  horses(row: number): number[] {
    const horses: number[] = []
    let code = this.codes[row]!
    for (let place = 0; place < this.size; place += 1) {
      horses.unshift(code % this.field)
      code = Math.floor(code / this.field)
    }
    return horses
  }

  probability(row: number): number {
    return this.slots[this.codes[row]!]!
  }

  /** Every combination, in no particular order. */
  all(): Combination[] {
    return Array.from({ length: this.count }, (_, row) => this.at(row))
  }

  /**
   * Probability of one combination, 0 if it was never added; for sets the order of `horses` does not matter.
   */
  probabilityOf(horses: readonly number[]): number {
    const wanted = Int32Array.from(horses)
    return this.slots[this.ordered ? this.orderCode(wanted) : this.setCode(wanted)] ?? 0
  }

  at(row: number): Combination {
    return { horses: this.horses(row), probability: this.probability(row) }
  }

  /** Rows of the `count` most probable combinations, best first; ties by the horses' indexes. */
  topRows(count: number): number[] {
    const best: number[] = []
    for (let row = 0; row < this.count; row += 1) {
      if (best.length === count && this.compare(row, best.at(-1)!) >= 0) continue
      let place = best.length
      while (place > 0 && this.compare(row, best[place - 1]!) < 0) place -= 1
      best.splice(place, 0, row)
      if (best.length > count) best.pop()
    }
    return best
  }

  /** Negative if `a` comes before `b`: more probable, or equally probable with smaller indexes. */
  compare(a: number, b: number): number {
    const codeA = this.codes[a]!
    const codeB = this.codes[b]!
    return this.slots[codeB]! - this.slots[codeA]! || codeA - codeB
  }

  private orderCode(horses: Int32Array): number {
    let code = 0
    for (let place = 0; place < this.size; place += 1) code = code * this.field + horses[place]!
    return code
  }

  /**
   * Sorts ascending by swapping neighbours, for speed: fields have thousands of sets, and each
   * is visited in every order.
   */
  private setCode(horses: Int32Array): number {
    let a = horses[0]!
    if (this.size === 1) return a
    let b = horses[1]!
    if (b < a) [a, b] = [b, a]
    if (this.size === 2) return a * this.field + b
    let c = horses[2]!
    if (c < b) {
      ;[b, c] = [c, b]
      if (b < a) [a, b] = [b, a]
    }
    const three = (a * this.field + b) * this.field + c
    if (this.size === 3) return three
    return sortedCode(a, b, c, horses[3]!, this.field)
  }
}

/** Code of the set of four horses, the first three of which are ascending. */
export function sortedCode(a: number, b: number, c: number, d: number, field: number): number {
  if (d > c) return ((a * field + b) * field + c) * field + d
  if (d > b) return ((a * field + b) * field + d) * field + c
  if (d > a) return ((a * field + d) * field + b) * field + c
  return ((d * field + a) * field + b) * field + c
}
