import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FURLONG, STILL } from '../tests/support/server-process.ts'

const SITE = fileURLToPath(new URL('../dist/site', import.meta.url))
const START_MS = 180_000

export interface Demonstration {
  /** One-time sign-in link for its VIP. */
  vipLink: string
  /** One-time sign-in links by role. */
  links: Record<string, string>
  baseUrl: string
  close(): Promise<void>
}

/** The server as `npm start` runs it, on a new data folder with the demonstration season; the site must be built. */
export async function startDemonstration(): Promise<Demonstration> {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-demonstration-'))
  const server = spawn(process.execPath, [...FURLONG, 'serve', '--site', SITE], {
    env: { ...process.env, ...STILL, FURLONG_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let printed = ''
  const close = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start:\n${printed}`)), START_MS)
    const listen = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (!/^ready$/m.test(printed)) return
      clearTimeout(timer)
      resolve()
    }
    server.stdout.on('data', listen)
    server.stderr.on('data', listen)
    server.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`the server ended:\n${printed}`))
    })
  })
  try {
    await ready
    const vipLink = /as its VIP: (\S+)/.exec(printed)![1]!
    const links = Object.fromEntries(
      [...printed.matchAll(/as its (\w+): (\S+)/g)].map(([, role, link]) => [role!, link!]),
    )
    return { vipLink, links, baseUrl: vipLink.slice(0, vipLink.indexOf('#')), close }
  } catch (error) {
    await close()
    throw error
  }
}
