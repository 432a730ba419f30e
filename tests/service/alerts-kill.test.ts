// @module-tag rest
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as feed from '../../contract/api/feed.ts'
import { newId } from '../../server/db/id.ts'
import { takeBatch } from '../../server/ingest/feed.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import { startMailServer, startPushService } from '../support/alert-receivers.ts'
import { cardOf, tomorrow } from '../support/feed-day.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { FURLONG, ROOT } from '../support/server-process.ts'

const READERS = 24
const KILLS = 3
const day = tomorrow(new Date())
let place: TestDatabase
let mail: Awaited<ReturnType<typeof startMailServer>>
let push: Awaited<ReturnType<typeof startPushService>>

beforeAll(async () => {
  // Each message is under way long enough to be cut off.
  mail = await startMailServer({ delayMs: 60 })
  push = await startPushService()
  place = await newDatabase('postgresql')
})
afterAll(async () => {
  await mail.close()
  await push.close()
  await place.close()
})

const work = (): ChildProcess =>
  spawn(process.execPath, [...FURLONG, 'work', '--lanes', 'alerts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: '',
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
      FURLONG_SMTP_URL: mail.url,
      FURLONG_MAIL_FROM: 'alerts@furlong.example',
      FURLONG_PUSH_SERVICES: push.origin,
      FURLONG_SITE_URL: 'https://furlong.example',
    },
    stdio: 'ignore',
  })

const takeCards = (key: string, draw: boolean) => {
  const { runners, ...card } = cardOf(day, 1)
  const changed = runners.map((runner) => (draw ? runner : { ...runner, draw: null }))
  const body = feed.FeedCards.parse({ races: [{ ...card, runners: changed }] })
  return takeBatch(place.database, { source: 'test', key, kind: 'cards', body }, new Date())
}

const counts = <Value>(values: readonly Value[]): Map<Value, number> => {
  const found = new Map<Value, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return found
}

test('killed during delivery: each alert is once in the outbox, and a kill repeats at most one message', async () => {
  const { database } = place
  await takeCards('entries', false)
  for (let reader = 0; reader < READERS; reader += 1) {
    const { id } = await seedCustomer(database)
    const { endpoint, keys } = push.newBrowser()
    const at = new Date()
    await database.rows(
      `insert into alert_setting (customer_id, language, site_kinds, push_kinds, email_kinds)
       values ($1::uuid, 'en', '{declared}', '{declared}', '{declared}')`,
      [id],
    )
    await database.rows(`insert into alert_email values ($1::uuid, $2, $3, $3, $2, $3, $2)`, [
      id,
      `reader${reader}@example.com`,
      at,
    ])
    await database.rows('insert into push_device values ($1::uuid, $2::uuid, $3, $4, $5, $6)', [
      newId(),
      id,
      endpoint,
      keys.p256dh,
      keys.auth,
      at,
    ])
    await database.rows(`insert into follow values ($1::uuid, 'horse', 'HK-T103', $2)`, [id, at])
  }
  await takeCards('declarations', true)
  await takeCards('declarations', true)
  let worker = work()
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await expect.poll(() => mail.mails.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(kill * 5)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    // What the killed process had leased is free when its lease ends: the clock of this test runs faster.
    await database.rows(
      `update alert set lease_until = now() where state = 'waiting' and lease_until is not null`,
    )
    worker = work()
  }
  const rows = () =>
    database.rows<{ channel: string; state: string; count: number }>(
      'select channel, state, count(*)::int as count from alert group by channel, state order by channel',
    )
  await expect
    .poll(rows, { timeout: 60_000, interval: 200 })
    .toEqual(['email', 'push', 'site'].map((channel) => ({ channel, state: 'delivered', count: READERS })))
  worker.kill('SIGTERM')
  await once(worker, 'exit')
  const mails = counts(mail.mails.map(({ to }) => to))
  expect(mails.size).toBe(READERS)
  expect(mail.mails.length - READERS).toBeLessThanOrEqual(KILLS)
  expect(Math.max(...mails.values())).toBeLessThanOrEqual(2)
  // A browser shows what has the same tag once.
  const tags = counts(push.pushes.map(({ payload }) => payload.tag))
  expect(tags.size).toBe(READERS)
})
