// @module-tag rest
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { connectDatabase } from '../../server/db/database-client.ts'
import { serveDatabase } from '../../server/db/database-socket.ts'
import type { EmbeddedDatabase, Parameter } from '../../server/db/database.ts'
import { openPglite } from '../../server/db/pglite.ts'
import { ROOT } from '../support/server-process.ts'
import { newDataFolder, newFolder } from '../support/databases.ts'

const run = promisify(execFile)

/** A folder's database, opened directly and through its socket. */
async function bothWays(
  options: { folder?: string; idleMs?: number } = {},
): Promise<{ direct: EmbeddedDatabase; through: EmbeddedDatabase; close: () => Promise<void> }> {
  const folder = options.folder ?? (await newDataFolder())
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
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const own = through.transaction(async ({ rows }) => {
      await rows('insert into t values (3)')
      begin()
      await pause(200)
      isDone = true
      return 'kept'
    })
    await begun
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
        begin()
        await rows('select pg_sleep(0.3)')
        order.push(name)
      })
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const command = long('first').then(() => long('second'))
    await begun
    for (const name of ['one', 'two', 'three']) {
      await direct.rows('select 1')
      order.push(name)
    }
    await command
    expect(order).toEqual(['first', 'one', 'two', 'three', 'second'])
    await close()
  })

  test('a command that dies, or sleeps inside a transaction, is undone, and the database goes on', async () => {
    const folder = await newDataFolder()
    const { direct, close } = await bothWays({ folder, idleMs: 300 })
    await direct.script('create table t (id int primary key)')
    const program = `import { connectDatabase } from './server/db/database-client.ts'
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
    const folder = await newDataFolder()
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
    await newDataFolder(folder)
    writeFileSync(join(folder, 'furlong.sock'), '')
    expect(await connectDatabase(folder)).toBeNull()
    const { through, close } = await bothWays({ folder })
    expect(await through.rows('select 1 as one')).toEqual([{ one: 1 }])
    await close()
    expect(existsSync(join(folder, 'furlong.sock'))).toBe(false)
  })

  test('whoever sends something else is hung up on', async () => {
    const folder = await newDataFolder()
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
