import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENGINE_ERROR_CODES, ENGINE_VERSION } from '../../contract/engine-errors.ts'
import { ERROR_CODES } from '../../domain/errors.ts'

test('reports name the engine that is installed, and codes that errors have', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(ENGINE_VERSION).toBe(dependencies['@duckdb/duckdb-wasm'])
  for (const code of ENGINE_ERROR_CODES) expect(ERROR_CODES).toContain(code)
})
