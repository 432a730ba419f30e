import type { ServerMessage } from '../../contract/api/socket.ts'
import { createBackoff } from './backoff.ts'
import { baseUrl } from './client/api-client.ts'
import { createStore, createNotifier } from './client/create-store.ts'
import { clientId } from './client/device.ts'
import { tellSessionEnded } from './client/session.ts'
import type { LiveRow } from '../../analytics/engine-api.ts'

export type LiveMessage = Exclude<ServerMessage, { type: 'heartbeat' | 'hello' | 'error' }>
export type LiveState = 'connecting' | 'open' | 'lost'

interface LiveNews {
  state: LiveState
  /** Instant of the last update of each kind and race; the key is `result HKSHT…`. */
  at: ReadonlyMap<string, string>
}

const HEARTBEAT_MS = 30_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** If the first connection took longer, updates may have been missed. */
const SLOW_MS = 3000
const SIGNED_OUT = 4401
/** Messages may arrive twice after a reconnection: this many ids are remembered. */
const MAX_KNOWN = 500

const news = createStore<LiveNews>({ state: 'connecting', at: new Map() })

const change = (part: Partial<LiveNews>): void => news.set({ ...news.now(), ...part })

export const useLiveState = (): LiveState => news.use(({ state }) => state)

/** When a race was last updated by a message of this kind; `null` if not since the page was opened. */
export const useLiveInstant = (kind: 'odds' | 'result' | 'tip', raceId: string): string | null =>
  news.use(({ at }) => at.get(`${kind} ${raceId}`) ?? null)

/** Passes on each message once, and knows the last one, from which a later connection catches up. */
function createInbox(onMessage: (message: LiveMessage) => void) {
  const known = new Set<string>()
  const started = Date.now()
  let lastId: string | null = null

  /** The greeting of a new connection, with the id of the last message that was sent before it. */
  function greet(serverLastId: string): void {
    const late = lastId === null && Date.now() - started > SLOW_MS
    lastId ??= serverLastId
    change({ state: 'open' })
    // The shown data was requested before the connection was open: updates in between were missed.
    if (late) onMessage({ type: 'resync' })
  }

  function receive(message: LiveMessage): void {
    if (message.type === 'resync') return onMessage(message)
    if (known.has(message.id)) return
    known.add(message.id)
    if (known.size > MAX_KNOWN) known.delete(known.values().next().value!)
    if (lastId === null || message.id > lastId) lastId = message.id
    if ('raceId' in message) {
      change({ at: new Map(news.now().at).set(`${message.type} ${message.raceId}`, message.at) })
    }
    onMessage(message)
  }

  return { greet, receive, lastId: () => lastId }
}

/**
 * Keeps a socket open for the signed-in user (or for a visitor), passes on each message once, and catches up
 * on missed ones after a lost connection. Returns a function that closes it.
 */
export function openLive(
  who: { id: string; token: string } | null,
  onMessage: (message: LiveMessage) => void,
): () => void {
  const user = who?.id ?? clientId()
  const inbox = createInbox(onMessage)
  const reconnection = createBackoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  let socket: WebSocket | null = null
  let ended = false
  let beat: ReturnType<typeof setInterval> | undefined

  const hear = (message: ServerMessage): void => {
    if (message.type === 'heartbeat' || message.type === 'error') return
    if (message.type !== 'hello') return inbox.receive(message)
    reconnection.reset()
    inbox.greet(message.lastId)
  }

  const connect = (): void => {
    reconnection.cancel()
    if (ended || !navigator.onLine) return
    const url = new URL(`h5/${user}_app`, baseUrl().replace(/^http/, 'ws'))
    if (who) url.searchParams.set('token', who.token)
    const lastId = inbox.lastId()
    if (lastId !== null) url.searchParams.set('since', lastId)
    url.searchParams.set('language', document.documentElement.lang)
    const mine = new WebSocket(url)
    socket = mine
    mine.addEventListener('open', () => {
      clearInterval(beat)
      beat = setInterval(() => mine.send(JSON.stringify({ type: 'heartbeat', userUid: user })), HEARTBEAT_MS)
    })
    mine.addEventListener('message', ({ data }) => {
      if (socket === mine) hear(JSON.parse(String(data)) as ServerMessage)
    })
    mine.addEventListener('close', ({ code }) => {
      if (socket !== mine) return
      clearInterval(beat)
      if (ended) return
      if (code === SIGNED_OUT) {
        // The server ended the session: handled as for any call; a visitor's connection follows.
        if (who) tellSessionEnded(who.token)
        return
      }
      change({ state: 'lost' })
      reconnection.schedule(connect)
    })
  }
  const online = (): void => {
    reconnection.reset()
    socket?.close()
    connect()
  }
  const offline = (): void => {
    change({ state: 'lost' })
    socket?.close()
  }
  globalThis.addEventListener('online', online)
  globalThis.addEventListener('offline', offline)
  change({ state: navigator.onLine ? 'connecting' : 'lost' })
  connect()
  return () => {
    ended = true
    reconnection.cancel()
    clearInterval(beat)
    globalThis.removeEventListener('online', online)
    globalThis.removeEventListener('offline', offline)
    socket?.close()
  }
}

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
