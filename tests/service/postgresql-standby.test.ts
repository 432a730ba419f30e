// @module-tag rest
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startPostgresql,
  startStandby,
  type RestartablePostgresql,
  type Standby,
} from '../support/postgresql-server.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { startServerProcess } from '../support/server-process.ts'
import { assemble } from '../../server/serving/assemble.ts'
import { examine } from '../../server/commands/doctor.ts'
import { readSettings } from '../../server/process/env.ts'
import type { Database } from '../../server/db/database.ts'
import { openDatabase } from '../../server/db/open.ts'
import { MAX_LAG_MS, openReader } from '../../server/db/standby.ts'
import { takeComing, waitForPredictions } from '../support/coming-cards.ts'
import { ledgerFaults } from '../support/customers.ts'
import { newFolder } from '../support/databases.ts'
import { tomorrow } from '../support/feed-day.ts'

const MEMBERS = 50
const PATIENCE_MS = 30_000

/** A primary and its streaming standby, as operators run them. */
describe('PostgreSQL with a standby', () => {
  let primary: RestartablePostgresql
  let standby: Standby
  let database: Database
  const dataFolder = newFolder()
  beforeAll(async () => {
    primary = await startPostgresql({ durable: true })
    standby = await startStandby(primary.url)
    database = await openDatabase({ dataFolder, databaseUrl: primary.url, standbyUrl: standby.url })
  })
  afterAll(async () => {
    await database.close()
    await standby.stop()
    await primary.stop()
  })

  test('lists are read from the standby while it is hardly behind, and from the primary while it is not', async () => {
    const reader = openReader(database, standby.url)
    const isStandby = async (): Promise<boolean> => {
      const [row] = await reader.rows<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      return row!.standby
    }
    const control = new pg.Client(standby.url)
    await control.connect()
    // Before the first measurement the lag is unknown.
    expect([await isStandby(), reader.lag()]).toEqual([false, null])
    await expect.poll(isStandby).toBe(true)
    await control.query('select pg_wal_replay_pause()')
    await seedCustomer(database)
    await expect.poll(isStandby, { timeout: 3 * MAX_LAG_MS }).toBe(false)
    expect(reader.lag()).toBeNull()
    await control.query('select pg_wal_replay_resume()')
    await expect.poll(isStandby).toBe(true)
    expect(reader.lag()).toBeLessThanOrEqual(MAX_LAG_MS)
    // Idle for longer than the permitted lag: nothing is written, so the standby stays current.
    await pause(2 * MAX_LAG_MS)
    expect(await isStandby()).toBe(true)
    // Statements that the standby refuses run on the primary; invalid statements fail on both.
    await reader.rows('create table written_by_the_primary ()')
    await expect(reader.rows('select 1/0')).rejects.toThrow(/division/)
    await control.end()
    await reader.close()
  })

  test('it is examined, and its metrics are there only where there is one', async () => {
    const settings = readSettings({
      FURLONG_DATA: dataFolder,
      DATABASE_URL: primary.url,
      FURLONG_STANDBY_URL: standby.url,
    })
    const finding = (await examine(settings)).find(({ check }) => check === 'standby')
    expect(finding).toEqual({ check: 'standby', ok: true, detail: 'it follows the primary' })
    const reader = openReader(database, standby.url)
    await expect.poll(() => reader.lag()).not.toBeNull()
    const metrics = async (effects: object): Promise<string> => {
      const context = assemble(settings, database, null, effects)
      const text = await context.metrics.registry.metrics()
      await context.settled()
      return text
    }
    expect(await metrics({ reader })).toMatch(/furlong_standby_read\{database="standby"\} 1/)
    expect(await metrics({})).not.toMatch(/furlong_standby_read\{/)
    await reader.close()
  })

  test('the settings ask for the primary as well', () => {
    expect(() => readSettings({ FURLONG_STANDBY_URL: 'postgres://a@b/c' })).toThrow(/DATABASE_URL/)
  })

  test('the primary is lost while members subscribe and pay: the standby takes over, and nothing acknowledged is lost', async () => {
    const day = tomorrow(new Date())
    const races = await takeComing(database, day)
    const members = await Promise.all(
      Array.from({ length: MEMBERS }, () => seedCustomer(database, { vouchers: 1000 })),
    )
    const server = await startServerProcess(
      {
        FURLONG_DATA: dataFolder,
        DATABASE_URL: primary.url,
        FURLONG_STANDBY_URL: standby.url,
        FURLONG_WORKER: 'own',
      },
      /\nready\n/,
    )
    await waitForPredictions(database)
    const statuses = new Map<string, Set<number>>()
    const stop = new AbortController()
    const ask = async (what: string, path: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(new URL(path, server.base), {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      statuses.set(what, (statuses.get(what) ?? new Set()).add(response.status))
      return response
    }
    const opened: string[] = []
    const paid: string[] = []
    let acknowledgedAfter = 0
    let isPromoted = false
    const subscribing = async ({ id, token }: (typeof members)[number]): Promise<void> => {
      for (const raceId of races) {
        if (stop.signal.aborted) return
        const response = await ask('subscribe', `race/api/raceSubscribe?raceId=${raceId}`, {
          headers: { 'x-access-token': token },
        })
        await response.arrayBuffer()
        if (response.status !== 200) await pause(100)
        else opened.push(`${id} ${raceId}`)
        if (response.status === 200 && isPromoted) acknowledgedAfter += 1
      }
    }
    const paying = async ({ token }: (typeof members)[number]): Promise<void> => {
      while (!stop.signal.aborted) {
        const ordered = await ask('order', 'trade/api/createOrder', {
          method: 'POST',
          headers: { 'x-access-token': token, 'content-type': 'application/json' },
          body: JSON.stringify({ planId: '1' }),
        })
        const text = await ordered.text()
        if (ordered.status !== 200) {
          await pause(200)
          continue
        }
        const { result } = JSON.parse(text) as { result: { payUrl: string; orderId: string } }
        const approved = await ask('pay', result.payUrl, {
          method: 'POST',
          body: new URLSearchParams({ decision: 'approve' }),
        })
        await approved.arrayBuffer()
        if (approved.status < 400) paid.push(result.orderId)
        await pause(100)
      }
    }
    const reading = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await (await ask('list', `race/api/queryRace?countryRegionId=100000&today=${day}`, {})).arrayBuffer()
        await pause(20)
      }
    }
    // All but the last ten members subscribe; the last ten order and pay.
    const all = Promise.all([
      ...members.slice(0, -10).map(subscribing),
      ...members.slice(-10).map(paying),
      reading(),
    ])
    // On a slow machine three seconds are too few.
    await pause(3000)
    await expect.poll(() => opened.length, { timeout: PATIENCE_MS }).toBeGreaterThan(MEMBERS)
    await expect.poll(() => paid.length, { timeout: PATIENCE_MS }).toBeGreaterThan(5)
    await primary.kill()
    await pause(500)
    await standby.promote()
    isPromoted = true
    const soon = performance.now()
    await expect.poll(() => acknowledgedAfter, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
    expect(performance.now() - soon).toBeLessThan(10_000)
    await pause(3000)
    await expect.poll(() => paid.length, { timeout: PATIENCE_MS }).toBeGreaterThan(10)
    stop.abort()
    await all

    // Every failure was "busy" (503) or "too many orders" (429).
    for (const [what, of] of statuses)
      expect(
        [...of].filter((status) => ![200, 302, 303, 429, 503].includes(status)),
        what,
      ).toEqual([])
    const [after] = await database.rows<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    expect(after!.standby).toBe(false)
    const stored = await database.rows<{ id: string }>(
      `select customer_id || ' ' || race_id as id from subscription`,
    )
    const subscriptions = new Set(stored.map(({ id }) => id))
    expect(opened.filter((id) => !subscriptions.has(id))).toEqual([])
    const orders = await database.rows<{ id: string }>(`select id from vip_order where state = 'accountPaid'`)
    const settled = new Set(orders.map(({ id }) => id))
    expect(paid.filter((id) => !settled.has(id))).toEqual([])
    expect(await ledgerFaults(database)).toEqual([])
    // The server recovers as well: it becomes ready again.
    await expect
      .poll(async () => (await fetch(new URL('readyz', server.base))).status, { timeout: PATIENCE_MS })
      .toBe(200)
    expect(await server.stop()).toBe(0)
  }, 240_000)
})
