import { seededRandom } from '../../domain/random.ts'

/**
 * How often each ordered choice of the first `depth` came about in drawn finishing times, gamma distributed with a whole
 * shape: sums of exponential times. Keys: indexes joined by `-`.
 */
export function drawOrders(
  rates: ArrayLike<number>,
  shape: number,
  depth: number,
  draws: number,
  seed: number,
): Map<string, number> {
  const random = seededRandom(seed)
  const counts = new Map<string, number>()
  const size = rates.length
  const times = new Float64Array(size)
  for (let draw = 0; draw < draws; draw += 1) {
    for (let runner = 0; runner < size; runner += 1) {
      let product = 1
      for (let step = 0; step < shape; step += 1) product *= 1 - random()
      times[runner] = -Math.log(product) / rates[runner]!
    }
    let key = ''
    for (let place = 0; place < depth; place += 1) {
      let first = 0
      for (let runner = 1; runner < size; runner += 1) if (times[runner]! < times[first]!) first = runner
      key += place === 0 ? first : `-${first}`
      times[first] = Number.POSITIVE_INFINITY
    }
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
