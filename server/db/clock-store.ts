import type { Queries } from './database.ts'
import { readSetting, writeSetting } from './settings.ts'

/** The clock is checked every minute; a longer gap means that the clock was set or the server was down. */
const MAX_GAP_MS = 3_600_000
/** How long the clock must have run without jumps before anything is deleted because of its age. */
const STEADY_MS = 24 * 3_600_000

interface ClockLook {
  /** Start of the period without jumps, and time of the last check, both in milliseconds since 1970. */
  since: number
  last: number
}

/**
 * Records a check of the clock and returns whether it has run without jumps for a day. A clock that was
 * mistakenly set forward makes every token look expired; the delay leaves time to correct the clock before
 * anything is permanently deleted.
 */
export async function isClockSteady(queries: Queries, now: Date): Promise<boolean> {
  const at = now.getTime()
  const noted = await readSetting(queries, 'clock')
  const before = noted === null ? null : (JSON.parse(noted) as ClockLook)
  const even = before !== null && at >= before.last && at - before.last <= MAX_GAP_MS
  const look: ClockLook = { since: even ? before.since : at, last: at }
  await writeSetting(queries, 'clock', JSON.stringify(look))
  return at - look.since >= STEADY_MS
}

/**
 * The clock, except that it stands still while it is up to a day behind an earlier call: what a passed post
 * time forbids stays forbidden after the clock was set back. A difference of more than a day means that the
 * clock was wrong before, and the present clock counts.
 */
export async function steadyTime({ rows }: Queries, clock: Date): Promise<Date> {
  const [row] = await rows<{ value: string }>(
    `insert into setting (name, value) values ('latest-time', $1)
     on conflict (name) do update set value = case
       when setting.value::timestamptz between excluded.value::timestamptz and excluded.value::timestamptz + interval '1 day'
       then setting.value else excluded.value end
     returning value`,
    [clock],
  )
  return new Date(row!.value)
}
