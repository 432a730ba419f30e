// @module-tag rest
import { expect, test } from 'vitest'
import { addDays } from '../../domain/region.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { LiveDemonstration } from '../../server/ingest/live-demonstration.ts'
import { auditLocks } from '../../server/scoring/audit.ts'
import { Forecasters } from '../../server/scoring/forecast.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { claimSimulation } from '../../server/store/racing/demonstration.ts'
import { writeHkFiles } from '../fixtures/hk-files.ts'
import { newSmallSeason, SMALL_SEASON_DAYS } from '../support/api.ts'
import { describeOnBoth, newFolder, type TestDatabase } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const REGIONS = ['100000', '100036']
/** A result is known at most three minutes after the start. */
const RESULT_KNOWN_MS = 3 * MINUTE_MS
const after = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * MINUTE_MS)

interface Race {
  id: string
  regionId: string
  date: string
  raceNo: number
  startsAt: string
  status: string
  settled: boolean
  paid: boolean
}

/** What reads the races of a database, and what runs them as a server and its worker do. */
function driver(place: TestDatabase) {
  const { database } = place
  const rows = <Row>(sql: string, values: string[] = []): Promise<Row[]> => database.rows<Row>(sql, values)
  const forecasters = new Forecasters()
  const racesOf = (date: string): Promise<Race[]> =>
    rows(
      `select id, region_id, race_date as date, race_no, starts_at, status,
         exists (select from settlement where race_id = race.id) as settled,
         exists (select from dividend where race_id = race.id) as paid
       from race where race_date = $1::date order by starts_at, id`,
      [date],
    )
  /** Races that still wait for their result long after their start. */
  const forgotten = (now: Date): Promise<{ id: string }[]> =>
    rows(`select id from race where status = 'scheduled' and starts_at < $1`, [
      new Date(now.getTime() - RESULT_KNOWN_MS).toISOString(),
    ])
  const run = async (live: LiveDemonstration, from: Date, minutes: number, stepSeconds: number) => {
    for (let at = from.getTime(); at < from.getTime() + minutes * MINUTE_MS; at += stepSeconds * SECOND_MS) {
      const now = new Date(at)
      while ((await live.advance(now)) > 0);
      await scoreStaleRaces(database, undefined, () => now, forecasters)
      expect(await forgotten(now)).toEqual([])
    }
    return new Date(from.getTime() + minutes * MINUTE_MS)
  }
  return { rows, racesOf, run, forgotten }
}

describeOnBoth('the demonstration goes on, on %s', { usual: 'postgresql' }, (kind) => {
  test('a meeting today in every region, a race within ten minutes, odds, tip, withdrawal, result; to the last race and the next day', async () => {
    const place = await newSmallSeason(kind)
    const { rows, racesOf, run } = driver(place)
    const live = new LiveDemonstration(place.database)
    // A Saturday, on which Hong Kong has no usual meeting.
    await live.advance(DEMO_DAY)
    const date = '2026-11-21'
    const announced = await racesOf(date)
    for (const regionId of REGIONS) {
      const own = announced.filter((race) => race.regionId === regionId)
      expect(own.length).toBeGreaterThanOrEqual(6)
      const [first] = own
      expect(Date.parse(first!.startsAt) > DEMO_DAY.getTime()).toBe(true)
      expect(Date.parse(first!.startsAt) <= after(DEMO_DAY, 10).getTime()).toBe(true)
    }
    const watched = announced.find(({ regionId }) => regionId === '100000')!.id
    const oddsOf = (): Promise<unknown[]> =>
      rows('select horse_no, win_odds from runner where race_id = $1 order by horse_no', [watched])
    const tipsOf = (): Promise<unknown[]> =>
      rows(`select sha256 from prediction_lock where race_id = $1 and model_id = 'market-baseline'`, [
        watched,
      ])

    let now = await run(live, DEMO_DAY, 1, 20)
    const [oddsBefore, tipsBefore] = [await oddsOf(), await tipsOf()]
    expect(tipsBefore.length).toBeGreaterThan(0)
    now = await run(live, now, 4, 20)
    expect(await oddsOf()).not.toEqual(oddsBefore)
    expect((await tipsOf()).length).toBeGreaterThan(tipsBefore.length)
    expect(
      await rows(`select 1 from runner where race_id = $1 and status = 'withdrawn'`, [watched]),
    ).not.toEqual([])
    now = await run(live, now, 5, 20)
    expect((await racesOf(date)).find(({ id }) => id === watched)).toMatchObject({
      status: 'final',
      settled: true,
      paid: true,
    })
    // Nothing was predicted after the start: what counts was locked before.
    expect(
      await rows(
        'select 1 from prediction_lock l join race on race.id = l.race_id where locked_at >= starts_at',
      ),
    ).toEqual([])

    now = await run(live, now, 100, 120)
    const over = await racesOf(date)
    expect(over.length).toBeGreaterThanOrEqual(12)
    for (const race of over) expect(race).toMatchObject({ status: 'final', settled: true, paid: true })
    const audit = await auditLocks(place.database, '0001-01-01', now)
    expect([audit.broken, audit.brokenChains]).toEqual([[], []])
    const [locked] = await rows<{ count: number }>(
      'select count(distinct (race_id, model_id)) from prediction_lock',
    )
    expect(audit.checked).toBe(locked!.count)
    expect(audit.checked).toBeGreaterThanOrEqual(over.length)

    // The day ends in Hong Kong, and the worker brings the other days up to date.
    const midnight = new Date('2026-11-21T16:00:05Z')
    await live.advance(new Date(midnight.getTime() - MINUTE_MS))
    await run(live, midnight, 1, 60)
    expect(await ensureDemonstration(place.database, midnight, SMALL_SEASON_DAYS)).toBe(true)
    expect(await racesOf(date)).toEqual(over)
    const next = (await racesOf(addDays(date, 1))).filter(({ regionId }) => regionId === '100000')
    expect(next.length).toBeGreaterThanOrEqual(6)
    for (const { status, startsAt } of next) {
      expect(status).toBe('scheduled')
      expect(Date.parse(startsAt)).toBeGreaterThan(midnight.getTime())
    }
    await place.close()
  })

  test(
    'races that were missed while no server ran are run at the next start, and others follow within ten minutes',
    { tags: ['rest'] },
    async () => {
      const place = await newSmallSeason(kind)
      const { racesOf, run, forgotten } = driver(place)
      const now = await run(new LiveDemonstration(place.database), DEMO_DAY, 4, 60)
      const planned = await racesOf('2026-11-21')
      // Killed before the first race, and started again after four of Hong Kong's.
      const again = after(now, 35)
      expect((await forgotten(again)).length).toBeGreaterThan(2)
      await run(new LiveDemonstration(place.database), again, 1, 60)
      const races = await racesOf('2026-11-21')
      for (const race of races)
        if (
          Date.parse(planned.find(({ id }) => id === race.id)!.startsAt) <
          again.getTime() - RESULT_KNOWN_MS
        )
          expect(race).toMatchObject({ status: 'final', settled: true, paid: true })
      for (const regionId of REGIONS)
        expect(
          races.some(
            ({ regionId: region, status, startsAt }) =>
              region === regionId &&
              status === 'scheduled' &&
              Date.parse(startsAt) <= after(again, 10).getTime(),
          ),
        ).toBe(true)
      // All of them are over a day later, when further ones are added for whoever starts a server again.
      const evening = after(again, 240)
      const live = new LiveDemonstration(place.database)
      await run(live, evening, 1, 60)
      const added = await racesOf('2026-11-21')
      expect(added.length).toBeGreaterThan(races.length)
      expect(added.filter(({ status }) => status === 'scheduled').length).toBeGreaterThan(3)
      await place.close()
    },
  )

  test(
    'a process that is killed between any two batches changes nothing of what happens, and two do not double it',
    { tags: ['rest'] },
    async () => {
      const [one, other] = [await newSmallSeason(kind), await newSmallSeason(kind)]
      const tell = (place: TestDatabase) =>
        place.database.rows(
          `select id, status, starts_at, winning_time_ms, (select count(*) from dividend where race_id = race.id) as lines,
           (select string_agg(concat(horse_no, ' ', place, ' ', status), ',' order by horse_no) from runner where race_id = race.id) as runners
         from race where race_date = '2026-11-21' order by id`,
        )
      const steady = new LiveDemonstration(one.database)
      const pair = [new LiveDemonstration(other.database), new LiveDemonstration(other.database)] as const
      for (let minute = 0; minute < 12; minute += 1) {
        const now = after(DEMO_DAY, minute)
        while ((await steady.advance(now)) > 0);
        const sent = async (): Promise<number> => {
          const [first, second] = await Promise.all(pair.map((each) => each.advance(now)))
          return first! + second!
        }
        while ((await sent()) > 0);
        // A new process each minute, which finds everything in the database.
        const third = new LiveDemonstration(other.database)
        while ((await third.advance(now)) > 0);
      }
      expect(await tell(other)).toEqual(await tell(one))
      const [results] = await other.database.rows<{ twice: number }>(
        `select count(*) - count(distinct key) as twice from feed_batch where kind in ('results', 'dividends')`,
      )
      expect(results!.twice).toBe(0)
      await Promise.all([one.close(), other.close()])
    },
  )

  test('the server waits while a command runs the races, and stops when imported data replace them', async () => {
    const place = await newSmallSeason(kind)
    const { rows } = driver(place)
    const live = new LiveDemonstration(place.database)
    const claim = (until: Date | null): Promise<boolean> =>
      place.database.transaction((queries) => claimSimulation(queries, 'command', DEMO_DAY, until))
    expect(await claim(after(DEMO_DAY, 1))).toBe(true)
    expect(
      await place.database.transaction((queries) =>
        claimSimulation(queries, 'another', DEMO_DAY, after(DEMO_DAY, 1)),
      ),
    ).toBe(false)
    expect(await live.advance(DEMO_DAY)).toBe(0)
    // The command was killed: what it claimed ends by itself.
    expect(await live.advance(after(DEMO_DAY, 2))).toBeGreaterThan(0)

    const request = { format: HK_FORMAT, paths: [writeHkFiles(newFolder())] }
    await importFiles(place.database, { ...request, replaceDemonstration: true })
    expect(await live.advance(after(DEMO_DAY, 30))).toBe(0)
    expect(await new LiveDemonstration(place.database).advance(after(DEMO_DAY, 60))).toBe(0)
    expect(await rows('select count(*) as races from race')).toEqual([{ races: 4 }])
    await place.close()
  })

  test('a race whose result the feed does not take is abandoned', async () => {
    const place = await newSmallSeason(kind)
    const { rows, racesOf, run } = driver(place)
    const live = new LiveDemonstration(place.database)
    const now = await run(live, DEMO_DAY, 1, 60)
    const [race] = await racesOf('2026-11-21')
    // The simulation does not know that an operator withdrew the horse.
    await rows(
      `update runner set status = 'withdrawn' where race_id = $1 and horse_no = (
         select min(horse_no) from runner where race_id = $1 and status = 'declared')`,
      [race!.id],
    )
    await run(live, now, 12, 60)
    expect((await racesOf('2026-11-21')).find(({ id }) => id === race!.id)?.status).toBe('abandoned')
    await place.close()
  })
})
