// @module-tag rest
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildDataset } from '../../server/dataset/build.ts'
import { datasetFolder, readManifest } from '../../server/dataset/dataset-index.ts'
import { readSettings } from '../../server/process/env.ts'
import { FURLONG_FORMAT } from '../../server/ingest/furlong/furlong-format.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { lockFolder } from '../../server/db/folder-lock.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openPostgresql } from '../../server/db/postgresql.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import {
  describeOnBoth,
  newDatabase,
  newDataFolder,
  newFolder,
  newPostgresqlUrl,
} from '../support/databases.ts'
import { FURLONG } from '../support/server-process.ts'

describeOnBoth('on %s', { usual: 'postgresql' }, (kind) => {
  test('migrations are applied once, and a newer database is refused', async () => {
    const { database, close } = await newDatabase(kind)
    expect(await migrate(database)).toEqual([])
    await database.rows(`insert into migration (name, applied_at) values ('999-from-the-future.sql', now())`)
    await expect(migrate(database)).rejects.toMatchObject({ code: 'database-newer' })
    await close()
  })

  test('a transaction that fails leaves nothing, and the database usable', async () => {
    const { database, close } = await newDatabase(kind)
    const failing = database.transaction(async ({ rows }) => {
      await rows(`insert into setting (name, value) values ('a', 'b')`)
      await rows('select 1 / 0')
    })
    await expect(failing).rejects.toThrow()
    expect(await database.rows(`select 1 from setting where name = 'a'`)).toEqual([])
    await close()
  })

  test('types come out the same', async () => {
    const { database, close } = await newDatabase(kind)
    const [row] = await database.rows(
      `select 9007199254740991::bigint as big, date '2026-11-21' as day, timestamptz '2026-11-21 10:00+08' as at, 1.5::numeric as n, null as nothing, true as yes`,
    )
    expect(row).toEqual({
      big: 9_007_199_254_740_991,
      day: '2026-11-21',
      at: '2026-11-21T02:00:00.000Z',
      n: 1.5,
      nothing: null,
      yes: true,
    })
    await close()
  })

  test('only what changed is built again, and a lost file is made anew', async () => {
    const { database, dataFolder, close } = await newDatabase(kind)
    await importFiles(database, {
      format: HK_FORMAT,
      paths: [writeHkFiles(newFolder())],
      replaceDemonstration: false,
    })
    await scoreStaleRaces(database)
    // Reference data, two seasons, and the last seven days, which are empty.
    expect(await buildDataset(database, dataFolder)).toMatchObject({ built: 4, unchanged: 0 })
    expect(await buildDataset(database, dataFolder)).toMatchObject({ built: 0, unchanged: 4 })
    await database.rows(`update runner set place = 9 where race_id = 'HKSHT2016090701' and horse_no = 6`)
    await database.rows(`update race set scoring = 'stale' where id = 'HKSHT2016090701'`)
    await scoreStaleRaces(database)
    const before = readManifest(dataFolder)!
    expect(await buildDataset(database, dataFolder)).toMatchObject({ built: 2, unchanged: 2 })
    const after = readManifest(dataFolder)!
    const hashes = (of: typeof after, season: number): string[] =>
      of.files.filter((file) => file.season === season).map(({ sha256 }) => sha256)
    expect(hashes(after, 2015)).toEqual(hashes(before, 2015))
    // A client with the previous manifest still finds its files.
    for (const { sha256 } of before.files)
      expect(existsSync(join(datasetFolder(dataFolder), `${sha256}.duckdb`))).toBe(true)
    rmSync(join(datasetFolder(dataFolder), `${after.files[0]!.sha256}.duckdb`))
    expect(await buildDataset(database, dataFolder)).toMatchObject({ built: 1 })
    expect(readdirSync(datasetFolder(dataFolder)).filter((name) => name.startsWith('draft'))).toEqual([])
    await close()
  })

  test('our own layout is read from its templates', async () => {
    const { database, close } = await newDatabase(kind)
    const templates = new URL('../../docs/templates', import.meta.url).pathname
    const request = { format: FURLONG_FORMAT, paths: [templates], replaceDemonstration: false }
    const report = await importFiles(database, request)
    expect(report.rejects).toEqual([])
    expect(report.tables).toMatchObject({
      race: { inserted: 2 },
      dividend: { inserted: 3 },
      odds_tick: { inserted: 2 },
    })
    await scoreStaleRaces(database)
    const settled = await database.rows(
      `select combination, outcome, profit_cents from prediction join settlement using (race_id, model_id, gameplay_class, rank) where gameplay_class = 1 order by rank`,
    )
    expect(settled).toContainEqual({ combination: '2', outcome: 'hit', profitCents: 2100 })
    await close()
  })
})

test('values out of range are told with their line; a place or a saddle number rejects the race, others are unknown', async () => {
  const { database, close } = await newDatabase('pglite')
  const [header, , first] = readFileSync(
    new URL('../../docs/templates/runners.csv', import.meta.url),
    'utf8',
  ).split('\n')
  const changed = (column: string, value: string, index: number): string => {
    const cells = first!.split(',')
    cells[header!.split(',').indexOf(column)] = value
    return cells.join(',').replace('2026-11-15,1', `2026-11-15,${20 + index}`)
  }
  const rows = [
    ['distance_m', '0'],
    ['place', '40000'],
    ['horse_no', '-5'],
    ['going', 'Good'],
    ['win_odds', '1e999'],
    ['race_status', 'never'],
  ]
  const folder = newFolder()
  const lines = rows.map(([column, value], index) => changed(column!, value!, index))
  writeFileSync(join(folder, 'runners.csv'), [header, first, ...lines].join('\n'))
  const report = await importFiles(database, {
    format: FURLONG_FORMAT,
    paths: [folder],
    replaceDemonstration: false,
  })
  const kindsOf = (list: typeof report.rejects): string[] => list.map(({ line, kind }) => `${line} ${kind}`)
  expect(kindsOf(report.rejects)).toEqual(['4 out-of-range', '5 out-of-range', '8 unknown-word'])
  expect(kindsOf(report.unknown)).toEqual(['3 out-of-range', '6 unknown-word', '7 not-a-number'])
  expect(report.tables['race']).toMatchObject({ inserted: 4 })
  await close()
})

test('two processes that score at the same moment share the races and agree', async () => {
  const databaseUrl = await newPostgresqlUrl()
  const one = await openDatabase({ dataFolder: newFolder(), databaseUrl })
  const two = await openDatabase({ dataFolder: newFolder(), databaseUrl })
  await ensureDemonstration(one, new Date('2026-11-21T04:00:00Z'), 90)
  const [first, second] = await Promise.all([scoreStaleRaces(one), scoreStaleRaces(two)])
  expect(first.races).toBeGreaterThan(0)
  expect(second.races).toBeGreaterThan(0)
  const [row] = await one.rows<{ races: number; stale: number }>(
    `select count(*) as races, count(*) filter (where scoring = 'stale') as stale from race`,
  )
  expect(first.races + second.races).toBe(row!.races)
  expect(row!.stale).toBe(0)
  await one.close()
  await two.close()
})

test('two processes cannot have one embedded database', async () => {
  const dataFolder = await newDataFolder()
  const database = await openDatabase({ dataFolder, databaseUrl: undefined })
  const other = spawnSync(process.execPath, [...FURLONG, 'build'], {
    cwd: new URL('../..', import.meta.url).pathname,
    env: { ...process.env, FURLONG_DATA: dataFolder, DATABASE_URL: '' },
    encoding: 'utf8',
  })
  expect(other.status).toBe(1)
  expect(other.stderr).toContain(`Process ${process.pid} has`)
  await database.close()
})

test('a lock file that a process left behind locks nothing', () => {
  const folder = newFolder()
  writeFileSync(`${folder}.lock`, '999999999 1')
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'database-locked' }))
  release()
  lockFolder(folder)()
})

test('a database that is not there is said so', async () => {
  await expect(openPostgresql('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
    code: 'database-unreachable',
  })
})

test('a connection that the server cuts in a transaction ends the transaction, not the process', async () => {
  const database = await openDatabase({ dataFolder: newFolder(), databaseUrl: await newPostgresqlUrl() })
  for (const cut of [
    'select pg_terminate_backend(pg_backend_pid())',
    `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
  ]) {
    const work = database.transaction(async ({ rows }) => {
      await rows('select 1')
      if (cut.includes('pg_stat_activity')) await database.rows(cut)
      else await rows(cut)
      await new Promise((resolve) => setTimeout(resolve, 50))
      await rows('select 2')
    })
    await expect(work).rejects.toThrow()
    expect(await database.rows('select 3 as n')).toEqual([{ n: 3 }])
  }
  await database.close()
})

const MIGRATIONS = readdirSync(new URL('../../server/migrations', import.meta.url)).length

test('processes that start together migrate once', async () => {
  const databaseUrl = await newPostgresqlUrl()
  const databases = await Promise.all(
    [1, 2, 3, 4].map(() => openDatabase({ dataFolder: newFolder(), databaseUrl })),
  )
  expect(await databases[0]!.rows('select count(*) as n from migration')).toEqual([{ n: MIGRATIONS }])
  await Promise.all(databases.map((each) => each.close()))
})

test('settings are checked, each bad one named', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4170, databaseUrl: undefined })
  expect(() => readSettings({ PORT: 'eighty', DATABASE_URL: 'mysql://x' })).toThrow(/PORT.*DATABASE_URL/)
  expect(() => readSettings({ FURLONG_SECRET: 'short' })).toThrow(/FURLONG_SECRET/)
})
