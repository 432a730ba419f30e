import { spawn, type ChildProcess } from 'node:child_process'
import { inlineLane } from '../../server/jobs/inline-lane.ts'
import { JobWorker } from '../../server/jobs/worker.ts'
import { FURLONG, ROOT } from './server-process.ts'
import type { TestDatabase } from './databases.ts'

/** Runs the jobs of a database beside a server under test, until the returned function is called. */
export function startWorker(
  { database, dataFolder }: Pick<TestDatabase, 'database' | 'dataFolder'>,
  now: () => Date = () => new Date(),
): () => Promise<void> {
  const stop = new AbortController()
  const worker = new JobWorker(database, {
    lane: () => inlineLane({ database, place: { dataFolder, bucket: undefined }, now }),
  })
  const ended = worker.run(stop.signal)
  return () => {
    stop.abort()
    return ended
  }
}

/** Starts a separate `furlong work` process with the given options, as an operator does. */
export function startWorkProcess(
  { dataFolder, databaseUrl }: Pick<TestDatabase, 'dataFolder' | 'databaseUrl'>,
  ...options: string[]
): ChildProcess {
  return spawn(process.execPath, [...FURLONG, 'work', ...options], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: '', FURLONG_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' },
    stdio: 'ignore',
  })
}
