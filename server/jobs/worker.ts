import { hostname } from 'node:os'
import { asFurlongError, FurlongError, type ErrorCode } from '../../domain/errors.ts'
import { isEmbedded, type Database, type Queries } from '../db/database.ts'
import * as jobs from '../store/operation/job-store.ts'
import type { Attempt, ClaimedJob, Failure, JobError, StoredJob } from '../store/operation/job-store.ts'
import { following, LANES, type Lane, type NewJob, type Payloads } from '../drafts/job-kinds.ts'
import { waitFor } from '../process/stop-signal.ts'
import type { LaneRunner } from './thread-lane.ts'
import { isHalfWritten } from '../store/operation/pieces-store.ts'
import { hasEnded, newWorkerName } from './worker-name.ts'

const POLL_MS = 150
/** How long a job stays assigned to its worker without a renewal. */
const LEASE_MS = 15_000
/** Longer for the embedded database, which allows no renewal during a long transaction. */
const EMBEDDED_LEASE_MS = 300_000
const RENEWED_EVERY_MS = 3000
const POLL_EVERY_MS = 1000
const MAX_FAILURES = 5
const FIRST_RETRY_MS = 2000
const LONGEST_RETRY_MS = 300_000

/** Errors that may be temporary; after any other error, the same job would fail again. */
const PASSING: readonly ErrorCode[] = [
  'internal',
  'busy',
  'disk-full',
  'folder-read-only',
  'database-locked',
  'database-unreachable',
  'bucket-failed',
  'query-timeout',
  'out-of-memory',
]

interface WorkerOptions {
  /** Creates the runner of a lane. */
  lane: (lane: Lane) => LaneRunner
  /** Ids of the only jobs that it may claim; if absent, all. */
  only?: () => readonly string[]
  lanes?: readonly Lane[]
  /** Whether an import is given up at its first failure, because its caller waits for the error. */
  importOnce?: boolean
  retryMs?: number
  onEvent?: (event: WorkerEvent) => void
}

export type WorkerEvent = { job: StoredJob } & (
  | { kind: 'progress'; text: string }
  | { kind: 'done'; seconds: number; result: unknown }
  | { kind: 'failed'; error: JobError; again: boolean }
  | { kind: 'lost' }
)

interface Running {
  job: StoredJob
  progress: string | null
  ended: Promise<void>
}

/** Claims jobs, renews their leases, completes them, and takes over the jobs of dead workers. */
export class JobWorker {
  private readonly database: Database
  private readonly options: WorkerOptions
  private readonly leaseMs: number
  private readonly name = newWorkerName()
  private readonly runners = new Map<Lane, LaneRunner>()
  private readonly running = new Map<Lane, Running>()
  private leaving = false
  private lastLook = 0
  private lastRenewal = Date.now()

  constructor(database: Database, options: WorkerOptions) {
    this.database = database
    this.options = options
    this.leaseMs = isEmbedded(database) ? EMBEDDED_LEASE_MS : LEASE_MS
  }

  /** Works until `stop` is aborted, then puts running jobs back. Throws database errors. */
  async run(stop: AbortSignal): Promise<void> {
    this.leaving = false
    try {
      while (!stop.aborted) {
        await this.step()
        await waitFor(POLL_MS, stop)
      }
    } finally {
      await this.leave()
    }
  }

  /** One iteration: renews leases, takes over jobs, claims new ones. */
  private async step(): Promise<void> {
    const now = Date.now()
    if (now - this.lastRenewal >= Math.min(RENEWED_EVERY_MS, this.leaseMs / 3)) {
      this.lastRenewal = now
      await this.renew()
    }
    if (now - this.lastLook >= POLL_EVERY_MS) {
      this.lastLook = now
      await this.takeOver()
    }
    for (;;) {
      const free = (this.options.lanes ?? LANES).filter((lane) => !this.running.has(lane))
      const job =
        free.length === 0
          ? null
          : await jobs.claimJob(this.database, {
              worker: this.name,
              lanes: free,
              host: hostname(),
              leaseMs: this.leaseMs,
              only: this.options.only?.() ?? null,
            })
      if (job === null) return
      this.start(job)
    }
  }

  private start(job: StoredJob): void {
    const runner = this.runners.get(job.lane) ?? this.options.lane(job.lane)
    this.runners.set(job.lane, runner)
    const mine: Running = { job, progress: null, ended: Promise.resolve() }
    this.running.set(job.lane, mine)
    mine.ended = this.work(runner, mine).finally(() => this.running.delete(job.lane))
  }

  private async work(runner: LaneRunner, mine: Running): Promise<void> {
    const { job } = mine
    const started = Date.now()
    try {
      const result = await runner.run(job as ClaimedJob, (text) => {
        mine.progress = text
        this.options.onEvent?.({ kind: 'progress', job, text })
      })
      if (await this.end(job, result))
        this.options.onEvent?.({ kind: 'done', job, seconds: (Date.now() - started) / 1000, result })
      else this.options.onEvent?.({ kind: 'lost', job })
    } catch (error) {
      await this.fail(job, asFurlongError(error))
    }
  }

  /**
   * Records what a job has done. A job that ran for minutes must not run again because others changed the table at the same
   * moment, so a transaction that keeps being rolled back is tried for longer than others.
   */
  private async end(job: StoredJob, result: unknown): Promise<boolean> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.database.transaction(async (queries) => {
          const ended = await jobs.finishJob(queries, job, result)
          // Imported rows are committed, even if the job was cancelled at that moment, so the jobs that follow
          // are needed.
          if (!ended && job.kind !== 'import') return false
          await enqueueNext(queries, job, following(job as NewJob).next)
          await jobs.forgetDead(queries, job as NewJob)
          return ended
        })
      } catch (error) {
        const isBusy = error instanceof FurlongError && error.code === 'busy'
        if (!isBusy || failures === MAX_FAILURES) throw error
      }
    }
  }

  /**
   * Puts a failed job back for a retry, or gives it up. If the database is unreachable, the lease expires
   * instead.
   */
  private async fail(job: StoredJob, error: FurlongError): Promise<void> {
    const reported: JobError = { code: error.code, details: error.details }
    // An import that has written something must be completed.
    const once =
      this.options.importOnce &&
      job.kind === 'import' &&
      !(await isHalfWritten(this.database, job.payload as Payloads['import']).catch(() => true))
    const again = PASSING.includes(error.code) && !once && !isLast(job)
    const waitMs = Math.min(LONGEST_RETRY_MS, (this.options.retryMs ?? FIRST_RETRY_MS) * 2 ** job.failures)
    let ended = false
    try {
      ended = await this.write((queries) => {
        if (this.leaving) return jobs.putBackJob(queries, job, { error: null }, 0)
        return again
          ? jobs.putBackJob(queries, job, { error: reported }, waitMs)
          : giveUp(queries, job, { error: reported })
      })
    } catch {
      // Reported below as lost; the job is taken over at the next check.
    }
    if (ended && !this.leaving) this.options.onEvent?.({ kind: 'failed', job, error: reported, again })
    else this.options.onEvent?.({ kind: 'lost', job })
  }

  /** A transaction that is retried once if an identical job was enqueued at the same moment. */
  private async write(work: (queries: Queries) => Promise<boolean>): Promise<boolean> {
    try {
      return await this.database.transaction(work)
    } catch (error) {
      if (!jobs.isDoubled(error)) throw error
      return this.database.transaction(work)
    }
  }

  private async renew(): Promise<void> {
    const mine = [...this.running.values()]
    if (mine.length === 0) return
    const lost = await jobs.renewLeases(
      this.database,
      mine.map(({ job: { id, attempts }, progress }) => ({ id, attempts, progress })),
      this.leaseMs,
    )
    // Cancelled or taken over: the running job is aborted and its transaction rolled back, unless it has
    // ended meanwhile.
    for (const { job } of mine)
      if (lost.includes(job.id) && this.running.get(job.lane)?.job.id === job.id)
        void this.runners.get(job.lane)?.stop()
  }

  /** Makes the jobs of dead workers wait again; a job that repeatedly kills its worker is given up. */
  private async takeOver(): Promise<void> {
    const mine = new Set([...this.running.values()].map(({ job }) => job.id))
    for (const job of await jobs.runningJobs(this.database)) {
      // A job of this worker that is no longer running here, because its end could not be stored, is also
      // taken over.
      const gone = hasEnded(job.worker) || (job.worker === this.name && !mine.has(job.id))
      if (mine.has(job.id) || !(gone || job.late)) continue
      const failure: Failure = {
        error: { code: 'internal', details: { reason: `its worker ${job.worker} is gone` } },
        lateOnly: !gone,
      }
      try {
        await this.write((queries) =>
          isLast(job) ? giveUp(queries, job, failure) : jobs.putBackJob(queries, job, failure, 0),
        )
      } catch {
        // Retried in a second; the jobs running here continue.
      }
    }
  }

  /** Aborts running jobs and makes them wait for the next worker; the attempt does not count as a failure. */
  private async leave(): Promise<void> {
    this.leaving = true
    const mine = [...this.running.values()]
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()))
    await Promise.all(mine.map(({ ended }) => ended))
  }
}

async function enqueueNext(queries: Queries, job: Attempt, next: readonly NewJob[]): Promise<void> {
  const ids: string[] = []
  for (const one of next) ids.push(await jobs.enqueueJob(queries, one))
  if (ids.length > 0) await jobs.noteNext(queries, job.id, ids)
}

/** Whether a job gets no further attempt if this one fails. */
const isLast = ({ failures }: Pick<StoredJob, 'failures'>): boolean => failures + 1 >= MAX_FAILURES

/** Gives a job up, and enqueues the following jobs that do not need its result. */
async function giveUp(
  queries: Queries,
  job: Attempt & Pick<StoredJob, 'kind' | 'payload'>,
  failure: Failure,
): Promise<boolean> {
  if (!(await jobs.giveUpJob(queries, job, failure))) return false
  const { next, evenIfDead } = following(job as NewJob)
  if (evenIfDead) await enqueueNext(queries, job, next)
  return true
}
