import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { readStamp } from '../store/operation/site-store.ts'

export interface CachedAnswer {
  body: string
  etag: string
}

const MAX_ANSWERS = 500
const MAX_BYTES = 400_000
/** How long a change may go unnoticed. */
const STAMP_MS = 1000
/**
 * How long a cached response waits to hear of changes from the embedded database. It waits longer only while that is
 * held by a long transaction, such as an import, and until that ends there are no changes. PostgreSQL may have
 * changes while it is slow, so its answer is always awaited.
 */
const PATIENCE_MS = 250
const MINUTE_MS = 60_000

/** A standby has no kind: it is PostgreSQL. */
type Source = Pick<Database, 'rows'> & Partial<Pick<Database, 'kind'>>

/**
 * Caches serialized responses that are the same for all visitors or all VIPs, until races, predictions or
 * settings change, or a new minute begins: what is free to see depends on the clock.
 */
export class AnswerCache {
  private readonly cached = new Map<string, CachedAnswer>()
  private readonly values = new Map<string, Promise<unknown>>()
  private stamp: Promise<string> | null = null
  private stampUntil = 0
  private isReading = false
  private known = ''
  private knownMinute = Number.NEGATIVE_INFINITY

  private readonly database: Source
  private readonly now: () => Date

  private readonly count: (known: boolean) => void

  /** `count` is called for each response with whether it was cached. */
  constructor(database: Source, now: () => Date, count: (known: boolean) => void = () => {}) {
    this.database = database
    this.now = now
    this.count = count
  }

  /** The response for `key`, created by `make` if it is not cached or outdated. */
  async get(key: string, make: () => Promise<unknown>): Promise<CachedAnswer> {
    const found = await this.find(this.cached, key)
    this.count(found !== undefined)
    if (found) return found
    const stamp = this.known
    const made = writeAnswer(await make())
    if (this.known === stamp && made.body.length <= MAX_BYTES) {
      if (this.cached.size >= MAX_ANSWERS) this.cached.delete(this.cached.keys().next().value!)
      this.cached.set(key, made)
    }
    return made
  }

  /**
   * Caches data from which many responses are made. It may hold more than a given viewer may see, so it must
   * never be sent as it is.
   */
  async value<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const found = await this.find(this.values, key)
    return (found as Promise<Value> | undefined) ?? keep(this.values, key, make(), MAX_ANSWERS)
  }

  /** What is cached for `key` and not outdated, as far as can be known in time. */
  private async find<Item>(cached: ReadonlyMap<string, Item>, key: string): Promise<Item | undefined> {
    const refreshing = this.refresh()
    const isHeldUp = this.database.kind === 'pglite' && this.isReading
    if (isHeldUp && cached.has(key) && this.minute() - this.knownMinute <= 1) {
      // Reported to those that have nothing cached.
      refreshing.catch(() => {})
      const patience = new AbortController()
      await Promise.race([refreshing, pause(PATIENCE_MS, null, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      const found = cached.get(key)
      if (found !== undefined) return found
    }
    await refreshing
    return cached.get(key)
  }

  private readonly minute = (): number => Math.floor(this.now().getTime() / MINUTE_MS)

  private async refresh(): Promise<void> {
    const time = this.now().getTime()
    if (this.stamp === null || time >= this.stampUntil || time < this.stampUntil - STAMP_MS) {
      this.stampUntil = time + STAMP_MS
      const stamp = readStamp(this.database)
      this.stamp = stamp
      this.isReading = true
      stamp
        .catch(() => (this.stamp = null))
        .finally(() => {
          if (this.stamp === stamp || this.stamp === null) this.isReading = false
        })
    }
    const stamp = await this.stamp
    const minute = this.minute()
    const current = `${stamp} ${minute}`
    if (current === this.known) return
    this.known = current
    this.knownMinute = minute
    this.cached.clear()
    this.values.clear()
  }
}

/** Keeps what is being made for `key` among at most `most` others, of which the oldest leaves; if it fails, it is not kept. */
export function keep<Kept, Made extends Kept>(
  kept: Map<string, Promise<Kept>>,
  key: string,
  made: Promise<Made>,
  most: number,
): Promise<Made> {
  if (kept.size >= most) kept.delete(kept.keys().next().value!)
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}

/** Serializes a response with an ETag of its result; the timestamp does not affect the ETag. */
export function writeAnswer(result: unknown): CachedAnswer {
  const json = JSON.stringify(result)
  const etag = `"${createHash('sha256').update(json).digest('base64url')}"`
  return {
    etag,
    body: `{"success":true,"code":200,"message":"","result":${json},"timestamp":${Date.now()}}`,
  }
}
