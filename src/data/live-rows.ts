import type { LiveRow } from '../../analytics/engine-api.ts'
import { createNotifier } from './client/create-store.ts'
import type { LiveMessage } from './live.ts'

/** Maximum rows that are stored for an engine that starts later. */
const MAX_ROWS = 5000

let rows: LiveRow[] = []
const arrivals = createNotifier<[readonly LiveRow[]]>()

/** The rows that a message adds to the engine's live tables. */
export function rowsOf(message: LiveMessage): LiveRow[] {
  if (message.type === 'odds') {
    const { raceId } = message
    return message.data.map(({ createTime: at, ...row }) => ({ kind: 'odds', raceId, at, ...row }))
  }
  if (message.type === 'result') {
    const { raceId, at } = message
    return message.data.results.map((row) => ({ kind: 'result', raceId, at, ...row }))
  }
  if (message.type !== 'tip') return []
  const { raceId, at } = message
  return message.data.topCompetitors.flatMap(({ ranking: rank, horseNumber, probability }) =>
    horseNumber === null || probability === null
      ? []
      : [{ kind: 'tip', raceId, at, horseNumber, rank, probability }],
  )
}

export function noteLive(message: LiveMessage): void {
  const fresh = rowsOf(message)
  if (fresh.length === 0) return
  rows = [...rows, ...fresh].slice(-MAX_ROWS)
  arrivals.notify(fresh)
}

export const liveRows = (): readonly LiveRow[] => rows

/** Notifies the listener of new rows as they arrive. */
export const onLiveRows = arrivals.listen
