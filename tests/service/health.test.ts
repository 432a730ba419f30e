// @module-tag rest
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineError } from '../../contract/api/site.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { BUILD_VERSION } from '../../server/process/version.ts'
import { closeApp } from '../../server/serving/serve.ts'
import { openDatabase } from '../../server/db/open.ts'
import { startPostgresql } from '../support/postgresql-server.ts'
import { newAddress, newSmallSeason, TestServer } from '../support/api.ts'
import { newDatabase, newFolder } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { newestMigration } from '../support/migrations.ts'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start(await newSmallSeason('postgresql'), { time: () => DEMO_DAY })
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})
const ready = async (of = server): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(new URL('readyz', of.base))
  expect(response.headers.get('cache-control')).toBe('no-store')
  return { status: response.status, body: await response.json() }
}

test('ready says whether there are dataset files, and as of when', async () => {
  const expected = { status: 'ready', database: 'postgresql', migrations: 'current' }
  expect(await ready()).toEqual({ status: 200, body: { ...expected, dataset: 'no data yet' } })
  await buildDataset(server.database, server.place.dataFolder, DEMO_DAY)
  expect(await ready()).toEqual({ status: 200, body: { ...expected, dataset: DEMO_DAY.toISOString() } })
})

test('a migration that is missing is named; one of a newer build is not in the way', async () => {
  const name = newestMigration()
  await server.database.rows(`delete from migration where name = $1`, [name])
  expect(await ready()).toEqual({
    status: 503,
    body: { status: 'not ready', database: 'postgresql', reason: `missing migrations: ${name}` },
  })
  await server.database.rows(
    `insert into migration (name, applied_at) values ($1, now()), ('999.sql', now())`,
    [name],
  )
  expect(await ready()).toMatchObject({ status: 200, body: { migrations: 'newer' } })
  await server.database.rows(`delete from migration where name = '999.sql'`)
})

test('a database that does not answer makes it not ready, while the process is alive', async () => {
  const postgresql = await startPostgresql()
  const place = { dataFolder: newFolder(), databaseUrl: postgresql.url }
  const database = await openDatabase(place)
  const other = await TestServer.start({ ...place, database, close: () => database.close() })
  expect((await ready(other)).status).toBe(200)
  await postgresql.kill()
  expect(await ready(other)).toMatchObject({ status: 503, body: { reason: 'the database does not answer' } })
  const alive = await fetch(new URL('healthz', other.base))
  expect(alive.status).toBe(200)
  expect(await alive.json()).toEqual({ status: 'ok', version: BUILD_VERSION })
  await other.close()
  await database.close()
})

test('a server that is stopping is not ready for those that are still connected', async () => {
  const place = await newDatabase('postgresql')
  const other = await TestServer.start(place)
  const { hostname, port } = new URL(other.base)
  let answer = ''
  const socket = connect(Number(port), hostname)
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // The connection is in use, so it survives the beginning of the stop.
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n')
  await fetch(new URL('healthz', other.base))
  const stopped = closeApp(other.app)
  await expect
    .poll(() =>
      fetch(new URL('healthz', other.base)).then(
        () => 'answers',
        () => 'gone',
      ),
    )
    .toBe('gone')
  socket.write('\r\n')
  await closed
  await stopped
  expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(answer).toContain('"reason":"stopping"')
  await other.context.settled()
  await place.close()
})

test('engine errors are counted by code, and nothing else about the reader is accepted or stored', async () => {
  const report = (body: unknown, address = newAddress()) => server.call(engineError, { body, address })
  const counted = async (): Promise<string[]> =>
    (await (await fetch(new URL('metrics', server.base))).text())
      .split('\n')
      .filter((line) => line.startsWith('furlong_engine_errors_total'))
  const good = { code: 'out-of-memory', version: '1.32.0' }
  const tables = () =>
    server.database.rows(
      `select (select count(*) from attempt) as attempts, (select count(*) from visit) as visits`,
    )
  const before = await tables()
  expect(await report(good)).toMatchObject({ ok: true, result: null })
  expect(await report({ ...good, code: 'dataset-corrupt' })).toMatchObject({ ok: true })
  expect(await report(good)).toMatchObject({ ok: true })
  expect(await counted()).toEqual([
    'furlong_engine_errors_total{code="out-of-memory"} 2',
    'furlong_engine_errors_total{code="dataset-corrupt"} 1',
  ])
  for (const bad of [
    { ...good, code: 'internal' },
    { ...good, version: '1.32.0 of Chan Tai Man' },
    { ...good, message: 'select 1' },
    { code: 'out-of-memory' },
  ])
    expect(await report(bad), JSON.stringify(bad)).toMatchObject({ status: 400 })
  expect(await counted()).toHaveLength(2)
  // One network reports only a few in a minute.
  const address = newAddress()
  const statuses: number[] = []
  for (let count = 0; count < 15; count += 1) statuses.push((await report(good, address)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(5).fill(429)])
  expect(await tables()).toEqual(before)
})
