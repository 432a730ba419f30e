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
  /** Whether the entry was locked before post time, according to the post time known now. */
  beforeOff: boolean
}

/** The effective (last) commitment of each model for each finished race since a day. */
export const lockedRacesOf = ({ rows }: Queries, from: string): Promise<LockedRaceRow[]> =>
  rows(
    `select distinct on (l.race_id, l.model_id) l.race_id, l.model_id,
       l.region_id, l.sha256, l.number,
       l.locked_at < coalesce(race.starts_at, race.race_date::timestamp at time zone region.time_zone) as before_off
     from prediction_lock l join race on race.id = l.race_id join region on region.id = race.region_id
     where l.race_date >= $1::date and race.status = 'final' order by l.race_id, l.model_id, l.number desc`,
    [from],
  )

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
