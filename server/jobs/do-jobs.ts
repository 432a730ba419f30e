import { setTimeout as pause } from 'node:timers/promises'
import { FurlongError } from '../../domain/errors.ts'
import type { Database } from '../store/database.ts'
import { cancelJob, enqueueJob, readJobs, releaseJobs, type StoredJob } from '../store/job-store.ts'
import type { Place } from '../store/open.ts'
import { inlineLane } from './inline-lane.ts'
import type { JobKind, NewJob } from './kinds.ts'
import { threadLane } from './thread-lane.ts'
import { JobWorker } from './worker.ts'

const POLL_MS = 100

/** Reports of a job and of what followed from it. */
export type JobReports = Partial<Record<JobKind, unknown>>

interface DoOptions {
  /** This process has the embedded database to itself. */
  alone: boolean
  onProgress: (text: string) => void
  /** Cancels what is not done yet. */
  stop?: AbortSignal
}

/**
 * Has a job and what follows from it done: by this process, unless a worker is quicker. Throws what the first of them
 * failed with; it is tried again by a worker where the error may pass and it is no import. Throws `query-cancelled` when it
 * is stopped: an import is cancelled then, the other kinds are left to workers, for others may have asked for them too.
 */
export async function doJobs(
  database: Database,
  place: Place,
  job: NewJob,
  { alone, onProgress, stop = new AbortController().signal }: DoOptions,
): Promise<JobReports> {
  if (alone) await releaseJobs(database)
  const own = await enqueueJob(database, job, { now: true })
  const waiting = new Set([own])
  const failures = new Map<string, number>()
  const reports: JobReports = {}
  const worker = new JobWorker(database, {
    only: () => [...waiting],
    importOnce: true,
    lane: () =>
      alone
        ? inlineLane({
            database,
            dataFolder: place.dataFolder,
            bucket: place.bucket,
            now: () => new Date(),
          })
        : threadLane(place),
    onEvent: (event) => event.kind === 'progress' && onProgress(event.text),
  })
  const follow = ({ id, kind, state, result, next, error, progress, failures: count }: StoredJob): void => {
    const before = failures.get(id) ?? count
    failures.set(id, before)
    // What failed earlier is tried now; what fails now is told.
    if (error !== null && (count > before || state === 'dead'))
      throw new FurlongError(error.code, error.details)
    if (state === 'running' && progress !== null) onProgress(progress)
    if (state === 'waiting' || state === 'running') return
    waiting.delete(id)
    if (state === 'cancelled' && next.length === 0) throw new FurlongError('query-cancelled')
    for (const follower of next) waiting.add(follower)
    if (state === 'done') reports[kind] = result
  }
  const done = new AbortController()
  const working = worker.run(AbortSignal.any([stop, done.signal]))
  // Told by the loop below, which fails with it.
  working.catch(() => {})
  try {
    while (waiting.size > 0 && !stop.aborted) {
      await Promise.race([pause(POLL_MS), working])
      for (const one of await look(database, waiting)) follow(one)
    }
  } finally {
    done.abort()
    await working.catch(() => {})
    if (stop.aborted && job.kind === 'import' && waiting.has(own)) await cancelJob(database, own)
  }
  if (stop.aborted && waiting.size > 0) throw new FurlongError('query-cancelled')
  return reports
}

/** The jobs that are waited for. Throws `query-cancelled` where somebody took the row of one away. */
async function look(database: Database, waiting: ReadonlySet<string>): Promise<StoredJob[]> {
  const found = await readJobs(database, [...waiting])
  if (found.length < waiting.size) throw new FurlongError('query-cancelled')
  return found
}
