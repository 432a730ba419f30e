// @module-tag rest
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { userInfo } from '../../contract/api/account.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { backup } from '../../server/store/operation/backup.ts'
import { openDatabase } from '../../server/db/open.ts'
import { SERVING_LIMITS } from '../../server/db/postgresql.ts'
import { hasPgBouncer, startPgBouncer, type PostgresqlServer } from '../support/postgresql-server.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { TestServer } from '../support/api.ts'
import { ledgerFaults } from '../support/customers.ts'
import { newFolder, newPostgresqlUrl, type TestDatabase } from '../support/databases.ts'
import { operatingLine } from '../support/operating.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

/** Fewer connections than two servers open, so their transactions share sessions. */
const CONNECTIONS = 4
const MEMBERS = 30
const BUYERS = 10

const BOUNCED = 'through PgBouncer in transaction mode (skipped where it is not installed)'
const SERIALIZABLE = 'at SERIALIZABLE'

test('sessions have the limits of the role, as the operating page sets them', async () => {
  const url = await newPostgresqlUrl()
  const direct = await openDatabase({ dataFolder: newFolder(), databaseUrl: url })
  const role = `limited_${process.pid}`
  await direct.rows(`create role ${role} login`)
  for (const statement of operatingLine('alter role furlong').split(';').filter(Boolean))
    await direct.rows(statement.replace('role furlong', `role ${role}`))
  const through = new URL(url)
  through.username = role
  const client = new pg.Client(through.href)
  await client.connect()
  const limits = await client.query(
    `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
  )
  await client.end()
  await direct.rows(`drop role ${role}`)
  await direct.close()
  expect(limits.rows).toEqual([{ statement: '1min', lock: '5s' }])
})

/** Two servers on one PostgreSQL, as operators run them. */
function testServers(way: typeof BOUNCED | typeof SERIALIZABLE): void {
  let bouncer: PostgresqlServer | null = null
  let url: string
  const servers: TestServer[] = []
  beforeAll(async () => {
    url = await newPostgresqlUrl()
    if (way === SERIALIZABLE) {
      const direct = await openDatabase({ dataFolder: newFolder(), databaseUrl: url })
      const [{ name }] = (await direct.rows<{ name: string }>('select current_database() as name')) as [
        { name: string },
      ]
      await direct.rows(`alter database ${name} set default_transaction_isolation = 'serializable'`)
      await direct.close()
    } else {
      bouncer = await startPgBouncer(inject('postgresqlUrl'), CONNECTIONS)
      const through = new URL(url)
      through.port = new URL(bouncer.url).port
      url = through.href
    }
    for (let count = 0; count < 2; count += 1) {
      const dataFolder = newFolder()
      const database = await openDatabase({ dataFolder, databaseUrl: url }, SERVING_LIMITS)
      const place: TestDatabase = { database, dataFolder, databaseUrl: url, close: () => database.close() }
      servers.push(
        await TestServer.start(place, { time: () => DEMO_DAY, settings: { FURLONG_PAYMENT: 'sandbox' } }),
      )
    }
    await ensureDemonstration(servers[0]!.database, DEMO_DAY, 30)
    await scoreStaleRaces(servers[0]!.database, undefined, () => DEMO_DAY)
  })
  afterAll(async () => {
    for (const server of servers) {
      await server.close()
      await server.place.close()
    }
    await bouncer?.stop()
  })

  test('a season is made, predicted and settled', async () => {
    const [row] = await servers[1]!.database.rows<{
      races: number
      stale: number
      settled: number
      level: string
    }>(
      `select (select count(*) from race) as races, (select count(*) from race where scoring = 'stale') as stale,
         (select count(*) from settlement) as settled, current_setting('transaction_isolation') as level`,
    )
    expect(row!.races).toBeGreaterThan(50)
    expect(row!.stale).toBe(0)
    expect(row!.settled).toBeGreaterThan(1000)
    expect(row!.level).toBe(way === SERIALIZABLE ? 'serializable' : 'read committed')
  })

  test('vouchers and money add up when members click twice on two servers at once', async () => {
    const [one, two] = servers as [TestServer, TestServer]
    const races = (
      await one.database.rows<{ id: string }>(
        `select id from race where status = 'scheduled' order by id limit 3`,
      )
    ).map(({ id }) => id)
    const members = await Promise.all(
      Array.from({ length: MEMBERS }, () => seedCustomer(one.database, { at: DEMO_DAY, vouchers: 1 })),
    )
    // A daily voucher and one more open two of three races, however often and wherever requests are sent.
    const answers = await Promise.all(
      members.flatMap(({ token }) =>
        races.flatMap((raceId) =>
          [one, two].map(async (server) => {
            const reply = await server.call(raceSubscribe, { token, query: { raceId } })
            return reply.ok ? 'opened' : reply.error
          }),
        ),
      ),
    )
    expect(answers.filter((each) => each !== 'opened' && each !== 'no-voucher')).toEqual([])
    const orders = await Promise.all(
      members.slice(0, BUYERS).map(({ token }, index) => (index % 2 === 0 ? one : two).buy(token)),
    )
    expect(new Set(orders).size).toBe(BUYERS)
    const [stored] = await one.database.rows<{ opened: number; paid: number }>(
      `select (select count(*) from subscription) as opened,
         (select count(*) from vip_activation) as paid`,
    )
    expect(stored).toEqual({ opened: 2 * MEMBERS, paid: BUYERS })
    expect(await ledgerFaults(two.database)).toEqual([])
    const { everyDayFreeNum, subscribeFreeNum } = await two.ask(userInfo, {
      token: members[MEMBERS - 1]!.token,
    })
    expect([everyDayFreeNum, subscribeFreeNum]).toEqual([0, 0])
  })

  test('a backup asks for the address of PostgreSQL itself, and leaves nothing behind', async () => {
    const folder = join(newFolder(), 'backup')
    const made = backup({ dataFolder: newFolder(), databaseUrl: url }, folder)
    if (bouncer === null) expect((await made).kind).toBe('postgresql')
    else {
      await expect(made).rejects.toMatchObject({ code: 'backup-failed' })
      expect(existsSync(join(folder, 'postgresql.dump'))).toBe(false)
    }
  })

  test('a transaction that takes too long is cut, and what it set is nobody else’s', async () => {
    const database = await openDatabase(
      { dataFolder: newFolder(), databaseUrl: url },
      { ...SERVING_LIMITS, statementMs: 300 },
    )
    await expect(database.transaction(({ rows }) => rows('select pg_sleep(2)'))).rejects.toMatchObject({
      code: '57014',
    })
    await database.close()
    const other = servers[0]!.database
    const limits = await Promise.all(
      Array.from({ length: 12 }, () =>
        other.transaction(({ rows }) =>
          rows<{ ms: string }>(`select current_setting('statement_timeout') as ms`),
        ),
      ),
    )
    expect(new Set(limits.flat().map(({ ms }) => ms))).toEqual(new Set(['1min']))
  })
}

describe.skipIf(!hasPgBouncer())(`PostgreSQL ${BOUNCED}`, () => testServers(BOUNCED))
describe(`PostgreSQL ${SERIALIZABLE}`, () => testServers(SERIALIZABLE))
