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
    return message.data.map(({ horseNumber, odds, createTime }) => ({
      kind: 'odds',
      raceId: message.raceId,
      at: createTime,
      horseNumber,
      odds,
    }))
  }
  if (message.type === 'result') {
    return message.data.results.map(({ place, horseNumber }) => ({
      kind: 'result',
      raceId: message.raceId,
      at: message.at,
      horseNumber,
      place,
    }))
  }
  if (message.type !== 'tip') return []
  return message.data.topCompetitors.flatMap(({ ranking, horseNumber, probability }) =>
    horseNumber === null || probability === null
      ? []
      : [{ kind: 'tip', raceId: message.raceId, at: message.at, horseNumber, rank: ranking, probability }],
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
