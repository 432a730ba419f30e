import { setTimeout as pause } from 'node:timers/promises'
import { FurlongError } from '../../domain/errors.ts'
import type { Database } from '../db/database.ts'
import { cancelJob, enqueueJob, readJobs, releaseJobs, type StoredJob } from '../store/operation/job-store.ts'
import type { Place } from '../db/open.ts'
import { isHalfWritten } from '../store/operation/pieces-store.ts'
import { inlineLane } from './inline-lane.ts'
import type { JobKind, NewJob } from '../drafts/job-kinds.ts'
import { threadLane } from './thread-lane.ts'
import { JobWorker } from './worker.ts'

const POLL_MS = 100

/** Reports of a job and its successors, by kind. */
export type JobReports = Partial<Record<JobKind, unknown>>

interface DoOptions {
  /** Whether this process has exclusive access to the embedded database. */
  alone: boolean
  onProgress: (text: string) => void
  /** Stops waiting; an import that has not begun to write is cancelled. */
  stop?: AbortSignal
}

/**
 * Runs a job and its successors to completion, in this process unless a worker claims them first. Throws the
 * error of the first failed job; a worker retries it if the error may be temporary and it is not an import.
 * Throws `query-cancelled` if it is stopped: an import is then cancelled, other kinds are left to workers, because
 * other callers may have enqueued them too. An import that is half written is left to them too: `import-continues`.
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
    lane: (lane) =>
      alone ? inlineLane({ database, place, now: () => new Date() }) : threadLane(place, lane),
    onEvent: (event) => event.kind === 'progress' && onProgress(event.text),
  })
  const follow = ({ id, kind, state, result, next, error, progress, failures: count }: StoredJob): void => {
    const before = failures.get(id) ?? count
    failures.set(id, before)
    // A job that failed earlier is retried now; only a new failure is reported.
    if (error !== null && (count > before || state === 'dead'))
      throw new FurlongError(error.code, error.details)
    if (state === 'running' && progress !== null) onProgress(progress)
    if (state === 'waiting' || state === 'running') return
    waiting.delete(id)
    if (state === 'cancelled' && next.length === 0) throw new FurlongError('query-cancelled')
    for (const follower of next) waiting.add(follower)
    if (state === 'done') reports[kind] = result
  }
  let goesOn = false
  const done = new AbortController()
  const working = worker.run(AbortSignal.any([stop, done.signal]))
  // The loop below reports it, because it awaits the same promise.
  working.catch(() => {})
  try {
    while (waiting.size > 0 && !stop.aborted) {
      await Promise.race([pause(POLL_MS), working])
      const found = await readJobs(database, [...waiting])
      // The row of one was deleted.
      if (found.length < waiting.size) throw new FurlongError('query-cancelled')
      for (const one of found) follow(one)
    }
  } finally {
    done.abort()
    await working.catch(() => {})
    if (stop.aborted && job.kind === 'import' && waiting.has(own)) {
      const { payload } = job
      goesOn = await database.transaction(async (queries) => {
        const isBegun = await isHalfWritten(queries, payload)
        if (!isBegun) await cancelJob(queries, own)
        return isBegun
      })
    }
  }
  if (stop.aborted && waiting.size > 0)
    throw new FurlongError(goesOn ? 'import-continues' : 'query-cancelled')
  return reports
}
