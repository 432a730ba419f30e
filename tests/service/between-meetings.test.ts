// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as racing from '../../contract/api/racing.ts'
import { queryAccuracyDetail } from '../../contract/api/model.ts'
import { groupBy } from '../../domain/group-by.ts'
import { addDays } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { isDatasetBehind } from '../../server/dataset/dataset-index.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

const REGION = '100000'
const DAY_MS = 86_400_000
/** A summer without racing: nothing is scheduled, and the last results are a season's break old. */
const SUMMER = new Date(DEMO_DAY.getTime() + 150 * DAY_MS)
const TODAY = SUMMER.toISOString().slice(0, 10)
const hk = { countryRegionId: REGION, today: TODAY }

let server: TestServer
let last: string
beforeAll(async () => {
  const place = await newSmallSeason('postgresql')
  await buildDataset(place.database, place.dataFolder, SUMMER)
  server = await TestServer.start(place, { time: () => SUMMER })
  const [row] = await place.database.rows<{ last: string }>(
    `select max(race_date)::text as last from race where region_id = '${REGION}' and status = 'final'`,
  )
  last = row!.last
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

const vip = async (): Promise<string> => {
  const { token } = await server.register()
  await server.buy(token)
  return token
}

test('the last two meetings are there for a VIP, whenever they were, and the last one for everybody', async () => {
  const lines = await server.ask(racing.queryLastRacePredictionAccuracy, { query: hk, token: await vip() })
  const meetings = groupBy(lines, ({ date, stadiumName }) => `${date} ${stadiumName}`)
  expect([...meetings.values()].map((races) => races.length)).toEqual([3, 3])
  const visitor = await server.ask(racing.queryLastRacePredictionAccuracy, { query: hk })
  expect(visitor[0]!.date).toBe(last)
  expect(visitor.every(({ date }) => date > addDays(last, -7))).toBe(true)
  expect(lines.slice(0, 3)).toEqual(visitor.slice(0, 3))
})

test('the last meeting has each of its winners with its dividend, our rank of it, and the first choice', async () => {
  const [meeting, ...others] = await server.ask(racing.queryMeetingResults, { query: hk })
  expect(others.length).toBeLessThanOrEqual(1)
  const stored = await server.database.rows<object>(
    `select race.id as race_id, race_no, (select min(rank) from prediction p join runner using (race_id)
         where p.race_id = race.id and p.model_id = headline_model and gameplay_class = 1 and place = 1
           and horse_no::text = combination) as rank,
       (select min(horse_no) from runner where race_id = race.id and place = 1) as winner,
       (select max(dividend_cents) from dividend where race_id = race.id and gameplay_class = 1) as cents,
       (select outcome from settlement s join prediction p using (race_id, model_id, gameplay_class, rank)
         where s.race_id = race.id and selected and gameplay_class = 1 and model_id = headline_model) as outcome
     from race join stadium on stadium.id = stadium_id
     where race.region_id = $1 and race_date = $2 and stadium.name_en = $3 order by race_no`,
    [REGION, last, meeting!.stadiumName],
  )
  expect(stored.length).toBeGreaterThan(5)
  expect(
    meeting!.races.map(({ raceId, raceNo, winners: [winner], rank, pick }) => ({
      raceId,
      raceNo,
      rank,
      winner: winner!.horseNumber,
      cents: Math.round(Number(winner!.dividend) * 100),
      outcome: pick?.outcome ?? null,
    })),
  ).toEqual(stored)
  expect(meeting!.date).toBe(last)
  const known = await server.ask(racing.queryMeetingResults, { query: hk, token: await vip() })
  expect(known).toHaveLength(2)
  expect(known[0]).toEqual(meeting)
})

test('a meeting before the free days has its winners for everybody, and the first choices for VIPs', async () => {
  const [row] = await server.database.rows<{ day: string }>(
    `select max(race_date)::text as day from race where region_id = $1 and status = 'final' and race_date < $2::date - 6`,
    [REGION, last],
  )
  const query = { ...hk, today: row!.day }
  const [seen] = await server.ask(racing.queryMeetingResults, { query })
  const [whole] = await server.ask(racing.queryMeetingResults, { query, token: await vip() })
  expect(seen!.races.every(({ rank, pick }) => rank === null && pick === null)).toBe(true)
  expect(whole!.races.some(({ pick }) => pick !== null)).toBe(true)
  const winnersOf = ({ races }: racing.Meeting) => races.map(({ winners }) => winners)
  expect(winnersOf(seen!)).toEqual(winnersOf(whole!))
  expect(
    winnersOf(seen!)
      .flat()
      .every(({ name }) => name !== ''),
  ).toBe(true)
})

test('the free seven days end with the last race day: records, tips and files', async () => {
  const from = addDays(last, -6)
  const records = await server.ask(racing.queryRacePredictionAccuracy, {
    query: { ...hk, pageNo: 1, pageSize: 100 },
  })
  expect(records.length).toBeGreaterThan(0)
  expect(records.every(({ date }) => date >= from && date <= last)).toBe(true)
  const tipOf = async (order: 'asc' | 'desc'): Promise<unknown> => {
    const [race] = await server.database.rows<{ id: string }>(
      `select id from race where region_id = $1 and status = 'final' and race_date ${order === 'asc' ? '<' : '>='} $2
       order by race_date ${order}, id limit 1`,
      [REGION, from],
    )
    return (await server.ask(racing.queryRaceInfo, { query: { raceId: race!.id } })).tips
  }
  expect(await tipOf('desc')).toMatchObject({ open: true })
  expect(await tipOf('asc')).toBeNull()
  const manifest = (await (await fetch(new URL('dataset/manifest.json', server.base))).json()) as {
    files: { kind: string; regionId: string; from: string; rows: object; sha256: string }[]
  }
  const recent = manifest.files.find(({ kind, regionId }) => kind === 'recent' && regionId === REGION)!
  expect(recent.from >= from).toBe(true)
  expect((await fetch(new URL(`dataset/${recent.sha256}.duckdb`, server.base))).status).toBe(200)
  // Another day without racing changes nothing.
  const later = new Date(SUMMER.getTime() + DAY_MS)
  expect(await isDatasetBehind(server.database, server.place.dataFolder, later)).toBe(false)
})

test('the accuracy of the last days is that of the last days with racing', async () => {
  const query = { countryRegionId: REGION, days: -7 }
  const [counted] = await server.database.rows<{ hits: number; misses: number }>(
    `select count(*) filter (where outcome = 'hit') as hits, count(*) filter (where outcome = 'miss') as misses
     from settlement s join prediction p using (race_id, model_id, gameplay_class, rank) join race on race.id = race_id
     where selected and gameplay_class = 1 and region_id = $1 and race_date between $2::date - 6 and $2::date
       and model_id = headline_model`,
    [REGION, last],
  )
  const detail = await server.ask(queryAccuracyDetail, { query })
  expect(detail).toMatchObject(counted!)
  expect(detail.models.length).toBeGreaterThan(0)
  expect(await server.ask(racing.queryAccuracyInDays, { query })).toBeCloseTo(
    counted!.hits / (counted!.hits + counted!.misses),
    12,
  )
})
