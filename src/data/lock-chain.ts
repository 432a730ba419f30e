import { queryLockChain, type LockChain } from '../../contract/api/model.ts'
import { call } from './client/call.ts'

/** The entries of a region's chain in a range, and the hash that precedes the first. Throws the errors of `call`. */
export async function fetchLockChain(countryRegionId: string, from: number, to: number): Promise<LockChain> {
  const chain: LockChain = { previous: '', entries: [] }
  while ((chain.entries.at(-1)?.number ?? from - 1) < to) {
    const next = (chain.entries.at(-1)?.number ?? from - 1) + 1
    const page = await call(queryLockChain, { countryRegionId, fromNumber: next })
    if (page.entries.length === 0) break
    if (next === from) chain.previous = page.previous
    chain.entries.push(...page.entries.filter(({ number }) => number <= to))
  }
  return chain
}
