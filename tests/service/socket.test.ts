// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as account from '../../contract/api/account.ts'
import { CLOSED, ServerMessage } from '../../contract/api/socket.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { insertEvents, noteRaceEvents } from '../../server/store/operation/site-store.ts'
import { PushHub, type Connection } from '../../server/services/push.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { describeOnBoth } from '../support/databases.ts'
import { WITHOUT_WORKER, startServerProcess } from '../support/server-process.ts'

class Listener {
  readonly heard: ServerMessage[] = []
  readonly socket: WebSocket
  readonly closed: Promise<number>

  constructor(base: string, user: string, query: Record<string, string> = {}) {
    const url = new URL(`h5/${user}_app?${new URLSearchParams(query)}`, base.replace(/^http/, 'ws'))
    this.socket = new WebSocket(url)
    this.socket.on('message', (data: Buffer) =>
      this.heard.push(ServerMessage.parse(JSON.parse(data.toString()))),
    )
    this.closed = new Promise((resolve) => this.socket.once('close', (code) => resolve(code)))
    this.socket.on('error', () => {})
  }

  /** Waits up to ten seconds for the first message of a type. */
  async hears<Type extends ServerMessage['type']>(
    type: Type,
  ): Promise<Extract<ServerMessage, { type: Type }>> {
    await expect.poll(() => this.heard.some((message) => message.type === type)).toBe(true)
    return this.heard.find((message) => message.type === type) as Extract<ServerMessage, { type: Type }>
  }

  types(): string[] {
    return this.heard.map(({ type }) => type)
  }
}

/** The status with which an upgrade is refused. */
const refusedWith = (base: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(new URL(path, base.replace(/^http/, 'ws')))
    socket.once('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    socket.once('open', () => reject(new Error('was let in')))
    socket.on('error', () => {})
  })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describeOnBoth('the socket on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let coming: { id: string; no: number }[]
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind, new Date()))
    coming = await server.database.rows(
      `select id, race_no as no from race where status = 'scheduled' and region_id = '100000' and race_date > current_date
       order by id`,
    )
    // Events of creating the season are discarded.
    await server.database.rows('delete from push_event')
    await pause(1500)
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  const tell = (kinds: ('tip' | 'odds' | 'result')[], raceId: string) =>
    insertEvents(
      server.database,
      kinds.map((each) => ({ kind: each, raceId, customerId: null, body: '' })),
      new Date(),
    )

  test('greets, answers heartbeats in kind, and says so when it is sent nonsense', async () => {
    const { id, token } = await seedCustomer(server.database)
    const listener = new Listener(server.base, id, { token })
    expect(await listener.hears('hello')).toMatchObject({ role: 'member' })
    listener.socket.send(JSON.stringify({ type: 'heartbeat', userUid: id }))
    expect(await listener.hears('heartbeat')).toEqual({ type: 'heartbeat', userUid: id })
    for (const nonsense of ['{', '"x"', '{"type":"subscribe"}', '[]']) listener.socket.send(nonsense)
    await listener.hears('error')
    listener.socket.send('x'.repeat(5000))
    expect(await listener.closed).toBe(1009)
  })

  test('lets nobody in under another’s name or with a token that is not good', async () => {
    const mine = await seedCustomer(server.database)
    const other = await seedCustomer(server.database)
    const path = (user: string, token: string): string => `h5/${user}_app?token=${token}`
    expect(await refusedWith(server.base, path(other.id, mine.token))).toBe(403)
    expect(await refusedWith(server.base, path(mine.id, 'x'.repeat(43)))).toBe(401)
    expect(await refusedWith(server.base, path(mine.id, 'short'))).toBe(401)
    expect(await refusedWith(server.base, 'h5/no-such-shape')).toBe(404)
  })

  test('pushes to each what each may see', async () => {
    const open = coming.find(({ no }) => no === 1)!
    const closed = coming.find(({ no }) => no === 6)!
    const visitor = new Listener(server.base, 'device')
    const member = await seedCustomer(server.database)
    const subscriber = await seedCustomer(server.database)
    const vip = await seedCustomer(server.database)
    await server.ask(raceSubscribe, { token: subscriber.token, query: { raceId: closed.id } })
    await server.buy(vip.token)
    const listeners = [
      visitor,
      ...[member, subscriber, vip].map(({ id, token }) => new Listener(server.base, id, { token })),
    ]
    for (const listener of listeners) await listener.hears('hello')
    await tell(['tip'], open.id)
    await tell(['tip', 'odds', 'result'], closed.id)
    for (const listener of listeners) await listener.hears('result')
    await pause(200)
    const messages = listeners.map((listener) =>
      listener.heard.flatMap((message) =>
        'raceId' in message && message.raceId === closed.id ? [message.type] : [],
      ),
    )
    expect(messages).toEqual([['result'], ['result'], ['tip', 'odds', 'result'], ['tip', 'odds', 'result']])
    const tips = listeners.map((listener) =>
      listener.heard.find((message) => message.type === 'tip' && message.raceId === open.id),
    )
    expect(tips.map((tip) => (tip?.type === 'tip' ? tip.data.open : null))).toEqual([
      false,
      false,
      false,
      true,
    ])
    for (const listener of listeners) listener.socket.close()
  })

  test('tells a customer of his own orders, and nobody else', async () => {
    const buyer = await seedCustomer(server.database)
    const other = await seedCustomer(server.database)
    const [mine, theirs] = [buyer, other].map(({ id, token }) => new Listener(server.base, id, { token }))
    await mine!.hears('hello')
    await theirs!.hears('hello')
    const orderId = await server.buy(buyer.token)
    expect((await mine!.hears('order')).data).toEqual({ orderId, state: 'accountPaid' })
    await pause(300)
    expect(theirs!.types()).toEqual(['hello'])
    mine!.socket.close()
    theirs!.socket.close()
  })

  test('who comes back hears what he missed, and nothing of before', async () => {
    const { id, token } = await seedCustomer(server.database)
    await server.buy(token)
    const first = new Listener(server.base, id, { token })
    await first.hears('hello')
    await tell(['result'], coming[0]!.id)
    const last = (await first.hears('result')).id
    first.socket.close()
    await first.closed
    await pause(1200)
    await tell(['tip'], coming[1]!.id)
    await tell(['odds'], coming[2]!.id)
    await pause(1500)
    const again = new Listener(server.base, id, { token, since: last })
    // Messages from shortly before the last one received may be repeated, because an event can appear late.
    const missed = (): string[] =>
      again.heard.flatMap((message) =>
        'raceId' in message && message.id > last ? [`${message.type} ${message.raceId}`] : [],
      )
    await expect.poll(missed).toEqual([`tip ${coming[1]!.id}`, `odds ${coming[2]!.id}`])
    again.socket.close()

    const old = (Date.now() - 30 * 3_600_000).toString(16).padStart(12, '0')
    const since = `${old.slice(0, 8)}-${old.slice(8)}-7000-8000-000000000000`
    const late = new Listener(server.base, id, { token, since })
    await late.hears('resync')
    late.socket.close()
    const odd = new Listener(server.base, id, { token, since: `x' or 1=1` })
    expect((await odd.hears('hello')).role).toBe('vip')
    odd.socket.close()
  })

  test('hangs up when the token ends', async () => {
    const { id } = await seedCustomer(server.database)
    const token = await newTokenOf(server.database, id, new Date())
    const listener = new Listener(server.base, id, { token })
    await listener.hears('hello')
    await server.ask(account.logout, { token })
    await tell(['result'], coming[0]!.id)
    expect(await listener.closed).toBe(CLOSED.signedOut)
    expect(listener.types()).toEqual(['hello'])
  })

  test('history is no news: only races of these days are told of', async () => {
    const old = await server.database.rows<{ id: string }>(
      `select id from race where status = 'final' and race_date < current_date - 5 limit 5`,
    )
    await server.database.rows('delete from push_event')
    await noteRaceEvents(
      server.database,
      'result',
      old.map(({ id }) => id),
      new Date(),
    )
    await noteRaceEvents(
      server.database,
      'tip',
      coming.map(({ id }) => id),
      new Date(),
    )
    const [count] = await server.database.rows<{ count: number }>('select count(*) as count from push_event')
    expect(count!.count).toBe(coming.length)
  })

  test('hangs up on who is silent for 90 seconds, and on nobody who is not', async () => {
    const hub = new PushHub(server.context.service)
    const closed: string[] = []
    const line = (name: string, silentMs: number): Connection => ({
      tokenHash: null,
      customerId: null,
      language: 'en',
      lastHeard: Date.now() - silentMs,
      send: () => {},
      close: (code) => void closed.push(`${name} ${code}`),
    })
    await hub.add(line('silent', 91_000), null)
    await hub.add(line('heard', 80_000), null)
    hub.sweep()
    expect(closed).toEqual([`silent ${CLOSED.silent}`])
    expect(hub.size).toBe(1)
  })

  test('twenty lines of one customer at most', async () => {
    const { id, token } = await seedCustomer(server.database)
    const lines = Array.from({ length: 20 }, () => new Listener(server.base, id, { token }))
    for (const line of lines) await line.hears('hello')
    expect(await new Listener(server.base, id, { token }).closed).toBe(CLOSED.tooMany)
    for (const line of lines) line.socket.close()
  })
})

test(
  'what one process writes is told by the other; a thousand idle lines are carried',
  { tags: ['rest'] },
  async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const environment = {
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
      ...WITHOUT_WORKER,
    }
    const [one, two] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
    const { id, token } = await seedCustomer(place.database)
    const listener = new Listener(two.base, id, { token })
    await listener.hears('hello')
    const made = await fetch(`${one.base}trade/api/createOrder`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify({ planId: '1' }),
    })
    const { result } = (await made.json()) as { result: { payUrl: string; orderId: string } }
    await fetch(new URL(result.payUrl, one.base), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ decision: 'approve' }),
    })
    expect((await listener.hears('order')).data.orderId).toBe(result.orderId)
    listener.socket.close()

    const idle = Array.from({ length: 1000 }, (_, index) => new Listener(one.base, `device-${index}`))
    for (const line of idle) await line.hears('hello')
    await insertEvents(
      place.database,
      [
        {
          kind: 'result',
          raceId: (await place.database.rows<{ id: string }>('select id from race limit 1'))[0]!.id,
          customerId: null,
          body: '',
        },
      ],
      new Date(),
    )
    for (const line of idle) await line.hears('result')
    const metrics = await (await fetch(`${one.base}metrics`)).text()
    expect(metrics).toContain('furlong_sockets 1000')
    const ready = await fetch(`${one.base}readyz`)
    expect(ready.status).toBe(200)
    // Every client is notified of the shutdown.
    expect(await one.stop()).toBe(0)
    const codes = new Set(await Promise.all(idle.map(({ closed }) => closed)))
    expect([...codes]).toEqual([1001])
    expect(await two.stop()).toBe(0)
    await place.close()
  },
)
