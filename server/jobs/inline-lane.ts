import { FurlongError } from '../../domain/errors.ts'
import type { LaneRunner } from './thread-lane.ts'
import { JobRunner, type JobContext } from './run-job.ts'

/**
 * Runs jobs in this thread, for a command with exclusive access to the embedded database: no other process
 * could renew or take over a lease while it works.
 */
export function inlineLane(context: Omit<JobContext, 'onProgress'>): LaneRunner {
  let stopped = false
  let tell: (text: string) => void = () => {}
  const runner = new JobRunner({
    ...context,
    onProgress: (text) => {
      // Thrown into the work, whose transaction is rolled back.
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
