import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '../../bench/server-process.ts'
import { buildProgram } from '../../tools/lib/program.mjs'
import { TEMPLATE_FOLDER } from '../support/template-folder.ts'

const PORT = 4270

/** Occupies a port until the returned function is called. */
async function occupy(port: number): Promise<() => Promise<void>> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/**
 * Starts the product as `npm start` does: a first time on a new data folder, while another program has its port, and a
 * second time on the same folder, which then serves the tests. `first-start.spec.ts` examines what both printed.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  buildProgram()
  const folder = mkdtempSync(join(tmpdir(), 'furlong-e2e-'))
  const templates = mkdtempSync(join(tmpdir(), 'furlong-templates-'))
  process.env[TEMPLATE_FOLDER] = templates
  const dataFolder = join(folder, 'data')
  const environment = { FURLONG_DATA: dataFolder, DATABASE_URL: '', PORT: String(PORT) }
  const start = () => startServerProcess(environment, /\nready\n/, ['--site', 'dist/site'])

  const release = await occupy(PORT)
  const first = await start()
  const firstEnd = await first.stop()
  await release()
  // The demonstration as the first start left it, for servers of single tests.
  cpSync(dataFolder, join(folder, 'demonstration'), { recursive: true })
  const server = await start()

  // Verification codes are written to the server’s output, where the tests read them.
  const log = join(folder, 'e2e.log')
  writeFileSync(log, server.printed())
  server.process.stdout!.on('data', (chunk: Buffer) => appendFileSync(log, chunk))
  // A link works only once, and several workers need the provider.
  const [, code] = /as its provider: http\S+link=(\S+)/.exec(server.printed())!
  const signedIn = await fetch(new URL('sys/api/linkSignIn', server.base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const { result } = (await signedIn.json()) as { result: { token: string } }
  Object.assign(process.env, {
    FURLONG_E2E_URL: server.base,
    FURLONG_E2E_LINK: /as its VIP: (http\S+link=\S+)/.exec(server.printed())![1],
    FURLONG_E2E_PROVIDER: result.token,
    FURLONG_E2E_LOG: log,
    FURLONG_E2E_DATA: dataFolder,
    FURLONG_E2E_DEMONSTRATION: join(folder, 'demonstration'),
    FURLONG_E2E_STARTS: JSON.stringify({
      port: PORT,
      first: { printed: first.printed(), base: first.base, exit: firstEnd },
      second: { printed: server.printed(), base: server.base },
    }),
  })
  return async () => {
    await Promise.race([server.stop(), new Promise((resolve) => setTimeout(resolve, 5000))])
    for (const each of [folder, templates]) rmSync(each, { recursive: true, force: true })
  }
}
