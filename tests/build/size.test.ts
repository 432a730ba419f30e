import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

test('the scripts of the page and of the workers do without the validation library', () => {
  // Every schema of the library has this property, and minifiers keep the names of properties.
  const mark = '_zod'
  const library = fileURLToPath(import.meta.resolve('zod/v4/core'))
  expect(readFileSync(library.replace(/index\.js$/, 'schemas.js'), 'utf8')).toContain(mark)
  const assets = fileURLToPath(new URL('../../dist/site/assets/', import.meta.url))
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const workers = scripts.filter((name) => /\.worker-[^.]+\.js$/.test(name))
  expect(workers.map((name) => name.split('.')[0]).toSorted()).toEqual(
    expect.arrayContaining(['analytics', 'console', 'lab', 'own']),
  )
  expect(scripts).toEqual(expect.arrayContaining([expect.stringMatching(/^base-/)]))
  expect(scripts.filter((name) => readFileSync(`${assets}${name}`, 'utf8').includes(mark))).toEqual([])
})
