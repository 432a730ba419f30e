// @module-tag rest
// @module-tag longer
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../server/db/open.ts'
import { racesOf, writeManyHkFiles } from '../fixtures/many-hk-files.ts'
import { KINDS, newDataFolder, newFolder, newPostgresqlUrl } from '../support/databases.ts'
import { SOAK, times } from '../support/soak.ts'
import { FURLONG } from '../support/server-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const YEARS = times(3, 12)
const FOLDER = writeManyHkFiles(newFolder(), YEARS)
const environment = (dataFolder: string, url: string | undefined): NodeJS.ProcessEnv => ({
  ...process.env,
  FURLONG_DATA: dataFolder,
  DATABASE_URL: url ?? '',
})
/** Delays from the first progress message until the import is killed. */
const MOMENTS = SOAK ? Array.from({ length: 100 }, (_, index) => 300 + 25 * index) : [150]
const ARGUMENTS = [...FURLONG, 'import', '--format', 'hk', '--no-train', FOLDER]

describe.each(KINDS)('an import that is killed, on %s', (kind) => {
  test(
    'leaves the old state or the new one, at whatever moment; the next import completes it',
    { timeout: SOAK ? 3_600_000 : 240_000 },
    async () => {
      const dataFolder = await newDataFolder()
      const databaseUrl = kind === 'postgresql' ? await newPostgresqlUrl() : undefined
      const counts: number[] = []
      for (const afterMs of MOMENTS) {
        // Each kill happens shortly after the import reports that it reads files.
        const child = spawn(process.execPath, ARGUMENTS, {
          cwd: ROOT,
          env: environment(dataFolder, databaseUrl),
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        const ended = new Promise((resolve) => child.once('exit', resolve))
        await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()))
        await new Promise((resolve) => setTimeout(resolve, afterMs))
        child.kill('SIGKILL')
        await ended
        const database = await openDatabase({ dataFolder, databaseUrl })
        const [races] = await database.rows<{ races: number; runners: number }>(
          'select (select count(*) from race) as races, (select count(*) from runner) as runners',
        )
        await database.close()
        counts.push(races!.races)
        if (races!.races === 0) expect(races!.runners).toBe(0)
      }
      const whole = racesOf(YEARS)
      for (const count of counts) expect([0, whole]).toContain(count)
      expect(counts[0]).toBe(0)
      const last = spawnSync(process.execPath, [...ARGUMENTS, '--json'], {
        cwd: ROOT,
        env: environment(dataFolder, databaseUrl),
        encoding: 'utf8',
      })
      expect(last.status, last.stderr).toBe(0)
      const report = JSON.parse(last.stdout) as {
        scored: { unsettled: string[] }
        dataset: { built: number }
      }
      expect(report.scored.unsettled).toEqual([])
      const database = await openDatabase({ dataFolder, databaseUrl })
      const [after] = await database.rows(
        'select count(*) as races, count(*) filter (where scoring = $1) as stale from race',
        ['stale'],
      )
      await database.close()
      expect(after).toEqual({ races: whole, stale: 0 })
    },
  )
})

test('the command says what is wrong in one line and writes nothing', async () => {
  const dataFolder = await newDataFolder()
  const bad = join(dataFolder, 'bad.csv')
  writeFileSync(bad, 'a,b\n1,2\n')
  const run = (...of: string[]) =>
    spawnSync(process.execPath, [...FURLONG, ...of], {
      cwd: ROOT,
      env: environment(dataFolder, undefined),
      encoding: 'utf8',
    })
  const refused = run('import', '--format', 'hk', bad)
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('bad.csv is no file of the format hk')
  expect(run('import', '--format', 'klingon', bad).status).not.toBe(0)
  expect(run('grant-vip', 'x', '--months', '0').stderr).toContain('--months')
  expect(run('import', '--help').stdout).toContain('--replace-demo')
})
