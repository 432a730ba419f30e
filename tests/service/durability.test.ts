// @module-tag rest
// @module-tag longer
import { expect, test } from 'vitest'
import { openDatabase } from '../../server/db/open.ts'
import { newSmallSeason } from '../support/api.ts'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'
import { ledgerFaults } from '../support/customers.ts'
import { KINDS } from '../support/databases.ts'
import { SOAK, times } from '../support/soak.ts'
import { WITHOUT_WORKER, startServerProcess } from '../support/server-process.ts'

/** Kills and stops alternate. */
const ROUNDS = times(2, 100)
const WRITERS = 6
const LOAD_MS = 250

/** Writes that were acknowledged before the process ended. */
interface Acknowledged {
  subscriptions: Set<string>
  orders: Set<string>
  visits: Set<string>
}

/** Writes until the server is gone; records only what was answered with success. */
async function writeUntilGone(
  base: string,
  customers: readonly Seeded[],
  races: readonly string[],
  counter: { next: number },
  done: Acknowledged,
): Promise<void> {
  const post = (path: string, token: string, body: object) =>
    fetch(new URL(path, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify(body),
    })
  try {
    for (;;) {
      const number = counter.next
      counter.next += 1
      const { id, token } = customers[number % customers.length]!
      const raceId = races[Math.floor(number / customers.length) % races.length]!
      const subscribed = await fetch(new URL(`race/api/raceSubscribe?raceId=${raceId}`, base), {
        headers: { 'x-access-token': token },
      })
      if (((await subscribed.json()) as { success: boolean }).success)
        done.subscriptions.add(`${id} ${raceId}`)
      const ordered = await post('trade/api/createOrder', token, { planId: String(1 + (number % 4)) })
      const { success, result } = (await ordered.json()) as { success: boolean; result: { orderId: string } }
      if (success) done.orders.add(result.orderId)
      const clientId = `visit-${number}`
      const visited = await post('sys/api/customer/visitLog', token, {
        clientId,
        page: 'home',
        channel: 'h5',
      })
      if (visited.status === 200) done.visits.add(clientId)
    }
  } catch {
    // The server is gone: the last request may or may not have been stored.
  }
}

test.each(KINDS)(
  'kills and stops under write load, in turn, lose nothing that was acknowledged: %s',
  async (kind) => {
    const place = await newSmallSeason(kind, new Date())
    const customers: Seeded[] = []
    for (let count = 0; count < 30; count += 1)
      customers.push(await seedCustomer(place.database, { vouchers: 5000 }))
    const races = (await place.database.rows<{ id: string }>('select id from race order by id')).map(
      ({ id }) => id,
    )
    await place.database.close()
    const environment = {
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl ?? '',
      ...(SOAK ? {} : WITHOUT_WORKER),
    }
    const done: Acknowledged = { subscriptions: new Set(), orders: new Set(), visits: new Set() }
    const counter = { next: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startServerProcess(environment)
      const before = done.subscriptions.size
      const writers = Array.from({ length: WRITERS }, () =>
        writeUntilGone(server.base, customers, races, counter, done),
      )
      // The kill happens in the middle of writing, however slowly the machine starts to write.
      for (let waited = 0; done.subscriptions.size === before && waited < 10_000; waited += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await new Promise((resolve) => setTimeout(resolve, LOAD_MS))
      // SIGTERM and SIGKILL alternate, both in the middle of writing.
      if (round % 2 === 0) await server.kill()
      else expect(await server.stop(), `round ${round}`).toBe(0)
      await Promise.all(writers)
      expect(done.subscriptions.size, `round ${round} wrote nothing`).toBeGreaterThan(before)
    }
    const database = await openDatabase({ dataFolder: place.dataFolder, databaseUrl: place.databaseUrl })
    const there = async (sql: string): Promise<Set<string>> =>
      new Set((await database.rows<{ key: string }>(sql)).map(({ key }) => key))
    const lost = (written: ReadonlySet<string>, found: ReadonlySet<string>): string[] =>
      [...written].filter((key) => !found.has(key))
    expect(
      lost(done.subscriptions, await there(`select customer_id || ' ' || race_id as key from subscription`)),
    ).toEqual([])
    expect(lost(done.orders, await there('select id::text as key from vip_order'))).toEqual([])
    expect(lost(done.visits, await there('select client_id as key from visit'))).toEqual([])
    expect(await ledgerFaults(database)).toEqual([])
    const [uneven] = await database.rows<{ count: number }>(
      `select count(*) as count from subscription s where not exists (
         select 1 from voucher_ledger l where l.customer_id = s.customer_id and l.reference = s.race_id)`,
    )
    expect(uneven!.count).toBe(0)
    await database.close()
  },
)
