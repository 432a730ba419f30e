import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../tests/support/server-process.ts'

const LIMIT_MS = 600_000

/** Seconds from `npm start` until each line was printed. */
interface Start {
  /** Packages are installed, and programs built: the server or the site begins. */
  building: number | null
  address: number
  ready: number
}

/**
 * `npm start` by the stopwatch, in a bare clone of what is committed, and again without data and builds but with packages.
 * Needs the npm registry.
 */
export async function benchFirstStart(): Promise<{ bareClone: Start; installed: Start; again: Start }> {
  const clone = mkdtempSync(join(tmpdir(), 'furlong-clone-'))
  try {
    const { status } = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], {
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error('the repository could not be cloned')
    const bareClone = await start(clone)
    for (const made of ['dist', 'data', 'node_modules/.cache'])
      rmSync(join(clone, made), { recursive: true, force: true })
    const installed = await start(clone)
    return { bareClone, installed, again: await start(clone) }
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

function start(folder: string): Promise<Start> {
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
  const server = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', FURLONG_DATA: join(folder, 'data'), DATABASE_URL: '', NODE_ENV: '' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    let building: number | null = null
    let address = 0
    const end = (): void => void process.kill(-server.pid!, 'SIGTERM')
    const late = setTimeout(() => {
      end()
      reject(new Error(`not ready after ${LIMIT_MS} ms:\n${printed}`))
    }, LIMIT_MS)
    let result: Start | null = null
    const read = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (building === null && printed.includes('building the site')) building = seconds()
      if (address === 0 && /Furlong is at \S+/.test(printed)) address = seconds()
      if (result !== null || !/^ready$/m.test(printed)) return
      result = { building, address, ready: seconds() }
      end()
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    // Not when npm exits: the server that it started still closes its database then.
    server.once('close', () => {
      clearTimeout(late)
      if (result === null) reject(new Error(`npm start ended:\n${printed}`))
      else resolve(result)
    })
  })
}
