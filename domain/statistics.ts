import { groupBy } from './group-by.ts'
import { seededRandom } from './random.ts'

/** Statistics for reporting a record honestly: domain notes section 4. */
export interface Interval {
  low: number
  high: number
}

const Z95 = 1.959963984540054

/** Wilson 95% interval of a rate. `null` without trials. */
export function wilsonInterval(hits: number, trials: number): Interval | null {
  if (trials === 0) return null
  const rate = hits / trials
  const z2 = Z95 * Z95
  const centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
  const spread =
    (Z95 / (1 + z2 / trials)) * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials))
  return { low: Math.max(0, centre - spread), high: Math.min(1, centre + spread) }
}

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

/** A ratio's two parts, of one group (a race meeting) or of one of its rows. */
export interface Ratio {
  numerator: number
  denominator: number
}

const total = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** Numerators and denominators of rows summed by group, in order of first appearance. */
export const byGroup = (rows: readonly (Ratio & { group: string | number })[]): Ratio[] =>
  [...groupBy(rows, ({ group }) => group).values()].map((group) => ({
    numerator: total(group, ({ numerator }) => numerator),
    denominator: total(group, ({ denominator }) => denominator),
  }))

/** Sum of numerators over sum of denominators, and its 95% interval by a bootstrap over groups (race meetings). */
export function bootstrapRatio(
  groups: readonly Ratio[],
  resamples = 1000,
): { gain: number; interval: Interval } {
  const ratioOf = (list: readonly Ratio[]): number =>
    total(list, ({ numerator }) => numerator) / total(list, ({ denominator }) => denominator)
  const random = seededRandom(groups.length)
  const ratios = Array.from({ length: resamples }, () =>
    ratioOf(groups.map(() => groups[Math.floor(random() * groups.length)]!)),
  ).toSorted((a, b) => a - b)
  const interval = {
    low: ratios[Math.floor(0.025 * resamples)]!,
    high: ratios[Math.ceil(0.975 * resamples) - 1]!,
  }
  return { gain: ratioOf(groups), interval }
}

/**
 * 95% interval of the return (profit / stake) by a bootstrap over race meetings; `null` below two meetings with a stake.
 */
export function returnInterval(meetings: readonly Ratio[]): Interval | null {
  const played = meetings.filter(({ denominator }) => denominator > 0)
  return played.length < 2 ? null : bootstrapRatio(played).interval
}

/** Below this number of bets a return is shown greyed. */
export const FEW_BETS = 200

export type ReturnTrust =
  /** Enough bets, and the profit of nearly every hit is known. */
  | 'sound'
  /** Under 200 bets. */
  | 'few'
  /**
   * Too many hits have no published dividend: a sum without them would exclude only winners, so
   * no return can be stated.
   */
  | 'incomplete'

/** Maximum share of hits with unknown profit for which a return is still stated: one in a hundred. */
const TOLERATED_UNKNOWN = 0.01

/** Whether a return may be stated, given bets with a known profit, hits, and hits of unknown profit. */
export function returnTrust(bets: number, hits: number, unknownHits: number): ReturnTrust {
  if (unknownHits > hits * TOLERATED_UNKNOWN) return 'incomplete'
  return bets < FEW_BETS ? 'few' : 'sound'
}

export interface RatioOfGroups {
  ratio: number
  /** `null` with fewer than two groups. */
  standardError: number | null
  /** 95%, by the normal approximation; `null` with fewer than two groups. */
  interval: Interval | null
}

/**
 * Sum of numerators over sum of denominators, with its standard error under cluster sampling of whole
 * groups (race meetings): the linearised ratio estimator (Cochran 1977, section 6.4). The sum of
 * denominators must not be 0.
 */
export function ratioOfGroups(groups: readonly Ratio[]): RatioOfGroups {
  const denominator = total(groups, (group) => group.denominator)
  const ratio = total(groups, (group) => group.numerator) / denominator
  if (groups.length < 2) return { ratio, standardError: null, interval: null }
  const squares = total(groups, (group) => (group.numerator - ratio * group.denominator) ** 2)
  const standardError = Math.sqrt((squares * groups.length) / (groups.length - 1)) / Math.abs(denominator)
  return {
    ratio,
    standardError,
    interval: { low: ratio - Z95 * standardError, high: ratio + Z95 * standardError },
  }
}

/** Standard normal distribution function, to 7.5e-8 (Abramowitz and Stegun 1964, 26.2.17). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const upper = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial
  return z >= 0 ? 1 - upper : upper
}

/**
 * Standard normal quantile of a probability between 0 and 1, to 1e-6, by bisection of
 * the distribution function.
 */
export function normalQuantile(share: number): number {
  let [low, high] = [-8, 8]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * How many standard errors the best of `count` estimates lies above their common true value by chance alone:
 * the expected maximum of that many standard normal draws (Blom 1958).
 */
export const bestByChance = (count: number): number =>
  count <= 1 ? 0 : normalQuantile((count - 0.375) / (count + 0.25))

/**
 * Two-sided p value of an estimate against a value, by the normal approximation; `null` unless the
 * standard error is positive.
 */
export function pValue(estimate: number, against: number, standardError: number): number | null {
  if (!(standardError > 0)) return null
  return 2 * (1 - normalCdf(Math.abs(estimate - against) / standardError))
}

/** Standard error implied by a symmetric 95% interval. */
export const standardErrorOf = ({ low, high }: Interval): number => (high - low) / (2 * Z95)

/**
 * Expected share of false findings among those at least as strong as each (Benjamini and Hochberg 1995).
 * `null` stays `null`. `comparisons`: the number of all comparisons made, if some of them have no p value.
 */
export function falseDiscoveryRates(
  pValues: readonly (number | null)[],
  comparisons = pValues.filter((p) => p !== null).length,
): (number | null)[] {
  const known = pValues
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .toSorted((a, b) => b.p - a.p)
  const rates: (number | null)[] = pValues.map(() => null)
  let least = 1
  for (const [step, { p, index }] of known.entries()) {
    least = Math.min(least, (p * comparisons) / (known.length - step))
    rates[index] = least
  }
  return rates
}

/**
 * Shrinks estimates towards a common value: each difference is multiplied by the share of its variance that
 * is not sampling error. The variance between groups is the excess of the weighted squares about the given
 * value over what chance explains: the method of moments (DerSimonian and Laird 1986) about a known mean.
 */
export function shrunk(
  estimates: readonly { value: number; standardError: number }[],
  towards: number,
): number[] {
  const weights = estimates.map(({ standardError }) => 1 / standardError ** 2)
  const heterogeneity = estimates.reduce(
    (sum, { value }, index) => sum + weights[index]! * (value - towards) ** 2,
    0,
  )
  const between = Math.max(0, (heterogeneity - estimates.length) / total(weights, (weight) => weight))
  return estimates.map(
    ({ value, standardError }) =>
      towards + ((value - towards) * between) / (between + standardError ** 2 || 1),
  )
}

/** Numerators and denominators of two ratios for one group (a race meeting). */
export interface PairedGroup {
  a: Ratio
  b: Ratio
}

/**
 * Difference of two ratios of sums, b minus a, with its 95% interval under cluster sampling of whole groups
 * for both at once: the linearised estimator of a difference (Cochran 1977, section 6.4), so that common
 * variation cancels out. `null` if a sum of denominators is 0.
 */
export function pairedDifference(
  groups: readonly PairedGroup[],
): { a: number; b: number; difference: number; interval: Interval | null } | null {
  const denominators = {
    a: total(groups, ({ a }) => a.denominator),
    b: total(groups, ({ b }) => b.denominator),
  }
  if (denominators.a === 0 || denominators.b === 0) return null
  const a = total(groups, (group) => group.a.numerator) / denominators.a
  const b = total(groups, (group) => group.b.numerator) / denominators.b
  const difference = b - a
  if (groups.length < 2) return { a, b, difference, interval: null }
  const squares = total(groups, (group) => {
    const ofA = (group.a.numerator - a * group.a.denominator) / denominators.a
    const ofB = (group.b.numerator - b * group.b.denominator) / denominators.b
    return (ofB - ofA) ** 2
  })
  const error = Math.sqrt((squares * groups.length) / (groups.length - 1))
  return { a, b, difference, interval: { low: difference - Z95 * error, high: difference + Z95 * error } }
}
