import { parentPort, workerData } from 'node:worker_threads'
import { asFurlongError } from '../../domain/errors.ts'
import { openBeside, type Place } from '../store/open.ts'
import type { NewJob } from './kinds.ts'
import { JobRunner } from './run-job.ts'

/** What a thread tells of the job that it was given. */
export type ThreadMessage =
  | { kind: 'progress'; text: string }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; code: string; details: Readonly<Record<string, string | number>> }

const port = parentPort!
const tell = (message: ThreadMessage): void => port.postMessage(message)
const place = workerData as Place
const database = await openBeside(place)
const runner = new JobRunner({
  database,
  dataFolder: place.dataFolder,
  now: () => new Date(),
  onProgress: (text) => tell({ kind: 'progress', text }),
})

port.on('message', async (message: NewJob | 'end') => {
  if (message === 'end') {
    await database.close()
    return port.close()
  }
  try {
    tell({ kind: 'done', result: await runner.run(message) })
  } catch (error) {
    const { code, details } = asFurlongError(error)
    tell({ kind: 'failed', code, details })
  }
})
