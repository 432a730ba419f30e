import { FurlongError } from '../../domain/errors.ts'
import type { LaneRunner } from './thread-lane.ts'
import { JobRunner, type JobContext } from './run-job.ts'

/**
 * Runs jobs in this thread: for a command that has the embedded database to itself, where nobody could renew a lease, or take
 * one over, while it works.
 */
export function inlineLane({
  database,
  dataFolder,
  bucket,
  now,
}: Omit<JobContext, 'onProgress'>): LaneRunner {
  let stopped = false
  let tell: (text: string) => void = () => {}
  const runner = new JobRunner({
    database,
    dataFolder,
    bucket,
    now,
    onProgress: (text) => {
      // Thrown into the work, whose transaction undoes what it has begun.
      if (stopped) throw new FurlongError('query-cancelled')
      tell(text)
    },
  })
  return {
    run: (job, onProgress) => {
      tell = onProgress
      return runner.run(job)
    },
    stop: async () => {
      stopped = true
    },
  }
}
