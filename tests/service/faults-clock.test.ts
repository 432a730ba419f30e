// @module-tag rest
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freezeRules, queryFrozenBets } from '../../contract/api/frozen.ts'
import { queryLockChain } from '../../contract/api/model.ts'
import { brokenLink } from '../../domain/prediction-lock.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { JobWorker } from '../../server/jobs/worker.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { RECORD_BEFORE_MS, recordFrozenBets } from '../../server/dataset/frozen-rules.ts'
import { enqueueJob, listJobs } from '../../server/store/operation/job-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const REGION = '100000'
const MINUTE = 60_000
const DAY = 86_400_000
const TODAY = '2026-11-22'

describeOnBoth('a clock that is set, on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let server: TestServer
  let vip: string
  let time = DEMO_DAY
  let races: { id: string; at: number }[]
  const rows = <Row>(sql: string, values: string[] = []): Promise<Row[]> =>
    server.database.rows<Row>(sql, values)
  beforeAll(async () => {
    const place = await newSmallSeason(kind)
    await buildDataset(place.database, place.dataFolder, DEMO_DAY)
    server = await TestServer.start(place, { time: () => time })
    vip = (await seedCustomer(server.database, { at: DEMO_DAY })).token
    await server.buy(vip)
    races = (
      await rows<{ id: string; at: string }>(
        `select id, starts_at as at from race where region_id = $1 and race_date = $2::date order by race_no`,
        [REGION, TODAY],
      )
    ).map(({ id, at }) => ({ id, at: Date.parse(at) }))
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  /** Changes the odds of all upcoming races and predicts them anew. Returns the races that got a new lock. */
  const moveOdds = async (): Promise<string[]> => {
    const before = await rows<{ n: number }>(
      'select count(*) as n from prediction_lock where region_id = $1',
      [REGION],
    )
    await rows(
      `update runner set win_odds = win_odds * 1.5 where horse_no = 2 and race_id in (
         select id from race where status = 'scheduled' and region_id = $1)`,
      [REGION],
    )
    await rows(`update race set scoring = 'stale' where status = 'scheduled' and region_id = $1`, [REGION])
    await scoreStaleRaces(server.database, undefined, () => time)
    const fresh = await rows<{ id: string }>(
      `select race_id as id from prediction_lock where region_id = $1 and number > $2::integer`,
      [REGION, String(before[0]!.n)],
    )
    return fresh.map(({ id }) => id)
  }
  const late = () =>
    rows(
      `select number from prediction_lock l join race on race.id = l.race_id where l.locked_at >= race.starts_at`,
    )
  const chainHolds = async (): Promise<void> => {
    const { previous, entries } = await server.ask(queryLockChain, { query: { countryRegionId: REGION } })
    expect(brokenLink(previous, entries)).toBeNull()
  }

  test('set back over a post time: what had started is neither predicted nor locked nor recorded', async () => {
    const { id } = await server.ask(freezeRules, { token: vip, body: FROZEN })
    const [first, second] = races as [{ id: string; at: number }, { id: string; at: number }]
    // The first race has started, and its result is not known yet.
    time = new Date(first.at + MINUTE)
    expect(await moveOdds()).toContain(second.id)
    const said = () =>
      rows(
        'select gameplay_class, rank, combination, probability from prediction where race_id = $1 order by 1, 2',
        [first.id],
      )
    const before = await said()
    // Set back to minutes before its post time, at which its bets would be recorded.
    time = new Date(first.at - RECORD_BEFORE_MS + MINUTE)
    const locked = await moveOdds()
    expect(locked).not.toContain(first.id)
    expect(locked).toContain(second.id)
    expect(await said()).toEqual(before)
    await recordFrozenBets(server.context)
    expect(await server.ask(queryFrozenBets, { token: vip, query: { id } })).toEqual([])
    expect(await late()).toEqual([])
    // Once it runs as before, so does everything else.
    time = new Date(second.at - RECORD_BEFORE_MS + MINUTE)
    expect(await moveOdds()).toContain(second.id)
    expect(await recordFrozenBets(server.context)).toBe(1)
    expect(await recordFrozenBets(server.context)).toBe(0)
    const bets = await server.ask(queryFrozenBets, { token: vip, query: { id } })
    expect(bets.map(({ raceId }) => raceId)).toEqual([second.id])
    await chainHolds()
  })

  test('set forward by days and corrected: later locks carry the right time again, before the post time', async () => {
    const right = new Date(races[1]!.at + MINUTE)
    time = new Date(right.getTime() + 3 * DAY)
    await moveOdds()
    time = right
    const locked = await moveOdds()
    expect(locked.length).toBeGreaterThan(0)
    expect(await late()).toEqual([])
    const [last] = await rows<{ at: string }>(
      'select locked_at as at from prediction_lock where region_id = $1 order by number desc limit 1',
      [REGION],
    )
    expect(last!.at).toBe(right.toISOString())
    await chainHolds()
  })
})

describeOnBoth(
  'leases when the clock of the database is set, on %s',
  { usual: 'postgresql', other: 'soak' },
  (kind) => {
    /** What a clock that is set does to the leases and due times that are stored. */
    const setClock = (hours: number): string =>
      `update job set lease_until = lease_until - interval '${hours} hours', due_at = due_at - interval '${hours} hours'`

    test.each([
      ['forward', 1],
      ['back', -1],
    ])('%s: a job is completed once, and what follows from it is done', async (_, hours) => {
      const { database, close } = await newDatabase(kind)
      const completed: string[] = []
      let started = 0
      let release = (): void => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const worker = () =>
        new JobWorker(database, {
          lane: () => ({
            run: async ({ kind: of }) => {
              if (of === 'import') {
                started += 1
                await released
              }
              return null
            },
            stop: async () => {},
          }),
          onEvent: (event) => {
            if (event.kind === 'done') completed.push(event.job.kind)
          },
        })
      const payload = {
        format: 'furlong',
        paths: ['x'],
        replaceDemonstration: false,
        train: false,
        host: hostname(),
      }
      const id = await enqueueJob(database, { kind: 'import', payload })
      const stop = new AbortController()
      const workers = [worker().run(stop.signal), worker().run(stop.signal)]
      await expect.poll(() => started).toBe(1)
      const lease = async (): Promise<string | undefined> =>
        (
          await database.rows<{ lease: string }>('select lease_until::text as lease from job where id = $1', [
            id,
          ])
        )[0]?.lease
      await database.rows(setClock(hours))
      const before = await lease()
      // The lease is renewed, or the job is taken over; in both cases one attempt ends it.
      await expect.poll(async () => started > 1 || (await lease()) !== before, { timeout: 60_000 }).toBe(true)
      release()
      const jobs = () => listJobs(database, 100)
      await expect
        .poll(async () => (await jobs()).every(({ state }) => state === 'done' || state === 'cancelled'), {
          timeout: 30_000,
        })
        .toBe(true)
      stop.abort()
      await Promise.all(workers)
      const all = await jobs()
      expect(all.filter(({ kind: of }) => of === 'import')).toMatchObject([{ id, state: 'done' }])
      expect(completed.filter((of) => of === 'import')).toHaveLength(1)
      // An attempt that lost its lease may have committed its rows, so it asks for what follows too: done once or twice,
      // with the same result.
      expect([...new Set(all.map(({ kind: of }) => of))].toSorted()).toEqual(['build', 'import', 'settle'])
      expect(completed.toSorted()).toEqual(
        all
          .filter(({ state }) => state === 'done')
          .map(({ kind: of }) => of)
          .toSorted(),
      )
      await close()
    })
  },
)
