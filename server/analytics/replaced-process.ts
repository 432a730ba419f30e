import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import { forkHelper } from '../process/program.ts'
import type { AnalyticsCall, AnalyticsMessage, AnalyticsReply, AnalyticsSetup } from './protocol.ts'

/** Includes opening files; a process that does not reply for longer after the time of a query is replaced. */
const OVERDUE_MS = 30_000

export interface ProcessSettings {
  /** Each process gets its own folder in it for what exceeds the memory. */
  spill: string
  memoryMib: number
  /** What the process yields to others on the same cores: 0 nothing, 19 the most. */
  niceness: number
  /** A process that has had no call for so long is ended; milliseconds, `null`: never. */
  idleMs: number | null
}

interface Sent {
  call: AnalyticsCall
  /** The process that works on it. */
  by: ChildProcess
  /** Whether a process was ended while it worked on it. */
  isRepeated: boolean
  resolve(reply: AnalyticsReply): void
  reject(error: FurlongError): void
}

/**
 * The analytics process of a lane: started when it is needed, and again after it has ended. A call that does not end,
 * also not when it is interrupted, is the only one that is lost with its process: the others are repeated in the next.
 */
export class ReplacedProcess {
  readonly #settings: ProcessSettings
  readonly #sent = new Map<number, Sent>()
  readonly #spillFolders = new Map<ChildProcess, string>()
  #child: ChildProcess | null = null
  #nextId = 0
  #idle: NodeJS.Timeout | undefined

  constructor(settings: ProcessSettings) {
    this.#settings = settings
  }

  /**
   * Sends a call, which the process works on at once. An aborted `signal` ends it, or does not let it begin: the
   * reply is then `query-cancelled`. Throws `busy` if the process ends before it replies, twice.
   */
  send(call: Omit<AnalyticsCall, 'id'>, signal?: AbortSignal): Promise<AnalyticsReply> {
    this.#nextId += 1
    const id = this.#nextId
    if (signal?.aborted) return Promise.resolve({ id, ok: false, code: 'query-cancelled', details: {} })
    clearTimeout(this.#idle)
    const overdue = setTimeout(() => this.#give(id), call.limits.seconds * 1000 + OVERDUE_MS)
    const abort = (): void => this.#post(this.#sent.get(id)?.by, { cancel: id })
    signal?.addEventListener('abort', abort)
    return new Promise<AnalyticsReply>((resolve, reject) => {
      const sent = { call: { ...call, id }, by: this.#started(), isRepeated: false, resolve, reject }
      this.#sent.set(id, sent)
      this.#post(sent.by, sent.call)
    }).finally(() => {
      clearTimeout(overdue)
      signal?.removeEventListener('abort', abort)
      this.#rest()
    })
  }

  close(): void {
    clearTimeout(this.#idle)
    for (const sent of this.#sent.values()) sent.isRepeated = true
    this.#end(this.#child)
  }

  /** Gives a call up that does not end, with the process that works on it. */
  #give(id: number): void {
    const sent = this.#sent.get(id)
    if (!sent) return
    this.#sent.delete(id)
    const { limits } = sent.call
    sent.resolve({ id, ok: false, code: 'server-timeout', details: { limit: limits.seconds } })
    this.#end(sent.by)
  }

  #post(to: ChildProcess | undefined, message: AnalyticsMessage): void {
    if (!to?.connected) return
    to.send(message, (error) => {
      if (error) this.#end(to)
    })
  }

  #rest(): void {
    const { idleMs } = this.#settings
    if (idleMs === null || this.#sent.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(this.#child), idleMs).unref()
  }

  #started(): ChildProcess {
    if (this.#child?.connected) return this.#child
    const { spill, memoryMib, niceness } = this.#settings
    mkdirSync(spill, { recursive: true, mode: 0o700 })
    const spillFolder = mkdtempSync(join(spill, 'process-'))
    const setup: AnalyticsSetup = { memoryMib, spillFolder }
    const mine = forkHelper('analytics-process', [JSON.stringify(setup)])
    if (niceness > 0 && mine.pid !== undefined) lowerPriority(mine.pid, niceness)
    this.#spillFolders.set(mine, spillFolder)
    mine.on('message', (reply: AnalyticsReply) => {
      this.#sent.get(reply.id)?.resolve(reply)
      this.#sent.delete(reply.id)
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
    for (const [id, sent] of this.#sent) {
      // Calls of a process that has replaced this one are not affected.
      if (sent.by !== mine) continue
      if (sent.isRepeated) {
        this.#sent.delete(id)
        sent.reject(new FurlongError('busy'))
        continue
      }
      sent.isRepeated = true
      sent.by = this.#started()
      this.#post(sent.by, sent.call)
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

/** Not possible where the operator's limits forbid it; the process then has the server's priority. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // Or it has ended already.
  }
}
