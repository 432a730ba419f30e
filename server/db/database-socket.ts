import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FurlongError } from '../../domain/errors.ts'
import type { EmbeddedDatabase, Queries } from './database.ts'
import { readFrames, sendFrame } from './frames.ts'
import { SOCKET_FILE, withSocketPath, type Call, type Failure, type Reply } from './socket-protocol.ts'

/** A command that stops in the middle of a transaction must not block other users of the database. */
const IDLE_TRANSACTION_MS = 60_000

/**
 * After a statement or transaction that took so long, in milliseconds, a command waits for a share of its time,
 * up to a limit: requests whose statements waited meanwhile get to their end and not only to their next statement.
 */
const LONG_MS = 50
const REST_SHARE = 0.25
const LONGEST_REST_MS = 100

export interface DatabaseServer {
  /** Closes every connection, rolls back their open transactions, and removes the socket. */
  close(): Promise<void>
}

interface ServeOptions {
  /** Idle time, in milliseconds, after which an open transaction is rolled back. */
  idleMs?: number
}

/**
 * Lets commands on this machine use the embedded database that this process has open, over a socket in the
 * data folder that only its owner may use. The caller must hold the folder's lock: an existing socket is
 * therefore left over from a killed process and is replaced.
 */
export async function serveDatabase(
  database: EmbeddedDatabase,
  dataFolder: string,
  { idleMs = IDLE_TRANSACTION_MS }: ServeOptions = {},
): Promise<DatabaseServer> {
  const sockets = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    const left = new Session(database, socket, idleMs).left().then(() => {
      sockets.delete(socket)
    })
    sockets.set(socket, left)
  })
  await withSocketPath(dataFolder, async (path) => {
    rmSync(path, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ path }, resolve)
    })
    chmodSync(path, 0o600)
  })
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const left = [...sockets.values()]
      for (const socket of sockets.keys()) socket.destroy()
      await Promise.all(left)
      await closed
      rmSync(join(dataFolder, SOCKET_FILE), { force: true })
    },
  }
}

/** Thrown into a transaction to roll it back after its command gave up. */
class GivenUp extends Error {}

interface Transaction {
  queries: Queries
  commit(): void
  rollback(): void
}

/** The connection of one command. */
class Session {
  private readonly open = new Map<number, Transaction>()
  /** Promises that settle when their transaction has ended, by transaction id. */
  private readonly endings = new Map<number, Promise<void>>()
  private readonly timers = new Map<number, NodeJS.Timeout>()
  /** Until when the command leaves the database to others. */
  private restsUntil = 0

  private readonly database: EmbeddedDatabase
  private readonly socket: Socket
  private readonly idleMs: number

  constructor(database: EmbeddedDatabase, socket: Socket, idleMs: number) {
    this.database = database
    this.socket = socket
    this.idleMs = idleMs
    readFrames(socket, (value) => {
      if (typeof value !== 'object' || value === null) throw new Error('no call')
      void this.reply(value as Call)
    })
  }

  /** Resolves when the command has disconnected and its open transactions are rolled back. */
  async left(): Promise<void> {
    await new Promise<void>((resolve) => {
      // A broken connection is rolled back like a closed one; there is no one to report the error to.
      this.socket.on('error', () => {})
      this.socket.once('close', () => resolve())
    })
    await Promise.allSettled([...this.open.keys()].map((id) => this.end(id, 'rollback')))
    await Promise.allSettled(this.endings.values())
  }

  private async reply(call: Call): Promise<void> {
    const { id } = call
    let reply: Reply
    try {
      reply = { id, ok: true, value: await this.answer(call) }
    } catch (error) {
      reply = { id, ok: false, failure: failureOf(error) }
    }
    sendFrame(this.socket, reply)
  }

  private answer(call: Call): Promise<unknown> {
    switch (call.kind) {
      case 'rows':
        return call.transaction === null
          ? this.resting(() => this.database.rows(call.sql, call.parameters))
          : this.rowsOf(call.transaction, call.sql, call.parameters)
      case 'script':
        return this.database.script(call.sql)
      case 'begin':
        return this.begin(call.id)
      case 'commit':
      case 'rollback':
        return this.end(call.transaction, call.kind)
      case 'dump':
        return this.database.dump(call.file)
    }
  }

  /** Uses the database after the rest that the last use earned. */
  private async resting<Result>(work: () => Promise<Result>): Promise<Result> {
    const rest = this.restsUntil - performance.now()
    if (rest > 0) await pause(rest)
    const started = performance.now()
    try {
      return await work()
    } finally {
      const now = performance.now()
      const took = now - started
      if (took >= LONG_MS) this.restsUntil = now + Math.min(LONGEST_REST_MS, REST_SHARE * took)
    }
  }

  private begin(id: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const ending = this.resting(() =>
        this.database.transaction(
          (queries) =>
            new Promise<void>((commit, giveUp) => {
              const rollback = (): void => giveUp(new GivenUp())
              // The command disconnected while waiting for the transaction to start.
              if (this.socket.destroyed) return rollback()
              this.open.set(id, { queries, commit, rollback })
              this.awaitNext(id)
              resolve()
            }),
        ),
      )
      this.endings.set(id, ending)
      ending.catch(reject)
    })
  }

  private async rowsOf(
    id: number,
    sql: string,
    parameters: Parameters<Queries['rows']>[1],
  ): Promise<unknown> {
    clearTimeout(this.timers.get(id))
    try {
      return await this.transaction(id).queries.rows(sql, parameters)
    } finally {
      if (this.open.has(id)) this.awaitNext(id)
    }
  }

  private async end(id: number, how: 'commit' | 'rollback'): Promise<void> {
    const transaction = this.transaction(id)
    clearTimeout(this.timers.get(id))
    this.timers.delete(id)
    this.open.delete(id)
    transaction[how]()
    try {
      await this.endings.get(id)
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
    } finally {
      this.endings.delete(id)
    }
  }

  private transaction(id: number): Transaction {
    const found = this.open.get(id)
    if (!found) throw new FurlongError('internal', { reason: `no transaction ${id}` })
    return found
  }

  private awaitNext(id: number): void {
    this.timers.set(
      id,
      setTimeout(() => this.socket.destroy(), this.idleMs),
    )
  }
}

/** Fields of driver errors that the code reads or that help an operator. */
const FIELDS = ['code', 'severity', 'detail', 'hint', 'constraint', 'table', 'column', 'where'] as const

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), furlong: null, fields: {} }
  const { message } = error
  if (error instanceof FurlongError)
    return { message, furlong: { code: error.code, details: error.details }, fields: {} }
  const said = error as Error & Partial<Record<(typeof FIELDS)[number], unknown>>
  const fields: Record<string, string> = {}
  for (const field of FIELDS) {
    const value = said[field]
    if (typeof value === 'string') fields[field] = value
  }
  return { message, furlong: null, fields }
}
