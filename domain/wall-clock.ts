import { remembered } from './remembered.ts'

/** Cached, because creating a formatter takes milliseconds. */
const clockOf = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

/** How far the clocks of a zone are before UTC at an instant, in milliseconds. */
const offsetAt = (timeZone: string, at: number): number =>
  Date.parse(`${clockOf(timeZone).format(at).replace(' ', 'T')}Z`) - at

/**
 * The instant at which the clocks of a zone show a day `yyyy-mm-dd` and a time `hh:mm`, as ISO 8601 in UTC. In the hour that
 * is skipped in spring and the one that comes twice in autumn, when nobody races, it may be an hour off.
 */
export function instantOf(date: string, time: string, timeZone: string): string {
  const shown = Date.parse(`${date}T${time}Z`)
  const nearly = shown - offsetAt(timeZone, shown)
  return new Date(shown - offsetAt(timeZone, nearly)).toISOString()
}
