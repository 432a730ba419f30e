import { createServer } from 'node:net'
import { buildApp } from './app.ts'
import { buildDataset } from './dataset/build.ts'
import type { Settings } from './env.ts'
import { ensureDemonstration } from './ingest/demo/demonstration.ts'
import { scoreStaleRaces } from './scoring/score.ts'
import { makeDemonstrationLink } from './services/one-time-link.ts'
import { readSecret } from './services/secret.ts'
import type { Database } from './store/database.ts'
import { holdsDemonstration } from './store/demonstration.ts'
import { openDatabase } from './store/open.ts'

const REFRESH_MS = 600_000
const MOST_PORTS_TRIED = 50

/** Brings the demonstration to today, scores what changed and builds the dataset files that lag behind. */
async function refresh(database: Database, dataFolder: string, print: (line: string) => void): Promise<void> {
  const started = Date.now()
  const made = await ensureDemonstration(database)
  const { races } = await scoreStaleRaces(database)
  const { built } = await buildDataset(database, dataFolder)
  if (made || races > 0 || built > 0) {
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    const what = made ? 'demonstration season made, ' : ''
    print(`${what}${races} races scored, ${built} dataset partitions built in ${seconds} s`)
  }
}

/** Opens the database, prepares what is missing, listens, and goes on until SIGTERM or SIGINT. */
export async function serve(
  settings: Settings,
  siteFolder: string | null,
  print: (line: string) => void,
): Promise<void> {
  const database = await openDatabase(settings)
  const { dataFolder } = settings
  try {
    if (database.kind === 'pglite') {
      print(
        `embedded database in ${dataFolder}: safe against a killed process, not against a power cut; set DATABASE_URL for more`,
      )
    }
    await refresh(database, dataFolder, print)
    const context = { database, dataFolder, secret: readSecret(settings), siteFolder }
    const app = await buildApp(context, { log: true })
    const port = await freePort(settings.host, settings.port)
    if (port !== settings.port && settings.port !== 0) print(`port ${settings.port} is taken, using ${port}`)
    // Before anybody can know that it runs, so that no signal meets a server that does not listen to it.
    const stopped = stopSignal()
    const address = await app.listen({ host: settings.host, port })
    print(`Furlong is at ${address}/`)
    if (await holdsDemonstration(database)) {
      const code = await makeDemonstrationLink(database)
      print(
        `The races are a simulated demonstration. Open it once as its VIP: ${address}/#/pages/login/loginResult?link=${code}`,
      )
    }
    let busy = Promise.resolve()
    const timer = setInterval(() => {
      busy = busy
        .then(() => refresh(database, dataFolder, print))
        .catch((error: unknown) => {
          app.log.error({ err: error }, 'refresh failed')
        })
    }, REFRESH_MS)
    await stopped
    clearInterval(timer)
    await app.close()
    await busy
  } finally {
    await database.close()
  }
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })

/** The port asked for, or the next one that nobody listens on. */
async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0
  for (let port = wanted; port < wanted + MOST_PORTS_TRIED && port < 65_536; port += 1) {
    if (await isFree(host, port)) return port
  }
  return 0
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port }, () => probe.close(() => resolve(true)))
  })
