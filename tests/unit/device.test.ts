import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../contract/api/endpoints.ts'

const CONFIG = readFileSync(new URL('../../vite.config.ts', import.meta.url), 'utf8')

test('what belongs to a customer is in no pattern of the service worker', () => {
  expect(CONFIG).toContain(String.raw`/\/(sys|race)\/api\//.test(url.pathname)`)
  const source = /!\/(customer\|[^/]+)\/\.test\(/.exec(CONFIG)?.[1]
  expect(source).toBeDefined()
  const excluded = new RegExp(source!)
  const own = ENDPOINTS.filter(
    ({ access, method, path }) =>
      access === 'customer' && method === 'GET' && /\/(sys|race)\/api\//.test(path),
  ).map(({ path }) => path)
  expect(own.length).toBeGreaterThan(8)
  expect(own.filter((path) => !excluded.test(path))).toEqual([])
})
