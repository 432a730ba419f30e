// @module-tag rest
import { execFileSync } from 'node:child_process'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { FURLONG, startServerProcess } from '../support/server-process.ts'
import { doJobs } from '../../server/jobs/do-jobs.ts'
import type { NewJob } from '../../server/drafts/job-kinds.ts'
import {
  claimJob,
  enqueueJob,
  listJobs,
  readJobs,
  type StoredJob,
} from '../../server/store/operation/job-store.ts'
import { newSmallSeason } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { startWorkProcess } from '../support/worker.ts'

const SCORE: NewJob = { kind: 'score', payload: {} }
const IMPORT: NewJob = {
  kind: 'import',
  payload: {
    format: 'furlong',
    paths: ['/x.csv'],
    replaceDemonstration: false,
    train: false,
    host: hostname(),
  },
}

describeOnBoth('a command that does jobs, on %s', { usual: 'postgresql' }, (kind) => {
  test('a command puts back what a dead worker left, and gives up nothing that others asked for', async () => {
    const place = await newDatabase(kind)
    const { database } = place
    const stateOf = async (id: string) => (await jobOf(id)).state
    const jobOf = async (id: string): Promise<StoredJob> => (await readJobs(database, [id]))[0]!
    const build: NewJob = { kind: 'build', payload: { verify: false } }
    const orphan = await enqueueJob(database, build)
    await claimJob(database, {
      worker: 'elsewhere/1/1/a',
      lanes: ['build'],
      host: hostname(),
      leaseMs: 0,
      only: null,
    })
    const stop = new AbortController()
    const shared = await enqueueJob(database, SCORE)
    // Another machine occupies the lane, so the command waits until it is stopped.
    await enqueueJob(database, { kind: 'settle', payload: { verify: true } })
    await database.rows(`update job set state = 'running', worker = 'elsewhere/1/1/b',
      lease_until = clock_timestamp() + interval '1 minute' where kind = 'settle'`)
    const doing = doJobs(database, { ...place, standbyUrl: undefined, bucket: undefined }, SCORE, {
      alone: false,
      onProgress: () => {},
      stop: stop.signal,
    })
    await expect.poll(() => stateOf(orphan)).toBe('waiting')
    expect(await jobOf(orphan)).toMatchObject({ failures: 1 })
    stop.abort()
    await expect(doing).rejects.toMatchObject({ code: 'query-cancelled' })
    expect(await stateOf(shared)).toBe('waiting')
    const ended = new AbortController()
    await database.rows(`update job set state = 'running', lane = 'heavy' where kind = 'settle'`)
    const importing = doJobs(database, { ...place, standbyUrl: undefined, bucket: undefined }, IMPORT, {
      alone: false,
      onProgress: () => {},
      stop: ended.signal,
    })
    await expect
      .poll(async () => (await listJobs(database, 10)).some(({ kind: one }) => one === 'import'))
      .toBe(true)
    ended.abort()
    await expect(importing).rejects.toMatchObject({ code: 'query-cancelled' })
    expect((await listJobs(database, 10)).find(({ kind: one }) => one === 'import')).toMatchObject({
      state: 'cancelled',
    })
    await place.close()
  })
})

test('a worker that is killed at work is taken over by another, and every race is predicted once', async () => {
  const place = await newSmallSeason('postgresql')
  const { database } = place
  const linesOf = () =>
    database.rows('select race_id, model_id, count(*) as n from prediction group by 1, 2 order by 1, 2')
  const before = await linesOf()
  await database.rows('delete from prediction_lock')
  await database.rows(`update race set scoring = 'stale'`)
  const id = await enqueueJob(database, { kind: 'settle', payload: { verify: false } })
  const stale = async (): Promise<number> =>
    (await database.rows<{ n: number }>(`select count(*) as n from race where scoring = 'stale'`))[0]!.n
  const all = await stale()
  const first = startWorkProcess(place)
  await expect.poll(async () => (await stale()) < all, { interval: 10 }).toBe(true)
  first.kill('SIGKILL')
  expect(await stale()).toBeGreaterThan(0)
  // A worker of the same machine need not wait for the end of its lease.
  await database.rows(`update job set lease_until = clock_timestamp() + interval '1 hour' where id = $1`, [
    id,
  ])
  const second = startWorkProcess(place)
  await expect.poll(async () => (await readJobs(database, [id]))[0]!.state).toBe('done')
  expect(await stale()).toBe(0)
  expect(await linesOf()).toEqual(before)
  second.kill('SIGTERM')
  await place.close()
})

test(
  'a server keeps one worker, replaces it when it dies, and takes it along however it ends itself',
  { tags: ['rest'] },
  async () => {
    const { database, dataFolder } = await newSmallSeason('pglite', new Date())
    // A server of an earlier boot, since switched off, was running this job.
    const left = await enqueueJob(database, { kind: 'settle', payload: { verify: false } })
    await claimJob(database, {
      worker: 'another-boot/1/1/a',
      lanes: ['score'],
      host: hostname(),
      leaseMs: 300_000,
      only: null,
    })
    await database.close()
    const server = await startServerProcess({ FURLONG_DATA: dataFolder }, /\nready\n/)
    const workers = (): number[] => {
      try {
        return execFileSync('pgrep', ['-P', String(server.process.pid), '-f', 'cli.js work'])
          .toString()
          .split('\n')
          .filter(Boolean)
          .map(Number)
      } catch {
        return []
      }
    }
    await expect
      .poll(
        () =>
          execFileSync(process.execPath, [...FURLONG, 'jobs', 'list', '--limit', '50'], {
            env: { ...process.env, FURLONG_DATA: dataFolder, DATABASE_URL: '', NODE_ENV: '' },
          }).toString(),
        { interval: 500 },
      )
      .toContain(`${left} settle done`)
    const [worker, ...others] = workers()
    expect(others).toEqual([])
    process.kill(worker!, 'SIGKILL')
    await expect.poll(workers).not.toEqual([worker])
    await expect.poll(workers).toHaveLength(1)
    const [next] = workers()
    await expect.poll(() => server.printed()).toContain('another is started')
    await server.kill()
    const isThere = (pid: number): boolean => {
      try {
        process.kill(pid, 0)
        return true
      } catch {
        return false
      }
    }
    await expect.poll(() => isThere(next!)).toBe(false)
  },
)
