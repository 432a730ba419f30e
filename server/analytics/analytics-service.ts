import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ColumnSpec } from '../../analytics/plan.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import { forkHelper } from '../process/program.ts'
import type { AnalyticsCall, AnalyticsReply, AnalyticsSetup, Format, OpenFiles } from './protocol.ts'
import type { AnalyticsLimits } from '../process/env.ts'

const MAX_WAITING = 100
/** Includes opening files; a process that does not reply for longer is replaced. */
const REPLY_TIMEOUT_MS = 60_000
const MAX_CACHED_BYTES = 64_000_000

type RemoteRows = Pick<Extract<AnalyticsReply, { ok: true }>, 'bytes' | 'rows' | 'milliseconds'>

interface Waiting {
  of: ChildProcess
  resolve(reply: AnalyticsReply): void
  reject(error: FurlongError): void
}

/** Dataset files that are queried together. */
export interface FileSet {
  files: readonly Pick<DatasetFile, 'sha256' | 'rows'>[]
  /** Only the newest set of a group stays open; `null` if the set is in no group. */
  group: string | null
}

/** Runs compiled queries on dataset files. */
export type Analytics = ReturnType<typeof analyticsService>

/**
 * Manages the analytics process: starts it, replaces a dead one, and caches results by files and query. `dataset` is the
 * folder of the dataset files; in `spill` each process gets its own folder for what exceeds the memory.
 */
export function analyticsService(folders: { dataset: string; spill: string }, limits: AnalyticsLimits) {
  const child = new ReplacedProcess(folders.spill, limits)
  const cache = new RowsCache()
  const running = new Map<string, Promise<RemoteRows>>()
  return {
    /** Throws `busy`, `server-timeout`, `too-many-rows`, `server-memory`, `query-failed`. */
    ask: async (of: FileSet, sql: string, columns: ColumnSpec[], format: Format): Promise<RemoteRows> => {
      const open = openFiles(of, folders.dataset)
      const key = `${open.key} ${format} ${sql}`
      const known = cache.get(key) ?? running.get(key)
      if (known) return known
      const work = child.send({ open, sql, columns, format }).then((reply) => {
        if (!reply.ok) throw new FurlongError(reply.code, reply.details)
        cache.add(key, reply)
        return reply
      })
      running.set(key, work)
      try {
        return await work
      } finally {
        running.delete(key)
      }
    },
    /** Opens files before the first query. */
    warm: async (of: FileSet): Promise<void> => {
      await child.send({ open: openFiles(of, folders.dataset), sql: null, columns: [], format: 'arrow' })
    },
    close: (): void => child.close(),
  }
}

const openFiles = ({ files, group }: FileSet, folder: string): OpenFiles => ({
  group,
  key: createHash('sha256')
    .update(files.map(({ sha256 }) => sha256).join())
    .digest('hex'),
  files: files.map(({ sha256, rows }) => ({
    path: join(folder, `${sha256}.duckdb`),
    alias: `f_${sha256.slice(0, 16)}`,
    tables: Object.keys(rows),
  })),
})

/** The results of the last queries, at most `MAX_CACHED_BYTES`; the oldest are dropped first. */
class RowsCache {
  readonly #rows = new Map<string, RemoteRows>()
  #bytes = 0

  get(key: string): RemoteRows | undefined {
    return this.#rows.get(key)
  }

  add(key: string, rows: RemoteRows): void {
    this.#rows.set(key, rows)
    this.#bytes += rows.bytes.length
    for (const [old, { bytes }] of this.#rows) {
      if (this.#bytes <= MAX_CACHED_BYTES) break
      this.#rows.delete(old)
      this.#bytes -= bytes.length
    }
  }
}

/** A child process that is started when it is needed, and again after it has ended. */
class ReplacedProcess {
  readonly #spill: string
  readonly #limits: AnalyticsLimits
  readonly #waiting = new Map<number, Waiting>()
  readonly #spillFolders = new Map<ChildProcess, string>()
  #child: ChildProcess | null = null
  #nextId = 0

  constructor(spill: string, limits: AnalyticsLimits) {
    this.#spill = spill
    this.#limits = limits
  }

  /** Throws `busy` if too many calls wait, or if the process ends before it replies. */
  send(call: Omit<AnalyticsCall, 'id'>): Promise<AnalyticsReply> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new FurlongError('busy'))
    const mine = this.#started()
    this.#nextId += 1
    const id = this.#nextId
    const late = setTimeout(() => this.#end(mine), REPLY_TIMEOUT_MS)
    return new Promise<AnalyticsReply>((resolve, reject) => {
      this.#waiting.set(id, { of: mine, resolve, reject })
      mine.send({ ...call, id }, (error) => {
        if (error) this.#end(mine)
      })
    }).finally(() => clearTimeout(late))
  }

  close(): void {
    this.#end(this.#child)
  }

  #started(): ChildProcess {
    if (this.#child?.connected) return this.#child
    mkdirSync(this.#spill, { recursive: true, mode: 0o700 })
    const spillFolder = mkdtempSync(join(this.#spill, 'process-'))
    const setup: AnalyticsSetup = { ...this.#limits, spillFolder }
    const mine = forkHelper('analytics-process', [JSON.stringify(setup)])
    this.#spillFolders.set(mine, spillFolder)
    mine.on('message', (reply: AnalyticsReply) => {
      this.#waiting.get(reply.id)?.resolve(reply)
      this.#waiting.delete(reply.id)
    })
    const lost = (): void => this.#end(mine)
    mine.on('exit', lost)
    mine.on('error', lost)
    mine.unref()
    mine.channel?.unref()
    this.#child = mine
    return mine
  }

  #end(mine: ChildProcess | null): void {
    mine?.kill('SIGKILL')
    if (this.#child === mine) this.#child = null
    if (mine) this.#removeSpill(mine)
    // Queries of a replacement process are not affected.
    for (const [id, { of, reject }] of this.#waiting) {
      if (of !== mine) continue
      this.#waiting.delete(id)
      reject(new FurlongError('busy'))
    }
  }

  #removeSpill(of: ChildProcess): void {
    const folder = this.#spillFolders.get(of)
    if (folder === undefined) return
    try {
      // The process may write a last file while the folder is being removed.
      rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
      this.#spillFolders.delete(of)
    } catch {
      // Tried again when the process has exited.
    }
  }
}
