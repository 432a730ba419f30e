import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import * as horse from '../../contract/api/horse.ts'
import { queryDayMarket } from '../../contract/api/market.ts'
import * as report from '../../contract/api/report.ts'
import * as racing from '../../contract/api/racing.ts'
import { raceSubscribe, subscribeCheck } from '../../contract/api/subscription.ts'
import { settle } from '../../domain/settlement.ts'
import type { GameplayClass } from '../../domain/gameplay.ts'
import { Finish } from '../../domain/finish.ts'
import { groupBy } from '../../domain/group-by.ts'
import { cardFigures } from '../../domain/racecard.ts'
import { addDays } from '../../domain/region.ts'
import { writeConfig } from '../../server/store/operation/site-store.ts'
import { newSmallSeason, TestServer, type CallOptions } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { endpointsOf, nameOf } from '../support/endpoints.ts'
import { describeOnBoth } from '../support/databases.ts'

const TODAY = '2026-11-21'
const HK = '100000'
const AU = '100036'

/** Every racing call, made over HTTP on both databases; each response is checked against its schema. */
describeOnBoth('the racing calls on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let laterMs = 0
  const called = new Set<string>()
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), {
      time: () => new Date(DEMO_DAY.getTime() + laterMs),
    })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const ask = <Call extends Endpoint>(call: Call, options: CallOptions = {}) => {
    called.add(nameOf(call))
    return server.ask(call, options)
  }
  const page = { pageNo: 1, pageSize: 10 }
  const hk = { countryRegionId: HK, today: TODAY }
  /** Hong Kong's last day with results. */
  const lastDay = async (): Promise<string> => {
    const [row] = await server.database.rows<{ last: string }>(
      `select max(race_date)::text as last from race where status = 'final' and region_id = '${HK}'`,
    )
    return row!.last
  }
  const vip = async (): Promise<string> => {
    const { token } = await server.register()
    await server.buy(token)
    return token
  }

  test('regions and racecourses, in the reader’s language', async () => {
    expect(await ask(racing.queryCountryRegion, { language: 'zh-HK,zh;q=0.9' })).toContainEqual({
      id: HK,
      name: '香港',
    })
    expect(
      await ask(racing.queryStadiumByCountryRegionId, { query: { countryRegionId: HK }, language: 'zh-CN' }),
    ).toEqual([
      { id: 'HKHAV', name: '跑马地', latitude: 22.2726, longitude: 114.1817 },
      { id: 'HKSHT', name: '沙田', latitude: 22.4004, longitude: 114.2039 },
    ])
  })

  test('the schedule: from today on, back from today, page by page to its end', async () => {
    const coming = await ask(racing.queryRace, { query: hk })
    expect(coming.length).toBeGreaterThan(3)
    expect(coming.every(({ date, status }) => date >= TODAY && status === 'scheduled')).toBe(true)
    expect(coming[0]).toMatchObject({
      id: 'HKSHT2026112201',
      time: '13:00:00',
      competitionDate: '2026-11-22T05:00:00.000Z',
    })
    const forward = await ask(racing.queryRacePage, { query: { ...hk, ...page } })
    expect(forward.map(({ id }) => id)).toEqual(coming.slice(0, 10).map(({ id }) => id))

    const back: string[] = []
    for (let pageNo = 1; ; pageNo += 1) {
      const races = await ask(racing.queryRacePageDesc, { query: { ...hk, pageNo, pageSize: 30 } })
      back.push(...races.map(({ date, id }) => `${date} ${id}`))
      if (races.length < 30) break
    }
    const [all] = await server.database.rows<{ count: number }>(
      `select count(*) as count from race where region_id = $1 and race_date <= $2::date`,
      [HK, TODAY],
    )
    expect(new Set(back).size).toBe(all!.count)
    const days = back.map((line) => line.slice(0, 10))
    expect(days).toEqual(days.toSorted().toReversed())
  })

  test('silks of a day are those of its cards', async () => {
    const today = await lastDay()
    const silks = await ask(racing.queryDaySilks, { query: { ...hk, today } })
    expect(silks.length).toBeGreaterThan(40)
    const raceId = silks[0]!.raceId
    const runners = await ask(racing.queryRaceCompetitor, { query: { raceId } })
    expect(silks.filter((each) => each.raceId === raceId)).toEqual(
      runners.flatMap(({ horseNumber, silks: worn }) =>
        horseNumber === null || worn === null ? [] : [{ raceId, horseNumber, silks: worn }],
      ),
    )
    expect(await ask(racing.queryDaySilks, { query: { ...hk, today: '2001-01-01' } })).toEqual([])
  })

  test('every call that has numbers of a race says that they are ours', async () => {
    const query = { ...hk, today: await lastDay() }
    const token = await vip()
    const [{ id } = { id: '' }] = await server.database.rows<{ id: string }>(
      `update race set numbers_by_name = true where id like 'HK%02' and race_date = '${query.today}' returning id`,
    )
    const races = [
      ...(await ask(racing.queryRace, { query })),
      ...(await ask(racing.queryRacePageDesc, { query: { ...query, pageNo: 1, pageSize: 13 } })),
    ].map((race) => ({ ...race, raceId: race.id }))
    const meetings = await ask(racing.queryMeetingResults, { query })
    const wins = { query: { ...query, ...page, gameplayClass: 1 } as const, token }
    const record = await ask(racing.queryRacePredictionAccuracy, wins)
    const tips = await ask(racing.queryRaceTips, { query, token })
    for (const rows of [races, meetings.flatMap((each) => each.races), record, tips])
      expect(new Set(rows.flatMap((row) => (row.numbersByName ? [row.raceId] : [])))).toEqual(new Set([id]))
    expect(await ask(racing.queryNumberedByName, { query })).toEqual([id])
    expect((await ask(racing.queryRaceInfo, { query: { raceId: id } })).numbersByName).toBe(true)
    await server.database.rows('update race set numbers_by_name = false')
  })

  test('tips: three races a day and one number for a visitor, everything for a VIP', async () => {
    const shown = await ask(racing.queryRaceTips, { query: hk })
    const byDay = groupBy(shown, ({ date }) => date)
    for (const tips of byDay.values()) expect(tips.map(({ raceNo }) => raceNo)).toEqual([1, 2, 3])
    expect(shown.every(({ raceCompetitor2Num, open }) => raceCompetitor2Num === null && !open)).toBe(true)
    const token = await vip()
    const all = await ask(racing.queryRaceTips, { query: hk, token })
    expect(all.length).toBeGreaterThan(shown.length)
    for (const { topCompetitors } of all) {
      expect(topCompetitors).toHaveLength(4)
      const chances = topCompetitors.map(({ probability }) => probability!)
      expect(chances).toEqual(chances.toSorted((a, b) => b - a))
    }
  })

  test('tips say the odds and the edge that the racecard has', async () => {
    const token = await vip()
    const all = await ask(racing.queryRaceTips, { query: hk, token })
    let marked = 0
    for (const { raceId, topCompetitors, status, outcome } of all.slice(0, 6)) {
      expect([status, outcome]).toEqual(['scheduled', null])
      const runners = await ask(racing.queryRaceCompetitor, { token, query: { raceId } })
      const figures = cardFigures(runners)
      for (const {
        horseNumber,
        odds,
        edge,
        probability,
        result,
        name,
        nameLanguage,
        silks,
      } of topCompetitors) {
        const index = runners.findIndex((runner) => runner.horseNumber === horseNumber)
        const runner = runners[index]!
        expect({ odds, result, name, nameLanguage, silks }).toEqual({
          odds: runner.odds,
          result: '',
          name: runner.name,
          nameLanguage: runner.nameLanguage,
          silks: runner.silks,
        })
        const market = figures[index]!.edge === null ? null : runner.probability! - figures[index]!.edge
        if (market === null) expect(edge).toBeNull()
        else expect(edge).toBeCloseTo(probability! - market, 12)
        marked += Number(edge !== null)
      }
    }
    expect(marked).toBeGreaterThan(0)
  })

  test('tips of a day that was run say where the picks finished: all of them for a visitor, none after seven days', async () => {
    const last = await lastDay()
    const ofDay = async (day: string) =>
      (await ask(racing.queryRaceTips, { query: { ...hk, today: day } })).filter(({ date }) => date === day)
    const tips = await ofDay(last)
    expect(tips.length).toBeGreaterThan(5)
    for (const { raceId, status, open, outcome, topCompetitors } of tips) {
      expect([status, open]).toEqual(['final', true])
      const runners = await ask(racing.queryRaceCompetitor, { query: { raceId } })
      const placeOf = (number: number | null) =>
        runners.find(({ horseNumber }) => horseNumber === number)!.ranking
      for (const { horseNumber, result } of topCompetitors) expect(result).toBe(placeOf(horseNumber))
      if (outcome !== 'void') expect(outcome === 'hit').toBe(topCompetitors[0]!.result === '1')
    }
    const [old] = await server.database.rows<{ day: string }>(
      `select max(race_date)::text as day from race where region_id = $1 and race_date < $2::date - 6`,
      [HK, last],
    )
    expect(await ofDay(old!.day)).toEqual([])
    const known = await ask(racing.queryRaceTips, {
      query: { ...hk, today: old!.day },
      token: await vip(),
    })
    expect(known.filter(({ date }) => date === old!.day).length).toBeGreaterThan(5)
  })

  test('records: seven days for a visitor, all for a VIP; each is settled as the rules say', async () => {
    const visitor = await ask(racing.queryRacePredictionAccuracy, {
      query: { ...hk, ...page, pageSize: 100 },
    })
    expect(visitor.length).toBeGreaterThan(30)
    const last = await lastDay()
    expect(visitor.every(({ date }) => date >= addDays(last, -6) && date <= last)).toBe(true)
    const token = await vip()
    const seen: (typeof visitor)[number][] = []
    for (let pageNo = 1; ; pageNo += 1) {
      const lines = await ask(racing.queryRacePredictionAccuracy, {
        token,
        query: { ...hk, pageNo, pageSize: 100 },
      })
      seen.push(...lines)
      if (lines.length < 100) break
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(visitor.length * 2)
    expect(seen.slice(0, visitor.length)).toEqual(visitor)

    const [race] = seen.slice(-1)
    const runners = await ask(racing.queryRaceCompetitor, { token, query: { raceId: race!.raceId } })
    // The last runs of each horse before the race, read from its other races.
    const [newest] = seen
    for (const { horseId, lastRuns } of await ask(racing.queryRaceCompetitor, {
      query: { raceId: newest!.raceId },
    })) {
      const runs = await server.database.rows<{ place: string }>(
        `select coalesce(place::text, place_code, '') as place from runner join race on race.id = race_id
         where horse_id = $1 and race.status = 'final' and runner.status <> 'withdrawn' and race_date < $2::date
         order by race_date desc`,
        [horseId, newest!.date],
      )
      expect(lastRuns, horseId).toEqual(runs.slice(0, 6).map(({ place }) => place))
    }
    const finish = new Finish(
      runners
        .filter(({ horseNumber }) => horseNumber !== null)
        .map(({ horseNumber, ranking }) => ({
          horseNo: horseNumber!,
          started: ranking !== 'WV',
          place: /^\d+$/.test(ranking) ? Number(ranking) : null,
        })),
    )
    const [row] = await server.database.rows<{ places: number }>('select places from race where id = $1', [
      race!.raceId,
    ])
    for (const line of seen.filter(({ raceId }) => raceId === race!.raceId)) {
      const horses = line.predictionResults.split('-').map(Number)
      const settled = settle(line.gameplayClass as GameplayClass, horses, {
        finish,
        places: row!.places,
        dividends: [],
      })
      expect(line.outcome, line.id).toBe(settled.outcome)
      expect(line.isAccuracy).toBe(settled.outcome === 'hit' ? 1 : 0)
    }
    const wins = await ask(racing.queryRacePredictionAccuracy, {
      token,
      query: { ...hk, ...page, gameplayClass: 1 },
    })
    expect(wins.map(({ gameplayClass }) => gameplayClass)).toEqual(Array(10).fill(1))
    expect(wins.every(({ results }) => /^\d+(-\d+)*$/.test(results))).toBe(true)
  })

  test('the limited bet type shows two races a day to readers who are not VIPs', async () => {
    await writeConfig(server.database, 'limitedGameplayClass', '3')
    laterMs += 2000
    const query = { ...hk, ...page, pageSize: 100 }
    const limited = await ask(racing.queryRacePredictionAccuracy, { query: { ...query, gameplayClass: 3 } })
    const days = groupBy(limited, ({ date }) => date)
    expect(limited.length).toBeGreaterThan(0)
    for (const lines of days.values()) expect(lines.length).toBeLessThanOrEqual(2)
    expect(
      (await ask(racing.queryRacePredictionAccuracy, { query: { ...query, gameplayClass: 4 } })).length,
    ).toBeGreaterThan(limited.length)
    await writeConfig(server.database, 'limitedGameplayClass', '')
    laterMs += 2000
  })

  test('the last two meetings with their winners, whose places are the races’ own', async () => {
    const meetings = await ask(racing.queryMeetingResults, { query: hk, token: await vip() })
    expect(meetings).toHaveLength(2)
    expect(meetings[0]!.date > meetings[1]!.date).toBe(true)
    for (const { races } of meetings)
      for (const { raceId, winners } of races) {
        const first = await server.database.rows<{ horseNo: number }>(
          'select horse_no from runner where race_id = $1 and place = 1 order by horse_no',
          [raceId],
        )
        expect(winners.map(({ horseNumber }) => horseNumber)).toEqual(first.map(({ horseNo }) => horseNo))
      }
  })

  test('the last two meetings, three races each', async () => {
    const lines = await ask(racing.queryLastRacePredictionAccuracy, {
      query: { today: TODAY },
      token: await vip(),
    })
    const meetings = groupBy(lines, ({ date, stadiumName }) => `${date} ${stadiumName}`)
    expect([...meetings.values()].map((races) => races.length)).toEqual([3, 3])
    expect(lines.every(({ gameplayClass }) => gameplayClass === 1)).toBe(true)
  })

  test('totals are what the tables hold', async () => {
    const total = await ask(racing.queryPredictionsTotal, { query: { today: TODAY } })
    const accuracy = await ask(racing.queryAccuracyInDays, { query: { days: -7, countryRegionId: HK } })
    const [counted] = await server.database.rows<{ all: number; hits: number; tried: number }>(
      `select (select count(*) from prediction join race on race.id = race_id where race_date <= '2026-11-21') as all,
         count(*) filter (where outcome = 'hit') as hits, count(*) filter (where outcome <> 'void') as tried
       from settlement s join prediction p using (race_id, model_id, gameplay_class, rank) join race on race.id = race_id
       where selected and gameplay_class = 1 and region_id = '100000' and race_date between $1::date - 6 and $1::date`,
      [await lastDay()],
    )
    expect(total).toBe(counted!.all)
    expect(accuracy).toBeCloseTo(counted!.hits / counted!.tried, 12)
    expect(
      await ask(racing.queryAccuracyInDays, { query: { days: -7, countryRegionId: '999999' } }),
    ).toBeNull()
  })

  test('a race, its runners, predictions and odds: closed until it is subscribed', async () => {
    const { token } = await server.register()
    const [race] = (await ask(racing.queryRacePageDesc, { query: { ...hk, today: '2026-11-10' } })).slice(-1)
    const raceId = race!.id
    const before = await ask(racing.queryRaceInfo, { token, query: { raceId }, language: 'zh-Hant' })
    expect(before).toMatchObject({
      raceId,
      countryRegionName: '香港',
      isAnalyzer: 1,
      isSubscribe: 0,
      tips: null,
    })
    const closed = await ask(racing.queryRaceCompetitor, { token, query: { raceId } })
    expect(
      closed.every(
        ({ probability, predictedRank, openingOdds, tenMinuteOdds }) =>
          probability === null && predictedRank === null && openingOdds === null && tenMinuteOdds === null,
      ),
    ).toBe(true)
    expect(closed.some(({ ranking }) => ranking === '1')).toBe(true)

    expect(await ask(subscribeCheck, { token, query: { goodsId: raceId } })).toBe(0)
    await ask(raceSubscribe, { token, query: { raceId } })
    const info = await ask(racing.queryRaceInfo, { token, query: { raceId } })
    expect(info).toMatchObject({ isSubscribe: 1, tips: { open: true } })
    const open = await ask(racing.queryRaceCompetitor, { token, query: { raceId } })
    const sum = open.reduce((total, { probability }) => total + (probability ?? 0), 0)
    // Every starter has a probability, not only those in the ten stored predictions.
    expect(sum).toBeCloseTo(1, 5)
    for (const { status, probability } of open) expect(probability === null).toBe(status === 'withdrawn')

    for (let gameplayClass = 1; gameplayClass <= 9; gameplayClass += 1) {
      const lines = await ask(racing.queryRacePredictionCache, {
        token,
        query: { ...page, raceId, gameplayClass },
      })
      expect(lines.length).toBeGreaterThan(0)
      expect(lines[0]!.predictionTypes).toContain(1)
      const size = [1, 1, 2, 2, 2, 3, 3, 4, 4][gameplayClass - 1]
      expect(lines.every(({ names }) => names.length === size && names.every((name) => name !== ''))).toBe(
        true,
      )
      const second = await ask(racing.queryRacePredictionCache, {
        token,
        query: { raceId, gameplayClass, pageNo: 2, pageSize: 3 },
      })
      expect(second).toEqual(lines.slice(3, 6))
    }
    const [pair] = await ask(racing.queryRacePredictionCache, {
      token,
      query: { ...page, raceId, gameplayClass: 3 },
    })
    const track = await ask(racing.queryOddsTrack, { token, query: { rprId: pair!.id } })
    expect(new Set(track.map(({ horseNumber }) => horseNumber))).toEqual(
      new Set([pair!.raceCompetitor1Num, pair!.raceCompetitor2Num]),
    )
    // No call returns a tick from the future, however it came into the database.
    await server.place.database.rows(
      `insert into odds_tick (race_id, horse_no, seen_at, odds) values ($1, $2::smallint, '2999-01-01T00:00:00Z', 9.9)`,
      [raceId, pair!.raceCompetitor1Num],
    )
    expect(await ask(racing.queryOddsTrack, { token, query: { rprId: pair!.id } })).toEqual(track)
    const market = await ask(racing.queryRaceMarket, { token, query: { raceId } })
    expect(new Set(market.map(({ horseNumber }) => horseNumber)).size).toBe(
      open.filter(({ odds }) => odds !== null).length,
    )
    expect(market).toEqual(expect.arrayContaining([track[0]!, track.at(-1)!]))
    expect(market.every(({ createTime }) => createTime < '2999')).toBe(true)
    const day = await ask(queryDayMarket, { token, query: { ...hk, today: info.date } })
    expect(day.filter((each) => each.open).map((each) => [each.raceId, each.runners.length])).toEqual([
      [raceId, open.filter(({ status }) => status !== 'withdrawn').length],
    ])
    const times = track.map(({ createTime }) => createTime)
    expect(times).toEqual(times.toSorted())
    const answer = await ask(report.queryRaceReport, { token, query: { raceId } })
    expect(answer.runners.map(({ horseId, probability }) => [horseId, probability])).toEqual(
      open.map(({ horseId, probability }) => [horseId, probability]),
    )
    const line = answer.runners.reduce((total, { marketProbability }) => total + (marketProbability ?? 0), 0)
    expect(line).toBeCloseTo(1, 9)
    const moved = answer.runners.flatMap(({ contributions }) => contributions.map(({ value }) => value))
    expect(moved.reduce((total, value) => total + value, 0)).toBeCloseTo(0, 9)
    expect(answer.selected.map(({ gameplayClass }) => gameplayClass)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(answer.selected.every(({ outcome }) => outcome !== null)).toBe(true)
    expect(answer.dividends.length).toBeGreaterThan(5)
    for (const { courseRuns } of answer.runners) {
      expect(courseRuns.length).toBeLessThanOrEqual(5)
      expect(courseRuns.every(({ date }) => date < info.date)).toBe(true)
    }
    const closedReport = await server.call(report.queryRaceReport, {
      token: (await server.register()).token,
      query: { raceId },
    })
    expect(closedReport).toMatchObject({ status: 403 })
    const missing = await server.call(racing.queryOddsTrack, { token, query: { rprId: `${raceId}-3-999` } })
    expect(missing).toMatchObject({ status: 404 })
    const [mine, ...others] = await ask(racing.queryRaceSubscribe, { token, query: { ...hk, ...page } })
    expect(others).toEqual([])
    const first = open.find(({ ranking }) => ranking === '1')
    expect(mine).toMatchObject({ id: raceId, winners: [{ horseNumber: first!.horseNumber }] })
    expect(mine!.pick!.outcome === 'hit').toBe(mine!.pick!.horseNumber === first!.horseNumber)
  })

  test('horses: a page, and one with its form', async () => {
    const horses = await ask(horse.queryRaceHorse, {
      query: { ...page, countryRegionId: AU },
      language: 'zh-Hans',
    })
    expect(horses.records).toHaveLength(10)
    expect(horses.pages).toBe(Math.ceil(horses.total / 10))
    const [ran] = await server.database.rows<{ id: string }>(
      `select horse_id as id from runner where place = 1 order by race_id limit 1`,
    )
    const one = await ask(horse.queryHorseInfo, { query: { id: ran!.id } })
    expect(one.form.length).toBeGreaterThan(0)
    expect(one.form.some(({ started, jockeyName }) => started && jockeyName !== null)).toBe(true)
    expect(one.age).toBeGreaterThanOrEqual(3)
    expect(one.ageOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(one.form.map(({ date }) => date)).toEqual(
      one.form
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    )
  })

  test('two horses: the races of both, as separately written SQL has them', async () => {
    interface Pair {
      one: string
      two: string
    }
    const [often] = await server.database.rows<Pair & { met: number }>(
      `select a.horse_id as one, b.horse_id as two, count(*) as met from runner a
       join runner b on a.race_id = b.race_id and a.horse_id < b.horse_id join race on race.id = a.race_id
       where race.status = 'final' and a.status <> 'withdrawn' and b.status <> 'withdrawn'
       group by 1, 2 order by 3 desc, 1, 2 limit 1`,
    )
    expect(often!.met).toBeGreaterThan(1)
    const [coming] = await server.database.rows<Pair>(
      `select min(horse_id) as one, max(horse_id) as two from runner join race on race.id = race_id
       where race.status = 'scheduled' and runner.status <> 'withdrawn' group by race_id order by race_id limit 1`,
    )
    for (const { one, two } of [often!, { one: often!.two, two: often!.one }, coming!]) {
      const { races } = await ask(horse.queryHeadToHead, { query: { horseId: one, otherId: two } })
      const rows = await server.database.rows<Record<string, string | number | boolean | null>>(
        `select race_id, race_date::text as date, race.status = 'scheduled' as coming,
           max(case when horse_id = $1 then coalesce(place::text, place_code) end) as place,
           max(case when horse_id = $2 then coalesce(place::text, place_code) end) as other_place,
           max(case when horse_id = $1 then actual_weight_lb end) as weight,
           max(case when horse_id = $2 then actual_weight_lb end) as other_weight,
           max(case when horse_id = $1 then draw end) as draw, max(case when horse_id = $2 then win_odds end) as odds
         from runner join race on race.id = race_id
         where race.status in ('final', 'scheduled') and runner.status in ('declared', 'finished', 'unfinished')
           and horse_id = any($3::text[])
         group by race_id, race.id, race_date, race.status having count(*) = 2 order by race_date desc, race_id desc`,
        [one, two, [one, two]],
      )
      expect(
        races
          .filter(({ raceId }) => raceId !== null)
          .map(({ raceId, date, coming: isComing, run, otherRun }) => ({
            raceId,
            date,
            coming: isComing,
            place: run.place,
            otherPlace: otherRun.place,
            weight: run.actualWeightLb,
            otherWeight: otherRun.actualWeightLb,
            draw: run.draw,
            odds: otherRun.odds,
          })),
      ).toEqual(rows)
      expect(rows.length).toBeGreaterThan(0)
      if (one === coming!.one && two === coming!.two)
        expect(rows.some((row) => row['coming'] === true)).toBe(true)
    }
    const alone = await server.call(horse.queryHeadToHead, {
      query: { horseId: often!.one, otherId: often!.one },
    })
    expect(alone).toMatchObject({ status: 400, error: 'bad-parameters' })
    const unknown = await server.call(horse.queryHeadToHead, {
      query: { horseId: often!.one, otherId: 'HK-Z999' },
    })
    expect(unknown).toMatchObject({ status: 404, error: 'not-found' })
  })

  test('two horses whose races are only in their own form records, which name a horse by its brand', async () => {
    const two = await server.database.rows<{
      id: string
      brand: string
      regionId: string
      stadiumId: string
    }>(
      `select horse.id, brand, horse.region_id, min(stadium.id) as stadium_id from horse
       join stadium on stadium.region_id = horse.region_id where horse.region_id = $1
       and (select count(*) from horse same where same.brand = horse.brand and same.region_id = horse.region_id) = 1
       group by horse.id, brand, horse.region_id order by horse.id limit 2`,
      [HK],
    )
    const [one, other] = two
    const query = { horseId: one!.id, otherId: other!.id }
    const oldRaces = async () =>
      (await ask(horse.queryHeadToHead, { query })).races.filter(({ raceId }) => raceId === null)
    const before = (await oldRaces()).length
    const lines = [
      [one!, '2001-02-03', 7, '1'],
      [other!, '2001-02-03', 7, '4'],
      // Another race of that day, and a race from which one was withdrawn.
      [one!, '2001-02-10', 8, '2'],
      [other!, '2001-02-10', 9, '3'],
      [one!, '2001-02-17', 5, '2'],
      [other!, '2001-02-17', 5, 'WV'],
    ] as const
    for (const [{ regionId, brand, stadiumId }, day, index, place] of lines)
      await server.database.rows(
        `insert into form_line (region_id, brand, race_date, race_index, stadium_id, place_code, actual_weight_lb)
         values ($1, $2, $3::date, $4, $5, $6, 120)`,
        [regionId, brand, day, index, stadiumId, place],
      )
    await server.database.rows('update partition_revision set revision = revision + 1')
    laterMs += 1500
    const races = await oldRaces()
    expect(races.length - before).toBe(1)
    expect(races.find(({ date }) => date === '2001-02-03')).toMatchObject({
      coming: false,
      run: { place: '1' },
      otherRun: { place: '4', actualWeightLb: 120 },
    })
    await server.database.rows(`delete from form_line where race_date < '2001-03-01'`)
    await server.database.rows('update partition_revision set revision = revision + 1')
    laterMs += 1500
  })

  test('answers carry tags: the same again is not sent twice, in another language it is another', async () => {
    const first = await server.fetch(racing.queryRaceTips, { query: hk })
    const etag = first.headers.get('etag')!
    const again = await server.fetch(racing.queryRaceTips, { query: hk, headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const other = await server.fetch(racing.queryRaceTips, { query: hk, language: 'zh-Hant' })
    expect(other.headers.get('etag')).not.toBe(etag)
    const token = await vip()
    const secondPage = await server.fetch(racing.queryRaceTips, {
      query: hk,
      token,
      headers: { 'if-none-match': etag },
    })
    expect(secondPage.status).toBe(200)
    expect(secondPage.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('what changes in the tables is told within a second', async () => {
    const query = { ...hk, today: TODAY }
    const before = await ask(racing.queryRace, { query })
    await server.database.rows(`update race set status = 'abandoned' where id = $1`, [before[0]!.id])
    await server.database.rows('update partition_revision set revision = revision + 1')
    laterMs += 1500
    const after = await ask(racing.queryRace, { query })
    expect(after[0]!.status).toBe('abandoned')
    await server.database.rows(`update race set status = 'scheduled' where id = $1`, [before[0]!.id])
    await server.database.rows('update partition_revision set revision = revision + 1')
    laterMs += 1500
  })

  test('no racing call was left out', () => {
    const names = ['horse', 'racing', 'report', 'subscription'].flatMap(endpointsOf).map(nameOf)
    expect(names.filter((name) => !called.has(name))).toEqual([])
  })
})
