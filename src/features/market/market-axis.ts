const ROUND_ODDS = [1.1, 1.5, 2, 3, 5, 8, 12, 20, 30, 50, 99, 200, 500]
const ROUND_MINUTES = [11_520, 7200, 4320, 2880, 1440, 720, 480, 240, 120, 60, 45, 30, 15, 10, 5, 2]

/** A logarithmic axis of odds, so that a fall from 20 to 10 is as long as one from 4 to 2. */
export function logAxis(odds: readonly number[]): { from: number; to: number; ticks: number[] } {
  const from = Math.min(...odds) * 0.92
  const to = Math.max(...odds) * 1.08
  return { from, to, ticks: ROUND_ODDS.filter((tick) => tick >= from && tick <= to) }
}

/**
 * Round minutes (negative before post time) from `from` to 0, spaced so that at most about `most` labels fit.
 */
export function minuteTicks(from: number, most: number): number[] {
  const least = -from / most
  const ticks = [0]
  for (const minutes of ROUND_MINUTES.toReversed()) {
    if (minutes <= -from && minutes + ticks.at(-1)! >= least) ticks.push(-minutes)
  }
  return ticks.toReversed()
}
