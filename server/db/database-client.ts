import { resolve as absolute } from 'node:path'
import { connect, type Socket } from 'node:net'
import { FurlongError } from '../../domain/errors.ts'
import type { EmbeddedDatabase, Parameter, Queries } from './database.ts'
import { readFrames, sendFrame } from './frames.ts'
import { withSocketPath, type Call, type Failure, type Reply } from './socket-protocol.ts'

type UnnumberedCall = Call extends infer Each
  ? Each extends { id: number }
    ? Omit<Each, 'id'>
    : never
  : never

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

const unreachable = (): FurlongError =>
  new FurlongError('database-unreachable', {
    reason: 'the server that has it open has stopped, or a transaction was silent for too long',
  })

function errorOf({ message, furlong, fields }: Failure): Error {
  return furlong ? new FurlongError(furlong.code, furlong.details) : Object.assign(new Error(message), fields)
}

/**
 * Connects to the embedded database of a data folder through the server process that has it open; `null` if
 * no server listens. A lost connection rolls back open transactions and fails with `database-unreachable`.
 */
export async function connectDatabase(dataFolder: string): Promise<EmbeddedDatabase | null> {
  const socket = await connected(dataFolder)
  return socket && databaseOver(socket)
}

/** Whether a server process of the data folder accepts connections. */
export async function isServed(dataFolder: string): Promise<boolean> {
  const socket = await connected(dataFolder)
  socket?.destroy()
  return socket !== null
}

/** A connection to the server process of a data folder; `null` if none listens. */
const connected = (dataFolder: string): Promise<Socket | null> =>
  withSocketPath(
    dataFolder,
    (path) =>
      new Promise((resolve, reject) => {
        const socket = connect({ path })
        socket.once('connect', () => resolve(socket))
        socket.once('error', (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return resolve(null)
          reject(new FurlongError('database-unreachable', { reason: error.message }, { cause: error }))
        })
      }),
  )

function databaseOver(socket: Socket): EmbeddedDatabase {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const send = (id: number, call: UnnumberedCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!socket.writable) return reject(unreachable())
      waiting.set(id, { resolve, reject })
      sendFrame(socket, { ...call, id })
    })
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  readFrames(socket, (value) => {
    const reply = value as Reply
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.ok) one?.resolve(reply.value)
    else one?.reject(errorOf(reply.failure))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(unreachable())
    waiting.clear()
  })
  const queriesOf = (transaction: number | null): Queries => ({
    rows: async <Row>(sql: string, parameters: readonly Parameter[] = []) =>
      (await send(nextId(), { kind: 'rows', sql, parameters, transaction })) as Row[],
  })
  return {
    kind: 'pglite',
    shared: true,
    ...queriesOf(null),
    transaction: async (work) => {
      const transaction = nextId()
      await send(transaction, { kind: 'begin' })
      let result
      try {
        result = await work(queriesOf(transaction))
      } catch (error) {
        // The original error is thrown even if the rollback fails too.
        await send(nextId(), { kind: 'rollback', transaction }).catch(() => {})
        throw error
      }
      await send(nextId(), { kind: 'commit', transaction })
      return result
    },
    script: async (sql) => void (await send(nextId(), { kind: 'script', sql })),
    dump: async (file) => void (await send(nextId(), { kind: 'dump', file: absolute(file) })),
    close: async () => {
      if (socket.destroyed) return
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve())
        socket.end()
      })
    },
  }
}
