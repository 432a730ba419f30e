// Run as a program with a folder, it makes the first start in it and writes what it saw: `npm test` begins it beside the
// tests of the other levels, because it needs one core for half a minute.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { occupyFreePort } from '../support/occupied-port.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import type { Starts } from './starts.ts'

/** Environment variable with the folder of a first start that another process makes. */
export const FIRST_START = 'FURLONG_TEST_FIRST_START'

/** Long enough for a machine several times slower than usual. */
const START_LIMIT_MS = 600_000
const POLL_MS = 100

type FirstStart = Pick<Starts, 'taken' | 'first'>

export const dataFolderOf = (folder: string): string => join(folder, 'data')
const writtenIn = (folder: string): string => join(folder, 'first-start.json')

/** Starts the product on a folder as `npm start` does, and waits until it is ready. */
export async function startOn(folder: string, port: number): Promise<ServerProcess> {
  const environment = { FURLONG_DATA: dataFolderOf(folder), DATABASE_URL: '', PORT: String(port) }
  const late = pause(START_LIMIT_MS, null, { ref: false }).then(() => {
    throw new Error(`the server is not ready after ${START_LIMIT_MS} ms`)
  })
  return Promise.race([startServerProcess(environment, /\nready\n/, ['--site', 'dist/site']), late])
}

/** The status of the page that says whether a server is ready. */
export const readiness = async (base: string): Promise<number> =>
  (await fetch(new URL('readyz', base))).status

/** Starts the product for the first time, on an empty folder, while another program has its port; stops it. */
export async function makeFirstStart(folder: string): Promise<FirstStart> {
  const { port, release } = await occupyFreePort()
  try {
    const server = await startOn(folder, port)
    const seen = { base: server.base, ready: await readiness(server.base), exit: await server.stop() }
    return { taken: port, first: { ...seen, printed: server.printed() } }
  } finally {
    await release()
  }
}

/** Waits for the first start that another process makes in a folder. */
export async function takeFirstStart(folder: string): Promise<FirstStart> {
  const written = writtenIn(folder)
  for (let waitedMs = 0; !existsSync(written); waitedMs += POLL_MS) {
    if (waitedMs > START_LIMIT_MS) throw new Error(`no first start after ${START_LIMIT_MS} ms`)
    await pause(POLL_MS)
  }
  const { made, problem } = JSON.parse(readFileSync(written, 'utf8')) as {
    made?: FirstStart
    problem?: string
  }
  if (made === undefined) throw new Error(problem)
  return made
}

const [, program, folder] = process.argv
if (program !== undefined && folder !== undefined && import.meta.url === pathToFileURL(program).href) {
  const result = await makeFirstStart(folder).then(
    (made) => ({ made }),
    (error: unknown) => ({ problem: String(error) }),
  )
  // The name appears together with the content.
  writeFileSync(`${writtenIn(folder)}.new`, JSON.stringify(result))
  renameSync(`${writtenIn(folder)}.new`, writtenIn(folder))
  // A server that is not ready in time would keep this process.
  process.exit()
}
