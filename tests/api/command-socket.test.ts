import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../server/store/database-client.ts'
import { serveDatabase } from '../../server/store/database-socket.ts'
import type { EmbeddedDatabase, Parameter } from '../../server/store/database.ts'
import { openPglite } from '../../server/store/pglite.ts'
import { ROOT, startServerProcess, type ServerProcess } from '../../bench/server-process.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import { writeManyHkFiles, YEARLY_RACES } from '../fixtures/many-hk-files.ts'
import { newFolder } from '../support/databases.ts'
import { cardOf, raceOf, tomorrow } from '../support/feed-day.ts'

const run = promisify(execFile)
/** Years of a large import: enough to be disturbed while it writes. */
const YEARS = 4
const CLI = ['--import', 'tsx', 'server/cli.ts']

/** A folder's database, opened directly and through its socket. */
async function bothWays(
  options: { folder?: string; idleMs?: number } = {},
): Promise<{ direct: EmbeddedDatabase; through: EmbeddedDatabase; close: () => Promise<void> }> {
  const folder = options.folder ?? newFolder()
  const direct = await openPglite(join(folder, 'pglite'))
  const server = await serveDatabase(direct, folder, options)
  const through = (await connectDatabase(folder))!
  return {
    direct,
    through,
    close: async () => {
      await through.close()
      await server.close()
      await direct.close()
    },
  }
}

describe('a database through the socket', () => {
  test('answers and fails as the database itself does', async () => {
    const { direct, through, close } = await bothWays()
    await through.script('create table t (id int primary key, b bytea, at timestamptz, day date, j jsonb)')
    await through.rows('insert into t values ($1, $2, $3, $4, $5)', [
      1,
      new Uint8Array([0, 1, 255]),
      '2026-03-01T12:00:00Z',
      '2026-03-01',
      JSON.stringify({ 跑馬地: [1.5, null] }),
    ])
    const sql = `select t.*, 9007199254740991::int8 as big, 1.25::numeric as exact, 0.1::float8 as near, true as yes,
       null as nothing, array['a', null] as texts from t where id = any($1::int[])`
    const parameters: Parameter[] = [[1, 2]]
    const rows = await through.rows(sql, parameters)
    expect(rows).toEqual(await direct.rows(sql, parameters))
    expect(rows[0]).toMatchObject({ big: 9007199254740991, exact: 1.25, day: '2026-03-01', yes: true })
    for (const bad of ['insert into t (id) values (1)', 'select * from nowhere', 'selec']) {
      const failures = await Promise.allSettled([direct.rows(bad), through.rows(bad)])
      const [here, there] = failures.map(
        (each) => (each as PromiseRejectedResult).reason as Error & { code: string },
      )
      expect(there!.message).toBe(here!.message)
      expect(there!.code).toBe(here!.code)
    }
    await close()
  })

  test('a transaction is whole or nothing, and others wait for its end', async () => {
    const { direct, through, close } = await bothWays()
    await direct.script('create table t (id int primary key)')
    await expect(
      through.transaction(async ({ rows }) => {
        await rows('insert into t values (1)')
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await expect(
      through.transaction(async ({ rows }) => {
        await rows('insert into t values (2)')
        await rows('insert into t values (2)')
      }),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await direct.rows('select * from t')).toEqual([])
    let isDone = false
    const own = through.transaction(async ({ rows }) => {
      await rows('insert into t values (3)')
      await pause(200)
      isDone = true
      return 'kept'
    })
    await pause(50)
    expect(await direct.transaction(({ rows }) => rows('select id from t'))).toEqual([{ id: 3 }])
    expect(isDone).toBe(true)
    expect(await own).toBe('kept')
    await close()
  })

  test('several statements of a request find their turn between two transactions of a command', async () => {
    const { direct, through, close } = await bothWays()
    const order: string[] = []
    const long = (name: string): Promise<void> =>
      through.transaction(async ({ rows }) => {
        await rows('select pg_sleep(0.3)')
        order.push(name)
      })
    const command = long('first').then(() => long('second'))
    await pause(50)
    for (const name of ['one', 'two', 'three']) {
      await direct.rows('select 1')
      order.push(name)
    }
    await command
    expect(order).toEqual(['first', 'one', 'two', 'three', 'second'])
    await close()
  })

  test('a command that dies, or sleeps inside a transaction, is undone, and the database goes on', async () => {
    const folder = newFolder()
    const { direct, close } = await bothWays({ folder, idleMs: 300 })
    await direct.script('create table t (id int primary key)')
    const program = `import { connectDatabase } from './server/store/database-client.ts'
      const database = await connectDatabase(process.argv[1])
      await database.transaction(async ({ rows }) => {
        await rows('insert into t values (1)')
        console.log('written')
        await new Promise(() => setInterval(() => {}, 1000))
      }).catch((error) => { console.log(error.code); process.exit() })`
    const sleeper = (): ReturnType<typeof spawn> =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, folder], {
        cwd: ROOT,
      })
    const said = (child: ReturnType<typeof spawn>, what: string): Promise<void> =>
      new Promise((resolve) => {
        let heard = ''
        child.stdout!.on('data', (chunk: Buffer) => {
          heard += chunk.toString()
          if (heard.includes(what)) resolve()
        })
      })
    const killed = sleeper()
    await said(killed, 'written')
    killed.kill('SIGKILL')
    expect(await direct.rows('select count(*) as n from t')).toEqual([{ n: 0 }])
    const asleep = sleeper()
    await said(asleep, 'written')
    expect(await direct.rows('select count(*) as n from t')).toEqual([{ n: 0 }])
    asleep.kill('SIGKILL')
    await close()
  })

  test('a server that ends undoes what is open, and the command is told', async () => {
    const folder = newFolder()
    const direct = await openPglite(join(folder, 'pglite'))
    await direct.script('create table t (id int primary key)')
    const server = await serveDatabase(direct, folder)
    const through = (await connectDatabase(folder))!
    await expect(
      through.transaction(async ({ rows }) => {
        await rows('insert into t values (1)')
        await server.close()
        await rows('insert into t values (2)')
      }),
    ).rejects.toMatchObject({ code: 'database-unreachable' })
    await expect(through.rows('select 1')).rejects.toMatchObject({ code: 'database-unreachable' })
    expect(await direct.rows('select * from t')).toEqual([])
    expect(await connectDatabase(folder)).toBeNull()
    await direct.close()
  })

  test('works in a folder whose path is longer than a socket’s may be, and over the socket of a killed server', async () => {
    const folder = join(newFolder(), 'a'.repeat(90), 'b'.repeat(90))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'furlong.sock'), '')
    expect(await connectDatabase(folder)).toBeNull()
    const { through, close } = await bothWays({ folder })
    expect(await through.rows('select 1 as one')).toEqual([{ one: 1 }])
    await close()
    expect(existsSync(join(folder, 'furlong.sock'))).toBe(false)
  })

  test('whoever sends something else is hung up on', async () => {
    const folder = newFolder()
    const { through, close } = await bothWays({ folder })
    const { stdout } = await run(process.execPath, [
      '-e',
      `const s = require('net').connect(process.argv[1]); s.on('error', () => {}); s.on('close', () => console.log('hung up'))
       s.write('GET / HTTP/1.1\\r\\n\\r\\n')`,
      join(folder, 'furlong.sock'),
    ])
    expect(stdout).toBe('hung up\n')
    expect(await through.rows('select 1 as one')).toEqual([{ one: 1 }])
    await close()
  })
})

describe('commands while the server runs on the embedded database', () => {
  const dataFolder = newFolder()
  const environment = { ...process.env, FURLONG_DATA: dataFolder, DATABASE_URL: '', NODE_ENV: '' }
  const files = writeHkFiles(newFolder())
  let server: ServerProcess
  const furlong = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [...CLI, ...args], { cwd: ROOT, env: environment })).stdout
  const races = async (where = 'true'): Promise<number> => {
    const database = (await connectDatabase(dataFolder))!
    const [row] = await database.rows<{ n: number }>(`select count(*) as n from race where ${where}`)
    await database.close()
    return row!.n
  }
  const more = (year: number): string => {
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
      const asked = spawnSync(
        process.execPath,
        [
          '-e',
          `require('net').connect(process.argv[1]).on('error', (e) => console.log(e.code))`,
          join(dataFolder, 'furlong.sock'),
        ],
        { uid: 65_534, gid: 65_534, encoding: 'utf8' },
      )
      expect(asked.stdout.trim()).toBe('EACCES')
    },
  )

  test('import, build, score, admin, doctor: the server goes on answering and shows what is new', async () => {
    const before = await races()
    let asked = 0
    const work = new AbortController()
    const reader = (async () => {
      while (!work.signal.aborted) {
        const answer = await fetch(`${server.base}sys/api/queryCountryRegion`)
        if (!answer.ok) throw new Error(`${answer.status} after ${asked}`)
        asked += 1
        await pause(20)
      }
    })()
    const report = JSON.parse(
      await furlong('import', '--format', 'hk', '--no-train', '--json', more(2015)),
    ) as { scored: { races: number }; dataset: { built: number } }
    expect(report.scored.races).toBeGreaterThanOrEqual(60)
    expect(report.dataset.built).toBeGreaterThan(0)
    expect(await furlong('build')).toContain('0 races scored')
    expect(await furlong('score', 'verify')).toContain(', 0 broken')
    expect(await furlong('config', 'list')).toContain('contact')
    expect(await furlong('doctor')).toContain('ok   database: pglite, migrations applied')
    work.abort()
    await reader
    expect(asked).toBeGreaterThan(50)
    expect(await races()).toBe(before + 60)
  })

  test('a watched folder feeds the running server', async () => {
    const folder = newFolder()
    const child = spawn(process.execPath, [...CLI, 'feed', 'watch', folder], { cwd: ROOT, env: environment })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    const day = tomorrow(new Date())
    writeFileSync(join(folder, 'card.json'), JSON.stringify({ kind: 'cards', races: [cardOf(day, 1)] }))
    await expect.poll(() => existsSync(join(folder, 'done', 'card.json')), { timeout: 10_000 }).toBe(true)
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
    await run(process.execPath, [...CLI, 'restore', folder], {
      cwd: ROOT,
      env: { ...environment, FURLONG_DATA: restored },
    })
    const database = await openPglite(join(restored, 'pglite'))
    expect(await database.rows('select count(*) as n from race')).toEqual([{ n: there }])
    await database.close()
  })

  test('an import that is killed at work leaves nothing, and the server goes on', async () => {
    const before = await races()
    const child = spawn(process.execPath, [...CLI, 'import', '--format', 'hk', '--no-train', more(2014)], {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()))
    child.kill('SIGKILL')
    expect(await races()).toBe(before)
    expect((await fetch(`${server.base}readyz`)).status).toBe(200)
  })

  test.each(['SIGKILL', 'SIGINT'] as const)(
    'a large import that gets %s while it writes is completed by the server’s worker',
    async (signal) => {
      // Other years than those of the other tests and rounds.
      const firstYear = signal === 'SIGKILL' ? 1976 : 1988
      const folder = writeManyHkFiles(newFolder(), firstYear, YEARS)
      const written = (): Promise<number> => races(`race_date < date '${firstYear + YEARS}-01-01'`)
      const before = await written()
      const child = spawn(process.execPath, [...CLI, 'import', '--format', 'hk', '--no-train', folder], {
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
      expect(await furlong('score', 'verify')).toContain(', 0 broken')
    },
  )

  test('a second server is still refused', async () => {
    await expect(startServerProcess({ FURLONG_DATA: dataFolder, DATABASE_URL: '' })).rejects.toThrow(
      /has .* open/,
    )
  })
})
