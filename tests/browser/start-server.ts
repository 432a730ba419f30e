import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { buildProgram } from '../../tools/lib/program.mjs'
import { occupyFreePort } from '../support/occupied-port.ts'
import { openTemplateFolder, TEMPLATE_FOLDER } from '../support/template-folder.ts'
import type { Starts } from './starts.ts'

/** Long enough for a machine several times slower than usual. */
const START_LIMIT_MS = 600_000
const STOP_LIMIT_MS = 5000

async function start(environment: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const late = pause(START_LIMIT_MS, null, { ref: false }).then(() => {
    throw new Error(`the server is not ready after ${START_LIMIT_MS} ms`)
  })
  return Promise.race([startServerProcess(environment, /\nready\n/, ['--site', 'dist/site']), late])
}

/** The status of the page that says whether a server is ready. */
const readiness = async (base: string): Promise<number> => (await fetch(new URL('readyz', base))).status

/**
 * Starts the product as `npm start` does: a first time on a new data folder, while another program has its port, and a
 * second time on the same folder, which then serves the tests. `first-start.spec.ts` examines both starts.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  buildProgram()
  const folder = mkdtempSync(join(tmpdir(), 'furlong-browser-'))
  const templates = openTemplateFolder()
  const dataFolder = join(folder, 'data')
  let server: ServerProcess | undefined
  const end = async (): Promise<void> => {
    server?.process.stdout!.removeAllListeners('data')
    if (server && (await Promise.race([server.stop(), pause(STOP_LIMIT_MS, 'late')])) === 'late')
      await server.kill()
    rmSync(folder, { recursive: true, force: true })
    templates.remove()
  }
  try {
    const { port, release } = await occupyFreePort()
    const environment = { FURLONG_DATA: dataFolder, DATABASE_URL: '', PORT: String(port) }
    server = await start(environment)
    const first = { base: server.base, ready: await readiness(server.base), exit: await server.stop() }
    const firstPrinted = server.printed()
    await release()
    server = await start(environment)
    server.process.stderr!.pipe(process.stderr)

    // Verification codes are written to the server’s output, where the tests read them.
    const log = join(folder, 'browser.log')
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
    const starts: Starts = {
      port,
      first: { ...first, printed: firstPrinted },
      second: { base: server.base, ready: await readiness(server.base), printed: server.printed() },
    }
    Object.assign(process.env, {
      [TEMPLATE_FOLDER]: templates.folder,
      FURLONG_E2E_URL: server.base,
      FURLONG_E2E_LINK: /as its VIP: (http\S+link=\S+)/.exec(server.printed())![1],
      FURLONG_E2E_PROVIDER: result.token,
      FURLONG_E2E_LOG: log,
      FURLONG_E2E_DATA: dataFolder,
      FURLONG_E2E_STARTS: JSON.stringify(starts),
    })
    return end
  } catch (error) {
    await end()
    throw error
  }
}
