/** An axis of odds starts at this fraction of the lowest (specification section 9). */
const LOWEST = 0.9

/** Start and end of an axis of odds, with round ticks in between. */
export function axisFrom(odds: readonly number[]): { from: number; to: number; ticks: number[] } {
  const from = Math.min(...odds) * LOWEST
  const to = Math.max(...odds) * 1.05
  const rough = (to - from) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const share = rough / power
  const step = power * ([1, 2, 2.5, 5].find((each) => share <= each) ?? 10)
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick)
  return { from, to, ticks }
}

/**
 * First and last of some instants (ISO 8601, ascending), and those in between that are far enough apart on a
 * proportional axis for at most `most` labels.
 */
export function ticksApart(times: readonly string[], most: number): string[] {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || first === last) return times.slice(0, 1)
  const end = Date.parse(last)
  const least = (end - Date.parse(first)) / (most - 1)
  const ticks = [first]
  for (const time of times) {
    const at = Date.parse(time)
    if (at - Date.parse(ticks.at(-1)!) >= least && end - at >= least) ticks.push(time)
  }
  return [...ticks, last]
}
