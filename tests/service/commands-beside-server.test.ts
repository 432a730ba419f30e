// @module-tag rest
// @module-tag longer
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../server/db/database-client.ts'
import { openPglite } from '../../server/db/pglite.ts'
import { FURLONG, ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import { writeManyHkFiles, YEARLY_RACES } from '../fixtures/many-hk-files.ts'
import { newDataFolder, newFolder } from '../support/databases.ts'
import { cardOf, raceOf, tomorrow } from '../support/feed-day.ts'
import { SOAK } from '../support/soak.ts'

const run = promisify(execFile)
/** Years of a large import: enough to be disturbed while it writes. */
const YEARS = 3
const NOTHING_LOCKED = 'no prediction is locked: nothing was compared\n'
/** Either signal leaves the import to the worker; the soak sends both. */
const SIGNALS = SOAK ? (['SIGKILL', 'SIGINT'] as const) : (['SIGKILL'] as const)

describe('commands while the server runs on the embedded database', () => {
  let dataFolder: string
  let environment: NodeJS.ProcessEnv
  const files = writeHkFiles(newFolder())
  let server: ServerProcess
  const furlong = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [...FURLONG, ...args], { cwd: ROOT, env: environment })).stdout
  const races = async (where = 'true'): Promise<number> => {
    const database = (await connectDatabase(dataFolder))!
    const [row] = await database.rows<{ n: number }>(`select count(*) as n from race where ${where}`)
    await database.close()
    return row!.n
  }
  const filesOf = (year: number): string => {
    const lines = readFileSync(join(files, 'results-2016.csv'), 'utf8').split('\n')
    const rows = lines.filter((line) => line.startsWith('2016-03-02,跑馬地'))
    const path = join(newFolder(), `results-${year}.csv`)
    const days = Array.from({ length: 30 }, (_, day) =>
      new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10),
    )
    const dated = days.flatMap((day, index) =>
      rows.map((row) =>
        row
          .replace('2016-03-02', day)
          .replace(/1:\d\d\.(?=\d\d,[^,]*$)/, `${year - 2000}:${String(index).padStart(2, '0')}.`),
      ),
    )
    writeFileSync(path, [lines[0], ...dated].join('\n'))
    return path
  }
  beforeAll(async () => {
    dataFolder = await newDataFolder()
    environment = { ...process.env, FURLONG_DATA: dataFolder, DATABASE_URL: '', NODE_ENV: '' }
    await furlong('import', '--format', 'hk', '--no-train', files)
    server = await startServerProcess({ FURLONG_DATA: dataFolder, DATABASE_URL: '' }, /\nready\n/)
  })
  afterAll(async () => {
    await server.stop()
  })

  test('only their owner may use the socket', () => {
    const path = join(dataFolder, 'furlong.sock')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'another user is refused (skipped where the tests may not become one)',
    () => {
      const listed = spawnSync(
        process.execPath,
        [
          '-e',
          `require('net').connect(process.argv[1]).on('error', (e) => console.log(e.code))`,
          join(dataFolder, 'furlong.sock'),
        ],
        { uid: 65_534, gid: 65_534, encoding: 'utf8' },
      )
      expect(listed.stdout.trim()).toBe('EACCES')
    },
  )

  test('import, build, score, admin, doctor: the server goes on answering and shows what is new', async () => {
    const before = await races()
    let requests = 0
    const work = new AbortController()
    const reader = (async () => {
      while (!work.signal.aborted) {
        const answer = await fetch(`${server.base}sys/api/queryCountryRegion`)
        if (!answer.ok) throw new Error(`${answer.status} after ${requests}`)
        requests += 1
        await pause(20)
      }
    })()
    const report = JSON.parse(
      await furlong('import', '--format', 'hk', '--no-train', '--json', filesOf(2015)),
    ) as { scored: { races: number }; dataset: { built: number } }
    expect(report.scored.races).toBeGreaterThanOrEqual(60)
    expect(report.dataset.built).toBeGreaterThan(0)
    expect(await furlong('build')).toContain('0 races scored')
    // Races of the past are backtested, not locked, and nothing compared is no success.
    await expect(furlong('score', 'verify')).rejects.toMatchObject({ code: 1, stdout: NOTHING_LOCKED })
    expect(await furlong('config', 'list')).toContain('contact')
    expect(await furlong('doctor')).toContain('ok   database: pglite, migrations applied')
    work.abort()
    await reader
    expect(requests).toBeGreaterThan(50)
    expect(await races()).toBe(before + 60)
  })

  test('a watched folder feeds the running server', async () => {
    const folder = newFolder()
    const child = spawn(process.execPath, [...FURLONG, 'feed', 'watch', folder], {
      cwd: ROOT,
      env: environment,
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    const day = tomorrow(new Date())
    writeFileSync(join(folder, 'card.json'), JSON.stringify({ kind: 'cards', races: [cardOf(day, 1)] }))
    await expect.poll(() => existsSync(join(folder, 'done', 'card.json'))).toBe(true)
    const shown = await (
      await fetch(`${server.base}race/api/queryRace?countryRegionId=100000&today=${day}`)
    ).text()
    expect(shown).toContain(raceOf(day, 1))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('a backup of the running server holds everything, and restores', async () => {
    const folder = join(newFolder(), 'backup')
    const there = await races()
    await furlong('backup', folder)
    expect(statSync(join(folder, 'pglite.tar.gz')).mode & 0o777).toBe(0o600)
    const restored = newFolder()
    await run(process.execPath, [...FURLONG, 'restore', folder], {
      cwd: ROOT,
      env: { ...environment, FURLONG_DATA: restored },
    })
    const database = await openPglite(join(restored, 'pglite'))
    expect(await database.rows('select count(*) as n from race')).toEqual([{ n: there }])
    await database.close()
  })

  test('a small import that is killed leaves nothing or is whole, and the server goes on', async () => {
    const before = await races()
    const child = spawn(
      process.execPath,
      [...FURLONG, 'import', '--format', 'hk', '--no-train', filesOf(2014)],
      {
        cwd: ROOT,
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const ended = once(child, 'exit') as Promise<[number | null]>
    // A quick import ends before it has told of any progress.
    await Promise.race([once(child.stderr, 'data'), ended])
    child.kill('SIGKILL')
    const [status] = await ended
    expect(status === 0 ? [before + 60] : [before, before + 60]).toContain(await races())
    expect((await fetch(`${server.base}readyz`)).status).toBe(200)
  })

  test.each(SIGNALS)(
    'a large import that gets %s while it writes is completed by the server’s worker',
    async (signal) => {
      // Other years than those of the other tests and rounds.
      const firstYear = signal === 'SIGKILL' ? 1976 : 1988
      const folder = writeManyHkFiles(newFolder(), YEARS, firstYear)
      const written = (): Promise<number> => races(`race_date < date '${firstYear + YEARS}-01-01'`)
      const before = await written()
      const child = spawn(process.execPath, [...FURLONG, 'import', '--format', 'hk', '--no-train', folder], {
        cwd: ROOT,
        env: environment,
        stdio: 'ignore',
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await expect.poll(written, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before)
      child.kill(signal)
      await ended
      const whole = before + YEARS * YEARLY_RACES
      expect(await written()).toBeLessThan(whole)
      await expect.poll(written, { timeout: 60_000 }).toBe(whole)
      await expect.poll(() => furlong('jobs', 'list'), { timeout: 120_000 }).not.toMatch(/waiting|running/)
      await expect(furlong('score', 'verify')).rejects.toMatchObject({ code: 1, stdout: NOTHING_LOCKED })
    },
  )

  test('a second server is still refused', async () => {
    await expect(startServerProcess({ FURLONG_DATA: dataFolder, DATABASE_URL: '' })).rejects.toThrow(
      /has .* open/,
    )
  })
})
