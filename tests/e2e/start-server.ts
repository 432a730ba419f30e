import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FURLONG, UNLIMITED } from '../../bench/server-process.ts'
import { buildProgram } from '../../tools/lib/program.mjs'
import { TEMPLATE_FOLDER } from '../support/template-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Long enough for a machine several times slower than usual. */
const START_LIMIT_MS = 600_000

/** Starts the product as `npm start` does, on a new data folder, and reads its address and links from the output. */
export default async function startServer(): Promise<() => Promise<void>> {
  buildProgram()
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-e2e-'))
  const templates = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  process.env[TEMPLATE_FOLDER] = templates
  const server = spawn(process.execPath, [FURLONG, 'serve', '--site', 'dist/site'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: '',
      FURLONG_DATA: dataFolder,
      DATABASE_URL: '',
      PORT: '4270',
      ...UNLIMITED,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Verification codes are written to the server’s output, where the tests read them.
  const log = join(dataFolder, 'e2e.log')
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`no address after ${START_LIMIT_MS} ms: ${printed}`)),
      START_LIMIT_MS,
    )
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      appendFileSync(log, chunk)
      if (!/\nready\n/.test(printed)) return
      clearTimeout(late)
      resolve()
    })
  })
  process.env['FURLONG_E2E_URL'] = /Furlong is at (\S+)/.exec(printed)![1]
  process.env['FURLONG_E2E_LINK'] = /as its VIP: (http\S+link=\S+)/.exec(printed)![1]
  // A link works only once, and several workers need the provider.
  const [, code] = /as its provider: http\S+link=(\S+)/.exec(printed)!
  const signedIn = await fetch(new URL('sys/api/linkSignIn', process.env['FURLONG_E2E_URL']), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const { result } = (await signedIn.json()) as { result: { token: string } }
  process.env['FURLONG_E2E_PROVIDER'] = result.token
  process.env['FURLONG_E2E_LOG'] = log
  process.env['FURLONG_E2E_DATA'] = dataFolder
  return async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.removeAllListeners('exit')
    server.once('exit', () => undefined)
    server.kill('SIGTERM')
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))])
    for (const folder of [dataFolder, templates]) rmSync(folder, { recursive: true, force: true })
  }
}
