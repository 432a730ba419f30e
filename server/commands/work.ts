import { InvalidArgumentError, type Command } from 'commander'
import { z } from 'zod'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { dayIn, REGIONS } from '../../domain/region.ts'
import { readSettings } from '../process/env.ts'
import { eventLog, makeLog, type Log } from '../process/log.ts'
import { LANES, type Lane, type NewJob } from '../drafts/job-kinds.ts'
import { threadLane } from '../jobs/thread-lane.ts'
import { JobWorker, type WorkerEvent } from '../jobs/worker.ts'
import { errorMessage } from '../process/messages.ts'
import type { Database } from '../db/database.ts'
import { DELIVERY, isAlertDue } from '../store/operation/alert-store.ts'
import * as jobStore from '../store/operation/job-store.ts'
import { START_MS } from '../store/operation/alert-events.ts'
import { isHalfWritten } from '../store/operation/pieces-store.ts'
import { stopSignal, waitFor } from '../process/stop-signal.ts'
import { limitOf, print, tellEach, withDatabase, withRunningServer, type Json } from './session.ts'

const REFRESH_MS = 600_000
const SCHEDULED_EVERY_MS = 5000
const RETRY_MS = 2000

function lanesOf(given: string): Lane[] {
  const names = given.split(',')
  const unknown = names.find((name) => !LANES.includes(name as Lane))
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown}: some of ${LANES.join(',')}`)
  return names as Lane[]
}

/** `furlong work` and `furlong jobs …`: running jobs outside the server processes, and inspecting them. */
export function workCommands(program: Command): void {
  program
    .command('work')
    .description(
      'do the jobs: import, train, predict, lock, settle, build; `npm start` starts one on its machine, others may run anywhere',
    )
    .option('--lanes <names>', `some of ${LANES.join(',')}`, lanesOf, [...LANES])
    .action(async ({ lanes }: { lanes: Lane[] }) => {
      const stop = stopSignal()
      // The server that started this process has ended, for whatever reason.
      process.once('disconnect', () => process.exit(0))
      // The server may have ended before the listener was added; without a server there is no channel.
      if (process.send && !process.connected) process.exit(0)
      await withRunningServer((database) => work(database, lanes, stop))
    })

  const jobs = program.command('jobs').description('what waits, runs and was done')
  jobs
    .command('list', { isDefault: true })
    .description('what waits and runs, then what ended last')
    .option('--limit <n>', 'how many', limitOf, 20)
    .option('--json', 'print all that is known of them as JSON', false)
    .action(async ({ limit, json }: Json & { limit: number }) => {
      const found = await withDatabase((database) => jobStore.listJobs(database, limit))
      tellEach(json, found, ({ id, kind, state, createdAt, finishedAt, failures, progress, error }) =>
        [
          `${id} ${kind} ${state}, asked for ${createdAt}`,
          finishedAt && `ended ${finishedAt}`,
          state === 'running' && progress,
          failures > 0 && `${failures} failed attempts`,
          error && errorMessage('en', error),
        ]
          .filter(Boolean)
          .join('; '),
      )
    })
  jobs
    .command('retry')
    .description('try a job again that was given up')
    .argument('<id>')
    .action(async (id: string) => {
      const waiting = await withDatabase((database) =>
        database.transaction((queries) => jobStore.retryJob(queries, id)),
      )
      if (waiting === null) throw new FurlongError('not-found')
      print(waiting)
    })
  jobs
    .command('cancel')
    .description(
      'end a job that waits or runs, unless it is an import that has begun to write; or forget one that was given up',
    )
    .argument('<id>')
    .action(async (id: string) => {
      await withDatabase((database) =>
        database.transaction(async (queries) => {
          const [job] = z.uuid().safeParse(id).success ? await jobStore.readJobs(queries, [id]) : []
          if (job?.kind === 'import' && job.state === 'running') {
            const { payload } = job as NewJob & { kind: 'import' }
            if (await isHalfWritten(queries, payload)) throw new FurlongError('import-begun')
          }
          if (!(await jobStore.cancelJob(queries, id))) throw new FurlongError('not-found')
        }),
      )
      print('cancelled')
    })
}

/** Works until it is stopped; while an external database is unreachable, it waits and retries. */
async function work(database: Database, lanes: readonly Lane[], stop: AbortSignal): Promise<void> {
  const settings = readSettings()
  const log = eventLog(makeLog(settings.logLevel))
  // New odds may be waiting for a worker that replaces a killed one.
  const scoring = threadLane(settings, 'score')
  if (lanes.includes('score')) scoring.prepare()
  const worker = new JobWorker(database, {
    lanes,
    lane: (lane) => (lane === 'score' ? scoring : threadLane(settings, lane)),
    onEvent: (event) => logEvent(log, event),
  })
  const ended = new AbortController()
  const scheduling = schedule(database, AbortSignal.any([stop, ended.signal]))
  try {
    while (!stop.aborted) {
      try {
        await worker.run(stop)
      } catch (error) {
        const failure = asFurlongError(error)
        // The server that has the embedded database open has stopped.
        if (database.kind === 'pglite') throw failure
        log.error(
          { code: failure.code, message: errorMessage('en', failure) },
          'waiting, and trying again until it works',
        )
        await waitFor(RETRY_MS, stop)
      }
    }
  } finally {
    ended.abort()
    await scoring.stop()
    await scheduling
  }
}

/**
 * Enqueues recurring jobs: the demonstration's every ten minutes and when a day begins in one of the regions, and the delivery
 * of alerts whenever one has become due.
 */
async function schedule(database: Database, stop: AbortSignal): Promise<void> {
  const days = (): string => REGIONS.map(({ timeZone }) => dayIn(timeZone, new Date())).join()
  let today = days()
  while (!stop.aborted) {
    await waitFor(SCHEDULED_EVERY_MS, stop)
    const job = { kind: 'demonstration', payload: { verify: false } } as const
    try {
      const now = new Date()
      if (await isAlertDue(database, now, new Date(now.getTime() + START_MS)))
        await jobStore.enqueueJob(database, DELIVERY)
      // The demonstration moves by a day.
      if (days() !== today) await jobStore.enqueueJob(database, job)
      else await jobStore.enqueueEvery(database, job, REFRESH_MS)
      today = days()
    } catch {
      // The worker reports why the database is unreachable; the job is enqueued later.
    }
  }
}

function logEvent(log: Log, event: WorkerEvent): void {
  const { id, kind } = event.job
  if (event.kind === 'failed') {
    const fields = { job: kind, id, code: event.error.code, message: errorMessage('en', event.error) }
    if (event.again) log.warn(fields, `${kind} failed and is tried again`)
    else log.error(fields, `${kind} was given up`)
  }
  if (event.kind !== 'done') return
  const change = summary(kind, event.result)
  if (change !== null) log.info({ job: kind, id, seconds: event.seconds }, change)
}

/** The result of a job as text; `null` if it changed nothing. */
function summary(kind: string, result: unknown): string | null {
  const report = result as Record<string, unknown>
  switch (kind) {
    case 'demonstration':
      return report['made'] === true ? 'demonstration season made' : null
    case 'import':
      return `${String(report['rowsRead'])} rows imported`
    case 'train': {
      const fitted = (result as { fitted: unknown[] }[]).reduce((sum, one) => sum + one.fitted.length, 0)
      return fitted > 0 ? `${fitted} models trained` : null
    }
    case 'build':
      return Number(report['built']) > 0 ? `${String(report['built'])} dataset partitions built` : null
    default:
      return Number(report['races']) > 0 ? `${String(report['races'])} races scored` : null
  }
}
