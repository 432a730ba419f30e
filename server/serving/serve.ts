import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { asFurlongError } from '../../domain/errors.ts'
import { buildApp } from './app.ts'
import { assemble } from './assemble.ts'
import type { DatasetBucket } from '../dataset/dataset-bucket.ts'
import { datasetFolder, datasetStamp, isDatasetBehind } from '../dataset/dataset-index.ts'
import { warmAnalytics } from '../routes/analytics.ts'
import type { Settings } from '../process/env.ts'
import { ensureDemoAccounts, makeDemoLinks } from '../demo/demo-accounts.ts'
import { recordFrozenBets } from '../dataset/frozen-rules.ts'
import { isDemonstrationCurrent } from '../ingest/demo/demonstration.ts'
import { closeLateOrders } from '../services/payments.ts'
import type { Service } from '../services/service.ts'
import { sweepAttempts, sweepCodes } from '../store/accounts/attempt-store.ts'
import { sweepBatches } from '../store/operation/feed-store.ts'
import { enqueueJob, readJobs, releaseJobs, sweepJobs } from '../store/operation/job-store.ts'
import { isClockSteady } from '../db/clock-store.ts'
import { serveDatabase } from '../db/database-socket.ts'
import { isEmbedded, type Database } from '../db/database.ts'
import { holdsDemonstration } from '../store/racing/demonstration.ts'
import { openDatabase } from '../db/open.ts'
import { SERVING_LIMITS } from '../db/postgresql.ts'
import { openReader, type Reader } from '../db/standby.ts'
import { countStale } from '../store/racing/scoring-store.ts'
import { sweepSecurityEvents } from '../store/accounts/security-store.ts'
import { sweepEvents, sweepVisits } from '../store/operation/site-store.ts'
import { sweepTokens } from '../store/accounts/token-store.ts'
import { startWorkProcess, type WorkProcess } from './work-process.ts'

const PREPARED_POLL_MS = 200
const MAX_PREPARED_MS = 1_800_000
const DATASET_POLL_MS = 1000
/** Poll interval of the bucket, which limits how long this machine lags behind another's files. */
const BUCKET_POLL_MS = 2000
const TIDY_MS = 60_000
const DAY_MS = 86_400_000
/** Expired tokens are kept for a while, so that a request with one is told that its session ended. */
const TOKENS_KEPT_MS = 90 * DAY_MS
const EVENTS_KEPT_MS = 180 * DAY_MS
/** Feed batches are repeated within hours, not weeks. */
const BATCHES_KEPT_MS = 30 * DAY_MS
const JOBS_KEPT_MS = 30 * DAY_MS
const VISITS_KEPT_MS = 400 * DAY_MS
/** Lanes of periodic tasks: what is due minutes before a race must not wait for the purging of old rows. */
const SLOW = 0
const QUICK = 1
const FILES = 2
/** Runs several times within the minutes before a race. */
const RECORD_EVERY_MS = 30_000
const MAX_PORTS_TRIED = 50
const CLOSE_TIMEOUT_MS = 10_000
const EXIT_TIMEOUT_MS = 25_000

/**
 * Enqueues what must be prepared, and starts the server's own worker, if any. Waits for the job only if
 * clients would otherwise find nothing: no dataset files, or no demonstration races for today. Existing
 * dataset files are compared with their hashes.
 */
async function prepare(
  database: Database,
  { dataFolder, worker }: Settings,
  bucket: DatasetBucket | null,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<WorkProcess | null> {
  // Fetches what another machine has built, to avoid building it again. If the bucket does not respond, the
  // folder's own files are served.
  await bucket
    ?.pull(datasetFolder(dataFolder))
    .catch((error: unknown) => print(asFurlongError(error).message))
  const now = new Date()
  const isCurrent = await isDemonstrationCurrent(database, now)
  const behind = (await countStale(database)) > 0 || (await isDatasetBehind(database, dataFolder, now))
  const first = await enqueueJob(database, {
    kind: isCurrent && !behind ? 'build' : 'demonstration',
    payload: { verify: true },
  })
  if (worker === 'none') return null
  const work = startWorkProcess(print)
  if (!isCurrent || datasetStamp(dataFolder) === null)
    await untilDone(database, first, () => work.isWell() && !stop.aborted)
  return work
}

/** Waits for a job and its successors while `goesOn` returns true, at most half an hour. */
async function untilDone(database: Database, first: string, goesOn: () => boolean): Promise<void> {
  const until = Date.now() + MAX_PREPARED_MS
  let ids = [first]
  while (ids.length > 0 && goesOn() && Date.now() < until) {
    await pause(PREPARED_POLL_MS)
    ids = (await readJobs(database, ids)).flatMap(({ id, state, next }) =>
      state === 'waiting' || state === 'running' ? [id] : next,
    )
  }
}

/** Closes expired orders and purges old rows. */
export async function tidy(service: Service): Promise<void> {
  const { database, now } = service
  const before = new Date(now().getTime() - DAY_MS)
  await closeLateOrders(service)
  await sweepAttempts(database, before)
  await sweepCodes(database, before)
  await sweepBatches(database, new Date(now().getTime() - BATCHES_KEPT_MS))
  await sweepJobs(database, new Date(now().getTime() - JOBS_KEPT_MS), before)
  if (await isClockSteady(database, now())) {
    await sweepSecurityEvents(database, new Date(now().getTime() - EVENTS_KEPT_MS))
    await sweepTokens(database, new Date(now().getTime() - TOKENS_KEPT_MS))
    await sweepVisits(database, new Date(now().getTime() - VISITS_KEPT_MS))
  }
  // Events are kept an hour longer than reconnecting clients are promised.
  await sweepEvents(database, new Date(before.getTime() - 3_600_000))
}

/** Opens the database, prepares what is missing, listens, and serves until SIGTERM or SIGINT. */
export async function serve(
  settings: Settings,
  siteFolder: string | null,
  print: (line: string) => void,
): Promise<void> {
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
      ...(reader === null ? {} : { reader }),
      siteUrl: () => settings.siteUrl ?? address,
    })
    const { service } = context
    work = await prepare(database, settings, context.bucket, print, stop)
    if (stop.aborted) return
    await ensureDemoAccounts(service)
    const app = await buildApp(context, { logLevel: settings.logLevel })
    let chores: Chores | null = null
    try {
      const port = await freePort(settings.host, settings.port)
      if (port !== settings.port && settings.port !== 0)
        print(`port ${settings.port} is taken, using ${port}`)
      address = await app.listen({ host: settings.host, port })
      const warm = (): void => service.runInBackground('analytics', () => warmAnalytics(context))
      print(`Furlong is at ${address}/`)
      await printWelcome(service, address, print)
      warm()
      chores = startChores(
        service,
        dataFolder,
        {
          onBuilt: () => {
            warm()
            // Creates the accounts of a demonstration that another process has created.
            service.runInBackground('accounts', () => ensureDemoAccounts(service))
          },
          onDone: context.metrics.chore,
          pull: context.bucket && (() => context.bucket!.pull(datasetFolder(dataFolder))),
          record: () =>
            recordFrozenBets(context, (error) => app.log.error({ code: error.code }, 'a frozen rule failed')),
        },
        (name, error) => {
          const { code, message } = asFurlongError(error)
          app.log.error({ code, message }, `${name} failed`)
        },
      )
      await aborted(stop)
    } finally {
      // A signal to the whole process group also ends the worker, which must not be restarted then.
      const workEnded = work?.stop()
      // A client that never closes must not keep the process alive; the embedded database survives a kill.
      const overdue = setTimeout(() => {
        print('stopping took too long: the process is ended')
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

/** Closes the service: running requests are completed, and connections still open after a timeout are cut. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => {
    for (const client of app.websocketServer?.clients ?? []) client.terminate()
    app.server.closeAllConnections()
  }, CLOSE_TIMEOUT_MS)
  await app.close()
  clearTimeout(cut)
}

async function printWelcome(service: Service, address: string, print: (line: string) => void): Promise<void> {
  if (service.payment?.name === 'sandbox')
    print('payment is the sandbox: its page approves, and no money moves')
  if (await holdsDemonstration(service.database)) {
    print('The races are a simulated demonstration. Each of these links signs in once:')
    for (const { account, code } of await makeDemoLinks(service)) {
      print(`  as its ${account}: ${address}/#/pages/login/loginResult?link=${code}`)
    }
  }
  print('ready')
}

interface Chores {
  /** Starts no more tasks, and waits for the running ones. */
  stop(): Promise<void>
}

interface ChoreEffects {
  /** Called when there are new dataset files, whichever process built them. */
  onBuilt(): void
  /** Called after each task. */
  onDone(name: string, ok: boolean, seconds: number): void
  /** Records the bets of frozen rules. */
  record(): Promise<unknown>
  /** Fetches what another machine has built; `null` if no bucket is configured. */
  pull: (() => Promise<unknown>) | null
}

/** Starts the periodic tasks. */
function startChores(
  service: Service,
  dataFolder: string,
  { onBuilt, onDone, record, pull }: ChoreEffects,
  onError: (name: string, error: unknown) => void,
): Chores {
  const lanes: Promise<void>[] = []
  const timers: NodeJS.Timeout[] = []
  /** Tasks of one lane run one after another, independently of other lanes. */
  const every = (lane: number, ms: number, name: string, work: () => Promise<unknown>): void => {
    timers.push(
      setInterval(() => {
        lanes[lane] = (lanes[lane] ?? Promise.resolve()).then(async () => {
          const started = Date.now()
          try {
            await work()
            onDone(name, true, (Date.now() - started) / 1000)
          } catch (error) {
            onDone(name, false, (Date.now() - started) / 1000)
            onError(name, error)
          }
        })
      }, ms),
    )
  }
  every(SLOW, TIDY_MS, 'tidy', () => tidy(service))
  every(QUICK, RECORD_EVERY_MS, 'frozen rules', record)
  if (pull !== null) every(FILES, BUCKET_POLL_MS, 'dataset files', pull)
  let stamp = datasetStamp(dataFolder)
  timers.push(
    setInterval(() => {
      const newest = datasetStamp(dataFolder)
      if (newest !== stamp) onBuilt()
      stamp = newest
    }, DATASET_POLL_MS),
  )
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(lanes)
    },
  }
}

/** A signal aborted by the first SIGTERM or SIGINT. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The wanted port, or the next free one. */
async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0
  for (let port = wanted; port < wanted + MAX_PORTS_TRIED && port < 65_536; port += 1) {
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
