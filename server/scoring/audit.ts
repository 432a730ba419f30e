import { CHAIN_START, brokenLink, lockHash } from '../../domain/prediction-lock.ts'
import type { Database } from '../db/database.ts'
import { listChains, lockedRacesOf, markBroken, readLockedPredictions } from '../store/racing/audit-store.ts'

/** Number of races whose predictions are read at once. */
const RACES_AT_ONCE = 100

/**
 * Compares the locked predictions of races since a day with their commitments, and verifies every region's
 * chain. Marks what does not hold: such predictions are shown as changed and never counted.
 */
export async function auditLocks(database: Database, from: string, now: Date) {
  const report = {
    /** Number of commitments compared with the stored predictions. */
    checked: 0,
    /** Commitments that do not hold, as `HKSHT2026112105 fundamental`. */
    broken: [] as string[],
    /** First entry of each region's chain that does not follow from the entries before it. */
    brokenChains: [] as { regionId: string; number: number }[],
  }
  const chains = await listChains(database)
  const late = new Map<string, number>()
  for (const [regionId, entries] of chains) {
    const number = brokenLink(CHAIN_START, entries)
    if (number === null && entries[0]?.number === 1) continue
    const first = number ?? 1
    report.brokenChains.push({ regionId, number: first })
    late.set(regionId, first)
  }
  const races = await lockedRacesOf(database, from)
  for (let at = 0; at < races.length; at += RACES_AT_ONCE) {
    const batch = races.slice(at, at + RACES_AT_ONCE)
    const ids = batch.map(({ raceId }) => raceId)
    const stored = await readLockedPredictions(database, ids)
    for (const { raceId, modelId, regionId, sha256, number, beforeOff } of batch) {
      const key = `${raceId} ${modelId}`
      report.checked += 1
      const own = stored.get(key) ?? { raceId, modelId, predictions: [], chances: [] }
      const broken = !beforeOff || number >= (late.get(regionId) ?? Number.POSITIVE_INFINITY)
      if (broken || lockHash(own) !== sha256) report.broken.push(key)
    }
  }
  await markBroken(database, races, new Set(report.broken), now)
  return report
}
