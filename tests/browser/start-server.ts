import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FullConfig } from '@playwright/test'
import type { ServerProcess } from '../support/server-process.ts'
import { buildProgram } from '../../tools/lib/program.mjs'
import { freePort } from '../support/postgresql-server.ts'
import { openTemplateFolder, TEMPLATE_FOLDER } from '../support/template-folder.ts'
import {
  dataFolderOf,
  FIRST_START,
  makeFirstStart,
  readiness,
  startOn,
  takeFirstStart,
} from './first-start.ts'
import { registerShared } from './site.ts'
import type { Starts } from './starts.ts'

const STOP_LIMIT_MS = 5000

/**
 * Starts the product as `npm start` does: a first time on a new data folder, while another program has its port, and a
 * second time on the same folder, which then serves the tests. `npm test` has begun the first start before.
 * `first-start.spec.ts` examines both starts.
 */
export default async function startServer({ workers }: FullConfig): Promise<() => Promise<void>> {
  buildProgram()
  const prepared = process.env[FIRST_START]
  const folder = prepared ?? mkdtempSync(join(tmpdir(), 'furlong-browser-'))
  const templates = openTemplateFolder()
  let server: ServerProcess | undefined
  const end = async (): Promise<void> => {
    server?.process.stdout!.removeAllListeners('data')
    if (server && (await Promise.race([server.stop(), pause(STOP_LIMIT_MS, 'late')])) === 'late')
      await server.kill()
    rmSync(folder, { recursive: true, force: true })
    templates.remove()
  }
  try {
    const { taken, first } = await (prepared === undefined
      ? makeFirstStart(folder)
      : takeFirstStart(prepared))
    // The port of the first start may be another program's by now.
    const port = await freePort()
    server = await startOn(folder, port)
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
      taken,
      first,
      second: { port, base: server.base, ready: await readiness(server.base), printed: server.printed() },
    }
    Object.assign(process.env, {
      [TEMPLATE_FOLDER]: templates.folder,
      FURLONG_E2E_URL: server.base,
      FURLONG_E2E_LINK: /as its VIP: (http\S+link=\S+)/.exec(server.printed())![1],
      FURLONG_E2E_PROVIDER: result.token,
      FURLONG_E2E_LOG: log,
      FURLONG_E2E_DATA: dataFolderOf(folder),
      FURLONG_E2E_STARTS: JSON.stringify(starts),
    })
    await registerShared(workers)
    return end
  } catch (error) {
    await end()
    throw error
  }
}
