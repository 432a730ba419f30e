/** An axis of odds begins at this share of the lowest (specification section 9). */
const LOWEST = 0.9

/** Where an axis of odds begins and ends, with round ticks between. */
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

/** An instant in a zone as `mm-dd hh:mm`: characters 6 to 16 of its local text. */
export function stampIn(timeZone: string, iso: string): string {
  // Swedish writes `2026-11-21 10:30`, whatever the reader’s language.
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(iso))
  return local.slice(5, 16)
}

/**
 * First and last of some instants (ISO 8601, ascending), with those between that stand so far apart on a proportional
 * axis that at most `most` labels share it.
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
