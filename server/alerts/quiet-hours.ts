import { remembered } from '../../domain/remembered.ts'

const clock = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
)
const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Minutes after midnight of an instant in a time zone. */
function minuteIn(timeZone: string, instant: Date): number {
  const [hours = 0, minutes = 0] = clock(timeZone).format(instant).split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * When quiet hours end that an instant is in; `null` if it is in none. `from` and `to` are minutes after midnight in the
 * time zone, and hours from 22:00 to 07:00 go over midnight; equal ones are no hours at all.
 */
export function quietEnd(
  instant: Date,
  timeZone: string,
  { from, to }: { from: number; to: number },
): Date | null {
  const minute = minuteIn(timeZone, instant)
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const passed = (minute - from + DAY_MINUTES) % DAY_MINUTES
  if (passed >= length) return null
  const whole = Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(whole + (length - passed) * MINUTE_MS)
}
