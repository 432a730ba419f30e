import { CHAIN_START, brokenLink, lockHash, type ChainHead } from '../../domain/prediction-lock.ts'
import type { Database } from '../db/database.ts'
import { listChains, listLockedRaces, markBroken, readLockedBatch } from '../store/racing/audit-store.ts'
import type { StoredLock } from '../store/racing/lock-store.ts'

/** Number of races whose predictions are read at once. */
const RACES_AT_ONCE = 100

/** The last entry of each chain. */
const headsOf = (chains: ReadonlyMap<string, readonly StoredLock[]>): ChainHead[] =>
  [...chains].map(([regionId, entries]) => {
    const { number, chain } = entries.at(-1)!
    return { regionId, number, chain }
  })

/** The published heads that the chains no longer have. */
const missingHeads = (
  chains: ReadonlyMap<string, readonly StoredLock[]>,
  published: readonly ChainHead[],
): ChainHead[] =>
  published.filter(
    ({ regionId, number, chain }) =>
      !chains.get(regionId)?.some((entry) => entry.number === number && entry.chain === chain),
  )

/**
 * Compares the locked predictions of races since a day, run or not, with their commitments, and verifies every region's
 * chain, also against the heads that were published before. Marks what does not hold: such predictions are shown as
 * changed and never counted.
 */
export async function auditLocks(
  database: Database,
  from: string,
  now: Date,
  published: readonly ChainHead[] = [],
) {
  const chains = await listChains(database)
  const report = {
    /** Number of commitments compared with the stored predictions. */
    checked: 0,
    /** Commitments that do not hold, as `HKSHT2026112105 fundamental`. */
    broken: [] as string[],
    /** First entry of each region's chain that does not follow from the entries before it. */
    brokenChains: [] as { regionId: string; number: number }[],
    /** Published heads that are no longer in their chain: its end was cut, or it was rewritten. */
    missingHeads: missingHeads(chains, published),
    /** The last entry of each chain now. */
    heads: headsOf(chains),
  }
  const late = new Map<string, number>()
  for (const [regionId, entries] of chains) {
    const number = brokenLink(CHAIN_START, entries)
    if (number === null && entries[0]?.number === 1) continue
    const first = number ?? 1
    report.brokenChains.push({ regionId, number: first })
    late.set(regionId, first)
  }
  const raceIds = await listLockedRaces(database, from)
  const audited: { raceId: string; modelId: string }[] = []
  for (let at = 0; at < raceIds.length; at += RACES_AT_ONCE) {
    const { locks, stored } = await readLockedBatch(database, raceIds.slice(at, at + RACES_AT_ONCE))
    audited.push(...locks)
    for (const { raceId, modelId, regionId, sha256, number, beforeOff } of locks) {
      const key = `${raceId} ${modelId}`
      report.checked += 1
      const own = stored.get(key) ?? { raceId, modelId, predictions: [], chances: [] }
      const broken = !beforeOff || number >= (late.get(regionId) ?? Number.POSITIVE_INFINITY)
      if (broken || lockHash(own) !== sha256) report.broken.push(key)
    }
  }
  await markBroken(database, audited, new Set(report.broken), now)
  return report
}
