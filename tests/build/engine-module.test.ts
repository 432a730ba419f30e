import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { usedExports, withExports } from '../../tools/lib/wasm-exports.mjs'
import { buildSite } from '../../tools/lib/site.mjs'

beforeAll(buildSite)

test('the site’s engine is the installed one without what is not used', () => {
  const assets = new URL('../../dist/site/assets/', import.meta.url)
  const find = (pattern: RegExp): Buffer => {
    const file = readdirSync(assets).find((each) => pattern.test(each))
    return readFileSync(new URL(file!, assets))
  }
  const installed = readFileSync(
    createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'),
  )
  const built = find(/^duckdb-eh-.*\.wasm$/)
  const script = find(/^duckdb-browser-eh\.worker-.*\.js$/).toString()
  expect(built.equals(withExports(installed, usedExports(installed, script)))).toBe(true)
  expect(installed.length - built.length).toBeGreaterThan(5_000_000)
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(Uint8Array.from(built))).map(
    (each) => each.name,
  )
  expect(exported).toEqual(
    expect.arrayContaining(['malloc', 'duckdb_web_connect', 'duckdb_web_query_run_buffer']),
  )
  expect(exported.length).toBeLessThan(1000)
})
