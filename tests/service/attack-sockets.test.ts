// @module-tag rest
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { CLOSED, CLOSE_REASONS } from '../../contract/api/socket.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { residentMegabytes, WITHOUT_WORKER, startServerProcess } from '../support/server-process.ts'
import { newId } from '../../server/db/id.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'

/** Clients that do not read: their number, what is sent to each of them in a round, and the number of rounds. */
const SLOW = 16
const MESSAGES = 20
const MESSAGE_BYTES = 250_000
const MAX_ROUNDS = 20

/** What an attack on the sockets of the first edition achieved; also, a server with silent connections must stop. */

describe('sockets', () => {
  interface Closed {
    code: number
    reason: string
  }
  const listen = (
    base: string,
    path: string,
  ): { socket: WebSocket; closed: Promise<Closed>; opened: Promise<void> } => {
    const socket = new WebSocket(new URL(path, base.replace(/^http/, 'ws')))
    socket.on('error', () => {})
    return {
      socket,
      closed: new Promise((resolve) =>
        socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
      ),
      opened: new Promise((resolve) => socket.once('open', () => resolve())),
    }
  }

  test('ten anonymous sockets that send without end are closed with a reason, and everybody else is served', async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const server = await startServerProcess({
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
      ...WITHOUT_WORKER,
    })
    const heartbeat = JSON.stringify({ type: 'heartbeat', userUid: 'x'.repeat(70) })
    const attackers = Array.from({ length: 10 }, (_, index) =>
      listen(server.base, `/h5/attacker${index}_app`),
    )
    await Promise.all(attackers.map(({ opened }) => opened))
    const sent = attackers.map(({ socket }) => {
      for (let index = 0; index < 20_000; index += 1) socket.send(heartbeat)
      return socket
    })
    expect(sent).toHaveLength(10)
    const started = performance.now()
    expect((await fetch(`${server.base}healthz`)).status).toBe(200)
    const waited = performance.now() - started
    const closed = await Promise.all(attackers.map((attacker) => attacker.closed))
    for (const each of closed) {
      // A client that is cut off while sending may be unable to read the reason.
      expect([CLOSED.tooFast, 1006]).toContain(each.code)
      if (each.code === CLOSED.tooFast) expect(each.reason).toBe(CLOSE_REASONS[CLOSED.tooFast])
    }
    // 7 to 10 s before the fix. The bound checks only the order of magnitude; an idle machine is far faster.
    expect(waited).toBeLessThan(5000)
    expect(await server.stop()).toBe(0)
    await place.close()
  })

  test('a client that does not read what it asks for is cut off: memory stays bounded, and others are served', async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const server = await startServerProcess({
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
      ...WITHOUT_WORKER,
    })
    const { id, token } = await seedCustomer(place.database)
    const other = await seedCustomer(place.database)
    const path = `/h5/${id}_app?token=${token}`
    const slow = Array.from({ length: SLOW }, () => listen(server.base, path))
    const reader = listen(server.base, path)
    let heard = 0
    reader.socket.on('message', (data: Buffer) => {
      if (data.toString().includes('"order"')) heard += 1
    })
    await Promise.all([...slow, reader].map(({ opened }) => opened))
    const openSockets = async (): Promise<number> => {
      const metrics = await (await fetch(`${server.base}metrics`)).text()
      return Number(/furlong_sockets (\d+)/.exec(metrics)?.[1])
    }
    expect(await openSockets()).toBe(SLOW + 1)
    // From now on nothing is read from these connections, and all of them stay open.
    for (const { socket } of slow) socket.pause()
    const before = residentMegabytes(server.process.pid!)
    let largest = before
    let slowest = 0
    let sent = 0
    // The operating system buffers some megabytes for each connection, and then the server has to.
    for (let round = 0; round < MAX_ROUNDS && (await openSockets()) > 1; round += 1) {
      const body = JSON.stringify({ text: 'x'.repeat(MESSAGE_BYTES) })
      for (let count = 0; count < MESSAGES; count += 1)
        await place.database.rows(
          `insert into push_event (id, kind, customer_id, body, created_at) values ($1::uuid, 'order', $2::uuid, $3, $4)`,
          [newId(), id, body, new Date().toISOString()],
        )
      sent += MESSAGES
      await expect.poll(() => heard, { timeout: 60_000 }).toBe(sent)
      const started = performance.now()
      const answer = await fetch(`${server.base}sys/api/customer/userInfo`, {
        headers: { 'x-access-token': other.token },
      })
      expect(answer.status).toBe(200)
      slowest = Math.max(slowest, performance.now() - started)
      largest = Math.max(largest, residentMegabytes(server.process.pid!))
    }
    // Only the client that reads is left.
    expect(await openSockets()).toBe(1)
    // Without a limit, the server would hold everything sent in `MAX_ROUNDS`: a gigabyte and a half.
    expect(largest - before).toBeLessThan(400)
    // The bound is a time-out: an idle machine answers within milliseconds.
    expect(slowest).toBeLessThan(5000)
    for (const { socket } of [...slow, reader]) socket.terminate()
    expect(await server.stop()).toBe(0)
    await place.close()
  })

  test('connections that never become sockets give their places back', async () => {
    const place = await newDatabase('postgresql')
    const server = await TestServer.start(place, { settings: { FURLONG_SOCKETS_PER_ADDRESS: '5' } })
    const { hostname, port } = new URL(server.base)
    const broken = (): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            'GET /h5/device_app HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bad\r\n\r\n',
          ),
        )
        socket.on('data', () => {})
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    for (let index = 0; index < 4; index += 1) await broken()
    for (let index = 0; index < 20; index += 1)
      expect((await fetch(new URL('/h5/device_app', server.base))).status).toBe(404)
    const sockets = Array.from({ length: 5 }, (_, index) => listen(server.base, `/h5/device${index}_app`))
    await Promise.all(sockets.map(({ opened }) => opened))
    const metrics = await (await fetch(new URL('/metrics', server.base))).text()
    expect(Number(/furlong_sockets (\d+)/.exec(metrics)?.[1])).toBe(5)
    for (const { socket } of sockets) socket.terminate()
    await server.close()
    await place.close()
  })

  test('a burst of connections of one customer and of one address stays within its limits', async () => {
    const place = await newDatabase('postgresql')
    const server = await TestServer.start(place, { settings: { FURLONG_SOCKETS_PER_ADDRESS: '60' } })
    const { id, token } = await seedCustomer(place.database)
    const own = Array.from({ length: 50 }, () => listen(server.base, `/h5/${id}_app?token=${token}`))
    await Promise.all(own.map(({ opened }) => opened))
    expect((await Promise.race(own.map(({ closed }) => closed))).code).toBe(CLOSED.tooMany)
    const stillOpen = async (): Promise<number> => {
      const metrics = await (await fetch(new URL('/metrics', server.base))).text()
      return Number(/furlong_sockets (\d+)/.exec(metrics)?.[1])
    }
    expect(await stillOpen()).toBeLessThanOrEqual(20)
    const strangers = Array.from({ length: 100 }, (_, index) => listen(server.base, `/h5/device${index}_app`))
    await Promise.all(strangers.map(({ opened }) => opened))
    expect(await stillOpen()).toBeLessThanOrEqual(60)
    for (const { socket } of [...own, ...strangers]) socket.terminate()
    await server.close()
    await place.close()
  })
})

describe('stopping', () => {
  const silent = (base: string, bytes: string): Promise<Socket> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(base)
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
        if (bytes) socket.write(bytes)
        resolve(socket)
      })
      socket.on('error', () => {})
    })

  test.each([
    ['a silent connection', ''],
    ['half a request', 'POST /sys/mLogin HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
    ['a request that was answered, never closed', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('ends with %s', async (_, bytes) => {
    const place = await newSmallSeason('postgresql', new Date())
    const server = await startServerProcess(
      { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl!, ...WITHOUT_WORKER },
      /\nready\n/,
    )
    const sockets = await Promise.all([silent(server.base, bytes), silent(server.base, bytes)])
    // Before the fix the server never stopped; the test is that it stops at all.
    expect(await server.stop()).toBe(0)
    for (const socket of sockets) socket.destroy()
    await place.close()
  })
})
