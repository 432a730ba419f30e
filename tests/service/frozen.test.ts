// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCustomer } from '../support/seed-customer.ts'
import * as calls from '../../contract/api/frozen.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { chosenOf, RECORD_BEFORE_MS, recordFrozenBets } from '../../server/dataset/frozen-rules.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { describeOnBoth } from '../support/databases.ts'

/** Rules that are frozen on the evening before a Hong Kong meeting; the clock then moves through the race day. */

const REGION = '100000'
const MINUTE = 60_000
const TODAY = '2026-11-22'

describeOnBoth('frozen rules on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let server: TestServer
  let vip: string
  let other: string
  let time = DEMO_DAY
  let races: { id: string; at: number }[]

  beforeAll(async () => {
    const place = await newSmallSeason(kind)
    await buildDataset(place.database, place.dataFolder, DEMO_DAY)
    server = await TestServer.start(place, { time: () => time })
    vip = (await seedCustomer(server.database, { at: DEMO_DAY })).token
    other = (await seedCustomer(server.database, { at: DEMO_DAY })).token
    await server.buy(vip)
    await server.buy(other)
    races = (
      await server.database.rows<{ id: string; startsAt: string }>(
        `select id, starts_at from race where region_id = $1 and race_date = $2::date order by race_no`,
        [REGION, TODAY],
      )
    ).map(({ id, startsAt }) => ({ id, at: Date.parse(startsAt) }))
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const freeze = (changed: object = {}, token = vip) =>
    server.ask(calls.freezeRules, { token, body: { ...FROZEN, ...changed } })
  const list = (token = vip) =>
    server.ask(calls.queryFrozenRules, { token, query: { countryRegionId: REGION } })
  const bets = (id: string, token = vip) => server.ask(calls.queryFrozenBets, { token, query: { id } })
  const record = () => recordFrozenBets(server.context)

  test('bets are recorded minutes before the off, once, and settled by the official dividends', async () => {
    const picks = await freeze()
    const longshots = await freeze({
      name: 'Longshots with value',
      universe: 'starters',
      filter: {
        and: [
          { dim: 'model', in: ['market-baseline'] },
          { dim: 'origin', in: ['locked'] },
        ],
      },
      rules: { ...FROZEN.rules, minOdds: 20, perRace: 2, perMeeting: 5 },
    })
    // On the evening before, no race is near its post time.
    expect(await record()).toBe(0)
    expect((await list()).map(({ name, races: checked, missed }) => [name, checked, missed])).toEqual([
      ['Longshots with value', 0, 0],
      ['Main picks', 0, 0],
    ])
    for (const [index, race] of races.entries()) {
      // The server is down before the third race.
      if (index === 2) continue
      time = new Date(race.at - RECORD_BEFORE_MS + MINUTE)
      await ensureDemonstration(server.database, time, SMALL_SEASON_DAYS)
      await scoreStaleRaces(server.database, undefined, () => time)
      expect(await record()).toBe(2)
      // A repetition within the same minutes, or by another process, records nothing more.
      expect(await record()).toBe(0)
    }
    const odds = await server.database.rows<{ raceId: string; horse: string; odds: number }>(
      `select distinct on (race_id, horse_no) race_id, horse_no::text as horse, odds from odds_tick
       where race_id = any($1::text[]) and seen_at <= (select starts_at from race where id = race_id) - interval '2 minutes'
       order by race_id, horse_no, seen_at desc`,
      [races.map(({ id }) => id)],
    )
    const before = await bets(picks.id)
    expect(before.map(({ raceId }) => raceId)).toEqual(
      races.filter((_, index) => index !== 2).map(({ id }) => id),
    )
    for (const bet of before) {
      const seen = odds.find((each) => each.raceId === bet.raceId && each.horse === bet.combination)!
      expect(bet.odds).toBeCloseTo(seen.odds, 4)
      expect([bet.outcome, bet.profitCents]).toEqual([null, null])
      expect(Date.parse(bet.recordedAt)).toBeLessThan(races.find(({ id }) => id === bet.raceId)!.at)
    }
    const long = await bets(longshots.id)
    expect(long.length).toBeLessThanOrEqual(5)
    expect(long.every((bet) => bet.odds! >= 20)).toBe(true)

    // The day after the meeting.
    time = new Date(DEMO_DAY.getTime() + 2 * 86_400_000)
    await ensureDemonstration(server.database, time, SMALL_SEASON_DAYS)
    await scoreStaleRaces(server.database, undefined, () => time)
    const after = await bets(picks.id)
    const settled = await server.database.rows<{ raceId: string; outcome: string; profit: number }>(
      `select s.race_id, outcome, profit_cents as profit from settlement s
       join prediction p on p.race_id = s.race_id and p.model_id = s.model_id and p.gameplay_class = s.gameplay_class
         and p.rank = s.rank
       where s.model_id = 'market-baseline' and s.gameplay_class = 1 and p.selected and s.race_id = any($1::text[])`,
      [after.map(({ raceId }) => raceId)],
    )
    expect(
      after.map(({ raceId, outcome, profitCents }) => ({ raceId, outcome, profit: profitCents })),
    ).toEqual(after.map(({ raceId }) => settled.find((each) => each.raceId === raceId)))
    expect(after.some(({ outcome }) => outcome === 'hit')).toBe(true)
    // The recorded bets are unchanged.
    expect(after.map(({ odds: at, combination }) => [at, combination])).toEqual(
      before.map(({ odds: at, combination }) => [at, combination]),
    )
    const listed = (await list()).find(({ id }) => id === picks.id)!
    expect([listed.races, listed.missed, listed.bets]).toEqual([races.length - 1, 1, races.length - 1])
  })

  test('rules are their owner’s alone, ten at most, and end for good', async () => {
    const [first] = await list()
    expect(await list(other)).toEqual([])
    expect(
      await server.call(calls.queryFrozenBets, { token: other, query: { id: first!.id } }),
    ).toMatchObject({
      status: 404,
    })
    expect(await server.ask(calls.endFrozenRules, { token: other, body: { id: first!.id } })).toEqual({
      ended: false,
    })
    // A name may be in use only once: a second click freezes nothing more.
    expect(
      await server.call(calls.freezeRules, { token: vip, body: { ...FROZEN, name: first!.name } }),
    ).toMatchObject({ status: 400 })
    await Promise.all(Array.from({ length: 8 }, (_, at) => freeze({ name: `rule ${at}` })))
    expect(
      await server.call(calls.freezeRules, { token: vip, body: { ...FROZEN, name: 'an eleventh' } }),
    ).toMatchObject({ status: 400 })
    expect(await server.ask(calls.endFrozenRules, { token: vip, body: { id: first!.id } })).toEqual({
      ended: true,
    })
    expect(await server.ask(calls.endFrozenRules, { token: vip, body: { id: first!.id } })).toEqual({
      ended: false,
    })
    expect((await list()).find(({ id }) => id === first!.id)!.endedAt).not.toBeNull()
    await freeze({ name: 'one more' })
  })

  test('rules that were frozen before a rebate had a limit rebate every lost bet', async () => {
    const { rebateFrom: _rebateFrom, ...older } = { ...FROZEN.plan, rebate: 1000 }
    const { id } = await freeze({ plan: older }, other)
    const stored = await server.database.rows<{ plan: string }>(
      'select plan from frozen_rule where id = $1::uuid',
      [id],
    )
    await server.database.rows('update frozen_rule set plan = $2 where id = $1::uuid', [
      id,
      JSON.stringify({ ...JSON.parse(stored[0]!.plan), rebateFrom: undefined }),
    ])
    expect((await list(other)).map(({ plan }) => [plan.rebate, plan.rebateFrom])).toEqual([[1000, 0]])
  })

  test('what cannot be asked is refused when it is frozen', async () => {
    for (const changed of [
      { filter: { dim: 'no such dimension', in: [1] } },
      // Odds of combinations are known only for hits.
      {
        filter: {
          and: [
            { dim: 'model', in: ['market-baseline'] },
            { dim: 'odds', from: 10 },
          ],
        },
      },
      // Several models would bet on the same selection.
      { filter: null },
      { filter: { dim: 'model', in: ['market-baseline', 'fundamental'] } },
      { rules: { ...FROZEN.rules, minOdds: 'ten' } },
      { plan: { ...FROZEN.plan, unit: 0 } },
      { name: '' },
    ])
      expect(
        await server.call(calls.freezeRules, { token: vip, body: { ...FROZEN, ...changed } }),
      ).toMatchObject({
        status: 400,
      })
  })
})

test('the choice is the lab’s, of one race', () => {
  const bet = (rank: number, probability: number, odds: number | null) => ({
    raceId: 'HKSHT2026112201',
    gameplayClass: 1,
    combination: String(rank),
    rank,
    probability,
    marketProbability: 0.1,
    openingOdds: null,
    odds,
  })
  const bets = [bet(1, 0.4, 2), bet(2, 0.3, 4), bet(3, 0.2, 5.5), bet(4, 0.1, null)]
  const chosen = (rules: object): string[] =>
    chosenOf(bets, { ...FROZEN.rules, ...rules }).map(({ combination }) => combination)
  expect(chosen({})).toEqual(['1', '2', '3', '4'])
  expect(chosen({ minValue: 1 })).toEqual(['2', '3'])
  expect(chosen({ minValue: 1, perRace: 1 })).toEqual(['2'])
  expect(chosen({ minEdge: 0.15 })).toEqual(['1', '2'])
  expect(chosen({ perMeeting: 0 })).toEqual([])
  // None of these bets has opening odds.
  expect(chosen({ odds: 'opening', minOdds: 1.1 })).toEqual([])
  expect(chosenOf([], FROZEN.rules)).toEqual([])
})
