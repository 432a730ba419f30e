import { parentPort, workerData } from 'node:worker_threads'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { connectDatabase } from '../db/database-client.ts'
import type { Database } from '../db/database.ts'
import type { ClaimedJob } from '../store/operation/job-store.ts'
import { openDatabase, type Place } from '../db/open.ts'
import type { Lane } from '../drafts/job-kinds.ts'
import { yieldProcessor } from './niceness.ts'
import { JobRunner } from './run-job.ts'

/** What a thread needs to know when it starts. */
export interface ThreadData extends Place {
  lane: Lane
}

/** Messages of a thread about its current job. */
export type ThreadMessage =
  | { kind: 'progress'; text: string }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; code: string; details: Readonly<Record<string, string | number>> }

const port = parentPort!
const tell = (message: ThreadMessage): void => port.postMessage(message)
const { lane, ...place } = workerData as ThreadData
yieldProcessor(lane, place.databaseUrl)
let opened: { database: Database; runner: JobRunner } | null = null

/**
 * Opens the embedded database only through its server: a thread must not take the folder's lock before the
 * next server can.
 */
async function open(): Promise<Database> {
  if (place.databaseUrl) return openDatabase(place)
  const database = await connectDatabase(place.dataFolder)
  if (database === null) throw new FurlongError('database-unreachable', { reason: 'no server has it open' })
  return database
}

async function runnerOf(): Promise<JobRunner> {
  if (opened === null) {
    const database = await open()
    const runner = new JobRunner({
      database,
      place,
      now: () => new Date(),
      onProgress: (text) => tell({ kind: 'progress', text }),
    })
    opened = { database, runner }
  }
  return opened.runner
}

port.on('message', async (message: ClaimedJob | 'end') => {
  if (message === 'end') {
    await opened?.database.close()
    return port.close()
  }
  try {
    tell({ kind: 'done', result: await (await runnerOf()).run(message) })
  } catch (error) {
    const { code, details } = asFurlongError(error)
    // A lost connection does not recover, so the next job opens another one.
    if (code === 'database-unreachable') opened = null
    tell({ kind: 'failed', code, details })
  }
})
