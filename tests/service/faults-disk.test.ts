// @module-tag rest
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { uploadFile } from '../../contract/api/account.ts'
import { queryCountryRegion } from '../../contract/api/racing.ts'
import { startPostgresql } from '../support/postgresql-server.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { datasetFolder, readManifest } from '../../server/dataset/dataset-index.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { Database } from '../../server/db/database.ts'
import { openDatabase } from '../../server/db/open.ts'
import { racesOf, writeManyHkFiles } from '../fixtures/many-hk-files.ts'
import { TestServer } from '../support/api.ts'
import { furlong } from '../support/command.ts'
import { KINDS, newDataFolder, newDatabase, newFolder, type Kind } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { smallDisk, type SmallDisk } from '../support/small-disk.ts'

const YEARS = 4
const SKIPPED = 'nothing can be mounted here'
/** Enough for an empty database, but not for what the tests write. */
const DISK_MEGABYTES = 170

/** An empty database on a small disk. */
async function openOn(
  disk: SmallDisk,
  kind: Kind,
): Promise<{
  database: Database
  dataFolder: string
  databaseUrl: string | undefined
  close(): Promise<void>
}> {
  const dataFolder = join(disk.folder, 'data')
  if (kind === 'pglite') {
    await newDataFolder(dataFolder)
    const database = await openDatabase({ dataFolder, databaseUrl: undefined })
    return { database, dataFolder, databaseUrl: undefined, close: () => database.close() }
  }
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = disk.folder
  const server = await startPostgresql().finally(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  const database = await openDatabase({ dataFolder, databaseUrl: server.url })
  const close = async (): Promise<void> => {
    await database.close()
    await server.stop()
  }
  return { database, dataFolder, databaseUrl: server.url, close }
}

const countOf = async (database: Database, table: string): Promise<number> =>
  (await database.rows<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n

describe.each(KINDS)('a full disk under %s (skipped where nothing can be mounted)', (kind) => {
  test('an import and an upload fail with a clear error and write nothing; both work once space is freed', async (context) => {
    const disk = smallDisk(DISK_MEGABYTES)
    if (disk === null) return context.skip(SKIPPED)
    try {
      const place = await openOn(disk, kind)
      const { database } = place
      const server = await TestServer.start(place)
      const { token } = await server.register()
      const picture = await sharp({
        create: {
          width: 1200,
          height: 1200,
          channels: 3,
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
          background: '#000',
        },
      })
        .png()
        .toBuffer()
      const upload = () => {
        const body = new FormData()
        body.set('file', new Blob([new Uint8Array(picture)]), 'picture.png')
        return server.call(uploadFile, { token, body })
      }
      const request = {
        format: HK_FORMAT,
        paths: [writeManyHkFiles(newFolder(), YEARS)],
        replaceDemonstration: false,
      }

      disk.fill(1)
      await expect(importFiles(database, request)).rejects.toMatchObject({ code: 'disk-full' })
      disk.fill()
      // Small rows still fit into the pages that the tables have, but a picture needs new ones.
      expect(await upload()).toMatchObject({ ok: false, status: 503, error: 'busy' })
      // Reading goes on, and nothing of either is there.
      expect(await countOf(database, 'race')).toBe(0)
      expect(await countOf(database, 'stored_file')).toBe(0)
      expect((await server.call(queryCountryRegion)).status).toBe(200)

      disk.free()
      expect(await upload()).toMatchObject({ ok: true })
      const report = await importFiles(database, request)
      expect(report.tables['race']).toMatchObject({ inserted: racesOf(YEARS) })
      expect(await countOf(database, 'race')).toBe(racesOf(YEARS))
      await server.close()
      await place.close()
    } finally {
      disk.remove()
    }
  })
})

/** A demonstration in a normal database, with its data folder on a small disk. */
async function seasonOn(
  disk: SmallDisk,
): Promise<{ database: Database; dataFolder: string; close(): Promise<void> }> {
  const { database, close } = await newDatabase('postgresql')
  await ensureDemonstration(database, DEMO_DAY, 30)
  return { database, dataFolder: join(disk.folder, 'data'), close }
}

const drafts = (dataFolder: string): string[] =>
  readdirSync(datasetFolder(dataFolder)).filter((name) => name.startsWith('draft-'))

test('a build on a full disk keeps the files that are served, and succeeds once space is freed (skipped where nothing can be mounted)', async (context) => {
  const disk = smallDisk(12)
  if (disk === null) return context.skip(SKIPPED)
  try {
    const { database, dataFolder, close } = await seasonOn(disk)
    await buildDataset(database, dataFolder, DEMO_DAY)
    const before = readManifest(dataFolder)
    await database.rows('update runner set win_odds = win_odds + 1')
    await database.rows('update partition_revision set revision = revision + 1')
    // At different fill levels, different steps of the build fail.
    for (const leave of [0, 1]) {
      disk.fill(leave)
      await expect(buildDataset(database, dataFolder, DEMO_DAY)).rejects.toMatchObject({
        code: 'disk-full',
        details: { folder: datasetFolder(dataFolder) },
      })
      expect(readManifest(dataFolder)).toEqual(before)
      expect(drafts(dataFolder)).toEqual([])
      disk.free()
    }
    expect((await buildDataset(database, dataFolder, DEMO_DAY)).built).toBeGreaterThan(0)
    expect(readManifest(dataFolder)).not.toEqual(before)
    await close()
  } finally {
    disk.remove()
  }
})

test('a read-only folder: a build says so while the service keeps answering, and commands end with a clear error (skipped where nothing can be mounted)', async (context) => {
  const disk = smallDisk(100)
  if (disk === null) return context.skip(SKIPPED)
  try {
    const { database, dataFolder, close } = await seasonOn(disk)
    await buildDataset(database, dataFolder, DEMO_DAY)
    await (await openDatabase({ dataFolder, databaseUrl: undefined })).close()
    const server = await TestServer.start(
      { database, dataFolder, databaseUrl: undefined, close },
      { time: () => DEMO_DAY },
    )
    const file = readManifest(dataFolder)!.files.find(({ entitlement }) => entitlement === 'public')!
    disk.setReadOnly(true)
    await database.rows('update partition_revision set revision = revision + 1')
    await expect(buildDataset(database, dataFolder, DEMO_DAY)).rejects.toMatchObject({
      code: 'folder-read-only',
      details: { folder: datasetFolder(dataFolder) },
    })
    for (const path of ['/readyz', '/sys/api/queryCountryRegion', `/dataset/${file.sha256}.duckdb`])
      expect((await fetch(new URL(path, server.base))).status, path).toBe(200)
    for (const command of ['serve', 'doctor']) {
      const { code, out, err } = await furlong(
        { FURLONG_DATA: dataFolder, DATABASE_URL: '', PORT: '0' },
        command,
      )
      expect(code, command).toBe(1)
      expect(`${out}${err}`, command).toMatch(/read-only/)
      expect(`${out}${err}`, command).not.toMatch(/\n\s+at /)
    }
    disk.setReadOnly(false)
    expect((await buildDataset(database, dataFolder, DEMO_DAY)).built).toBeGreaterThan(0)
    await server.close()
    await close()
  } finally {
    disk.remove()
  }
})
