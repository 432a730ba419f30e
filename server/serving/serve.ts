import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { FurlongError } from '../../domain/errors.ts'
import { datasetFolder, datasetStamp } from '../dataset/dataset-index.ts'
import { fetchAgain } from '../dataset/file-guard.ts'
import { recordFrozenBets } from '../dataset/frozen-rules.ts'
import { ViewAlerts } from '../dataset/view-alerts.ts'
import { serveDatabase } from '../db/database-socket.ts'
import { isEmbedded } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { missingSecrets } from '../db/secret.ts'
import { SERVING_LIMITS } from '../db/postgresql.ts'
import { writeSetting } from '../db/settings.ts'
import { openReader, type Reader } from '../db/standby.ts'
import { ensureDemoAccounts, makeDemoLinks } from '../demo/demo-accounts.ts'
import { LiveDemonstration } from '../ingest/live-demonstration.ts'
import type { Settings } from '../process/env.ts'
import { loggedError, makeLog, type Log } from '../process/log.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { warmAnalytics } from '../routes/analytics.ts'
import { lastRaceDayOf, type Context } from '../routes/context.ts'
import { SITE_ADDRESS } from '../alerts/alert-delivery.ts'
import { enqueueEvery, releaseJobs } from '../store/operation/job-store.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { buildApp } from './app.ts'
import { assemble } from './assemble.ts'
import { startChores, type Chore, type Chores } from './chores.ts'
import { prepare } from './prepare.ts'
import { tidy } from './tidy.ts'
import type { WorkProcess } from './work-process.ts'

const DATASET_POLL_MS = 1000
/** Poll interval of the bucket, which limits how long this machine lags behind another's files. */
const BUCKET_POLL_MS = 2000
/** Enough for the first copy of a large dataset. */
const BUCKET_LIMIT_MS = 600_000
const TIDY_MS = 60_000
const TIDY_LIMIT_MS = 300_000
const COMPARE_MS = 5000
const COMPARE_LIMIT_MS = 60_000
const MEND_EVERY_MS = 60_000
/** Runs several times within the minutes before a race. */
const RECORD_EVERY_MS = 30_000
const RECORD_LIMIT_MS = 60_000
/** Odds are seen every twenty seconds, and what they change of the coming predictions is told of as often. */
const VIEWS_EVERY_MS = 20_000
const VIEWS_LIMIT_MS = 60_000
/** Races start at whole minutes, and odds are seen every twenty seconds. */
const DEMONSTRATION_EVERY_MS = 1000
const DEMONSTRATION_LIMIT_MS = 60_000
const MAX_PORT_ATTEMPTS = 50
const CLOSE_TIMEOUT_MS = 10_000
const EXIT_TIMEOUT_MS = 25_000

/**
 * Opens the database, prepares what is missing, listens once the site is built, and serves until SIGTERM or SIGINT.
 */
export async function serve(
  settings: Settings,
  siteFolder: string | null,
  print: (line: string) => void,
  siteBuilt: Promise<void> = Promise.resolve(),
): Promise<void> {
  const log = makeLog(settings.logLevel)
  needSettings(settings)
  warnOfSettings(settings, log)
  const database = await openDatabase(settings, SERVING_LIMITS)
  const { dataFolder } = settings
  // This process has exclusive access to the folder, so no worker of an earlier server is still running.
  if (isEmbedded(database)) await releaseJobs(database)
  // Started early, because preparation may take minutes and commands should not wait for it.
  const commands = isEmbedded(database) ? await serveDatabase(database, dataFolder) : null
  const stop = stopSignal()
  let work: WorkProcess | null = null
  let reader: Reader | null = null
  try {
    if (isEmbedded(database)) {
      print(
        `embedded database in ${dataFolder}: safe against a killed process, not against a power cut; set DATABASE_URL for more`,
      )
    }
    let address = ''
    reader = settings.standbyUrl === undefined ? null : openReader(database, settings.standbyUrl)
    const context = assemble(settings, database, siteFolder, {
      print,
      log,
      ...(reader === null ? {} : { reader }),
      siteUrl: () => settings.siteUrl ?? address,
    })
    work = await prepare(database, settings, { bucket: context.bucket, log, print, stop })
    await unlessStopped(siteBuilt, stop)
    if (stop.aborted) return
    await ensureDemoAccounts(context.service)
    const live = await beginDemonstration(context)
    const app = await buildApp(context)
    let chores: Chores | null = null
    try {
      const port = await freePort(settings.host, settings.port)
      if (port !== settings.port && settings.port !== 0)
        print(`port ${settings.port} is taken, using ${port}`)
      address = await app.listen({ host: settings.host, port })
      await writeSetting(database, SITE_ADDRESS, address)
      print(`Furlong is at ${address}/`)
      await printWelcome(context, address, print)
      warm(context)
      chores = startChores(choresOf(context, live), { log, onDone: context.metrics.chore })
      await unlessStopped(null, stop)
    } finally {
      // A signal to the whole process group also ends the worker, which must not be restarted then.
      const workEnded = work?.stop()
      // A client that never closes must not keep the process alive; the embedded database survives a kill.
      const overdue = setTimeout(() => {
        log.error('stopping took too long: the process is ended')
        process.exit(1)
      }, EXIT_TIMEOUT_MS)
      await closeApp(app)
      await chores?.stop()
      await context.settled()
      await workEnded
      clearTimeout(overdue)
    }
  } finally {
    await work?.stop()
    await commands?.close()
    await reader?.close()
    await database.close()
  }
}

/** Waits until it is stopped, or until `other`. */
async function unlessStopped(other: Promise<void> | null, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return
  const stopped = once(stop, 'abort')
  await (other === null ? stopped : Promise.race([other, stopped]))
}

/**
 * Announces today's races of the demonstration, so that whoever opens the printed address finds them; if that fails, it
 * is tried again. `null`: they stay as they are.
 */
async function beginDemonstration({ settings, service, log }: Context): Promise<LiveDemonstration | null> {
  if (settings.demonstration === 'still') return null
  const live = new LiveDemonstration(service.database)
  await live.advance(service.now()).catch((error: unknown) => {
    log.error(loggedError(error), 'the demonstration does not go on')
  })
  return live
}

/** Opens the newest dataset files before the first query. */
const warm = (context: Context): void =>
  context.service.runInBackground('analytics', () => warmAnalytics(context))

/** What is repeated while the server runs. */
function choresOf(context: Context, live: LiveDemonstration | null): Chore[] {
  const { service, bucket, log } = context
  const { dataFolder } = context.settings
  let stamp = datasetStamp(dataFolder)
  const ground = { ...context, lastRaceDayOf: (regionId: string) => lastRaceDayOf(context, regionId) }
  const views = new ViewAlerts(ground, service.now)
  const chores: Chore[] = [
    { name: 'tidy', everyMs: TIDY_MS, limitMs: TIDY_LIMIT_MS, run: () => tidy(service) },
    {
      name: 'frozen rules',
      everyMs: RECORD_EVERY_MS,
      limitMs: RECORD_LIMIT_MS,
      run: () =>
        recordFrozenBets(context, (error) => log.error({ code: error.code }, 'a frozen rule failed')),
    },
    {
      name: 'views',
      everyMs: VIEWS_EVERY_MS,
      limitMs: VIEWS_LIMIT_MS,
      run: () => views.tell((error) => log.error({ code: error.code }, 'a saved view failed')),
    },
    {
      name: 'damaged files',
      everyMs: COMPARE_MS,
      limitMs: COMPARE_LIMIT_MS,
      run: () => mendDamagedFiles(context),
    },
    {
      name: 'new files',
      everyMs: DATASET_POLL_MS,
      limitMs: TIDY_LIMIT_MS,
      run: async () => {
        const newest = datasetStamp(dataFolder)
        if (newest === stamp) return
        stamp = newest
        warm(context)
        // Creates the accounts of a demonstration that another process has created.
        service.runInBackground('accounts', () => ensureDemoAccounts(service))
      },
    },
  ]
  if (live !== null)
    chores.push({
      name: 'demonstration',
      everyMs: DEMONSTRATION_EVERY_MS,
      limitMs: DEMONSTRATION_LIMIT_MS,
      run: () => live.advance(service.now()),
    })
  if (bucket !== null) {
    const run = (): Promise<unknown> => bucket.pull(datasetFolder(dataFolder))
    chores.push({ name: 'dataset files', everyMs: BUCKET_POLL_MS, limitMs: BUCKET_LIMIT_MS, run })
  }
  return chores
}

/** Finds damaged dataset files, and has them fetched from the bucket, or built anew. */
async function mendDamagedFiles({ fileGuard, bucket, service, log, settings }: Context): Promise<void> {
  const before = fileGuard.damaged
  const damaged = await fileGuard.run()
  if (damaged.length === 0) return
  if (fileGuard.damaged > before) log.error({ files: damaged }, 'dataset files are damaged')
  const isFetched =
    bucket !== null && (await fetchAgain(bucket, settings.dataFolder, damaged).catch(() => false))
  // Again if the build did not mend them, but not while it runs.
  if (!isFetched)
    await enqueueEvery(service.database, { kind: 'build', payload: { verify: true } }, MEND_EVERY_MS)
}

/** Closes the service: running requests are completed, and connections still open after a timeout are cut. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => {
    for (const client of app.websocketServer?.clients ?? []) client.terminate()
    app.server.closeAllConnections()
  }, CLOSE_TIMEOUT_MS)
  await app.close()
  clearTimeout(cut)
}

/** Throws `secrets-missing` with all that production does not start without. */
function needSettings(settings: Settings): void {
  const texts = settings.sms === 'off' ? ['FURLONG_SMS_URL (or FURLONG_SMS=console)'] : []
  const names = [...missingSecrets(settings), ...texts]
  if (names.length > 0) throw new FurlongError('secrets-missing', { names: names.join(', ') })
}

/** Warns of what lets strangers disturb others once the site is public. */
function warnOfSettings({ mode, trustProxy, https }: Settings, log: Log): void {
  if (mode !== 'production') return
  if (trustProxy === undefined)
    log.warn(
      { setting: 'FURLONG_TRUST_PROXY' },
      'no proxy is named: behind one, all clients have its address, and one of them can use up the limits of all',
    )
  if (!https)
    log.warn(
      { setting: 'FURLONG_HTTPS' },
      'browsers are not told to use HTTPS only: set it to 1 where the proxy in front uses TLS',
    )
}

async function printWelcome(
  { service, settings }: Context,
  address: string,
  print: (line: string) => void,
): Promise<void> {
  if (service.payment?.name === 'sandbox')
    print('payment is the sandbox: its page approves, and no money moves')
  if (service.sms.name === 'file') print('codes are texts of a file in the data folder, for you to read out')
  if (await holdsDemonstration(service.database)) {
    if (settings.mode === 'production') {
      // Output is stored in production, and each link opens an account.
      print('The races are a simulated demonstration. Links that sign in: npm run admin -- demo-links')
    } else {
      print('The races are a simulated demonstration. Each of these links signs in once:')
      for (const { account, code } of await makeDemoLinks(service)) {
        print(`  as its ${account}: ${address}/#/pages/login/loginResult?link=${code}`)
      }
    }
  }
  print('ready')
}

/** The wanted port, or the next free one. */
async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0
  for (let port = wanted; port < wanted + MAX_PORT_ATTEMPTS && port < 65_536; port += 1) {
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
