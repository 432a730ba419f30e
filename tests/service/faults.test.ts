// @module-tag rest
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as calls from '../../contract/api/feed.ts'
import { startPostgresql } from '../support/postgresql-server.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { startServerProcess } from '../support/server-process.ts'
import { openDatabase } from '../../server/db/open.ts'
import { takeComing, waitForPredictions } from '../support/coming-cards.ts'
import { ledgerFaults } from '../support/customers.ts'
import { newFolder } from '../support/databases.ts'
import { cardOf, NUMBERS, oddsOf, raceOf, tomorrow } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'

const AWAY_MS = 3000
/** Longer than the limits for a connection, a lock and a statement together. */
const PATIENCE_MS = 30_000

test('PostgreSQL crashes while readers read, a member subscribes and odds come: all of it goes on by itself', async () => {
  const postgresql = await startPostgresql({ durable: true })
  const place = { dataFolder: newFolder(), databaseUrl: postgresql.url }
  const day = tomorrow(new Date())
  const before = await openDatabase(place)
  const token = await newOperatorToken(before)
  const readers = await Promise.all(
    Array.from({ length: 60 }, () => seedCustomer(before, { vouchers: 1000 })),
  )
  // Enough races to subscribe to; a database with races is not filled with the demonstration.
  const races = await takeComing(before, day)
  const server = await startServerProcess(
    { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl, FURLONG_WORKER: 'own' },
    /\nready\n/,
  )
  await waitForPredictions(before)
  await before.close()
  let key = 0
  const post = async (call: typeof calls.feedCards | typeof calls.feedOdds, races: unknown[]) => {
    key += 1
    const response = await fetch(new URL(call.path.slice(1), server.base), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': String(key),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ races }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return response.status
  }

  const statuses = new Map<string, Map<number, number>>()
  const counted = (what: string, status: number): void => {
    const of = statuses.get(what) ?? new Map<number, number>()
    statuses.set(what, of.set(status, (of.get(status) ?? 0) + 1))
  }
  const opened: string[] = []
  const stop = new AbortController()
  const reading = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const response = await fetch(new URL('sys/api/queryCountryRegion', server.base), {
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await response.arrayBuffer()
      counted('list', response.status)
    }
  }
  const subscribing = async (): Promise<void> => {
    for (const { id, token: theirs, raceId } of readers.flatMap((one) =>
      races.map((raceId) => ({ ...one, raceId })),
    )) {
      if (stop.signal.aborted) return
      const response = await fetch(new URL(`race/api/raceSubscribe?raceId=${raceId}`, server.base), {
        headers: { 'x-access-token': theirs },
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await response.arrayBuffer()
      counted('subscribe', response.status)
      if (response.status === 200) opened.push(`${id} ${raceId}`)
    }
  }
  const sending = async (): Promise<void> => {
    for (let at = 0; !stop.signal.aborted; at += 1) {
      counted('odds', await post(calls.feedOdds, [oddsOf(day, 1, at % 3)]))
      // Stays below the feed's rate limit.
      await pause(150)
    }
  }
  const all = Promise.all([reading(), subscribing(), sending()])
  // On a slow machine a second and a half are too few.
  await pause(1500)
  await expect.poll(() => opened.length, { timeout: PATIENCE_MS }).toBeGreaterThan(10)
  await postgresql.crash(AWAY_MS)
  const soon = performance.now()
  await expect
    .poll(async () => (await fetch(new URL('readyz', server.base))).status, { timeout: PATIENCE_MS })
    .toBe(200)
  expect(performance.now() - soon).toBeLessThan(10_000)
  await pause(1500)
  stop.abort()
  await all
  // Every response was a success or "busy" (503), and both occurred.
  for (const [what, of] of statuses) expect([...of.keys()].toSorted(), what).toEqual([200, 503])

  // Everything acknowledged is stored, and new batches are predicted by the same worker.
  expect(await post(calls.feedCards, [cardOf(day, 9)])).toBe(200)
  expect(await post(calls.feedOdds, [oddsOf(day, 9)])).toBe(200)
  const after = await openDatabase(place)
  const stored = new Set(
    (await after.rows<{ id: string }>(`select customer_id || ' ' || race_id as id from subscription`)).map(
      ({ id }) => id,
    ),
  )
  expect(opened.filter((id) => !stored.has(id))).toEqual([])
  expect(opened.length).toBeGreaterThan(10)
  expect(await ledgerFaults(after)).toEqual([])
  await expect
    .poll(
      async () =>
        (
          await after.rows<{ n: number }>('select count(*) as n from win_chance where race_id = $1', [
            raceOf(day, 9),
          ])
        )[0]!.n,
      { timeout: PATIENCE_MS },
    )
    .toBe(NUMBERS.length)
  await after.close()
  expect(server.printed()).not.toContain('another is started')
  expect(await server.stop()).toBe(0)
  await postgresql.stop()
})
