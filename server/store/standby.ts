import pg from 'pg'
import type { Database, Queries } from './database.ts'
import { openPostgresql, SERVING_LIMITS } from './postgresql.ts'

/** Reads what is the same for everybody, from a standby while that is hardly behind. */
export interface Reader extends Queries {
  /** Milliseconds that the standby is behind at most; `null`: not known, and nothing is read from it. */
  lag(): number | null
  close(): Promise<void>
}

/** What is read may be so old. */
export const MAX_LAG_MS = 2000
const SAMPLE_MS = 250
/** Longer than any list takes. A standby that is cut off answers nothing at all. */
const READ_TIMEOUT_MS = 3000
const KEPT_SAMPLES = 40

interface Sample {
  at: number
  /** Position in the log, in bytes. */
  position: number
}

/**
 * Opens a standby for reading. How far it is behind is measured, not asked: positions of the primary's log are noted with
 * their time, and the standby has everything of the newest one that it has replayed. The standby's own clock and its time of the
 * last transaction say nothing while nobody writes. Whatever fails there is asked of the primary.
 */
export function openReader(primary: Database, url: string): Reader {
  let standby: Promise<Database> | null = null
  let samples: Sample[] = []
  /** Time of the newest position that the standby has. */
  let caughtUpTo: number | null = null

  const sample = async (): Promise<void> => {
    const at = Date.now()
    try {
      standby ??= openPostgresql(url, SERVING_LIMITS)
      const [[own], [theirs]] = await Promise.all([
        primary.rows<{ position: number }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as position`),
        (await standby).rows<{ position: number | null }>(
          `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end as position`,
        ),
      ])
      samples = [...samples, { at, position: own!.position }].slice(-KEPT_SAMPLES)
      const replayed = theirs?.position ?? null
      // A standby that was promoted is the primary, and asked as such.
      const known = replayed === null ? undefined : samples.findLast(({ position }) => position <= replayed)
      if (known) caughtUpTo = known.at
    } catch {
      // A new pool next time, where it could not be opened.
      if (standby !== null && (await standby.catch(() => null)) === null) standby = null
    }
  }
  let sampling: Promise<void> | null = null
  const timer = setInterval(() => {
    sampling ??= sample().finally(() => (sampling = null))
  }, SAMPLE_MS)
  timer.unref()

  const lag = (): number | null => {
    if (caughtUpTo === null) return null
    const behind = Date.now() - caughtUpTo
    return behind <= MAX_LAG_MS ? behind : null
  }
  return {
    lag,
    rows: async <Row>(sql: string, parameters?: Parameters<Queries['rows']>[1]): Promise<Row[]> => {
      if (lag() !== null && standby !== null) {
        try {
          return await inTime((await standby).rows<Row>(sql, parameters))
        } catch (error) {
          // The statement itself is wrong there as here.
          if (error instanceof pg.DatabaseError && error.code?.startsWith('22')) throw error
        }
      }
      return primary.rows<Row>(sql, parameters)
    },
    close: async () => {
      clearInterval(timer)
      await sampling
      await (await standby?.catch(() => null))?.close()
    },
  }
}

/** Waits for an answer, and no longer than a list may take. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), READ_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
