// @module-tag rest
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as calls from '../../contract/api/feed.ts'
import { TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'
import { cardOf, oddsOf, tomorrow } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { startWorker } from '../support/worker.ts'

let server: TestServer
const day = tomorrow(new Date())
beforeAll(async () => {
  server = await TestServer.start(await newDatabase('postgresql'))
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

const metrics = async (): Promise<string> => (await fetch(new URL('metrics', server.base))).text()
const valueOf = (text: string, line: string): number | null => {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? null : Number(found.slice(line.length + 1))
}

test('the feed, races that lag behind, connections and kept answers are counted', async () => {
  const token = await newOperatorToken(server.database)
  const post = (call: typeof calls.feedCards | typeof calls.feedOdds, key: string, races: unknown[]) =>
    server.ask(call, {
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      body: { races },
    })
  await post(calls.feedCards, 'a', [cardOf(day, 1)])
  await post(calls.feedOdds, 'b', [oddsOf(day, 1), oddsOf(day, 9)])
  await post(calls.feedOdds, 'c', [oddsOf(day, 1, 1)])
  await post(calls.feedCards, 'a', [cardOf(day, 1)])
  for (let times = 0; times < 3; times += 1) await fetch(new URL('sys/api/queryCountryRegion', server.base))
  // Three batches that arrive before any scoring are one job.
  expect(valueOf(await metrics(), 'furlong_jobs{kind="score",state="waiting"}')).toBe(1)
  expect(valueOf(await metrics(), 'furlong_stale_races')).toBe(1)
  const stopWorker = startWorker(server.place)
  await expect
    .poll(async () => valueOf(await metrics(), 'furlong_job_seconds{kind="score",of="longest"}'))
    .toBeGreaterThan(0)
  await stopWorker()
  const text = await metrics()
  expect(valueOf(text, 'furlong_feed_batches_total{kind="cards",outcome="taken"}')).toBe(1)
  expect(valueOf(text, 'furlong_feed_batches_total{kind="cards",outcome="repeated"}')).toBe(1)
  expect(valueOf(text, 'furlong_feed_batches_total{kind="odds",outcome="taken"}')).toBe(2)
  expect(valueOf(text, 'furlong_feed_rejections_total{kind="odds",reason="no-such-race"}')).toBe(1)
  expect(valueOf(text, 'furlong_stale_races')).toBe(0)
  expect(valueOf(text, 'furlong_answers_total{outcome="made"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'furlong_answers_total{outcome="kept"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'furlong_database_connections{state="open"}')).toBeGreaterThan(0)
  await server.database.rows(`update race set scoring = 'stale'`)
  expect(valueOf(await metrics(), 'furlong_stale_races')).toBe(1)
})

test('every metric that the dashboard and the alerts read is there', async () => {
  const text = await metrics()
  const folder = new URL('../../docs/monitoring/', import.meta.url)
  const dashboard = readFileSync(new URL('grafana.json', folder), 'utf8')
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
  expect(panels.length).toBeGreaterThan(8)
  const alerts = readFileSync(new URL('alerts.yml', folder), 'utf8')
  const names = new Set(
    [...`${dashboard}\n${alerts}`.matchAll(/\b(?:furlong|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    ),
  )
  expect(names.size).toBeGreaterThan(10)
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  expect([...names].filter((name) => !known.has(name))).toEqual([])
})

test('each answer has an id of its own, which no caller chooses', async () => {
  const idOf = async (headers: Record<string, string> = {}): Promise<string | null> =>
    (await fetch(new URL('healthz', server.base), { headers })).headers.get('x-request-id')
  const ids = [await idOf(), await idOf({ 'x-request-id': 'mine', 'request-id': 'mine' })]
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(ids[0]).not.toBe(ids[1])
})
