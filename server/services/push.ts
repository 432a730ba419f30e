import { setImmediate as nextTurn } from 'node:timers/promises'
import { CLOSED, RETAINED_HOURS, SILENCE_SECONDS, type ServerMessage } from '../../contract/api/socket.ts'
import { isVipAt } from '../../domain/membership.ts'
import type { Language } from '../../domain/languages.ts'
import { HEADLINE } from '../model/headline.ts'
import { firstIdOf, timeOfId } from '../db/id.ts'
import { readTip } from '../store/racing/prediction-store.ts'
import { readNewestOdds, readPlaces, readRacePlace } from '../store/racing/race-store.ts'
import { eventsSince, type PushEvent } from '../store/operation/site-store.ts'
import { ownersOfTokens } from '../store/accounts/token-store.ts'
import { subscribersAmong } from '../store/accounts/voucher-store.ts'
import { seesWholeRace, tipFor } from './gate.ts'
import type { Service } from './service.ts'

/** One open socket. */
export interface Connection {
  /** `null` for a visitor who is not signed in. */
  tokenHash: string | null
  customerId: string | null
  language: Language
  lastHeard: number
  /** `text`: the message already serialized, if it is sent to many connections. */
  send(message: ServerMessage, text?: string): void
  close(code: number): void
}

interface Reader {
  connection: Connection
  isVip: boolean
}

const POLL_MS = 1000
const SWEEP_MS = 10_000
/** An event gets its id before its transaction commits, so it may become visible up to this much later. */
const LATE_MS = 15_000
/** How long events that could not be delivered are retried. */
const MAX_BEHIND_MS = 600_000
const MAX_EVENTS = 1000
/** A client that missed more events than this reloads everything, which is cheaper for both sides. */
const MAX_REPLAYED = 200
/** VIP status and token validity older than this are looked up again before the next event is delivered. */
const RIGHTS_MS = 1000
/** Messages sent before other requests get a turn; sending this many takes about ten milliseconds. */
const SENT_AT_ONCE = 200

/**
 * Pushes events to the clients that may see them. Events are rows that every process reads, so it does not
 * matter which process a client is connected to or which one wrote them. Each message passes the gate for
 * each client at the moment of sending.
 */
export class PushHub {
  private readonly connections = new Set<Connection>()
  private readonly seen = new Map<string, number>()
  private lastId: string | null = null
  /** Start time of the last read after which everything was delivered. */
  private readFrom = Number.POSITIVE_INFINITY
  private timers: NodeJS.Timeout[] = []
  private busy: Promise<void> = Promise.resolve()
  /** The read that waits for the running one. */
  private next: Promise<void> | null = null

  private readonly service: Service

  constructor(service: Service) {
    this.service = service
  }

  /** Number of connections that receive events. */
  get size(): number {
    return this.connections.size
  }

  /** Starts reading events; earlier events are only sent to clients that connect with `since`. */
  async start(): Promise<void> {
    for (const event of await this.recent()) this.note(event)
    this.timers = [
      setInterval(() => this.service.runInBackground('push', () => this.poll()), POLL_MS),
      setInterval(() => this.sweep(), SWEEP_MS),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    await this.busy
    for (const connection of this.connections) connection.close(1001)
    this.connections.clear()
  }

  /** Adds a connection, greets it, and sends the events that it missed since an id. */
  async add(connection: Connection, since: string | null): Promise<void> {
    const now = this.service.now()
    const [reader] = await this.readersOf([connection])
    if (!reader) return
    this.connections.add(connection)
    const role = reader.connection.customerId === null ? 'visitor' : reader.isVip ? 'vip' : 'member'
    // Sent even before the first event: a client that reconnects sends the id of its greeting.
    connection.send({ type: 'hello', lastId: this.lastId ?? firstIdOf(now), role })
    if (since === null) return
    const from = timeOfId(since).getTime() - LATE_MS
    if (from < now.getTime() - RETAINED_HOURS * 3_600_000) return connection.send({ type: 'resync' })
    const events = await eventsSince(this.service.reader, new Date(from), null, MAX_REPLAYED + 1)
    if (events.length > MAX_REPLAYED) return connection.send({ type: 'resync' })
    for (const event of events) {
      // The connection was closed meanwhile.
      if (!this.connections.has(connection)) return
      if (event.id !== since) await this.tell(event, [reader])
    }
  }

  remove(connection: Connection): void {
    this.connections.delete(connection)
  }

  /** Reads and delivers new events. Reads never overlap, and at most one waits for another. */
  poll(): Promise<void> {
    this.next ??= this.busy
      .then(() => {
        this.next = null
        return this.readOnce()
      })
      .catch((error: unknown) => {
        this.service.runInBackground('push', () => Promise.reject(error))
      })
    this.busy = this.next
    return this.busy
  }

  private async readOnce(): Promise<void> {
    const started = this.service.now().getTime()
    const fresh = (await this.recent()).filter(({ id }) => !this.seen.has(id))
    // However long the last read took, the next one includes what was written meanwhile.
    if (fresh.length === 0) {
      this.readFrom = started
      return
    }
    const oldest = Date.now() - MAX_BEHIND_MS - 4 * LATE_MS
    for (const [id, time] of this.seen) if (time < oldest) this.seen.delete(id)
    let readers: Reader[] = []
    let rightsReadAt = Number.NEGATIVE_INFINITY
    let failed: unknown = null
    for (const event of fresh) {
      try {
        if (Date.now() - rightsReadAt > RIGHTS_MS) {
          const at = Date.now()
          readers = this.connections.size === 0 ? [] : await this.readersOf([...this.connections])
          rightsReadAt = at
        }
        if (readers.length > 0) await this.tell(event, readers)
        this.note(event)
      } catch (error) {
        // Not marked as seen: the next read retries it, with the others that failed.
        failed = error
      }
    }
    if (failed !== null) throw failed
    this.readFrom = started
  }

  /** All recent events, regardless of their number. */
  private async recent(): Promise<PushEvent[]> {
    const now = this.service.now().getTime()
    const from = new Date(Math.max(now - MAX_BEHIND_MS, Math.min(now, this.readFrom)) - LATE_MS)
    const events: PushEvent[] = []
    for (;;) {
      const after = events.at(-1)?.id ?? null
      const some = await eventsSince(this.service.reader, from, after, MAX_EVENTS)
      events.push(...some)
      if (some.length < MAX_EVENTS) return events
    }
  }

  private note({ id }: PushEvent): void {
    this.seen.set(id, Date.now())
    if (this.lastId === null || id > this.lastId) this.lastId = id
  }

  /** The clients of connections with their current rights; closes connections with an invalid token. */
  private async readersOf(connections: readonly Connection[]): Promise<Reader[]> {
    const { database, now } = this.service
    const hashes = connections.flatMap(({ tokenHash }) => tokenHash ?? [])
    const owners = hashes.length === 0 ? null : await ownersOfTokens(database, hashes, now())
    return connections.flatMap((connection) => {
      if (connection.tokenHash === null) return [{ connection, isVip: false }]
      const owner = owners?.get(connection.tokenHash)
      if (owner) return [{ connection, isVip: isVipAt(now(), owner.vipEnd) }]
      this.hangUp(connection, CLOSED.signedOut)
      return []
    })
  }

  /** Delivers an event to those of the readers that may see it. */
  private async tell(event: PushEvent, readers: readonly Reader[]): Promise<void> {
    const head = { id: event.id, at: event.createdAt }
    if (event.kind === 'order') return this.tellOrder(event, readers)
    // Events are read from the same reader, so the data that they announce is available there.
    const { reader, now } = this.service
    const race = event.raceId === null ? null : await readRacePlace(reader, event.raceId)
    if (race === null) return
    if (event.kind === 'result') {
      const data = { status: race.status, results: await readPlaces(reader, race.id) }
      return this.sendToAll(readers, { type: 'result', ...head, raceId: race.id, data })
    }
    const isSubscribed = await this.subscribedTo(race.id, readers)
    if (event.kind === 'tip') return this.tellTip(head, race.id, readers, isSubscribed)
    const data = await readNewestOdds(reader, race.id, now())
    const entitled = readers.filter((each) => seesWholeRace(each, isSubscribed(each)))
    return this.sendToAll(entitled, { type: 'odds', ...head, raceId: race.id, data })
  }

  private tellOrder({ id, createdAt, customerId, body }: PushEvent, readers: readonly Reader[]): void {
    const data = JSON.parse(body) as Extract<ServerMessage, { type: 'order' }>['data']
    for (const { connection } of readers)
      if (connection.customerId !== null && connection.customerId === customerId)
        connection.send({ type: 'order', id, at: createdAt, data })
  }

  /** Whether a reader has opened a race. */
  private async subscribedTo(
    raceId: string,
    readers: readonly Reader[],
  ): Promise<(reader: Reader) => boolean> {
    const customers = readers.flatMap(({ connection }) => connection.customerId ?? [])
    if (customers.length === 0) return () => false
    const subscribers = await subscribersAmong(this.service.database, raceId, customers)
    return ({ connection }) => connection.customerId !== null && subscribers.has(connection.customerId)
  }

  private async tellTip(
    head: { id: string; at: string },
    raceId: string,
    readers: readonly Reader[],
    isSubscribed: (reader: Reader) => boolean,
  ): Promise<void> {
    for (const language of new Set(readers.map(({ connection }) => connection.language))) {
      const tip = await readTip(this.service.reader, HEADLINE, raceId, language)
      if (tip === null) return
      const theirs = readers.filter(({ connection }) => connection.language === language)
      for (const [index, reader] of theirs.entries()) {
        if (index % SENT_AT_ONCE === SENT_AT_ONCE - 1) await nextTurn()
        if (!this.connections.has(reader.connection)) continue
        const data = tipFor(reader, tip, isSubscribed(reader), this.service.now())
        if (data !== null) reader.connection.send({ type: 'tip', ...head, raceId, data })
      }
    }
  }

  /** Sends the same message to many connections, letting other requests run in between. */
  private async sendToAll(readers: readonly Reader[], message: ServerMessage): Promise<void> {
    const text = JSON.stringify(message)
    for (const [index, { connection }] of readers.entries()) {
      if (index % SENT_AT_ONCE === SENT_AT_ONCE - 1) await nextTurn()
      if (this.connections.has(connection)) connection.send(message, text)
    }
  }

  /** Closes connections that have been silent for too long. */
  sweep(): void {
    const oldest = Date.now() - SILENCE_SECONDS * 1000
    for (const connection of this.connections)
      if (connection.lastHeard < oldest) this.hangUp(connection, CLOSED.silent)
  }

  private hangUp(connection: Connection, code: number): void {
    this.connections.delete(connection)
    connection.close(code)
  }
}
