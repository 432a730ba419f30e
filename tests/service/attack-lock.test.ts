// @module-tag rest
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lockFolder } from '../../server/db/folder-lock.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openPglite } from '../../server/db/pglite.ts'
import { newDataFolder, newFolder } from '../support/databases.ts'
import { smallDisk } from '../support/small-disk.ts'
import { FURLONG } from '../support/server-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function contender(prefix: readonly string[] = []) {
  const command = [...prefix, process.execPath, '--import', 'tsx', 'tests/support/lock-contender.ts']
  const child = spawn(command[0]!, command.slice(1), { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop()!
    for (const line of parts) {
      const next = waiting.shift()
      if (next) next(line)
      else lines.push(line)
    }
  })
  return {
    say: (line: string): void => void child.stdin.write(`${line}\n`),
    hear: (): Promise<string> =>
      lines.length > 0 ? Promise.resolve(lines.shift()!) : new Promise((resolve) => waiting.push(resolve)),
    end: (): Promise<void> =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.stdin.end('end\n')
      }),
    kill: (): Promise<void> =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

test('of two starters at the same moment one gets the folder, a thousand times', async () => {
  const folder = join(newFolder(), 'pglite')
  const [one, two] = [contender(), contender()]
  for (let round = 0; round < 1000; round += 1) {
    one.say(folder)
    two.say(folder)
    const answers = [await one.hear(), await two.hear()]
    expect(answers.toSorted(), `round ${round}`).toEqual(['database-locked', 'got'])
    const winner = answers[0] === 'got' ? one : two
    winner.say('release')
    await winner.hear()
  }
  await Promise.all([one.end(), two.end()])
})

const NAMESPACES = ['unshare', '--pid', '--fork', '--mount-proc']
const hasNamespaces = spawnSync(NAMESPACES[0]!, [...NAMESPACES.slice(1), 'true']).status === 0

test.skipIf(!hasNamespaces)(
  'processes that cannot see each other’s numbers still see the lock (skipped where namespaces are not allowed)',
  async () => {
    const folder = join(newFolder(), 'pglite')
    const [one, two] = [contender(NAMESPACES), contender(NAMESPACES)]
    one.say(folder)
    expect(await one.hear()).toBe('got')
    two.say(folder)
    expect(await two.hear()).toBe('database-locked')
    await Promise.all([one.end(), two.end()])
  },
)

test('the lock ends with its process, however that ends', async () => {
  const folder = join(newFolder(), 'pglite')
  const holder = contender()
  holder.say(folder)
  expect(await holder.hear()).toBe('got')
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'database-locked' }))
  await holder.kill()
  lockFolder(folder)()
})

test('a running process of the first edition, which locked nothing, is respected; a dead one is not', () => {
  const folder = newFolder()
  const start = readFileSync('/proc/self/stat', 'utf8').split(' ')[21]!
  writeFileSync(`${folder}.lock`, `${process.pid} ${start}`)
  expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'database-locked' }))
  writeFileSync(`${folder}.lock`, `${process.pid} ${Number(start) - 1}`)
  lockFolder(folder)()
})

test('files in the data folder are readable by their owner only', async () => {
  const data = newFolder()
  chmodSync(data, 0o755)
  const umask = process.umask(0o077)
  const database = await openPglite(join(data, 'pglite'))
  await database.close()
  process.umask(umask)
  const modeOf = (path: string): number => statSync(path).mode & 0o777
  expect(modeOf(data)).toBe(0o700)
  expect(modeOf(join(data, 'pglite'))).toBe(0o700)
  expect(modeOf(join(data, 'pglite.lock'))).toBe(0o600)
  expect(modeOf(join(data, 'pglite/PG_VERSION')) & 0o077).toBe(0)
})

test('start and doctor exit with an error message when the disk is full (skipped where nothing can be mounted)', async (context) => {
  const disk = smallDisk(160)
  if (disk === null) return context.skip('nothing can be mounted here')
  try {
    const dataFolder = await newDataFolder(join(disk.folder, 'data'))
    await (await openDatabase({ dataFolder, databaseUrl: undefined })).close()
    disk.fill()
    for (const command of ['serve', 'doctor']) {
      const { status, stderr, stdout, signal } = spawnSync(process.execPath, [...FURLONG, command], {
        cwd: ROOT,
        env: { ...process.env, NODE_ENV: '', FURLONG_DATA: dataFolder, DATABASE_URL: '', PORT: '0' },
        encoding: 'utf8',
        // Before the fix neither command ever ended.
        timeout: 110_000,
      })
      expect(signal, command).toBeNull()
      expect(status, command).toBe(1)
      expect(`${stdout}${stderr}`, command).toContain('disk is full')
    }
  } finally {
    disk.remove()
  }
})
