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

/**
 * Adds outer products to the upper triangle of a matrix, one after another: `into[i][j] += left[t][i] · right[t][j]` for each
 * `t` below `depth`, with `i` ≤ `j`. All are row by row with `width` columns, a multiple of 4. Below the diagonal is no
 * result. Each sum goes on from what is in `into`, so it is the same as of a plain loop over `t`; that takes more than
 * twice as long, because it writes every sum for every `t`.
 */
export function addOuterProducts(
  width: number,
  depth: number,
  left: Float64Array,
  right: Float64Array,
  into: Float64Array,
): void {
  for (let row = 0; row < width; row += 2) {
    for (let column = row - (row % 4); column < width; column += 4) {
      const first = row * width + column
      const second = first + width
      let a0 = into[first]!
      let a1 = into[first + 1]!
      let a2 = into[first + 2]!
      let a3 = into[first + 3]!
      let b0 = into[second]!
      let b1 = into[second + 1]!
      let b2 = into[second + 2]!
      let b3 = into[second + 3]!
      for (let step = 0, base = 0; step < depth; step += 1, base += width) {
        const a = left[base + row]!
        const b = left[base + row + 1]!
        const at = base + column
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
      }
      into[first] = a0
      into[first + 1] = a1
      into[first + 2] = a2
      into[first + 3] = a3
      into[second] = b0
      into[second + 1] = b1
      into[second + 2] = b2
      into[second + 3] = b3
    }
  }
}
