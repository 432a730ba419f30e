import { queryLockChain, type LockChain } from '../../../contract/api/model.ts'
import { call } from '../../data/client/call.ts'
import { onDevice } from '../../storage/stored-text.ts'

const keyOf = (regionId: string): string => `furlong_chain_${regionId}`

interface SeenEntry {
  number: number
  chain: string
}

/** The last entry of a region's chain that this device verified; `null` if it verified none. */
function seenEntry(regionId: string): SeenEntry | null {
  const stored = onDevice.readJson(keyOf(regionId)) as Partial<SeenEntry> | null
  return typeof stored?.number === 'number' && typeof stored.chain === 'string'
    ? { number: stored.number, chain: stored.chain }
    : null
}

/** Remembers the last entry of a verified chain, unless a later one is known already. */
export function rememberChain(regionId: string, { entries }: LockChain): void {
  const last = entries.at(-1)
  if (last === undefined || last.number <= (seenEntry(regionId)?.number ?? 0)) return
  onDevice.writeJson(keyOf(regionId), { number: last.number, chain: last.chain } satisfies SeenEntry)
}

/**
 * Number of the entry that this device verified earlier and that the public chain no longer has: its end was cut, or it was
 * rewritten. `null` if the chain has it, or if nothing was verified here. Throws the errors of `call`.
 */
export async function missingEntry(countryRegionId: string): Promise<number | null> {
  const seen = seenEntry(countryRegionId)
  if (seen === null) return null
  const { entries } = await call(queryLockChain, { countryRegionId, fromNumber: seen.number })
  const [entry] = entries
  return entry?.number === seen.number && entry.chain === seen.chain ? null : seen.number
}
