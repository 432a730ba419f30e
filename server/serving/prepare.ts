import { setTimeout as pause } from 'node:timers/promises'
import type { DatasetBucket } from '../dataset/dataset-bucket.ts'
import { datasetFolder, datasetStamp, isDatasetBehind } from '../dataset/dataset-index.ts'
import type { Database } from '../db/database.ts'
import { isDemonstrationCurrent } from '../ingest/demo/demonstration.ts'
import type { Settings } from '../process/env.ts'
import { loggedError, type Log } from '../process/log.ts'
import { enqueueJob, readJobs } from '../store/operation/job-store.ts'
import { countStale } from '../store/racing/scoring-store.ts'
import { startWorkProcess, type WorkProcess } from './work-process.ts'

const POLL_MS = 200
const MAX_WAIT_MS = 1_800_000

interface PrepareOptions {
  bucket: DatasetBucket | null
  log: Log
  /** Writes a line for the person who started the server. */
  print: (line: string) => void
  stop: AbortSignal
}

/**
 * Enqueues what must be prepared, and starts the server's own worker, if any. Waits for the job only if
 * clients would otherwise find nothing: no dataset files, or no demonstration races for today. Existing
 * dataset files are compared with their hashes.
 */
export async function prepare(
  database: Database,
  { dataFolder, worker }: Settings,
  { bucket, log, print, stop }: PrepareOptions,
): Promise<WorkProcess | null> {
  // Fetches what another machine has built, to avoid building it again. If the bucket does not respond, the
  // folder's own files are served.
  await bucket?.pull(datasetFolder(dataFolder)).catch((error: unknown) => {
    log.error(loggedError(error), 'the bucket was not read')
  })
  const now = new Date()
  const isCurrent = await isDemonstrationCurrent(database, now)
  const behind = (await countStale(database)) > 0 || (await isDatasetBehind(database, dataFolder, now))
  const first = await enqueueJob(database, {
    kind: isCurrent && !behind ? 'build' : 'demonstration',
    payload: { verify: true },
  })
  if (worker === 'none') return null
  const work = startWorkProcess(log)
  if (!isCurrent || datasetStamp(dataFolder) === null)
    await untilDone(database, first, () => work.isWell() && !stop.aborted)
  const [done] = await readJobs(database, [first])
  if ((done?.result as { made?: boolean } | null)?.made) print('demonstration season made')
  return work
}

/** Waits for a job and its successors while `goesOn` returns true, at most half an hour. */
async function untilDone(database: Database, first: string, goesOn: () => boolean): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS
  let ids = [first]
  while (ids.length > 0 && goesOn() && Date.now() < until) {
    await pause(POLL_MS)
    ids = (await readJobs(database, ids)).flatMap(({ id, state, next }) =>
      state === 'waiting' || state === 'running' ? [id] : next,
    )
  }
}
