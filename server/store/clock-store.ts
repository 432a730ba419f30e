import type { Queries } from './database.ts'

/** A minute passes between two looks; a longer gap is a clock that was set, or a server that was away. */
const MAX_GAP_MS = 3_600_000
/** How long the clock must have run without jumps before anything is deleted for its age. */
const STEADY_MS = 24 * 3_600_000

interface ClockLook {
  /** Since when the clock has run without jumps, and when that was last checked: milliseconds since 1970. */
  since: number
  last: number
}

/**
 * Records a look at the clock and returns whether it has run without jumps for a day. A clock that was set forward by
 * mistake makes every token look old: it is put right before anything is deleted for good.
 */
export async function isClockSteady({ rows }: Queries, now: Date): Promise<boolean> {
  const at = now.getTime()
  const [row] = await rows<{ value: string }>(`select value from setting where name = 'clock'`)
  const before = row ? (JSON.parse(row.value) as ClockLook) : null
  const even = before !== null && at >= before.last && at - before.last <= MAX_GAP_MS
  const look: ClockLook = { since: even ? before.since : at, last: at }
  await rows(
    `insert into setting (name, value) values ('clock', $1) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(look)],
  )
  return at - look.since >= STEADY_MS
}
