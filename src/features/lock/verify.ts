import { groupBy } from '../../../domain/group-by.ts'
import { brokenLink, lockHash } from '../../../domain/prediction-lock.ts'
import type { Lock, LockChain, LockedForecast } from '../../../contract/api/model.ts'
import { flagOf, numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'

export type Verdict =
  | { kind: 'holds'; count: number }
  /** A model's stored predictions do not match its last lock. */
  | { kind: 'fails'; modelId: string }
  /** An entry that differs from the public chain, or that does not follow from the entries before it. */
  | { kind: 'chain'; number: number }
  /** An entry that was not locked before post time. */
  | { kind: 'late'; number: number }
  /** An entry that this device verified earlier and that is no longer in the public chain. */
  | { kind: 'missing'; number: number }

const HASHED = ['raceId', 'modelId', 'sha256', 'lockedAt', 'chain'] as const

const sameEntry = (a: Lock, b: Lock): boolean => HASHED.every((key) => a[key] === b[key])

/**
 * Lowest number of an entry that differs from the chain, or at which the chain breaks; `null` if it is valid. The entries
 * may have any order.
 */
function chainFault(entries: readonly Lock[], chain: LockChain): number | null {
  const listed = new Map(chain.entries.map((entry) => [entry.number, entry]))
  const odd = entries.filter((entry) => {
    const same = listed.get(entry.number)
    return !same || !sameEntry(same, entry)
  })
  const broken = brokenLink(chain.previous, chain.entries)
  const faults = [...odd.map(({ number }) => number), ...(broken === null ? [] : [broken])]
  return faults.length === 0 ? null : Math.min(...faults)
}

/** The last entry of each model, which is the one that counts. */
export const countingEntries = (entries: readonly Lock[]): Lock[] =>
  entries.filter(
    ({ modelId, number }) => !entries.some((other) => other.modelId === modelId && other.number > number),
  )

/**
 * Recomputes the hashes of a race's forecasts and compares them with the locks, and the region's public chain
 * from the race's first entry to its last. `off`: post time, `null` if unknown.
 */
export function verifyRace(
  entries: readonly Lock[],
  forecasts: readonly LockedForecast[],
  chain: LockChain,
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
  /** Number of an entry that this device verified earlier and that is no longer in the public chain. */
  missing: number | null
  failed: { raceId: string; modelId: string }[]
}

/**
 * Recomputes the hashes of every locked race of a record from its lines, and compares the locks with the region's
 * public chain. `locks`: the last lock of each race and model. `lines`: starters (`bet_type` 0) and predictions.
 * `missing`: an entry verified earlier that is no longer in the chain.
 */
export function verifyRecord(
  locks: readonly AnswerRow[],
  lines: readonly AnswerRow[],
  chain: LockChain,
  missing: number | null = null,
): RecordVerdict {
  const linesOf = groupBy(lines, (line) => `${textOf(line, 'race_id')} ${textOf(line, 'model_id')}`)
  const entries = locks.map((lock) => ({
    number: numberOf(lock, 'number'),
    raceId: textOf(lock, 'race_id'),
    modelId: textOf(lock, 'model_id'),
    sha256: textOf(lock, 'sha256'),
    lockedAt: textOf(lock, 'locked_at'),
    chain: textOf(lock, 'chain'),
  }))
  const failed = entries.filter(({ raceId, modelId, sha256 }) => {
    const own = linesOf.get(`${raceId} ${modelId}`) ?? []
    const chances = own
      .filter((line) => numberOf(line, 'bet_type') === 0)
      .map((line) => ({ horseNo: numberOf(line, 'rank'), probability: numberOf(line, 'probability') }))
    const predictions = own
      .filter((line) => numberOf(line, 'bet_type') !== 0)
      .map((line) => ({
        gameplayClass: numberOf(line, 'bet_type'),
        rank: numberOf(line, 'rank'),
        combination: textOf(line, 'combination'),
        probability: numberOf(line, 'probability'),
        selected: flagOf(line, 'selected'),
        cautious: flagOf(line, 'cautious'),
        upsetGuard: flagOf(line, 'upset_guard'),
      }))
    return lockHash({ raceId, modelId, predictions, chances }) !== sha256
  })
  return {
    races: new Set(entries.map(({ raceId }) => raceId)).size,
    count: entries.length,
    chainFault: chainFault(entries, chain),
    missing,
    failed: failed.map(({ raceId, modelId }) => ({ raceId, modelId })),
  }
}
