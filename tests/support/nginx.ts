import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './postgresql-server.ts'
import { operatingBlock } from './operating.ts'

const PROGRAM = '/usr/sbin/nginx'
const START_LIMIT_MS = 10_000

export const hasNginx = (): boolean => existsSync(PROGRAM)

export interface Nginx {
  url: string
  stop(): Promise<void>
}

/** Starts nginx in front of two servers with the block of `docs/operating.md`, except for addresses. */
export async function startNginx(ports: readonly [number, number]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'furlong-nginx-'))
  const port = await freePort()
  const block = operatingBlock('upstream furlong')
    .replace('10.0.0.1:4170', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.2:4170', `127.0.0.1:${ports[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const settings = join(folder, 'nginx.conf')
  writeFileSync(
    settings,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr crit;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events {}
     http { access_log off; ${folders.join(' ')} ${block} }`,
  )
  const program = spawn(PROGRAM, ['-c', settings, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  program.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}/`
  const stop = async (): Promise<void> => {
    program.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (const before = Date.now(); Date.now() - before < START_LIMIT_MS; await pause(50)) {
    if (program.exitCode !== null) break
    // Any answer will do: a server without the site has nothing at its root.
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return { url, stop }
  }
  await stop()
  throw new Error(`nginx did not start: ${output}`)
}
