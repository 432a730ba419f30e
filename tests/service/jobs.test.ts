import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FurlongError } from '../../domain/errors.ts'
import type { Lane, NewJob } from '../../server/drafts/job-kinds.ts'
import type { LaneRunner } from '../../server/jobs/thread-lane.ts'
import { JobWorker, type WorkerEvent } from '../../server/jobs/worker.ts'
import {
  cancelJob,
  claimJob,
  enqueueEvery,
  enqueueJob,
  finishJob,
  listJobs,
  readJobs,
  renewLeases,
  retryJob,
  sweepJobs,
  type StoredJob,
} from '../../server/store/operation/job-store.ts'
import type { Database } from '../../server/db/database.ts'
import { openDatabase } from '../../server/db/open.ts'
import { describeOnBoth, newDatabase, type TestDatabase } from '../support/databases.ts'

const SCORE: NewJob = { kind: 'score', payload: {} }
const importOf = (path: string): NewJob => ({
  kind: 'import',
  payload: { format: 'furlong', paths: [path], replaceDemonstration: false, train: false, host: hostname() },
})

describeOnBoth('jobs on %s', { usual: 'postgresql' }, (kind) => {
  let place: TestDatabase
  beforeAll(async () => {
    place = await newDatabase(kind)
  })
  afterAll(() => place.close())
  beforeEach(() => place.database.rows('delete from job'))
  const jobOf = async (id: string): Promise<StoredJob> => (await readJobs(place.database, [id]))[0]!
  const claim = (lanes: Lane[], leaseMs = 1000) =>
    claimJob(place.database, { worker: 'elsewhere/1/1/a', lanes, host: hostname(), leaseMs, only: null })
  const stateOf = async (id: string) => (await jobOf(id)).state
  /** Runs a worker until `until` holds. */
  const workUntil = async (
    run: LaneRunner['run'],
    until: () => Promise<boolean>,
    events: WorkerEvent[] = [],
    stop: () => Promise<void> = async () => {},
    retryMs = 1,
  ): Promise<void> => {
    const worker = new JobWorker(place.database, {
      lane: () => ({ run, stop }),
      retryMs,
      onEvent: (event) => events.push(event),
    })
    const ended = new AbortController()
    const working = worker.run(ended.signal)
    await expect.poll(until).toBe(true)
    ended.abort()
    await working
  }

  test('who asks for what waits gets that job; what runs already is asked for anew', async () => {
    const { database } = place
    const first = await enqueueJob(database, SCORE)
    expect(await enqueueJob(database, SCORE)).toBe(first)
    expect(await claim(['heavy'])).toBeNull()
    expect(await claim(['score'])).toMatchObject({ id: first, attempts: 1 })
    const second = await enqueueJob(database, SCORE)
    expect(second).not.toBe(first)
    // Another job runs in its lane.
    expect(await claim(['score', 'build', 'heavy'])).toBeNull()
    expect(await finishJob(database, { id: first, attempts: 1 }, { races: 3 })).toBe(true)
    expect(await jobOf(first)).toMatchObject({ state: 'done', result: { races: 3 } })
    expect(await claim(['score'])).toMatchObject({ id: second })
  })

  test('a kind of a newer build is left to a worker of that build', async () => {
    await enqueueJob(place.database, SCORE)
    await place.database.rows(`update job set kind = 'of-tomorrow'`)
    expect(await claim(['score', 'build', 'heavy'])).toBeNull()
    expect(await listJobs(place.database, 10)).toMatchObject([{ state: 'waiting' }])
  })

  test('a job that its transaction undoes was never asked for', async () => {
    await expect(
      place.database.transaction(async (queries) => {
        await enqueueJob(queries, SCORE)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await listJobs(place.database, 10)).toEqual([])
  })

  test('what follows from a job is done after it, also where a training was given up', async () => {
    const done: string[] = []
    const first = await enqueueJob(place.database, { kind: 'demonstration', payload: { verify: true } })
    await workUntil(
      async ({ kind: one }) => {
        if (one === 'train') throw new FurlongError('no-model')
        done.push(one)
        return { of: one }
      },
      async () => done.length === 3,
    )
    expect(done).toEqual(['demonstration', 'settle', 'build'])
    const [train] = await readJobs(place.database, (await jobOf(first)).next)
    expect(train).toMatchObject({ kind: 'train', state: 'dead', error: { code: 'no-model' } })
    const [settle] = await readJobs(place.database, train!.next)
    expect(settle).toMatchObject({ kind: 'settle', state: 'done', payload: { verify: true } })
  })

  test('an error that passes is tried again, later each time; then the job is given up, told, and tried when asked', async () => {
    const id = await enqueueJob(place.database, SCORE)
    const attempts: number[] = []
    const events: WorkerEvent[] = []
    await workUntil(
      async () => {
        attempts.push(Date.now())
        throw new FurlongError('busy')
      },
      async () => (await stateOf(id)) === 'dead',
      events,
    )
    expect(attempts).toHaveLength(5)
    expect(await jobOf(id)).toMatchObject({ failures: 5, error: { code: 'busy' }, next: [] })
    expect(events.filter((event) => event.kind === 'failed').map(({ again }) => again)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    const again = await retryJob(place.database, id)
    expect(await jobOf(again!)).toMatchObject({ state: 'waiting', failures: 0, kind: 'score' })
    expect(await retryJob(place.database, again!)).toBeNull()
    await workUntil(
      async () => null,
      async () => (await stateOf(again!)) === 'done',
    )
  })

  test(
    'asking again and again brings no attempt forward, and the failures of a job are not forgotten',
    { tags: ['rest'] },
    async () => {
      const { database } = place
      const attempts: number[] = []
      const asking = setInterval(() => void enqueueJob(database, SCORE), 20)
      const given = async (): Promise<boolean> => {
        const job = (await listJobs(database, 100)).find(({ state }) => state === 'dead')
        if (job) clearInterval(asking)
        return job !== undefined
      }
      await workUntil(
        async () => {
          attempts.push(Date.now())
          // Long enough for the same job to be requested meanwhile.
          await pause(60)
          throw new FurlongError('busy')
        },
        given,
        [],
        undefined,
        100,
      )
      // The first five attempts are 100, 200, 400 and 800 ms apart.
      expect(attempts.length).toBeGreaterThanOrEqual(5)
      expect(attempts[4]! - attempts[0]!).toBeGreaterThan(1500)
      const dead = (await listJobs(database, 100)).find(({ state }) => state === 'dead')
      expect(dead).toMatchObject({ failures: 5, error: { code: 'busy' } })
      // Once the same job has succeeded, the dead job needs no attention.
      await database.rows(`delete from job where state = 'waiting'`)
      await enqueueJob(database, SCORE)
      await workUntil(
        async () => null,
        async () => !(await given()),
      )
    },
  )

  test('after the database was away failures count as before', async () => {
    const { database } = place
    let away = true
    const flaky: Database = {
      ...database,
      rows: (sql, parameters) => {
        if (away) return Promise.reject(new Error('away'))
        return database.rows(sql, parameters)
      },
    }
    const worker = new JobWorker(flaky, {
      lane: () => ({
        run: () => Promise.reject(new FurlongError('file-missing', { file: 'x' })),
        stop: async () => {},
      }),
    })
    const ended = new AbortController()
    const id = await enqueueJob(database, importOf('/x.csv'))
    await expect(worker.run(ended.signal)).rejects.toThrow('away')
    away = false
    const working = worker.run(ended.signal)
    await expect.poll(() => stateOf(id)).toBe('dead')
    ended.abort()
    await working
  })

  test('an import is left to the machine that has its files', async () => {
    const { kind: one, payload } = importOf('/x.csv') as Extract<NewJob, { kind: 'import' }>
    await enqueueJob(place.database, { kind: one, payload: { ...payload, host: 'another-machine' } })
    expect(await claim(['heavy'])).toBeNull()
    await enqueueJob(place.database, importOf('/x.csv'))
    expect(await claim(['heavy'])).toMatchObject({ payload: { host: hostname() } })
  })

  test('an error that would come again gives a job up at once', async () => {
    const id = await enqueueJob(place.database, importOf('/nowhere.csv'))
    let attempts = 0
    await workUntil(
      async () => {
        attempts += 1
        throw new FurlongError('file-missing', { file: '/nowhere.csv' })
      },
      async () => (await stateOf(id)) === 'dead',
    )
    expect(attempts).toBe(1)
    expect((await jobOf(id)).error).toEqual({ code: 'file-missing', details: { file: '/nowhere.csv' } })
  })

  test('a worker of another machine keeps its job until its lease ends, and what it says later counts no more', async () => {
    const { database } = place
    const id = await enqueueJob(database, SCORE)
    const theirs = (await claim(['score'], 1500))!
    const began = Date.now()
    let took = 0
    await workUntil(
      async () => {
        took = Date.now() - began
        return 'mine'
      },
      async () => (await stateOf(id)) === 'done',
    )
    expect(took).toBeGreaterThan(1400)
    expect(await renewLeases(database, [{ ...theirs, progress: null }], 1000)).toEqual([id])
    expect(await finishJob(database, theirs, 'theirs')).toBe(false)
    expect(await jobOf(id)).toMatchObject({ result: 'mine', attempts: 2, failures: 1 })
  })

  test(
    'a job that is cancelled while it runs is stopped; one that waits is never begun',
    { tags: ['rest'] },
    async () => {
      const { database } = place
      const running = await enqueueJob(database, SCORE)
      const waiting = await enqueueJob(database, importOf('/a.csv'))
      expect(await cancelJob(database, waiting)).toBe(true)
      let stopped: () => void = () => {}
      const begun: string[] = []
      const events: WorkerEvent[] = []
      await workUntil(
        (job) =>
          new Promise((_, reject) => {
            begun.push(job.kind)
            stopped = () => reject(new Error('the thread ended'))
            if (job.kind === 'score') void cancelJob(database, running)
          }),
        async () => events.some((event) => event.kind === 'lost'),
        events,
        async () => stopped(),
      )
      expect(begun).toEqual(['score'])
      expect(await stateOf(running)).toBe('cancelled')
      expect(await stateOf(waiting)).toBe('cancelled')
      expect(await cancelJob(database, running)).toBe(false)
    },
  )

  test('a worker that is stopped puts its job back, and nobody counts it as a failure', async () => {
    const { database } = place
    const id = await enqueueJob(database, SCORE)
    let stopped: () => void = () => {}
    await workUntil(
      () => new Promise((_, reject) => (stopped = () => reject(new Error('the thread ended')))),
      async () => (await stateOf(id)) === 'running',
      [],
      async () => stopped(),
    )
    expect(await jobOf(id)).toMatchObject({ state: 'waiting', failures: 0 })
    expect(Date.parse((await jobOf(id)).dueAt)).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('what repeats itself is asked for once an interval; history is swept, what was given up stays', async () => {
    const { database } = place
    await enqueueEvery(database, SCORE, 60_000)
    const job = (await claim(['score']))!
    await finishJob(database, job, null)
    await enqueueEvery(database, SCORE, 60_000)
    expect(await listJobs(database, 10)).toHaveLength(1)
    await database.rows(`update job set created_at = created_at - interval '2 minutes'`)
    await enqueueEvery(database, SCORE, 60_000)
    expect(await listJobs(database, 10)).toHaveLength(2)
    await database.rows(`update job set state = 'dead', finished_at = now() where state = 'waiting'`)
    const soon = new Date(Date.now() + 60_000)
    await sweepJobs(database, soon, new Date(0))
    expect(await listJobs(database, 10)).toHaveLength(2)
    await sweepJobs(database, soon, soon)
    expect(await listJobs(database, 10)).toMatchObject([{ state: 'dead' }])
  })

  test(
    'four workers at once do each of sixty jobs once, one after the other in a lane',
    { tags: ['rest'] },
    async () => {
      const others =
        kind === 'pglite'
          ? [place.database, place.database, place.database]
          : await Promise.all([1, 2, 3].map(() => openDatabase(place)))
      const ids: string[] = []
      for (let count = 0; count < 60; count += 1)
        ids.push(await enqueueJob(place.database, importOf(`/${count}.csv`)))
      const done: string[] = []
      const by = new Set<number>()
      let atWork = 0
      let most = 0
      const stop = new AbortController()
      const working = [place.database, ...others].map((database, index) =>
        new JobWorker(database, {
          lanes: ['heavy'],
          lane: () => ({
            run: async (job) => {
              atWork += 1
              most = Math.max(most, atWork)
              await pause(Math.random() * 10)
              done.push((job as Extract<NewJob, { kind: 'import' }>).payload.paths[0]!)
              by.add(index)
              atWork -= 1
            },
            stop: async () => {},
          }),
        }).run(stop.signal),
      )
      await expect.poll(() => done.length, { timeout: 60_000 }).toBe(60)
      await expect
        .poll(
          async () => (await readJobs(place.database, ids)).filter(({ state }) => state === 'done').length,
        )
        .toBe(60)
      stop.abort()
      await Promise.all(working)
      expect(new Set(done).size).toBe(60)
      expect(most).toBe(1)
      expect(by.size).toBeGreaterThan(1)
      if (kind === 'postgresql') await Promise.all(others.map((database) => database.close()))
    },
  )
})
