import type { ScheduledRace } from '../../contract/api/racing.ts'
import { clockOfCourse, hasOwnClock } from '../../domain/course-clock.ts'
import type { Format } from './format.ts'

/**
 * The post time of a race among those of its region, `14:30`: with its offset only where the clocks of its racecourse are not those
 * of the region. Empty if it is unknown.
 */
export const postTimeAmong = (
  format: Format,
  { id, date, time }: Pick<ScheduledRace, 'id' | 'date' | 'time'>,
): string =>
  time === null
    ? ''
    : hasOwnClock(id)
      ? format.localTime(date, time, clockOfCourse(id))
      : time.slice(0, 'HH:MM'.length)
