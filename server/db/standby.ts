import pg from 'pg'
import type { Database, Queries } from './database.ts'
import { openPostgresql, SERVING_LIMITS } from './postgresql.ts'

/** Reads data that is the same for all clients, from a standby as long as it is nearly up to date. */
export interface Reader extends Queries {
  /**
   * Upper bound of the standby's lag in milliseconds; `null`: unknown or too large, so that the standby is
   * not used.
   */
  lag(): number | null
  close(): Promise<void>
}

/** Maximum age of the data read from the standby. */
export const MAX_LAG_MS = 2000
const SAMPLE_MS = 250
/** Longer than any query takes. A standby that is cut off does not respond at all. */
const READ_TIMEOUT_MS = 3000
const RETAINED_SAMPLES = 40

interface Sample {
  at: number
  /** WAL position, in bytes. */
  position: number
}

/**
 * Opens a standby for reading. Its lag is measured: WAL positions of the primary are sampled with their time,
 * and the standby has all data up to the newest sample that it has replayed. The standby's clock and the time
 * of its last transaction are not used, because they are meaningless while nothing is written. Reads that
 * fail on the standby go to the primary.
 */
export function openReader(primary: Database, url: string): Reader {
  let standby: Promise<Database> | null = null
  let samples: Sample[] = []
  /** Time of the newest sampled position that the standby has replayed. */
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
      samples = [...samples, { at, position: own!.position }].slice(-RETAINED_SAMPLES)
      const replayed = theirs?.position ?? null
      // A promoted standby has become the primary and is no longer used as a standby.
      const known = replayed === null ? undefined : samples.findLast(({ position }) => position <= replayed)
      if (known) caughtUpTo = known.at
    } catch {
      // If the pool could not be opened, the next sample opens a new one.
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
          // The statement itself is invalid and would fail on the primary too.
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

/** Waits for a result for at most `READ_TIMEOUT_MS`. */
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
