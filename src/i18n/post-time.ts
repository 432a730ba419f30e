import type { ScheduledRace } from '../../contract/api/racing.ts'
import { clockOfCourse, hasOwnClock } from '../../domain/course-clock.ts'
import type { Format } from './format.ts'

type Timed = Pick<ScheduledRace, 'id' | 'date' | 'time'>

/**
 * The post time of a race among those of its region, `14:30`: with its offset only where the clocks of its racecourse are not those
 * of the region. Empty if it is unknown.
 */
export const postTimeAmong = (format: Format, { id, date, time }: Timed): string =>
  time === null
    ? ''
    : hasOwnClock(id)
      ? format.localTime(date, time, clockOfCourse(id))
      : time.slice(0, 'HH:MM'.length)

/**
 * The offset of the region's clocks, `GMT+8`, for the heading of such times. Empty if they are the reader's own, or no racecourse of
 * these races has them.
 */
export const offsetAmong = (format: Format, races: readonly Timed[]): string =>
  offsetOf(
    format,
    races.filter(({ id }) => !hasOwnClock(id)),
  )

/** The offset of the clocks by which races of one racecourse are told, `GMT+8`. Empty if they are the reader's own. */
export function offsetOf(format: Format, races: readonly Timed[]): string {
  const first = races.find(({ time }) => time !== null)
  return first ? format.zone(clockOfCourse(first.id), new Date(`${first.date}T${first.time}Z`)) : ''
}
