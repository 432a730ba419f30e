import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { residentMegabytes, type ServerProcess } from '../tests/support/server-process.ts'

/** Sockets opened concurrently. */
const AT_ONCE = 200
const SETTLE_MS = 5000
const MAX_WAIT_MS = 60_000
const BEAT_MS = 20_000

export interface SocketReport {
  opened: number
  secondsToOpen: number
  /** Resident memory of the serving process before opening, with all sockets open, and after a message to each. */
  megabytes: { before: number; open: number; after: number }
  kilobytesASocket: number
  /** Time from the operator's batch to the message at the first and at the last entitled user. */
  heard: { sockets: number; firstMs: number; lastMs: number }
  /** Longest response time of a list that another user requests every 50 ms meanwhile. */
  longestListMs: number
}

/**
 * Opens customers' sockets to one serving process and sends all of them a message: `tell` makes the server send one
 * odds message to each of the `expected` entitled users.
 */
export async function benchSockets(
  server: ServerProcess,
  people: readonly { id: string; token: string }[],
  expected: number,
  tell: () => Promise<void>,
  list: () => Promise<void>,
): Promise<SocketReport> {
  const before = residentMegabytes(server.process.pid!)
  const sockets: WebSocket[] = []
  let heard: number[] = []
  let received = 0
  const open = ({ id, token }: { id: string; token: string }): Promise<void> => {
    const socket = new WebSocket(new URL(`h5/${id}_app?token=${token}`, server.base.replace(/^http/, 'ws')), {
      perMessageDeflate: false,
    })
    sockets.push(socket)
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', () => reject(new Error(`closed; ${sockets.length} were asked for`)))
      socket.on('message', (data: Buffer) => {
        const text = data.toString()
        if (text.includes('"type":"hello"')) resolve()
        else if (text.includes('"type":"odds"') && received > 0) heard.push(performance.now() - received)
      })
    })
  }
  const beat = setInterval(() => {
    for (const [index, socket] of sockets.entries())
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ type: 'heartbeat', userUid: people[index]!.id }))
  }, BEAT_MS)
  try {
    const started = performance.now()
    for (let from = 0; from < people.length; from += AT_ONCE)
      await Promise.all(people.slice(from, from + AT_ONCE).map(open))
    const secondsToOpen = (performance.now() - started) / 1000
    await pause(SETTLE_MS)
    const opened = residentMegabytes(server.process.pid!)
    heard = []
    received = performance.now()
    await tell()
    let longestListMs = 0
    while (heard.length < expected && performance.now() - received < MAX_WAIT_MS) {
      const startedAt = performance.now()
      await list()
      longestListMs = Math.max(longestListMs, performance.now() - startedAt)
      await pause(50)
    }
    await pause(SETTLE_MS)
    return {
      opened: sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length,
      secondsToOpen: Math.round(secondsToOpen * 10) / 10,
      megabytes: { before, open: opened, after: residentMegabytes(server.process.pid!) },
      kilobytesASocket: Math.round(((opened - before) * 1024) / people.length),
      heard: {
        sockets: heard.length,
        firstMs: Math.round(Math.min(...heard)),
        lastMs: Math.round(Math.max(...heard)),
      },
      longestListMs: Math.round(longestListMs),
    }
  } finally {
    clearInterval(beat)
    for (const socket of sockets) socket.terminate()
  }
}
