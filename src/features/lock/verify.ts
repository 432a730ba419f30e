import { brokenLink, lockHash, type LockedRace } from '../../../domain/prediction-lock.ts'
import type { LockedForecast, RaceLocks } from '../../../contract/api/model.ts'
import type { LockRow, LockedLineRow } from './lock-rows.ts'

export type Verdict =
  | { kind: 'holds'; count: number }
  /** A model's stored predictions do not match its last lock. */
  | { kind: 'fails'; modelId: string }
  /** An entry that differs from the public chain, or that does not follow from the entries before it. */
  | { kind: 'chain'; number: number }
  /** An entry that was not locked before post time. */
  | { kind: 'late'; number: number }

type Chain = { previous: string; entries: RaceLocks['entries'] }

const sameEntry = (a: RaceLocks['entries'][number], b: RaceLocks['entries'][number]): boolean =>
  a.raceId === b.raceId &&
  a.modelId === b.modelId &&
  a.sha256 === b.sha256 &&
  a.lockedAt === b.lockedAt &&
  a.chain === b.chain

/**
 * Number of the first entry that differs from the chain, or at which the chain breaks; `null` if it is valid.
 */
function chainFault(entries: RaceLocks['entries'], chain: Chain): number | null {
  const broken = brokenLink(chain.previous, chain.entries)
  if (broken !== null) return broken
  const listed = new Map(chain.entries.map((entry) => [entry.number, entry]))
  const odd = entries.find((entry) => {
    const same = listed.get(entry.number)
    return same === undefined || !sameEntry(same, entry)
  })
  return odd?.number ?? null
}

/** The last entry of each model, which is the one that counts. */
export function countingEntries(entries: RaceLocks['entries']): RaceLocks['entries'] {
  return entries.filter(
    ({ modelId, number }) => !entries.some((other) => other.modelId === modelId && other.number > number),
  )
}

/**
 * Recomputes the hashes of a race's forecasts and compares them with the locks, and the region's public chain
 * from the race's first entry to its last. `off`: post time, `null` if unknown.
 */
export function verifyRace(
  entries: RaceLocks['entries'],
  forecasts: readonly LockedForecast[],
  chain: Chain,
  off: string | null,
): Verdict {
  const fault = chainFault(entries, chain)
  if (fault !== null) return { kind: 'chain', number: fault }
  const late = off === null ? undefined : entries.find(({ lockedAt }) => lockedAt >= off)
  if (late) return { kind: 'late', number: late.number }
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
  /** Number of the first entry that differs between the files and the public chain. */
  chainFault: number | null
  failed: { raceId: string; modelId: string }[]
}

/**
 * Recomputes the hashes of every locked race of a record from its lines, and compares the locks with
 * the region's public chain.
 */
export function verifyRecord(
  locks: readonly LockRow[],
  lines: readonly LockedLineRow[],
  chain: Chain,
): RecordVerdict {
  const races = new Map<
    string,
    { predictions: LockedRace['predictions'][number][]; chances: LockedRace['chances'][number][] }
  >()
  for (const line of lines) {
    const key = `${line.race_id} ${line.model_id}`
    const race = races.get(key) ?? { predictions: [], chances: [] }
    races.set(key, race)
    if (line.bet_type === 0) race.chances.push({ horseNo: line.rank, probability: line.probability })
    else {
      race.predictions.push({
        gameplayClass: line.bet_type,
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
    chainFault: chainFault(
      locks.map((lock) => ({
        number: lock.number,
        raceId: lock.race_id,
        modelId: lock.model_id,
        sha256: lock.sha256,
        lockedAt: lock.locked_at,
        chain: lock.chain,
      })),
      chain,
    ),
    failed: failed.map(({ race_id, model_id }) => ({ raceId: race_id, modelId: model_id })),
  }
}
