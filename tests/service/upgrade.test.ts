import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { queryRacePage } from '../../contract/api/racing.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { runPsql } from '../support/postgresql-server.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { startServerProcess, WITHOUT_WORKER, type ServerProcess } from '../support/server-process.ts'
import { newSmallSeason } from '../support/api.ts'
import { newFolder } from '../support/databases.ts'
import { operatingLine } from '../support/operating.ts'
import { migrationNames, newestMigration, statementsOf, withdraw } from '../support/migrations.ts'

/** Migrations up to this one changed and removed things: builds before and after them cannot run side by side. */
const LAST_FREE = '015-jobs.sql'
const ADDS =
  /^(create (unique )?index if not exists|create (temporary )?table|insert into|alter table \w+ add column) /
/** Races that either build scores again. */
const SCORES_AGAIN = /^update race set scoring = 'stale'\s/
/** Parents that nobody knows to be those of a horse: older builds show none, too. */
const FORGETS_PARENTS =
  /^update horse set sire = null, dam = null, dam_sire = null from told_years where [^;]* and is_two$/

/** A function, and a trigger of the statements of transactions that name an import, which older builds do not. */
const OF_IMPORTS =
  /^create or replace (function log_|trigger import_[^;]* when \(current_setting\('furlong\.import_run', true\) <> ''\))/

const rolling = (): string[] => migrationNames().filter((name) => name > LAST_FREE)

/** Whether a statement sets a column that its migration adds, which the previous build does not know. */
function fillsNew(statement: string, migration: readonly string[]): boolean {
  const [, table, column] = /^update (\w+) set (\w+) = [^,]*\sfrom\s/.exec(statement) ?? []
  return (
    table !== undefined &&
    migration.some((other) => other.startsWith(`alter table ${table} add column ${column} `))
  )
}

/** Whether a statement would break the previous build, which does not write new columns: they must not be required. */
const breaksOlder = (statement: string, migration: readonly string[] = []): boolean =>
  !(
    ADDS.test(statement) ||
    SCORES_AGAIN.test(statement) ||
    OF_IMPORTS.test(statement) ||
    FORGETS_PARENTS.test(statement) ||
    fillsNew(statement, migration)
  ) ||
  (/ add column /.test(statement) && /not null/.test(statement) && !/default/.test(statement))

test('migrations only add, so that the build before runs beside the new one', () => {
  expect(rolling().length).toBeGreaterThan(0)
  for (const name of rolling()) {
    const all = statementsOf(name)
    expect(
      all.filter((statement) => breaksOlder(statement, all)),
      name,
    ).toEqual([])
  }
  for (const bad of [
    'drop table race',
    `update race set status = 'final'`,
    'update horse set sex = told.sex from told',
    'alter table race add column x int not null',
    'create index a on race (id)',
    'create or replace trigger import_insert after insert on race for each statement execute function log_inserted_rows()',
  ])
    expect(breaksOlder(bad), bad).toBe(true)
})

test(
  'one server is replaced after the other under load: the database is migrated, and no request is lost',
  { tags: ['rest'] },
  async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const { database } = place
    const start = (): Promise<ServerProcess> =>
      startServerProcess(
        { FURLONG_DATA: newFolder(), DATABASE_URL: place.databaseUrl!, ...WITHOUT_WORKER },
        /\nready\n/,
      )
    const older = await start()
    const newest = newestMigration()
    await withdraw((sql) => database.rows(sql))
    // The statement that the operating page has run beforehand.
    runPsql(operatingLine('psql -c "create index concurrently'), place.databaseUrl!)
    const servers = [older]
    const readers = await Promise.all(
      Array.from({ length: 4 }, () => seedCustomer(database, { vouchers: 100_000 })),
    )
    const races = (await database.rows<{ id: string }>('select id from race order by id')).map(({ id }) => id)
    const wrong: string[] = []
    const subscribed: string[] = []
    const done = new AbortController()
    /** Sends to the first server that accepts the connection, as a load balancer does. */
    const ask = async (path: string, token: string): Promise<number> => {
      for (const server of servers) {
        try {
          const answer = await fetch(new URL(path, server.base), { headers: { 'x-access-token': token } })
          await answer.arrayBuffer()
          return answer.status
        } catch {
          // This server is gone: try the next one.
        }
      }
      return 0
    }
    const load = readers.map(async ({ id, token }) => {
      for (let count = 0; !done.signal.aborted; count += 1) {
        const raceId = races[count % races.length]!
        const list = `${queryRacePage.path.slice(1)}?countryRegionId=100000&today=2026-01-01&pageNo=${1 + (count % 9)}`
        const listed = await ask(list, token)
        const opened = await ask(`${raceSubscribe.path.slice(1)}?raceId=${raceId}`, token)
        if (listed !== 200) wrong.push(`list: ${listed}`)
        if (opened === 200) subscribed.push(`${id} ${raceId}`)
        else wrong.push(`subscribe: ${opened}`)
      }
    })
    const newer = await start()
    servers.push(newer)
    const [migrated] = await database.rows<{ name: string }>(
      'select name from migration order by name desc limit 1',
    )
    await pause(1000)
    expect(await older.stop()).toBe(0)
    const before = subscribed.length
    await pause(2000)
    done.abort()
    await Promise.all(load)
    const stored = await database.rows<{ key: string }>(
      `select customer_id || ' ' || race_id as key from subscription`,
    )
    const keys = new Set(stored.map(({ key }) => key))
    expect(migrated!.name).toBe(newest)
    expect(wrong).toEqual([])
    expect(subscribed.length).toBeGreaterThan(before)
    expect(subscribed.filter((key) => !keys.has(key))).toEqual([])
    await newer.stop()
    await place.close()
  },
)
