// @module-tag rest
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examine } from '../../server/commands/doctor.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { readManifest } from '../../server/dataset/dataset-index.ts'
import { readSettings } from '../../server/process/env.ts'
import { newSmallSeason } from '../support/api.ts'

test('doctor finds a damaged file or twin, and a build that verifies makes it anew', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  const { database, dataFolder, databaseUrl } = place
  const settings = readSettings({ FURLONG_DATA: dataFolder, DATABASE_URL: databaseUrl })
  const isWhole = async (): Promise<boolean> =>
    (await examine(settings)).find(({ check }) => check === 'dataset')!.ok
  await buildDataset(database, dataFolder)
  expect(await isWhole()).toBe(true)
  const [first, second] = readManifest(dataFolder)!.files.map(({ sha256 }) =>
    join(dataFolder, 'dataset', `${sha256}.duckdb`),
  )
  const bytes = readFileSync(first!)
  bytes[5000] = bytes[5000]! ^ 1
  writeFileSync(first!, bytes)
  expect(await isWhole()).toBe(false)
  // A build that only checks that the files exist does not notice.
  expect((await buildDataset(database, dataFolder)).built).toBe(0)
  expect((await buildDataset(database, dataFolder, new Date(), { verify: true })).built).toBe(1)
  expect(await isWhole()).toBe(true)

  truncateSync(`${second!}.br`, 100)
  expect(await isWhole()).toBe(false)
  await buildDataset(database, dataFolder, new Date(), { verify: true })
  expect(await isWhole()).toBe(true)
  await place.close()
})
