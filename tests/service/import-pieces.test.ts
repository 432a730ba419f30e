// @module-tag rest
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FeedCards } from '../../contract/api/feed.ts'
import { importFiles, type ImportRequest } from '../../server/ingest/import.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { takeBatch } from '../../server/ingest/feed.ts'
import { connectDatabase } from '../../server/db/database-client.ts'
import { serveDatabase } from '../../server/db/database-socket.ts'
import { isEmbedded, type Database, type Queries } from '../../server/db/database.ts'
import { cancelJob, enqueueJob } from '../../server/store/operation/job-store.ts'
import { isHalfWritten } from '../../server/store/operation/pieces-store.ts'
import { countStale, staleRaces } from '../../server/store/racing/scoring-store.ts'
import { slicesOf } from '../../server/db/slices.ts'
import { racesOf, writeManyHkFiles } from '../fixtures/many-hk-files.ts'
import { newDatabase, newFolder } from '../support/databases.ts'
import { newDemonstration } from '../support/demo-data.ts'
import { cardOf, raceOf, tomorrow } from '../support/feed-day.ts'

const YEARS = 4
const MANY_RACES = racesOf(YEARS)
const FOLDER = writeManyHkFiles(newFolder(), YEARS)
const REQUEST: ImportRequest = { format: HK_FORMAT, paths: [FOLDER], replaceDemonstration: true }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** An embedded database that a server has open: directly, and as a command reaches it. */
async function served(make: typeof newDatabase = newDatabase) {
  const place = await make('pglite')
  const { database: direct, dataFolder } = place
  if (!isEmbedded(direct)) throw new Error('not embedded')
  const server = await serveDatabase(direct, dataFolder)
  ends.push(
    () => place.close(),
    () => server.close(),
  )
  const command = async (): Promise<Database> => {
    const database = (await connectDatabase(dataFolder))!
    ends.push(() => database.close())
    return database
  }
  return { direct, command }
}

const TABLES = ['region', 'stadium', 'horse', 'jockey', 'trainer', 'race', 'runner', 'dividend', 'form_line']

/** Every row that an import writes. */
async function rowsOf({ rows }: Queries): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {}
  for (const table of TABLES)
    all[table] = await rows(`select * from ${table} order by 1, 2${table === 'region' ? '' : ', 3'}`)
  return all
}

/** The rows of an import in one transaction. */
async function writtenAtOnce(request = REQUEST): Promise<Record<string, unknown[]>> {
  const place = await newDatabase('pglite')
  await importFiles(place.database, request)
  const rows = await rowsOf(place.database)
  await place.close()
  return rows
}

/** Fails at the transaction with this number, as if the connection were lost. */
function failingAt(database: Database, last: number): Database {
  let count = 0
  return {
    ...database,
    transaction: (work) => {
      count += 1
      if (count > last) throw new Error('connection lost')
      return database.transaction(work)
    },
  }
}

describe('an import through the running server', () => {
  test('writes the same rows as one transaction, marks the same races, and changes nothing the second time', async () => {
    const { direct, command } = await served()
    const through = await command()
    let transactions = 0
    const counted: Database = {
      ...through,
      transaction: (work) => {
        transactions += 1
        return through.transaction(work)
      },
    }
    const report = await importFiles(counted, REQUEST)
    expect(transactions).toBeGreaterThan(10)
    expect(report.tables['race']).toEqual({ inserted: MANY_RACES, updated: 0, unchanged: 0 })
    expect(await rowsOf(direct)).toEqual(await writtenAtOnce())
    expect(await countStale(direct)).toBe(MANY_RACES)
    expect(await staleRaces(direct, 5)).toHaveLength(5)
    await direct.rows(`update race set scoring = 'done'`)
    const again = await importFiles(through, REQUEST)
    expect(again.tables['race']).toMatchObject({ inserted: 0, updated: 0 })
    expect(again.tables['runner']).toMatchObject({ inserted: 0, updated: 0 })
    expect(again.rejects).toEqual(report.rejects)
    expect(await countStale(direct)).toBe(0)
  })

  test('that is interrupted is not scored, and is completed by importing again', async () => {
    const { direct, command } = await served()
    const through = await command()
    await expect(importFiles(failingAt(through, 5), REQUEST)).rejects.toThrow('connection lost')
    const [half] = await direct.rows<{ races: number }>('select count(*) as races from race')
    expect(half!.races).toBeGreaterThan(0)
    expect(half!.races).toBeLessThan(MANY_RACES)
    expect(await countStale(direct)).toBe(half!.races)
    expect(await staleRaces(direct, 5)).toEqual([])
    // A minute after its last piece only a job that continues it is awaited, and ten minutes after it only a running one.
    const after = (minutes: number) =>
      direct.rows(
        `update setting set value = (value::jsonb || jsonb_build_object('at',
           clock_timestamp() - $1 * interval '1 minute'))::text where name like 'import-in-pieces %'`,
        [minutes],
      )
    await after(2)
    expect(await staleRaces(direct, 5)).toHaveLength(5)
    // Its format is left to be recognised, as the command leaves it.
    const payload = {
      format: 'auto',
      paths: [FOLDER],
      replaceDemonstration: true,
      train: false,
      host: 'here',
    }
    await enqueueJob(direct, { kind: 'import', payload: { ...payload, paths: ['elsewhere'] } })
    expect(await staleRaces(direct, 5)).toHaveLength(5)
    const id = await enqueueJob(direct, { kind: 'import', payload })
    expect(await staleRaces(direct, 5)).toEqual([])
    await after(11)
    expect(await staleRaces(direct, 5)).toHaveLength(5)
    await direct.rows(`update job set state = 'running' where id = $1`, [id])
    expect(await staleRaces(direct, 5)).toEqual([])
    expect(await isHalfWritten(direct, payload)).toBe(true)
    await importFiles(through, REQUEST)
    expect(await rowsOf(direct)).toEqual(await writtenAtOnce())
    expect(await countStale(direct)).toBe(MANY_RACES)
    expect(await staleRaces(direct, 5)).toHaveLength(5)
  })

  test('writes nothing if a file cannot be read to its end', async () => {
    const { direct, command } = await served()
    const through = await command()
    const folder = writeManyHkFiles(newFolder(), YEARS)
    // The kind of file that is read last, with the right header and nothing else right.
    const header = 'date,venue,race_no,pool,combination,dividend_hkd'
    writeFileSync(join(folder, 'dividends-2099.csv'), `${header}\na,b,c,d,e,f\n`)
    await expect(importFiles(through, { ...REQUEST, paths: [folder] })).rejects.toMatchObject({
      code: 'no-good-row',
    })
    expect(await direct.rows('select count(*)::int as races from race')).toEqual([{ races: 0 }])
  })

  test('writes nothing if its job was cancelled before the first piece', async () => {
    const { direct, command } = await served(newDemonstration)
    const before = await direct.rows('select count(*) as n from race')
    const id = await enqueueJob(direct, {
      kind: 'import',
      payload: { format: 'hk', paths: [FOLDER], replaceDemonstration: true, train: false, host: 'here' },
    })
    await direct.rows(`update job set state = 'running', attempts = 1 where id = $1`, [id])
    expect(await cancelJob(direct, id)).toBe(true)
    await expect(
      importFiles(await command(), { ...REQUEST, attempt: { id, attempts: 1 } }),
    ).rejects.toMatchObject({ code: 'query-cancelled' })
    expect(await direct.rows('select count(*) as n from race')).toEqual(before)
    expect(await isHalfWritten(direct)).toBe(false)
  })

  test('takes the demonstration away first, and leaves the rows of an import alone', async () => {
    const { direct, command } = await served(newDemonstration)
    await importFiles(await command(), REQUEST)
    const [left] = await direct.rows<{ customers: number }>(
      'select count(*) as customers from customer where demonstration',
    )
    expect(left).toEqual({ customers: 0 })
    const [races, whole] = [await rowsOf(direct), await writtenAtOnce()]
    for (const table of ['race', 'runner', 'horse', 'dividend']) expect(races[table]).toEqual(whole[table])
    for (const table of [
      'prediction',
      'settlement',
      'win_chance',
      'odds_tick',
      'prediction_lock',
      'daily_hits',
    ])
      expect(await direct.rows(`select 1 from ${table} limit 1`)).toEqual([])
  })

  test('lets the feed write between two pieces, with keys of its own', async () => {
    const { direct, command } = await served()
    const through = await command()
    const day = tomorrow(new Date())
    let transactions = 0
    const batch = {
      source: 'test',
      key: 'card',
      kind: 'cards',
      body: FeedCards.parse({ races: [cardOf(day, 1)] }),
    } as const
    const took: Promise<unknown>[] = []
    const between: Database = {
      ...through,
      transaction: async (work) => {
        transactions += 1
        if (transactions === 4) took.push(takeBatch(direct, batch, new Date()))
        await Promise.all(took)
        return through.transaction(work)
      },
    }
    await importFiles(between, REQUEST)
    expect(took).toHaveLength(1)
    const [race] = await direct.rows<{ runners: number }>(
      'select count(*) as runners from runner where race_id = $1',
      [raceOf(day, 1)],
    )
    expect(race).toEqual({ runners: 8 })
    const [races] = await direct.rows('select count(*) as n, count(distinct key) as keys from race')
    expect(races).toEqual({ n: MANY_RACES + 1, keys: MANY_RACES + 1 })
  })
})

test('a racecard is not compared with the stored races', async () => {
  const place = await newDatabase('pglite')
  const checks: string[] = []
  const recorded: Database = {
    ...place.database,
    transaction: (work) =>
      place.database.transaction(({ rows }) =>
        work({
          rows: (sql, parameters) => {
            checks.push(sql)
            return rows(sql, parameters)
          },
        }),
      ),
  }
  const races = FeedCards.parse({ races: [cardOf(tomorrow(new Date()), 1)] })
  await takeBatch(recorded, { source: 'test', key: 'card', kind: 'cards', body: races }, new Date())
  expect(checks.some((sql) => sql.includes('insert into runner'))).toBe(true)
  expect(checks.filter((sql) => sql.includes('finish_time_ms is not null'))).toEqual([])
  await place.close()
})

test('rows that belong together stay in one slice', () => {
  const slices = slicesOf(['a1', 'a2', 'b1', 'b2', 'b3', 'c1'], { size: 3, together: (row) => row[0]! })
  expect(slices).toEqual([['a1', 'a2', 'b1', 'b2', 'b3'], ['c1']])
  expect(slicesOf([1, 2, 3, 4, 5], { size: 2 })).toEqual([[1, 2], [3, 4], [5]])
  expect(slicesOf([], { size: 2 })).toEqual([])
})
