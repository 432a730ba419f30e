import type { Interval } from './statistics.ts'

/** 97.5th percentile of the normal distribution. */
const Z95 = 1.959963984540054

/** A 97.5% bound of the mean of a Poisson count that is `count` (lower) or one less (upper). */
const bound = (count: number, z: number): number =>
  count * (1 - 1 / (9 * count) + z / (3 * Math.sqrt(count))) ** 3

/**
 * The 95% interval of the mean of a Poisson count, by Byar's approximation to the exact one (Breslow and Day, Statistical Methods
 * in Cancer Research II, 1987, page 69). `count` is 0 or more and need not be whole.
 *
 * ```ts
 * const { low, high } = poissonInterval(10)
 * [low.toFixed(2), high.toFixed(2)] // => ['4.79', '18.39']
 * ```
 */
export const poissonInterval = (count: number): Interval => ({
  low: count === 0 ? 0 : Math.max(0, bound(count, -Z95)),
  high: bound(count + 1, Z95),
})
