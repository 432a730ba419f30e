// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { dayIn } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { TestServer } from '../support/api.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'

const REGION = '100000'
const MODEL = 'market-baseline'

let now = DEMO_DAY
let server: TestServer
let vip: string

beforeAll(async () => {
  const place = await newDemonstration('postgresql')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, { time: () => now })
  vip = await newToken()
  await server.buy(vip)
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

const newToken = async (): Promise<string> => (await seedCustomer(server.database, { at: DEMO_DAY })).token

async function ask(request: unknown, token?: string) {
  const response = await server.fetch(
    { method: 'POST', path: ANALYTICS_PATH },
    { token, body: { regionId: REGION, request, scope: 'coming' } },
  )
  const body = (await response.json()) as { result?: { rows: Record<string, unknown>[] } }
  return { status: response.status, rows: body.result?.rows ?? [] }
}

const totals = (where: Filter) => ({
  aggregate: { model: 'predictions', by: [], measures: ['predictions', 'hits'], where },
})
const list = (where: Filter) => ({
  rows: {
    model: 'predictions',
    columns: ['race_id', 'combination', 'horses_en'],
    where,
    sort: [],
    offset: 0,
    limit: 500,
  },
})
const lines = (found: Record<string, unknown>[], id: string): string[] =>
  found.map((row) => `${String(row[id])} ${String(row['combination'])}`).toSorted()

test('coming predictions are found by the same questions, by VIPs all, by members those of races they opened', async () => {
  const filters: [Filter[], string][] = [
    [[], 'true'],
    [
      [
        { dim: 'bet_type', in: [1] },
        { dim: 'rank', in: [1] },
      ],
      'p.gameplay_class = 1 and p.rank = 1',
    ],
    [
      [
        { dim: 'bet_type', in: [4] },
        { dim: 'prediction_type', in: [1] },
      ],
      'p.gameplay_class = 4 and p.selected',
    ],
    [
      [
        { dim: 'bet_type', in: [1] },
        { dim: 'draw', in: [1, 2] },
      ],
      'p.gameplay_class = 1 and r.draw in (1, 2)',
    ],
    [
      [
        { dim: 'bet_type', in: [1] },
        { dim: 'odds', from: 5, to: 20 },
      ],
      `p.gameplay_class = 1 and (select odds from odds_tick t where t.race_id = race.id and t.horse_no = r.horse_no
         order by seen_at desc limit 1) between 5 and 20`,
    ],
  ]
  for (const [filter, condition] of filters) {
    const expected = await server.database.rows<{ id: string; combination: string }>(
      `select race.id, p.combination from race join prediction p on p.race_id = race.id
       left join runner r on r.race_id = race.id and p.gameplay_class = 1
         and r.horse_no::text = p.combination
       where race.region_id = $1 and race.status = 'scheduled' and p.model_id = $2
         and race_date between $3::date and $3::date + 1 and ${condition}`,
      [REGION, MODEL, dayIn('Asia/Hong_Kong', DEMO_DAY)],
    )
    expect(expected.length).toBeGreaterThan(0)
    const where = allOf({ dim: 'model', in: [MODEL] }, { dim: 'origin', in: ['locked'] }, ...filter)!
    const counted = await ask(totals(where), vip)
    expect(counted.rows).toMatchObject([{ predictions: expected.length, hits: 0 }])
    if (expected.length > 500) continue
    const seen = await ask(list(where), vip)
    expect(lines(seen.rows, 'race_id')).toEqual(lines(expected, 'id'))
    expect(seen.rows.every((row) => row['horses_en'] !== null)).toBe(true)
    // A member who opened none of these races sees nothing, not even their number.
    const nobody = await newToken()
    expect((await ask(list(where), nobody)).rows).toEqual([])
    const none = await ask(totals(where), nobody)
    expect(none.rows.map((row) => row['predictions'] ?? 0)).toEqual([0])
    const opener = await newToken()
    const raceId = expected[0]!.id
    await server.ask(raceSubscribe, { token: opener, query: { raceId } })
    expect(lines((await ask(list(where), opener)).rows, 'race_id')).toEqual(
      lines(
        expected.filter(({ id }) => id === raceId),
        'id',
      ),
    )
  }
  expect((await ask(list({ dim: 'model', in: [MODEL] }))).status).toBe(401)
  const trend = { named: { name: 'odds_trend', raceId: 'HKSHT2026112201' } }
  expect((await ask(trend, vip)).status).toBe(400)
})

test('coming races have the first choice of their model, and no winner', async () => {
  const expected = await server.database.rows<{ raceId: string; horseNo: number }>(
    `select distinct on (c.race_id) c.race_id, c.horse_no from win_chance c join race on race.id = c.race_id
     where race.region_id = $1 and race.status = 'scheduled' and c.model_id = $2
       and race_date between $3::date and $3::date + 1
     order by c.race_id, c.probability desc, c.horse_no`,
    [REGION, MODEL, dayIn('Asia/Hong_Kong', DEMO_DAY)],
  )
  expect(expected.length).toBeGreaterThan(5)
  const where = allOf({ dim: 'model', in: [MODEL] }, { dim: 'origin', in: ['locked'] })!
  const columns = ['race_id', 'first_no', 'first_en', 'winner_no', 'probability']
  const page = { model: 'races', columns, where, sort: [], offset: 0, limit: 500 }
  const { rows } = await ask({ rows: page }, vip)
  const inOrder = (lines: readonly string[]): string[] => lines.toSorted()
  expect(inOrder(rows.map((row) => `${String(row['race_id'])} ${String(row['first_no'])}`))).toEqual(
    inOrder(expected.map(({ raceId, horseNo }) => `${raceId} ${horseNo}`)),
  )
  expect(rows.every((row) => row['first_en'] !== null && row['winner_no'] === null)).toBe(true)
  const count = { aggregate: { model: 'races', by: [], measures: ['races', 'hits'], where } }
  expect((await ask(count, vip)).rows).toMatchObject([{ races: expected.length, hits: 0 }])
  expect((await ask({ rows: page }, await newToken())).rows).toEqual([])
})

test('where tomorrow has no race, the next race day is looked at', async () => {
  const where = allOf({ dim: 'model', in: [MODEL] }, { dim: 'bet_type', in: [1] })!
  const before = await ask(list(where), vip)
  const today = dayIn('Asia/Hong_Kong', DEMO_DAY)
  const moved = await server.database.rows<{ id: string }>(
    `update race set race_date = race_date + 3
     where region_id = $1 and status = 'scheduled' and race_date = $2::date + 1 returning id`,
    [REGION, today],
  )
  expect(moved.length).toBeGreaterThan(0)
  // Races of later days than the next would be found as well.
  await server.database.rows(
    `update race set status = 'abandoned' where region_id = $1 and status = 'scheduled' and race_date > $2::date
       and not id = any ($3)`,
    [REGION, today, moved.map(({ id }) => id)],
  )
  now = new Date(DEMO_DAY.getTime() + 10_000)
  const after = await ask(list(where), vip)
  expect(lines(after.rows, 'race_id')).toEqual(lines(before.rows, 'race_id'))
})
