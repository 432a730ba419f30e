import { Worker } from 'node:worker_threads'
import { asFurlongError, FurlongError, type ErrorCode } from '../../domain/errors.ts'
import { threadCode } from '../process/program.ts'
import type { ClaimedJob } from '../store/operation/job-store.ts'
import type { Place } from '../db/open.ts'
import type { ThreadData, ThreadMessage } from './job-thread.ts'
import type { Lane } from '../drafts/job-kinds.ts'

/** Runs the jobs of one lane, one at a time. */
export interface LaneRunner {
  run(job: ClaimedJob, onProgress: (text: string) => void): Promise<unknown>
  /** Aborts the current job; its transaction is rolled back. */
  stop(): Promise<void>
}

/** An idle thread is ended after this time, to free its memory; on a race day odds arrive more often. */
const IDLE_MS = 300_000

/**
 * Runs the jobs of a lane in a separate thread, so that training does not block the renewal of leases. `prepare` starts
 * the thread, which takes up to a second, before there is a job for it.
 */
export function threadLane(
  { dataFolder, databaseUrl, standbyUrl, bucket, alerts }: Place,
  lane: Lane,
): LaneRunner & { prepare(): void } {
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const workerData: ThreadData = { dataFolder, databaseUrl, standbyUrl, bucket, alerts, lane }
    const mine = new Worker(threadCode('job-thread'), { eval: true, workerData })
    // A thread that dies, busy or idle, is replaced for the next job.
    const gone = (): void => {
      if (thread === mine) thread = null
    }
    mine.on('error', gone)
    mine.on('exit', gone)
    return mine
  }
  const endWhenIdle = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => {
      thread?.postMessage('end')
      thread = null
    }, IDLE_MS)
    idle.unref()
  }
  return {
    prepare: () => {
      thread ??= start()
      endWhenIdle()
    },
    run: async (job, onProgress) => {
      clearTimeout(idle)
      const mine = (thread ??= start())
      try {
        return await new Promise((resolve, reject) => {
          const onMessage = (message: ThreadMessage): void => {
            if (message.kind === 'progress') return onProgress(message.text)
            leave()
            if (message.kind === 'done') resolve(message.result)
            else reject(new FurlongError(message.code as ErrorCode, message.details))
          }
          const onError = (error: unknown): void => {
            leave()
            reject(asFurlongError(error))
          }
          const onExit = (): void => onError(new Error('the thread ended'))
          const leave = (): void => {
            mine.off('message', onMessage)
            mine.off('error', onError)
            mine.off('exit', onExit)
          }
          mine.on('message', onMessage)
          mine.on('error', onError)
          mine.on('exit', onExit)
          mine.postMessage(job)
        })
      } finally {
        endWhenIdle()
      }
    },
    stop: async () => {
      clearTimeout(idle)
      await thread?.terminate()
      thread = null
    },
  }
}
