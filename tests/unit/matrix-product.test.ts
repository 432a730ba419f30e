import { expect, test } from 'vitest'
import { normal, seededRandom } from '../../domain/random.ts'
import { addOuterProducts } from '../../server/model/models/matrix-product.ts'

test('sums of outer products are those of a plain loop to the last bit', () => {
  const random = seededRandom(5)
  const [width, depth] = [12, 9]
  const drawn = (count: number): Float64Array => Float64Array.from({ length: count }, () => normal(random))
  const [left, right, into] = [drawn(depth * width), drawn(depth * width), drawn(width * width)]
  const plain = into.slice()
  for (let step = 0; step < depth; step += 1) {
    for (let row = 0; row < width; row += 1) {
      for (let column = row; column < width; column += 1)
        plain[row * width + column]! += left[step * width + row]! * right[step * width + column]!
    }
  }
  addOuterProducts(width, depth, left, right, into)
  for (let row = 0; row < width; row += 1) {
    const upper = [row * width + row, (row + 1) * width] as const
    expect(into.slice(...upper)).toEqual(plain.slice(...upper))
  }
})
