// @module-tag rest
import { expect, test } from 'vitest'
import * as racing from '../../contract/api/racing.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

describeOnBoth('the odds over time on %s', { usual: 'postgresql' }, (kind) => {
  test('a tip has those of its first horse, for a VIP alone', async () => {
    const server = await TestServer.start(await newSmallSeason(kind), { time: () => DEMO_DAY })
    try {
      // Forty odds of one coming race: a tip includes no more than its small chart can show.
      await server.database.rows(
        `insert into odds_tick (race_id, horse_no, seen_at, odds)
       select p.race_id, p.combination::int, now() - n * interval '1 hour', 3 + n / 10.0
       from (select race_id, combination from prediction join race on race.id = race_id
         where race.status = 'scheduled' and race.region_id = '100000' and gameplay_class = 1 and rank = 1
           and model_id = race.headline_model order by race_date, race_no limit 1) p, generate_series(1, 40) n`,
      )
      const query = { countryRegionId: '100000', today: '2026-11-21' }
      const shown = await server.ask(racing.queryRaceTips, { query })
      const { token } = await server.register()
      await server.buy(token)
      const all = await server.ask(racing.queryRaceTips, { query, token })
      expect(shown.every(({ chartData }) => chartData.length === 0)).toBe(true)
      const tracked = all.filter(({ chartData }) => chartData.length > 1)
      expect(tracked.map(({ chartData }) => chartData.length)).toContain(24)
      for (const { raceId, raceCompetitor1Num, chartData } of tracked) {
        const ticks = await server.database.rows<{ at: string; odds: number }>(
          `select seen_at as at, odds from odds_tick where race_id = $1 and horse_no = $2 order by seen_at`,
          [raceId, raceCompetitor1Num],
        )
        const points = ticks.map(({ at, odds }) => ({ createTime: new Date(at).toISOString(), odds }))
        expect(chartData.length).toBeLessThanOrEqual(24)
        expect(points).toEqual(expect.arrayContaining(chartData))
        expect([chartData[0], chartData.at(-1)]).toEqual([points[0], points.at(-1)])
      }
    } finally {
      await server.close()
      await server.place.close()
    }
  })
})
