// @module-tag rest
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { listVersions, loadVersions } from '../../server/store/racing/scoring-state-store.ts'
import { furlong } from '../support/command.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { FURLONG, ROOT } from '../support/server-process.ts'

const REGION = '100000'
/** Three seasons of Hong Kong: the models of two of them have races to learn from. */
const DAYS = 620
const TRAIN = ['score', 'train', '--region', 'HK']

let place: TestDatabase
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  place = await newDatabase('postgresql')
  environment = { FURLONG_DATA: place.dataFolder, DATABASE_URL: place.databaseUrl ?? '' }
  await ensureDemonstration(place.database, DEMO_DAY, DAYS)
})
afterAll(() => place.close())

const contents = (): Promise<{ season: number; content: string }[]> =>
  place.database.rows('select season, content from model_version where region_id = $1 order by season', [
    REGION,
  ])

test('training that is killed between two seasons goes on with the next, to the same bytes', async () => {
  const child = spawn(process.execPath, [...FURLONG, ...TRAIN], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: '', ...environment },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await expect
    .poll(() => listVersions(place.database, REGION), { timeout: 120_000, interval: 20 })
    .not.toEqual([])
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  const before = await contents()
  expect(before.map(({ season }) => season)).toEqual([2025])
  const train = async (...options: string[]): Promise<number[]> => {
    const { code, out, err } = await furlong(environment, ...TRAIN, '--json', ...options)
    expect(code, err).toBe(0)
    return (JSON.parse(out) as { fitted: number[] }[])[0]!.fitted
  }
  expect(await train()).toEqual([2026])
  const resumed = await contents()
  expect(resumed[0]).toEqual(before[0])
  const versions = [...(await loadVersions(place.database, REGION)).values()]
  expect(versions.map(({ network }) => network?.parameters.length)).toEqual([2, 2])
  expect(await train('--again')).toEqual([2025, 2026])
  expect(await contents()).toEqual(resumed)
})
