import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ColumnSpec } from '../../analytics/plan.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { AnalyticsLimits } from '../process/env.ts'
import { FairQueue, type Share } from '../process/fair-queue.ts'
import { AnswerRowsCache, type AnswerRows } from './answer-rows.ts'
import { OPEN_SETS, type Format, type OpenFiles } from './protocol.ts'
import { ReplacedProcess } from './replaced-process.ts'

/** Dataset files that are queried together. */
export interface FileSet {
  files: readonly Pick<DatasetFile, 'sha256' | 'rows'>[]
  /** Only the newest set of a group stays open; `null` if the set is in no group. */
  group: string | null
  /** Only races and their totals are in memory; other queries read the files, and take several times as long. */
  totalsOnly?: boolean
}

/** A compiled query. */
export interface Question {
  files: FileSet
  sql: string
  columns: ColumnSpec[]
  format: Format
  /** Expected work in milliseconds (`costOf`). */
  cost: number
}

/**
 * Who asks. `public`: visitors and members; `vip`: VIPs; `operator`: what the server itself asks, such as for
 * frozen rules. Each has a process of its own, so that no question of one lane waits for one of another.
 */
const LANES = ['operator', 'vip', 'public'] as const
export type Lane = (typeof LANES)[number]

export interface Asker {
  lane: Lane
  /** Of several shares that wait in a lane, each gets the same work done. */
  share: Share
  /** Aborted once nobody waits for the answer. */
  signal?: AbortSignal
}

/** The operator's own questions, which are all of one share. */
export const OPERATOR: Asker = { lane: 'operator', share: ['operator'] }

/** Expected work from which a question waits for those that are slow as well, and no longer for quick ones. */
const SLOW_MS = 250
/** A question on files that are not open opens them first: milliseconds of any set, and of a row. */
const OPENING_MS = 50
const OPENING_ROW_MS = 0.001

const QUEUE = { running: 1, waiting: 100, waitMs: 25_000, refusal: 'too-many-questions' } as const

interface LaneSettings {
  /** Questions of one share that wait. A page asks for several figures at once. */
  waitingOfOne: number
  /** Longest time of a query; seconds. `null`: the operator's setting. */
  seconds: number | null
  niceness: number
  idleMs: number | null
  cachedBytes: number
}

const SETTINGS: Record<Lane, LaneSettings> = {
  // A frozen rule that is not recorded in time is missed for good, so all of them may wait.
  operator: { waitingOfOne: 100, seconds: null, niceness: 0, idleMs: 60_000, cachedBytes: 1_000_000 },
  vip: { waitingOfOne: 24, seconds: null, niceness: 0, idleMs: null, cachedBytes: 64_000_000 },
  public: { waitingOfOne: 12, seconds: 5, niceness: 10, idleMs: null, cachedBytes: 32_000_000 },
}

/** Runs compiled queries on dataset files. */
export type Analytics = ReturnType<typeof analyticsService>

/**
 * Answers questions in lanes, and caches answers by files and query. `dataset` is the folder of the dataset files; in
 * `spill` each process gets its own folder for what exceeds the memory.
 */
export function analyticsService(folders: { dataset: string; spill: string }, limits: AnalyticsLimits) {
  const lanes = new Map(LANES.map((lane) => [lane, new AnalyticsLane(folders, limits, SETTINGS[lane])]))
  return {
    /**
     * Throws `busy` and `too-many-questions` with the seconds after which to ask again, `server-timeout`, `too-many-rows`,
     * `server-memory`, `query-failed`, `query-cancelled`.
     */
    ask: (question: Question, { lane, share, signal }: Asker): Promise<AnswerRows> =>
      lanes.get(lane)!.ask(question, share, signal),
    /** Opens files before the first query of a lane. */
    warm: (lane: Lane, of: FileSet): Promise<void> => lanes.get(lane)!.warm(of),
    close: (): void => {
      for (const lane of lanes.values()) lane.close()
    },
  }
}

/** An answer that is being worked out, for all who asked for it. */
interface Pending {
  answer: Promise<AnswerRows>
  askers: number
  stop: AbortController
}

/** The questions of a lane: a queue for quick ones, one for the others, and the process that answers both. */
class AnalyticsLane {
  readonly #folder: string
  readonly #limits: { seconds: number; rows: number }
  readonly #process: ReplacedProcess
  readonly #quick: FairQueue
  readonly #slow: FairQueue
  readonly #cache: AnswerRowsCache
  readonly #pending = new Map<string, Pending>()
  /** Keys of the sets that the process has open, least recently used first. */
  readonly #open = new Set<string>()

  constructor(
    folders: { dataset: string; spill: string },
    { seconds, rows, memoryMib }: AnalyticsLimits,
    { waitingOfOne, niceness, idleMs, cachedBytes, ...own }: LaneSettings,
  ) {
    this.#folder = folders.dataset
    this.#limits = { seconds: Math.min(seconds, own.seconds ?? seconds), rows }
    this.#process = new ReplacedProcess({ spill: folders.spill, memoryMib, niceness, idleMs })
    this.#quick = new FairQueue({ ...QUEUE, waitingOfOne })
    this.#slow = new FairQueue({ ...QUEUE, waitingOfOne })
    this.#cache = new AnswerRowsCache(cachedBytes)
  }

  ask(question: Question, share: Share, signal: AbortSignal | undefined): Promise<AnswerRows> {
    const open = openFiles(question.files, this.#folder)
    const key = hashOf([open.key, question.format, question.sql])
    const known = this.#cache.get(key)
    if (known) return Promise.resolve(known)
    // Others who ask the same are not affected.
    if (signal?.aborted) return Promise.reject(new FurlongError('query-cancelled'))
    const pending = this.#pending.get(key) ?? this.#begin(key, open, question, share)
    pending.askers += 1
    const leave = (): void => {
      pending.askers -= 1
      if (pending.askers > 0) return
      // Whoever asks from now on must not get the answer of a question that is cancelled.
      this.#forget(key, pending)
      pending.stop.abort()
    }
    if (signal === undefined) return pending.answer
    signal.addEventListener('abort', leave, { once: true })
    return pending.answer.finally(() => signal.removeEventListener('abort', leave))
  }

  async warm(of: FileSet): Promise<void> {
    const open = openFiles(of, this.#folder)
    this.#used(open.key)
    await this.#process.send({ open, sql: null, columns: [], format: 'arrow', limits: this.#limits })
  }

  close(): void {
    this.#open.clear()
    this.#process.close()
  }

  #begin(key: string, open: OpenFiles, question: Question, share: Share): Pending {
    const stop = new AbortController()
    const { sql, columns, format, cost } = question
    const expected = this.#open.has(open.key) ? cost : cost + openingCost(question.files)
    const queue = expected > SLOW_MS ? this.#slow : this.#quick
    const answer = queue.run(
      share,
      expected,
      async () => {
        this.#used(open.key)
        const call = { open, sql, columns, format, limits: this.#limits }
        const reply = await this.#process.send(call, stop.signal)
        if (!reply.ok) throw new FurlongError(reply.code, reply.details)
        this.#cache.add(key, reply)
        return reply
      },
      stop.signal,
    )
    const pending: Pending = { answer, askers: 0, stop }
    this.#pending.set(key, pending)
    const forget = (): void => this.#forget(key, pending)
    answer.then(forget, forget)
    return pending
  }

  #forget(key: string, pending: Pending): void {
    if (this.#pending.get(key) === pending) this.#pending.delete(key)
  }

  #used(key: string): void {
    this.#open.delete(key)
    this.#open.add(key)
    for (const old of this.#open) {
      if (this.#open.size <= OPEN_SETS) break
      this.#open.delete(old)
    }
  }
}

const openingCost = ({ files }: FileSet): number =>
  OPENING_MS +
  OPENING_ROW_MS * files.flatMap(({ rows }) => Object.values(rows)).reduce((sum, each) => sum + each, 0)

const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex')

const openFiles = ({ files, group, totalsOnly = false }: FileSet, folder: string): OpenFiles => ({
  group,
  totalsOnly,
  key: hashOf([String(totalsOnly), ...files.map(({ sha256 }) => sha256)]),
  files: files.map(({ sha256, rows }) => ({
    path: join(folder, `${sha256}.duckdb`),
    alias: `f_${sha256.slice(0, 16)}`,
    tables: Object.keys(rows),
  })),
})
