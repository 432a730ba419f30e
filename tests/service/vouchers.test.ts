import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userInfo, voucherPage, shareLogPage } from '../../contract/api/account.ts'
import { queryRaceSubscribe } from '../../contract/api/racing.ts'
import { raceSubscribe, subscribeCheck } from '../../contract/api/subscription.ts'
import { openDatabase } from '../../server/db/open.ts'
import { writeConfig } from '../../server/store/operation/site-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { ledgerFaults } from '../support/customers.ts'
import { describeOnBoth } from '../support/databases.ts'
import { ROOT, startServerProcess, WITHOUT_WORKER } from '../support/server-process.ts'
import { times } from '../support/soak.ts'

describeOnBoth('vouchers on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let races: string[]
  let time = new Date('2026-11-21T03:00:00Z')
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => time })
    races = (await server.database.rows<{ id: string }>('select id from race order by id')).map(
      ({ id }) => id,
    )
  })
  afterAll(async () => {
    expect(await ledgerFaults(server.database)).toEqual([])
    await server.close()
    await server.place.close()
  })

  const subscribe = (token: string, raceId: string) =>
    server.call(raceSubscribe, { token, query: { raceId } })
  const left = async (token: string) => {
    const { everyDayFreeNum, subscribeFreeNum } = await server.ask(userInfo, { token })
    return [everyDayFreeNum, subscribeFreeNum]
  }

  test('the daily one goes first, then those without expiry; a race costs once; with none left nothing is written', async () => {
    const { token } = await seedCustomer(server.database, { at: time, vouchers: 1 })
    expect(await left(token)).toEqual([1, 1])
    expect(await server.ask(subscribeCheck, { token, query: { goodsId: races[0]! } })).toBe(0)
    expect(await subscribe(token, races[0]!)).toMatchObject({ ok: true, result: { paidWith: 'daily' } })
    expect(await server.ask(subscribeCheck, { token, query: { goodsId: races[0]! } })).toBe(1)
    expect(await left(token)).toEqual([0, 1])
    expect(await subscribe(token, races[1]!)).toMatchObject({ ok: true, result: { paidWith: 'no_expiry' } })
    expect(await subscribe(token, races[1]!)).toMatchObject({ ok: true, result: { subscribeFreeNum: 0 } })
    const before = await server.ask(voucherPage, { token })
    const refused = await server.call(raceSubscribe, {
      token,
      query: { raceId: races[2]! },
      language: 'zh-Hant',
    })
    expect(refused).toMatchObject({ ok: false, status: 200, error: 'no-voucher' })
    if (!refused.ok) expect(refused.refusal.message).toContain('沒有剩餘')
    expect(await server.ask(voucherPage, { token })).toEqual(before)
    expect(before.records.map(({ reason, amount }) => [reason, amount])).toEqual([
      ['subscribe', -1],
      ['subscribe', -1],
      ['daily', 1],
      ['register', 1],
    ])
    const mine = await server.ask(queryRaceSubscribe, {
      token,
      query: { countryRegionId: '100036', today: '2026-11-21', pageSize: 50 },
    })
    expect(mine.map(({ id }) => id).toSorted()).toEqual(races.slice(0, 2).filter((id) => id.startsWith('AU')))
  })

  test('a race that is not there, another’s name, no token', async () => {
    const { token } = await seedCustomer(server.database, { at: time })
    const other = await seedCustomer(server.database, { at: time })
    expect(await subscribe(token, 'HKSHT2020010101')).toMatchObject({ status: 404, error: 'no-such-race' })
    const query = { raceId: races[0]!, account: other.account }
    expect(await server.call(raceSubscribe, { token, query })).toMatchObject({ status: 403 })
    expect(await server.call(raceSubscribe, { query: { raceId: races[0]! } })).toMatchObject({ status: 401 })
    expect(await left(token)).toEqual([1, 3])
  })

  test('a race without a prediction takes no voucher, in words of three languages; a VIP opens it all the same', async () => {
    const raceId = races.at(-1)!
    const kept = await server.database.rows<{ row: string }>(
      'select to_json(c)::text as row from win_chance c where race_id = $1',
      [raceId],
    )
    await server.database.rows('delete from win_chance where race_id = $1', [raceId])
    const { token } = await seedCustomer(server.database, { at: time })
    const before = await server.ask(voucherPage, { token })
    for (const [language, words] of [
      ['en', 'no voucher was used'],
      ['zh-Hant', '未使用解鎖券'],
      ['zh-Hans', '未使用解锁券'],
    ] as const) {
      const refused = await server.call(raceSubscribe, { token, query: { raceId }, language })
      expect(refused).toMatchObject({ ok: false, status: 200, error: 'not-predicted' })
      if (!refused.ok) expect(refused.refusal.message).toContain(words)
    }
    expect(await left(token)).toEqual([1, 3])
    expect(await server.ask(voucherPage, { token })).toEqual(before)
    expect(await server.ask(subscribeCheck, { token, query: { goodsId: raceId } })).toBe(0)
    await server.buy(token)
    expect(await subscribe(token, raceId)).toMatchObject({ ok: true, result: { paidWith: 'vip' } })
    for (const { row } of kept)
      await server.database.rows(
        'insert into win_chance select * from json_populate_record(null::win_chance, $1::json)',
        [row],
      )
  })

  test('200 subscribes at one moment with 5 vouchers give 5 subscriptions', async () => {
    const { id, token } = await seedCustomer(server.database, { at: time, vouchers: 4 })
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => subscribe(token, races[index % races.length]!)),
    )
    const opened = await server.database.rows(
      'select race_id from subscription where customer_id = $1::uuid',
      [id],
    )
    expect(opened).toHaveLength(5)
    expect(replies.filter(({ ok }) => !ok).every((reply) => !reply.ok && reply.error === 'no-voucher')).toBe(
      true,
    )
    expect(await left(token)).toEqual([0, 0])
  })

  test('the same race many times at once costs one voucher', async () => {
    const { token } = await seedCustomer(server.database, { at: time })
    const replies = await Promise.all(Array.from({ length: 30 }, () => subscribe(token, races[3]!)))
    expect(replies.every(({ ok }) => ok)).toBe(true)
    expect(await left(token)).toEqual([0, 3])
  })

  test('a new day in Hong Kong gives a new daily voucher, at its midnight and not before', async () => {
    const { token } = await seedCustomer(server.database, { at: time, vouchers: 0 })
    time = new Date('2026-11-21T15:59:59Z')
    expect((await subscribe(token, races[0]!)).ok).toBe(true)
    expect((await subscribe(token, races[1]!)).ok).toBe(false)
    expect(await left(token)).toEqual([0, 0])
    time = new Date('2026-11-21T16:00:00Z')
    expect(await left(token)).toEqual([1, 0])
    expect(await subscribe(token, races[1]!)).toMatchObject({ ok: true, result: { paidWith: 'daily' } })
    expect((await subscribe(token, races[2]!)).ok).toBe(false)
  })

  test('a VIP spends none, and what was opened stays open when VIP ends', async () => {
    const { token } = await seedCustomer(server.database, { at: time })
    await server.buy(token)
    expect(await subscribe(token, races[5]!)).toMatchObject({ ok: true, result: { paidWith: 'vip' } })
    expect(await left(token)).toEqual([1, 3])
    const before = time
    time = new Date(time.getTime() + 25 * 86_400_000)
    expect((await server.ask(userInfo, { token })).isVip).toBe(1)
    time = new Date(time.getTime() + 20 * 86_400_000)
    expect((await server.ask(userInfo, { token })).isVip).toBe(0)
    expect(await server.ask(subscribeCheck, { token, query: { goodsId: races[5]! } })).toBe(1)
    time = before
  })

  test('who shares gets 20 for each person who registers, once', async () => {
    const sharer = await server.register()
    await server.register({ inviter: sharer.userInfo.id, nickname: 'First' })
    await server.register({ inviter: sharer.userInfo.username, nickname: 'Second' })
    expect(await left(sharer.token)).toEqual([1, 43])
    const log = await server.ask(shareLogPage, { token: sharer.token })
    expect(log.records.map(({ recipient, beforeNum, afterNum }) => [recipient, beforeNum, afterNum])).toEqual(
      [
        ['Second', 23, 43],
        ['First', 3, 23],
      ],
    )
  })

  test('the quotas are the operator’s', async () => {
    await writeConfig(server.database, 'everyDayFreeNum', '0')
    const { token } = await seedCustomer(server.database, { at: time, vouchers: 0 })
    expect(await left(token)).toEqual([0, 0])
    expect((await subscribe(token, races[0]!)).ok).toBe(false)
    await writeConfig(server.database, 'everyDayFreeNum', '1')
  })
})

/** Runs operations `from` to `to` in a separate process; kills it after `killAt` of them. */
function operate(environment: NodeJS.ProcessEnv, from: number, to: number, killAt?: number): Promise<number> {
  const worker = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/support/voucher-worker.ts', String(from), String(to)],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: '', ...environment },
    },
  )
  return new Promise((resolve, reject) => {
    let printed = ''
    let done = from
    worker.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    worker.stdout.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().trim().split('\n')
      done = Number(lines.findLast((line) => /^\d+$/.test(line)) ?? done)
      if (killAt !== undefined && done >= killAt) worker.kill('SIGKILL')
    })
    worker.once('exit', (code, signal) =>
      code === 0 || signal === 'SIGKILL' ? resolve(done) : reject(new Error(printed)),
    )
  })
}

describeOnBoth('the ledger on %s', { usual: 'postgresql' }, (kind) => {
  test(
    'adds up after thousands of operations with a kill in the middle',
    { tags: ['rest', 'longer'] },
    async () => {
      const place = await newSmallSeason(kind)
      for (let count = 0; count < 40; count += 1) await seedCustomer(place.database)
      await place.database.close()
      const environment = { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl ?? '' }
      const operations = times(3000, 100_000)
      const killedAt = await operate(environment, 0, operations, operations / 2)
      expect(killedAt).toBeGreaterThanOrEqual(operations / 2)
      expect(killedAt).toBeLessThan(operations)
      expect(await operate(environment, killedAt, operations)).toBeGreaterThanOrEqual(operations * 0.99)
      const database = await openDatabase({ dataFolder: place.dataFolder, databaseUrl: place.databaseUrl })
      expect(await ledgerFaults(database)).toEqual([])
      const [counted] = await database.rows<{ spent: number; opened: number }>(
        `select (select count(*) from voucher_ledger where reason = 'subscribe') as spent,
         (select count(*) from subscription) as opened`,
      )
      expect(counted!.spent).toBe(counted!.opened)
      expect(counted!.opened).toBeGreaterThan(1000)
      await database.close()
    },
  )
})

test(
  'two processes on one PostgreSQL never spend a voucher twice between them',
  { tags: ['rest'] },
  async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const environment = {
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
      ...WITHOUT_WORKER,
    }
    const servers = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
    const races = await place.database.rows<{ id: string }>('select id from race order by id limit 100')
    const customers = await Promise.all(
      Array.from({ length: 4 }, () => seedCustomer(place.database, { vouchers: 4 })),
    )
    await Promise.all(
      customers.flatMap(({ token }) =>
        races.map(({ id }, index) =>
          fetch(`${servers[index % 2]!.base}race/api/raceSubscribe?raceId=${id}`, {
            headers: { 'x-access-token': token },
          }),
        ),
      ),
    )
    const counts = await place.database.rows<{ count: number }>(
      'select count(*) as count from subscription group by customer_id',
    )
    expect(counts.map(({ count }) => count)).toEqual([5, 5, 5, 5])
    expect(await ledgerFaults(place.database)).toEqual([])
    for (const server of servers) expect(await server.stop()).toBe(0)
    await place.close()
  },
)
