// @module-tag rest
// @module-tag longer
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userInfo } from '../../contract/api/account.ts'
import { queryLockChain } from '../../contract/api/model.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { createOrder } from '../../contract/api/trade.ts'
import { brokenLink } from '../../domain/prediction-lock.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { JobWorker } from '../../server/jobs/worker.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { enqueueJob, listJobs } from '../../server/store/operation/job-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { SERVING_LIMITS } from '../../server/db/postgresql.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { Conflicts } from '../support/conflicts.ts'
import { ledgerFaults } from '../support/customers.ts'
import { KINDS, newDatabase, newFolder, newPostgresqlUrl, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { times } from '../support/soak.ts'

const MEMBERS = times(8, 200)
const BUYERS = 8
const JOBS = times(40, 1000)

/** Everything that predictions and locks consist of; two databases of the same races have the same rows. */
const SCORED = {
  locks: `select region_id, number, race_id, model_id, sha256, locked_at, chain from prediction_lock order by 1, 2`,
  predictions: `select race_id, model_id, gameplay_class, rank, combination, probability from prediction order by 1, 2, 3, 4`,
  settlements: `select race_id, model_id, gameplay_class, rank, outcome, profit_cents from settlement order by 1, 2, 3, 4`,
  totals: `select * from daily_hits order by 1, 2, 3, 4, 5`,
}

describe('PostgreSQL at SERIALIZABLE that keeps rolling transactions back', () => {
  let conflicts: Conflicts
  let calm: TestDatabase
  const servers: TestServer[] = []
  const one = async <Row extends object>(sql: string): Promise<Row> =>
    (await servers[0]!.database.rows<Row>(sql))[0]!

  beforeAll(async () => {
    calm = await newSmallSeason('postgresql')
    const databaseUrl = await newPostgresqlUrl()
    const direct = await openDatabase({ dataFolder: newFolder(), databaseUrl })
    await direct.rows(
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
    )
    await direct.close()
    conflicts = Conflicts.start()
    for (let count = 0; count < 2; count += 1) {
      const dataFolder = newFolder()
      const database = conflicts.of(await openDatabase({ dataFolder, databaseUrl }, SERVING_LIMITS))
      const place: TestDatabase = { database, dataFolder, databaseUrl, close: () => database.close() }
      servers.push(await TestServer.start(place, { time: () => DEMO_DAY }))
    }
  })
  afterAll(async () => {
    conflicts.stop()
    for (const server of servers) {
      await server.close()
      await server.place.close()
    }
    await calm.close()
  })

  test('a season is made, predicted, locked and settled exactly as without conflicts', async () => {
    const { database } = servers[0]!
    expect(
      (await one<{ level: string }>(`select current_setting('transaction_isolation') as level`)).level,
    ).toBe('serializable')
    expect(await ensureDemonstration(database, DEMO_DAY, SMALL_SEASON_DAYS)).toBe(true)
    const scored = await scoreStaleRaces(database, undefined, () => DEMO_DAY)
    const counted = await one<{ races: number; locks: number; predictions: number }>(
      `select (select count(*) from race) as races, (select count(*) from prediction_lock) as locks,
         (select count(*) from prediction) as predictions`,
    )
    // A repeated attempt is not counted twice in the report.
    expect({ races: scored.races, locks: scored.locked, predictions: scored.predictions }).toEqual(counted)
    expect(counted.locks).toBeGreaterThan(10)
    for (const [name, sql] of Object.entries(SCORED))
      expect(await database.rows(sql), name).toEqual(await calm.database.rows(sql))
  })

  test('two scorers at once lock each change once, in one unbroken chain', async () => {
    const [here, there] = servers as [TestServer, TestServer]
    await here.database.rows(
      `update runner set win_odds = win_odds + 1 where horse_no = 3 and race_id in (
         select id from race where status = 'scheduled')`,
    )
    await here.database.rows(`update race set scoring = 'stale' where status = 'scheduled'`)
    const before = await one<{ n: number }>('select count(*) as n from prediction_lock')
    const reports = await Promise.all(
      [here, there].map(({ database }) => scoreStaleRaces(database, undefined, () => DEMO_DAY)),
    )
    const after = await one<{ n: number; doubled: number; stale: number }>(
      `select count(*) as n, count(*) - count(distinct (race_id, model_id, sha256)) as doubled,
         (select count(*) from race where scoring = 'stale') as stale from prediction_lock`,
    )
    expect(after.n - before.n).toBe(reports[0]!.locked + reports[1]!.locked)
    expect(after.n).toBeGreaterThan(before.n)
    expect(after).toMatchObject({ doubled: 0, stale: 0 })
    const regions = await here.database.rows<{ id: string }>(
      'select distinct region_id as id from prediction_lock',
    )
    for (const { id } of regions) {
      const chain = await here.ask(queryLockChain, { query: { countryRegionId: id } })
      expect(brokenLink(chain.previous, chain.entries)).toBeNull()
      expect(chain.entries.map(({ number }) => number)).toEqual(chain.entries.map((_, index) => index + 1))
    }
  })

  test('vouchers are spent once, however often their transactions are repeated', async () => {
    const races = (
      await servers[0]!.database.rows<{ id: string }>(
        `select id from race where status = 'scheduled' order by id limit 3`,
      )
    ).map(({ id }) => id)
    const members = await Promise.all(
      Array.from({ length: MEMBERS }, () =>
        seedCustomer(servers[0]!.database, { at: DEMO_DAY, vouchers: 1 }),
      ),
    )
    // Each member has two vouchers for three races, and sends every request to both servers.
    for (let at = 0; at < members.length; at += 4) {
      const answers = await Promise.all(
        members.slice(at, at + 4).flatMap(({ token }) =>
          races.flatMap((raceId) =>
            servers.map(async (server) => {
              const reply = await server.call(raceSubscribe, { token, query: { raceId } })
              return reply.ok ? 'opened' : reply.error
            }),
          ),
        ),
      )
      expect(answers.filter((each) => each !== 'opened' && each !== 'no-voucher')).toEqual([])
    }
    expect(
      await one(
        `select (select count(*) from subscription) as opened,
           (select count(*) from voucher_ledger where reason = 'subscribe') as spent,
           (select sum(amount) from voucher_ledger) as left,
           (select sum(balance) from voucher_wallet) + (select sum(balance) from daily_voucher) as balances`,
      ),
    ).toEqual({ opened: 2 * MEMBERS, spent: 2 * MEMBERS, left: 0, balances: 0 })
    expect(await ledgerFaults(servers[0]!.database)).toEqual([])
    for (const { token } of members.slice(0, 3)) {
      const { everyDayFreeNum, subscribeFreeNum } = await servers[1]!.ask(userInfo, { token })
      expect([everyDayFreeNum, subscribeFreeNum]).toEqual([0, 0])
    }
  })

  test('an order is made, paid and shared out once, although its page is approved several times', async () => {
    const [here, there] = servers as [TestServer, TestServer]
    const provider = await seedCustomer(here.database, { at: DEMO_DAY, provider: true })
    const buyers = await Promise.all(
      Array.from({ length: BUYERS }, () =>
        seedCustomer(here.database, { at: DEMO_DAY, providerId: provider.id }),
      ),
    )
    for (const { token } of buyers) {
      const orders = await Promise.all(
        servers.map((server) => server.ask(createOrder, { token, body: { planId: '1' } })),
      )
      expect(orders[0]!.orderId).toBe(orders[1]!.orderId)
      // The page is at the server whose order was kept; both servers accept the decision.
      const path = new URL(orders[0]!.payUrl, here.base)
      await Promise.all(
        [here, there, here].map((server) => server.decide(`${path.pathname}${path.search}`, 'approve')),
      )
    }
    const stored = await one<Record<string, number>>(
      `select (select count(*) from vip_order) as orders,
         (select count(*) from vip_order where state = 'accountPaid') as paid,
         (select count(*) from vip_activation) as activations,
         (select count(distinct order_id) from instalment) as shared,
         (select count(*) - count(distinct (order_id, settles_on)) from instalment) as doubled,
         (select count(distinct vip_end) from customer where vip_end is not null) as ends`,
    )
    expect(stored).toEqual({
      orders: BUYERS,
      paid: BUYERS,
      activations: BUYERS,
      shared: BUYERS,
      doubled: 0,
      ends: 1,
    })
  })

  test('each job is run and completed once by workers that compete for it', async () => {
    const { database } = servers[0]!
    await database.rows('delete from job')
    const runs = new Map<string, number>()
    for (let number = 0; number < JOBS; number += 1)
      await enqueueJob(database, {
        kind: 'import',
        payload: {
          format: 'furlong',
          paths: [`${number}`],
          replaceDemonstration: false,
          train: false,
          host: 'here',
        },
      })
    await database.rows(`update job set payload = payload - 'host'`)
    const stop = new AbortController()
    const workers = servers.map((server) =>
      new JobWorker(server.database, {
        lane: () => ({
          run: async (job) => {
            const key = `${job.kind} ${'paths' in job.payload ? job.payload.paths[0] : ''}`
            runs.set(key, (runs.get(key) ?? 0) + 1)
            return null
          },
          stop: async () => {},
        }),
      }).run(stop.signal),
    )
    const open = async (): Promise<number> =>
      (await one<{ n: number }>(`select count(*) as n from job where state in ('waiting', 'running')`)).n
    await expect.poll(open, { timeout: 120_000, interval: 200 }).toBe(0)
    stop.abort()
    await Promise.all(workers)
    const jobs = await listJobs(database, 10 * JOBS)
    expect(
      jobs.filter(({ state, failures, attempts }) => state !== 'done' || failures > 0 || attempts !== 1),
    ).toEqual([])
    const imports = [...runs].filter(([key]) => key.startsWith('import'))
    expect(imports).toHaveLength(JOBS)
    expect(imports.filter(([, count]) => count !== 1)).toEqual([])
    // Each job that followed from an import exists and ran once.
    const followed = new Set(jobs.flatMap(({ next }) => next))
    expect(jobs).toHaveLength(JOBS + followed.size)
    expect([...runs.values()].reduce((sum, count) => sum + count, 0)).toBe(jobs.length)
  })

  test('after twelve failed attempts the caller hears "busy", and nothing is written', async () => {
    const [server] = servers as [TestServer]
    const { id, token } = await seedCustomer(server.database, { at: DEMO_DAY })
    const { id: raceId } = await one<{ id: string }>('select id from race order by id limit 1')
    const before = conflicts.raised.get('commit 40001')! + conflicts.raised.get('commit 40P01')!
    conflicts.always = true
    const reply = await server.call(raceSubscribe, { token, query: { raceId } })
    conflicts.always = false
    expect(reply).toMatchObject({ ok: false, status: 503, error: 'busy' })
    expect(conflicts.raised.get('commit 40001')! + conflicts.raised.get('commit 40P01')! - before).toBe(12)
    expect(
      await server.database.rows('select 1 from subscription where customer_id = $1::uuid', [id]),
    ).toEqual([])
    expect(await server.call(raceSubscribe, { token, query: { raceId } })).toMatchObject({ ok: true })
  })

  test('every kind of failure occurred many times', () => {
    for (const place of ['single', 'statement', 'commit'])
      for (const code of ['40001', '40P01'])
        expect(conflicts.raised.get(`${place} ${code}`), `${place} ${code}`).toBeGreaterThan(10)
  })
})

test.each(KINDS)(
  'no table uses a sequence, which a distributed database could not keep: %s',
  async (kind) => {
    const place = await newDatabase(kind)
    const rows = <Row>(sql: string): Promise<Row[]> => place.database.rows<Row>(sql)
    expect(await rows('select sequence_name from information_schema.sequences')).toEqual([])
    expect(
      await rows(
        `select table_name, column_name from information_schema.columns where table_schema = 'public'
         and (is_identity = 'YES' or column_default like 'nextval%')`,
      ),
    ).toEqual([])
    expect((await rows('select 1 from migration')).length).toBeGreaterThan(10)
    await place.close()
  },
)
