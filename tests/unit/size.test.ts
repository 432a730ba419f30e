import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { benchSize } from '../../bench/size.ts'

const BUILT = new URL('../../dist/site/build-manifest.json.br', import.meta.url)
const FIRST_ROUTE_LIMIT_BYTES = 150_000

test('the first route is small, and engine, grid and charts are not part of it', () => {
  expect(existsSync(BUILT), 'npm test builds the site first').toBe(true)
  const { firstRouteJsBytes, firstRouteFiles, gridBytes, chartBytes, engineClientBytes } = benchSize()
  expect(firstRouteJsBytes).toBeLessThan(FIRST_ROUTE_LIMIT_BYTES)
  expect(firstRouteFiles.filter((file) => /grid|plot|engine|duckdb|worker/.test(file))).toEqual([])
  for (const lazy of [gridBytes, chartBytes, engineClientBytes]) expect(lazy).toBeGreaterThan(10_000)
})
