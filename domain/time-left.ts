const HOUR = 60
const DAY = 24 * HOUR

/** Minutes to an instant in the largest unit with a count of at least two, so that rounding stays small. */
export function timeLeft(minutes: number): { unit: 'days' | 'hours' | 'minutes'; count: number } {
  if (minutes >= 2 * DAY) return { unit: 'days', count: Math.floor(minutes / DAY) }
  if (minutes >= 2 * HOUR) return { unit: 'hours', count: Math.floor(minutes / HOUR) }
  return { unit: 'minutes', count: minutes }
}
