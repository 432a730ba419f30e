import { CHAIN_START, chainHash, type LockEntry } from '../../../domain/prediction-lock.ts'
import type { Queries } from '../../db/database.ts'

/**
 * Joins `origin_of.origin`, the origin of the predictions of a race and model: null if they were never
 * locked. Looked up for each race and model, because there are too many commitments to read them all.
 */
export const joinOrigin = (raceId: string, modelId: string): string =>
  `left join lateral (
    select case when exists (select from broken_lock b where b.race_id = l.race_id and b.model_id = l.model_id)
      then 'changed' else 'locked' end as origin
    from prediction_lock l where l.race_id = ${raceId} and l.model_id = ${modelId} limit 1
  ) as origin_of on true`

export type StoredLock = LockEntry & { chain: string; raceDate: string }

/** Arbitrary key that no other advisory lock uses: it serializes appends to the chains. */
const CHAIN_LOCK = 7_312_031

/** Columns of a chain entry. */
export const LOCK_COLUMNS = `number, race_id, model_id, sha256, locked_at, chain,
  race_date`

/** A commitment to be locked. */
export type Commitment = Pick<StoredLock, 'raceId' | 'modelId' | 'raceDate' | 'sha256'>

/** Prevents other transactions from appending to any chain until this one ends. */
export async function holdChains({ rows }: Queries): Promise<void> {
  await rows('select pg_advisory_xact_lock($1)', [CHAIN_LOCK])
}

/**
 * Appends a commitment for each race and model whose predictions differ from the last locked ones. Call it
 * before post time, after `holdChains`, in the transaction that writes the predictions. `at` comes from
 * `steadyTime`, so timestamps along a chain never decrease, unless the clock was wrong by more than a day.
 * Returns the number of new entries.
 */
export async function appendLocks(
  { rows }: Queries,
  regionId: string,
  locks: readonly Commitment[],
  at: Date,
): Promise<number> {
  if (locks.length === 0) return 0
  const known = await newestLocks(
    { rows },
    locks.map(({ raceId }) => raceId),
  )
  const [last] = await rows<{ number: number; chain: string }>(
    `select number, chain from prediction_lock where region_id = $1 order by number desc limit 1`,
    [regionId],
  )
  let number = last?.number ?? 0
  let chain = last?.chain ?? CHAIN_START
  const lockedAt = at.toISOString()
  let appended = 0
  for (const { raceId, modelId, raceDate, sha256 } of locks) {
    if (known.get(`${raceId} ${modelId}`)?.sha256 === sha256) continue
    number += 1
    chain = chainHash(chain, { number, raceId, modelId, sha256, lockedAt })
    await rows(
      `insert into prediction_lock (region_id, number, race_id, model_id, race_date, sha256, locked_at, chain)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [regionId, number, raceId, modelId, raceDate, sha256, lockedAt, chain],
    )
    appended += 1
  }
  return appended
}

/** The effective (last) lock of each race and model, by `raceId modelId`. */
export async function newestLocks(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, StoredLock>> {
  const found = await rows<StoredLock>(
    `select distinct on (race_id, model_id) ${LOCK_COLUMNS} from prediction_lock
     where race_id = any($1::text[]) order by race_id, model_id, number desc`,
    [raceIds],
  )
  return new Map(found.map((lock) => [`${lock.raceId} ${lock.modelId}`, lock]))
}

/** A region's chain entries from a number on, in order, and the hash of the entry before them. */
export async function listLocks(
  { rows }: Queries,
  regionId: string,
  from: number,
  most: number,
): Promise<{ previous: string; entries: StoredLock[] }> {
  const entries = await rows<StoredLock>(
    `select ${LOCK_COLUMNS} from prediction_lock where region_id = $1 and number >= $2 - 1 order by number limit $3 + 1`,
    [regionId, from, most],
  )
  const before = entries[0]?.number === from - 1 ? entries.shift() : undefined
  return { previous: before?.chain ?? CHAIN_START, entries: entries.slice(0, most) }
}

/** All chain entries for the races of a day, in order. */
export const listLocksOfDay = ({ rows }: Queries, regionId: string, day: string): Promise<StoredLock[]> =>
  rows(
    `select ${LOCK_COLUMNS} from prediction_lock where region_id = $1 and race_date = $2::date order by number`,
    [regionId, day],
  )

/** All chain entries for one race, in order. */
export const listLocksOfRace = ({ rows }: Queries, raceId: string): Promise<StoredLock[]> =>
  rows(`select ${LOCK_COLUMNS} from prediction_lock where race_id = $1 order by number`, [raceId])
