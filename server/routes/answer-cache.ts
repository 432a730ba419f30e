import { createHash } from 'node:crypto'
import type { Queries } from '../store/database.ts'
import { readStamp } from '../store/site-store.ts'

export interface KeptAnswer {
  body: string
  etag: string
}

const MAX_ANSWERS = 500
const MAX_BYTES = 400_000
/** How long a change may go unnoticed. */
const STAMP_MS = 1000

/**
 * Caches serialized responses that are the same for all visitors or all VIPs, until races, predictions or
 * settings change, or a new minute begins: what is free to see depends on the clock.
 */
export class AnswerCache {
  private readonly kept = new Map<string, KeptAnswer>()
  private readonly values = new Map<string, Promise<unknown>>()
  private stamp: Promise<string> | null = null
  private stampUntil = 0
  private known = ''

  private readonly database: Queries
  private readonly now: () => Date

  private readonly count: (known: boolean) => void

  /** `count` is called for each response with whether it was cached. */
  constructor(database: Queries, now: () => Date, count: (known: boolean) => void = () => {}) {
    this.database = database
    this.now = now
    this.count = count
  }

  /** The response for `key`, created by `make` if it is not cached or outdated. */
  async get(key: string, make: () => Promise<unknown>): Promise<KeptAnswer> {
    await this.refresh()
    const found = this.kept.get(key)
    this.count(found !== undefined)
    if (found) return found
    const stamp = this.known
    const made = writeAnswer(await make())
    if (this.known === stamp && made.body.length <= MAX_BYTES) {
      const oldest = this.kept.size >= MAX_ANSWERS ? this.kept.keys().next().value : undefined
      if (oldest !== undefined) this.kept.delete(oldest)
      this.kept.set(key, made)
    }
    return made
  }

  /**
   * Caches data from which many responses are made. It may hold more than a given viewer may see, so it must
   * never be sent as it is.
   */
  async value<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    await this.refresh()
    const found = this.values.get(key)
    if (found) return found as Promise<Value>
    const made = make()
    if (this.values.size >= MAX_ANSWERS) this.values.delete(this.values.keys().next().value!)
    this.values.set(key, made)
    // A failed value is not cached.
    made.catch(() => this.values.delete(key))
    return made
  }

  private async refresh(): Promise<void> {
    const time = this.now().getTime()
    if (this.stamp === null || time >= this.stampUntil || time < this.stampUntil - STAMP_MS) {
      this.stampUntil = time + STAMP_MS
      this.stamp = readStamp(this.database)
      this.stamp.catch(() => (this.stamp = null))
    }
    const current = `${await this.stamp} ${Math.floor(time / 60_000)}`
    if (current === this.known) return
    this.known = current
    this.kept.clear()
    this.values.clear()
  }
}

/** Serializes a response with an ETag of its result; the timestamp does not affect the ETag. */
export function writeAnswer(result: unknown): KeptAnswer {
  const json = JSON.stringify(result)
  const etag = `"${createHash('sha256').update(json).digest('base64url')}"`
  return {
    etag,
    body: `{"success":true,"code":200,"message":"","result":${json},"timestamp":${Date.now()}}`,
  }
}
