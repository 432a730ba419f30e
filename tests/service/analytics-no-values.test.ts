import { expect, test } from 'vitest'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { TestServer } from '../support/api.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'

test('a column without any value, as gear in the demonstration, groups like any other', async () => {
  const server = await TestServer.start(await newDemonstration('postgresql'), { time: () => DEMO_DAY })
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
