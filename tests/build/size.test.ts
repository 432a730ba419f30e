import { beforeAll, expect, test } from 'vitest'
import { benchSize } from '../../bench/size.ts'
import { buildSite } from '../../tools/lib/site.mjs'

beforeAll(buildSite)

const FIRST_ROUTE_LIMIT_BYTES = 150_000

test('the first route is small, and engine, grid and charts are not part of it', () => {
  const { firstRouteJsBytes, firstRouteFiles, gridBytes, chartBytes, engineClientBytes } = benchSize()
  expect(firstRouteJsBytes).toBeLessThan(FIRST_ROUTE_LIMIT_BYTES)
  expect(firstRouteFiles.filter((file) => /grid|plot|engine|duckdb|worker/.test(file))).toEqual([])
  for (const lazy of [gridBytes, chartBytes, engineClientBytes]) expect(lazy).toBeGreaterThan(10_000)
})
