import { SEEN_MATCHES_KEY } from '../../data/client/device-work.ts'
import { storedRecord } from './stored-record.ts'

/** The matches of followed views that the user has seen, stored on this device: all others are new. */
const seen = storedRecord<readonly string[]>(SEEN_MATCHES_KEY)

export const useSeenMatches = (): Readonly<Record<string, readonly string[]>> => seen.use()

/**
 * Stores the matches of a view that are on screen (`shown`), in addition to those seen before that still
 * match (`all`); matches of past races are discarded.
 */
export function markSeen(viewId: string, shown: readonly string[], all: readonly string[]): void {
  const views = seen.now()
  const before = views[viewId] ?? []
  const keys = all.filter((key) => shown.includes(key) || before.includes(key))
  if (viewId in views && before.length === keys.length && keys.every((key) => before.includes(key))) return
  seen.set(viewId, keys)
}
