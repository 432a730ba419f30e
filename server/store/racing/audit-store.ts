import type { LockedChance, LockedPrediction, LockedRace } from '../../../domain/prediction-lock.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { allValues, type Database, type Queries } from '../../db/database.ts'
import { LOCK_COLUMNS, type StoredLock } from './lock-store.ts'
import { refreshDailyTotals } from './daily-hits-store.ts'
import { bumpRevisions } from '../../db/revisions.ts'

/** Every region's hash chain, in order, by region id. */
export async function listChains({ rows }: Queries): Promise<Map<string, StoredLock[]>> {
  const entries = await rows<StoredLock & { regionId: string }>(
    `select region_id, ${LOCK_COLUMNS} from prediction_lock order by region_id, number`,
  )
  return groupBy(entries, ({ regionId }) => regionId)
}

export interface LockedRaceRow {
  raceId: string
  modelId: string
  regionId: string
  /** Hash and number of the last entry. */
  sha256: string
  number: number
  /** Whether the entry was locked before post time, according to the post time known now; `true` if the race is gone. */
  beforeOff: boolean
}

/** Races with a commitment since a day, run or not, in order. */
export const listLockedRaces = (queries: Queries, from: string): Promise<string[]> =>
  allValues(queries, 'select distinct race_id from prediction_lock where race_date >= $1::date order by 1', [
    from,
  ])

/** The effective (last) commitment of each model for races. */
const lockedRacesOf = ({ rows }: Queries, raceIds: readonly string[]): Promise<LockedRaceRow[]> =>
  rows(
    `select distinct on (l.race_id, l.model_id) l.race_id, l.model_id,
       l.region_id, l.sha256, l.number,
       coalesce(l.locked_at < coalesce(race.starts_at, race.race_date::timestamp at time zone region.time_zone), true) as before_off
     from prediction_lock l join region on region.id = l.region_id left join race on race.id = l.race_id
     where l.race_id = any($1::text[]) order by l.race_id, l.model_id, l.number desc`,
    [raceIds],
  )

/**
 * The effective commitments of races and the predictions stored for them, in one snapshot: a race that has not started may
 * be predicted again between two reads.
 */
export const readLockedBatch = (
  database: Database,
  raceIds: readonly string[],
): Promise<{ locks: LockedRaceRow[]; stored: Map<string, LockedRace> }> =>
  database.transaction(async (transaction) => {
    await transaction.rows('set transaction isolation level repeatable read, read only')
    return {
      locks: await lockedRacesOf(transaction, raceIds),
      stored: await readLockedPredictions(transaction, raceIds),
    }
  })

/** The stored predictions of races in the form that is hashed, by `raceId modelId`. */
export async function readLockedPredictions(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, LockedRace>> {
  type Key = { raceId: string; modelId: string }
  const predictions = await rows<Key & LockedPrediction>(
    `select race_id, model_id, gameplay_class, rank, combination,
       probability, selected, cautious, upset_guard
     from prediction where race_id = any($1::text[])`,
    [raceIds],
  )
  const chances = await rows<Key & LockedChance>(
    `select race_id, model_id, horse_no, probability
     from win_chance where race_id = any($1::text[])`,
    [raceIds],
  )
  const lockKey = ({ raceId, modelId }: Key): string => `${raceId} ${modelId}`
  const chancesOf = groupBy(chances, lockKey)
  return new Map(
    [...groupBy(predictions, lockKey)].map(([key, list]) => {
      const { raceId, modelId } = list[0]!
      return [key, { raceId, modelId, predictions: list, chances: chancesOf.get(key) ?? [] }]
    }),
  )
}

/**
 * Stores which of the audited races failed verification. The dataset partitions of races whose result changed
 * are rebuilt.
 */
export async function markBroken(
  database: Database,
  audited: readonly Pick<LockedRaceRow, 'raceId' | 'modelId'>[],
  broken: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const known = await transaction.rows<{ raceId: string; modelId: string }>(
      'select race_id, model_id from broken_lock',
    )
    const before = new Set(known.map(({ raceId, modelId }) => `${raceId} ${modelId}`))
    const changed: string[] = []
    for (const { raceId, modelId } of audited) {
      const key = `${raceId} ${modelId}`
      if (broken.has(key) === before.has(key)) continue
      changed.push(raceId)
      await transaction.rows(
        broken.has(key)
          ? 'insert into broken_lock (race_id, model_id, found_at) values ($1, $2, $3) on conflict do nothing'
          : 'delete from broken_lock where race_id = $1 and model_id = $2 and $3::timestamptz is not null',
        [raceId, modelId, now],
      )
    }
    if (changed.length === 0) return
    await bumpRevisions(transaction, changed)
    await refreshDailyTotals(transaction, changed)
  })
}

/** Models of a race whose predictions were changed after locking. */
export const brokenModelsOf = (queries: Queries, raceId: string): Promise<string[]> =>
  allValues(queries, 'select model_id from broken_lock where race_id = $1 order by 1', [raceId])
