// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryDayMarket } from '../../contract/api/market.ts'
import { queryRaceCompetitor } from '../../contract/api/racing.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { boardRows } from '../../domain/market-board.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { describeOnBoth } from '../support/databases.ts'

const HK = '100000'
const MINUTE_MS = 60_000

interface Expected {
  raceId: string
  horseId: string
  opening: number | null
  thirty: number | null
  ten: number | null
  last: number | null
  share: number | null
}

/** Written apart from the server's: ticks numbered by windows, and pools summed over bets. */
const FIGURES = `
  with starter as (
    select r.id as race_id, h.horse_id, h.win_odds, coalesce(h.entry_no, h.horse_no) as bet, r.starts_at
    from race r join runner h on h.race_id = r.id
    where r.region_id = $1 and r.race_date = $2::date and h.status <> 'withdrawn'
  ), tick as (
    select t.*, s.starts_at,
      row_number() over (partition by t.race_id, t.horse_no order by t.seen_at) as nth,
      lead(t.seen_at) over (partition by t.race_id, t.horse_no order by t.seen_at) as until
    from odds_tick t join (select distinct race_id, starts_at from starter) s using (race_id)
    where t.seen_at <= $3
  ), pool as (
    select race_id, sum(1 / odds) as total, bool_or(odds is null) as unknown
    from (select race_id, bet, max(win_odds) as odds from starter group by race_id, bet) each_bet group by race_id
  ), shown as (
    select s.race_id, s.horse_id, s.win_odds, m.minutes, t.odds
    from starter s cross join (values (30), (10)) as m (minutes)
    left join tick t on t.race_id = s.race_id and t.horse_no = s.bet
      and t.seen_at <= s.starts_at - make_interval(mins => m.minutes)
      and (t.until is null or t.until > s.starts_at - make_interval(mins => m.minutes))
      and s.starts_at - make_interval(mins => m.minutes) <= $3
  )
  select s.race_id, s.horse_id, s.win_odds as last, first.odds as opening,
    max(shown.odds) filter (where minutes = 30) as thirty, max(shown.odds) filter (where minutes = 10) as ten,
    case when not pool.unknown then 1 / s.win_odds / pool.total end as share
  from starter s join shown on shown.race_id = s.race_id and shown.horse_id = s.horse_id
  join pool on pool.race_id = s.race_id
  left join tick first on first.race_id = s.race_id and first.horse_no = s.bet and first.nth = 1
  group by s.race_id, s.horse_id, s.win_odds, first.odds, pool.unknown, pool.total
  order by s.race_id, s.horse_id`

describeOnBoth('the market of a day on %s', { usual: 'pglite' }, (kind) => {
  let server: TestServer
  let time = DEMO_DAY
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => time })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const lastDay = async (): Promise<{ day: string; raceId: string; off: string }> => {
    const [row] = await server.database.rows<{ day: string; raceId: string; off: string }>(
      `select race_date::text as day, id as race_id, starts_at as off from race
       where status = 'final' and region_id = $1 order by race_date desc, race_no offset 4 limit 1`,
      [HK],
    )
    return row!
  }
  const vip = async (): Promise<string> => {
    const { token } = await server.register()
    await server.buy(token)
    return token
  }
  const told = async (token: string, day: string): Promise<Expected[]> => {
    const races = await server.ask(queryDayMarket, { token, query: { countryRegionId: HK, today: day } })
    return boardRows<(typeof races)[number]['runners'][number], (typeof races)[number]>(races)
      .map(({ race, runner, share }) => ({
        raceId: race.raceId,
        horseId: runner.horseId,
        opening: runner.openingOdds,
        thirty: runner.thirtyMinuteOdds,
        ten: runner.tenMinuteOdds,
        last: runner.odds,
        share: share === null ? null : Number(share.toFixed(9)),
      }))
      .toSorted((a, b) => `${a.raceId}${a.horseId}`.localeCompare(`${b.raceId}${b.horseId}`))
  }
  const expected = async (day: string): Promise<Expected[]> =>
    (await server.database.rows<Expected>(FIGURES, [HK, day, time]))
      .map((row) => ({ ...row, share: row.share === null ? null : Number(row.share.toFixed(9)) }))
      .toSorted((a, b) => `${a.raceId}${a.horseId}`.localeCompare(`${b.raceId}${b.horseId}`))

  test('after the meeting all figures are those of the recorded odds', async () => {
    const token = await vip()
    const { day, raceId } = await lastDay()
    const rows = await told(token, day)
    expect(rows).toEqual(await expected(day))
    expect(rows.length).toBeGreaterThan(60)
    expect(
      rows.every(({ opening, thirty, ten }) => opening !== null && thirty !== null && ten !== null),
    ).toBe(true)
    expect(rows.filter(({ opening, last }) => opening !== last).length).toBeGreaterThan(20)
    expect(rows.filter(({ ten, last }) => ten !== last).length).toBeGreaterThan(10)
    // So are its places.
    const race = (
      await server.ask(queryDayMarket, { token, query: { countryRegionId: HK, today: day } })
    ).find((each) => each.raceId === raceId)
    const places = await server.database.rows<{ horseId: string; ranking: string }>(
      `select horse_id, coalesce(place::text, place_code) as ranking from runner
       where race_id = $1 and status <> 'withdrawn' order by horse_id`,
      [raceId],
    )
    expect(
      race!.runners
        .map(({ horseId, ranking }) => ({ horseId, ranking }))
        .toSorted((a, b) => (a.horseId < b.horseId ? -1 : 1)),
    ).toEqual(places)
    // The card's odds of ten minutes before the start are the board's.
    const runners = await server.ask(queryRaceCompetitor, { token, query: { raceId } })
    const ten = new Map(rows.filter((row) => row.raceId === raceId).map((row) => [row.horseId, row.ten]))
    const started = runners.filter(({ status }) => status !== 'withdrawn')
    expect(started.map(({ horseId, tenMinuteOdds }) => [horseId, tenMinuteOdds])).toEqual(
      started.map(({ horseId }) => [horseId, ten.get(horseId)]),
    )
  })

  test('before a mark there are no odds of it, and none of the future are told', async () => {
    const token = await vip()
    const { day, raceId, off } = await lastDay()
    for (const [minutes, known] of [
      [31, []],
      [20, ['thirty']],
      [5, ['thirty', 'ten']],
    ] as const) {
      time = new Date(Date.parse(off) - minutes * MINUTE_MS)
      const rows = await told(token, day)
      expect(rows).toEqual(await expected(day))
      const own = rows.filter((row) => row.raceId === raceId)
      for (const mark of ['thirty', 'ten'] as const)
        expect(own.every((row) => (row[mark] !== null) === (known as readonly string[]).includes(mark))).toBe(
          true,
        )
    }
    time = DEMO_DAY
  })

  test('a race’s odds are for who opened it, and a withdrawn horse has none', async () => {
    const { day, raceId } = await lastDay()
    const query = { countryRegionId: HK, today: day }
    expect(await server.call(queryDayMarket, { query })).toMatchObject({ status: 401 })
    const { token } = await server.register()
    const closed = await server.ask(queryDayMarket, { token, query })
    expect(closed.length).toBeGreaterThan(6)
    expect(closed.every(({ open, runners }) => !open && runners.length === 0)).toBe(true)
    await server.ask(raceSubscribe, { token, query: { raceId } })
    const [withdrawn] = await server.database.rows<{ horseId: string }>(
      `update runner set status = 'withdrawn' where race_id = $1
         and horse_id = (select max(horse_id) from runner where race_id = $1 and status = 'finished')
       returning horse_id`,
      [raceId],
    )
    time = new Date(DEMO_DAY.getTime() + MINUTE_MS)
    const one = await server.ask(queryDayMarket, { token, query })
    expect(one.filter(({ open }) => open).map((race) => race.raceId)).toEqual([raceId])
    expect(one.every(({ open, runners }) => open === runners.length > 0)).toBe(true)
    const shown = one.find((race) => race.raceId === raceId)!.runners
    expect(shown.map(({ horseId }) => horseId)).not.toContain(withdrawn!.horseId)
    const chinese = await server.ask(queryDayMarket, { token, query, language: 'zh-Hant' })
    expect(chinese.find((race) => race.raceId === raceId)!.runners.map(({ odds }) => odds)).toEqual(
      shown.map(({ odds }) => odds),
    )
    await server.database.rows(`update runner set status = 'finished' where race_id = $1 and horse_id = $2`, [
      raceId,
      withdrawn!.horseId,
    ])
  })

  test('a source with one price for each runner has no first odds, and a day without races no rows', async () => {
    const token = await vip()
    const { day } = await lastDay()
    await server.database.rows(
      'delete from odds_tick using race where race.id = race_id and region_id = $1 and race_date = $2::date',
      [HK, day],
    )
    time = new Date(DEMO_DAY.getTime() + 2 * MINUTE_MS)
    const rows = await told(token, day)
    expect(rows).toEqual(await expected(day))
    expect(
      rows.every(({ opening, thirty, ten }) => opening === null && thirty === null && ten === null),
    ).toBe(true)
    expect(rows.some(({ last }) => last !== null)).toBe(true)
    expect(await told(token, '2019-01-01')).toEqual([])
    for (const today of ['2026-02-30', 'yesterday', ''])
      expect(
        await server.call(queryDayMarket, { token, query: { countryRegionId: HK, today } }),
      ).toMatchObject({ status: 400 })
  })
})
