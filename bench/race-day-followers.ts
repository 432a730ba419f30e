import { newId } from '../server/db/id.ts'
import type { Database } from '../server/db/database.ts'
import { defaultChoice, writeAlertChoice } from '../server/store/accounts/alert-setting-store.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'
import type { Browser } from './race-day-push.ts'

/** Kinds that a batch of the feed causes by itself: the others come with the clock, or with a prediction. */
const OF_BATCHES = ['declared', 'entered', 'withdrawn', 'gear', 'price', 'result']

/** What became of the alerts of a race day. */
export interface AlertsReport {
  followers: number
  /** Rows of the outbox, and notifications that arrived at their browser. */
  written: number
  arrived: number
  /** How many of the notifications that batches caused are not delivered, by their state. */
  undelivered: Record<string, number>
  /** Milliseconds from the batch to the delivery of each of its notifications. */
  deliveryMs: number[]
}

/**
 * Customers who follow a race and a horse of the day each, one after the other, and have one of the browsers each.
 */
export async function seedFollowers(
  database: Database,
  browsers: readonly Browser[],
  { races, horses }: { races: readonly string[]; horses: readonly string[] },
): Promise<void> {
  for (const [at, { endpoint, keys }] of browsers.entries()) {
    const { id } = await seedCustomer(database)
    const now = new Date()
    await writeAlertChoice(database, id, defaultChoice('en'))
    await database.rows('insert into push_device values ($1::uuid, $2::uuid, $3, $4, $5, $6)', [
      newId(),
      id,
      endpoint,
      keys.p256dh,
      keys.auth,
      now,
    ])
    await database.rows(
      `insert into follow (customer_id, kind, target, created_at)
       values ($1::uuid, 'race', $2, $4), ($1::uuid, 'horse', $3, $4)`,
      [id, races[at % races.length]!, horses[at % horses.length]!, now],
    )
  }
}

/** Reads from the outbox, once the server has stopped, what became of the alerts. */
export async function readAlerts(
  database: Database,
  followers: number,
  arrived: number,
): Promise<AlertsReport> {
  const rows = await database.rows<{ state: string; milliseconds: number | null }>(
    `select state, (extract(epoch from delivered_at - created_at) * 1000)::float8 as milliseconds
     from alert where channel = 'push' and kind = any($1::text[])`,
    [OF_BATCHES],
  )
  const [all] = await database.rows<{ count: number }>('select count(*)::int as count from alert')
  const undelivered: Record<string, number> = {}
  for (const { state } of rows) if (state !== 'delivered') undelivered[state] = (undelivered[state] ?? 0) + 1
  return {
    followers,
    written: all!.count,
    arrived,
    undelivered,
    deliveryMs: rows.flatMap(({ milliseconds }) => (milliseconds === null ? [] : [milliseconds])),
  }
}
