// @module-tag rest
import { expect, test } from 'vitest'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { copyOf } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

test('a column without any value, as gear of a source without it, groups like any other', async () => {
  const place = await copyOf('postgresql', 'demonstration_without_gear', async ({ database, dataFolder }) => {
    await ensureDemonstration(database, DEMO_DAY, SMALL_SEASON_DAYS)
    await database.rows('update runner set gear = null')
    await scoreStaleRaces(database, undefined, () => DEMO_DAY)
    await buildDataset(database, dataFolder, DEMO_DAY)
  })
  const server = await TestServer.start(place, { time: () => DEMO_DAY })
  const { token } = await seedCustomer(server.database, { at: DEMO_DAY })
  const where = {
    and: [
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: ['backtest'] },
    ],
  }
  const request = { aggregate: { model: 'predictions', by: ['gear'], measures: ['losing_run'], where } }
  const response = await server.fetch(
    { method: 'POST', path: ANALYTICS_PATH },
    { token, body: { regionId: '100000', request, scope: 'own' } },
  )
  const { result } = (await response.json()) as { result: { rows: Record<string, unknown>[] } }
  expect(response.status).toBe(200)
  expect(result.rows.map(({ gear }) => gear)).toEqual([null])
  await server.close()
  await server.place.close()
})
