import { brokenLink, lockHash, type LockedRace } from '../../../domain/prediction-lock.ts'
import type { LockRow, LockedLineRow } from '../../../contract/queries.ts'
import type { LockedForecast, RaceLocks } from '../../data/model-calls.ts'

export type Verdict =
  | { kind: 'holds'; count: number }
  /** A model's stored predictions are not what was locked last. */
  | { kind: 'fails'; modelId: string }
  /** Entries that do not follow from each other. */
  | { kind: 'chain'; number: number }

/** The last entry of each model: the one that counts. */
export function countingEntries(entries: RaceLocks['entries']): RaceLocks['entries'] {
  return entries.filter(
    ({ modelId, number }) => !entries.some((other) => other.modelId === modelId && other.number > number),
  )
}

/**
 * Recomputes the hashes of a race's forecasts and compares them with what was locked, and the stretch of the region's
 * chain from the race's first entry to its last.
 */
export function verifyRace(
  entries: RaceLocks['entries'],
  forecasts: readonly LockedForecast[],
  chain: { previous: string; entries: RaceLocks['entries'] },
): Verdict {
  const broken = brokenLink(chain.previous, chain.entries)
  if (broken !== null) return { kind: 'chain', number: broken }
  const listed = new Map(chain.entries.map((entry) => [entry.number, entry]))
  for (const entry of entries) {
    const same = listed.get(entry.number)
    if (same && (same.sha256 !== entry.sha256 || same.raceId !== entry.raceId)) {
      return { kind: 'chain', number: entry.number }
    }
  }
  const counting = countingEntries(entries)
  for (const { modelId, sha256, raceId } of counting) {
    const forecast = forecasts.find((each) => each.modelId === modelId) ?? {
      raceId,
      modelId,
      predictions: [],
      chances: [],
    }
    if (lockHash(forecast) !== sha256) return { kind: 'fails', modelId }
  }
  return { kind: 'holds', count: counting.length }
}

export interface RecordVerdict {
  races: number
  count: number
  failed: { raceId: string; modelId: string }[]
}

/** Recomputes the hashes of every locked race of a record from its lines. */
export function verifyRecord(locks: readonly LockRow[], lines: readonly LockedLineRow[]): RecordVerdict {
  const races = new Map<
    string,
    { predictions: LockedRace['predictions'][number][]; chances: LockedRace['chances'][number][] }
  >()
  for (const line of lines) {
    const key = `${line.race_id} ${line.model_id}`
    const race = races.get(key) ?? { predictions: [], chances: [] }
    races.set(key, race)
    if (line.gameplay_class === 0) race.chances.push({ horseNo: line.rank, probability: line.probability })
    else {
      race.predictions.push({
        gameplayClass: line.gameplay_class,
        rank: line.rank,
        combination: line.combination,
        probability: line.probability,
        selected: line.selected,
        cautious: line.cautious,
        upsetGuard: line.upset_guard,
      })
    }
  }
  const failed = locks.filter(({ race_id, model_id, sha256 }) => {
    const own = races.get(`${race_id} ${model_id}`) ?? { predictions: [], chances: [] }
    return lockHash({ raceId: race_id, modelId: model_id, ...own }) !== sha256
  })
  return {
    races: new Set(locks.map(({ race_id }) => race_id)).size,
    count: locks.length,
    failed: failed.map(({ race_id, model_id }) => ({ raceId: race_id, modelId: model_id })),
  }
}
