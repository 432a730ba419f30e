import { setTimeout as pause } from 'node:timers/promises'
import { FurlongError } from '../../domain/errors.ts'
import type { Database } from '../store/database.ts'
import { cancelJob, enqueueJob, readJobs } from '../store/job-store.ts'
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
 * failed with, and `query-cancelled` when it is stopped.
 */
export async function doJobs(
  database: Database,
  place: Place,
  job: NewJob,
  { alone, onProgress, stop = new AbortController().signal }: DoOptions,
): Promise<JobReports> {
  const waiting = new Set([await enqueueJob(database, job)])
  const reports: JobReports = {}
  const worker = new JobWorker(database, {
    only: () => [...waiting],
    mostFailures: 1,
    lane: () =>
      alone
        ? inlineLane({ database, dataFolder: place.dataFolder, now: () => new Date() })
        : threadLane(place),
    onEvent: (event) => event.kind === 'progress' && onProgress(event.text),
  })
  const done = new AbortController()
  const working = worker.run(AbortSignal.any([stop, done.signal]))
  // Told by the loop below, or by waiting for it.
  working.catch(() => {})
  try {
    while (waiting.size > 0 && !stop.aborted) {
      await pause(POLL_MS)
      for (const { id, kind, state, result, next, error, progress } of await readJobs(database, [
        ...waiting,
      ])) {
        if (state === 'running' && progress !== null) onProgress(progress)
        if (state === 'waiting' || state === 'running') continue
        waiting.delete(id)
        if (state === 'cancelled') throw new FurlongError('query-cancelled')
        for (const follower of next) waiting.add(follower)
        if (state === 'dead') throw new FurlongError(error?.code ?? 'internal', error?.details ?? {})
        reports[kind] = result
      }
    }
  } finally {
    done.abort()
    await working
    if (stop.aborted) for (const id of waiting) await cancelJob(database, id)
  }
  if (stop.aborted) throw new FurlongError('query-cancelled')
  return reports
}
