// @module-tag rest
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildDataset } from '../../server/dataset/build.ts'
import { datasetFolder, readManifest } from '../../server/dataset/dataset-index.ts'
import { isUndamaged } from '../../server/dataset/duckdb-file.ts'
import { FileGuard } from '../../server/dataset/file-guard.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { startServerProcess } from '../support/server-process.ts'

const pathOf = (dataFolder: string, sha256: string): string => join(dataFolder, 'dataset', `${sha256}.duckdb`)

function damage(path: string): void {
  const bytes = readFileSync(path)
  bytes[5000] = bytes[5000]! ^ 1
  writeFileSync(path, bytes)
}

test('damaged files are found in turn, are not served, and are served again once they are whole', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  await buildDataset(place.database, place.dataFolder)
  const server = await TestServer.start(place)
  const { fileGuard } = server.context
  const [first, second] = readManifest(place.dataFolder)!.files.filter(({ kind }) => kind === 'racing')
  const statusOf = async (sha256: string): Promise<number> =>
    (await fetch(new URL(`/dataset/${sha256}.duckdb`, server.base))).status
  const runAll = async (): Promise<string[]> => [...(await fileGuard.run()), ...(await fileGuard.run())]
  expect(await runAll()).toEqual([])
  const path = pathOf(place.dataFolder, first!.sha256)
  const whole = readFileSync(path)
  damage(path)
  expect(new Set(await runAll())).toEqual(new Set([first!.sha256]))
  expect(await statusOf(first!.sha256)).toBe(503)
  expect(await statusOf(second!.sha256)).toBe(200)
  writeFileSync(path, whole)
  expect(await runAll()).toEqual([])
  expect(await statusOf(first!.sha256)).toBe(200)
  // Its brotli version is what browsers get.
  truncateSync(`${pathOf(place.dataFolder, second!.sha256)}.br`, 100)
  expect(new Set(await runAll())).toEqual(new Set([second!.sha256]))
  expect(fileGuard.damaged).toBe(1)
  await buildDataset(place.database, place.dataFolder, new Date(), { verify: true })
  await fileGuard.run()
  expect(fileGuard.damaged).toBe(0)
  await server.close()
  await place.close()
})

test('without dataset files there is nothing to compare', async () => {
  expect(await new FileGuard('no-such-folder').run()).toEqual([])
})

test('the server finds a damaged file while it runs, and its worker makes it anew', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  await buildDataset(place.database, place.dataFolder)
  const server = await startServerProcess(
    { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl! },
    /\nready\n/,
  )
  const listed = (): string[] => readManifest(place.dataFolder)!.files.map(({ sha256 }) => sha256)
  const victim = readManifest(place.dataFolder)!.files.find(({ kind }) => kind === 'racing')
  damage(pathOf(place.dataFolder, victim!.sha256))
  // The same rows make the same file: what is made anew may have the name of what was damaged.
  const folder = datasetFolder(place.dataFolder)
  const isWhole = async (): Promise<boolean> =>
    !listed().includes(victim!.sha256) || (await isUndamaged(folder, victim!.sha256))
  expect(await isWhole()).toBe(false)
  await expect.poll(isWhole, { timeout: 90_000, interval: 500 }).toBe(true)
  for (const sha256 of listed()) expect(await isUndamaged(folder, sha256), sha256).toBe(true)
  expect(await server.stop()).toBe(0)
  await place.close()
})
