/**
 * Adds a product to a matrix: `into[i][j] += Σ_t left[i][t] · right[t][j]`, for `rows` × `columns` of `into` and `depth`
 * values of `t`. `right` and `into` are row by row; `left` has the given steps, so that it can be read transposed. Rows
 * must be a multiple of 2 and columns of 4: eight sums fit into the registers, which makes this several times as fast
 * as a plain loop. Sums are taken in the order of `t`, so the result is the same on every machine.
 */
export function addProduct(
  rows: number,
  columns: number,
  depth: number,
  left: Float64Array,
  leftRow: number,
  leftDepth: number,
  right: Float64Array,
  into: Float64Array,
): void {
  for (let row = 0; row < rows; row += 2) {
    for (let column = 0; column < columns; column += 4) {
      let a0 = 0
      let a1 = 0
      let a2 = 0
      let a3 = 0
      let b0 = 0
      let b1 = 0
      let b2 = 0
      let b3 = 0
      let upper = row * leftRow
      let lower = upper + leftRow
      let at = column
      for (let step = 0; step < depth; step += 1) {
        const a = left[upper]!
        const b = left[lower]!
        const r0 = right[at]!
        const r1 = right[at + 1]!
        const r2 = right[at + 2]!
        const r3 = right[at + 3]!
        a0 += a * r0
        a1 += a * r1
        a2 += a * r2
        a3 += a * r3
        b0 += b * r0
        b1 += b * r1
        b2 += b * r2
        b3 += b * r3
        upper += leftDepth
        lower += leftDepth
        at += columns
      }
      const first = row * columns + column
      const second = first + columns
      into[first]! += a0
      into[first + 1]! += a1
      into[first + 2]! += a2
      into[first + 3]! += a3
      into[second]! += b0
      into[second + 1]! += b1
      into[second + 2]! += b2
      into[second + 3]! += b3
    }
  }
}
