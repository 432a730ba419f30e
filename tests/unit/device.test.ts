import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cacheWillUpdate } from '../../src/app/cache-will-update.ts'

const CONFIG = readFileSync(new URL('../../vite.config.ts', import.meta.url), 'utf8')

const isStored = async (status: number, control?: string): Promise<boolean> => {
  const headers = new Headers(control === undefined ? [] : [['cache-control', control]])
  return (await cacheWillUpdate({ response: new Response('', { status, headers }) })) !== null
}

// `access.test.ts` checks that every answer that belongs to a customer is marked.
test('the service worker stores what is for everybody, and nothing that is marked as one customer’s', async () => {
  expect(CONFIG).toContain(String.raw`/\/(sys|race)\/api\//.test(url.pathname)`)
  expect(CONFIG).toContain('plugins: [{ cacheWillUpdate }]')
  expect(await isStored(200)).toBe(true)
  expect(await isStored(200, 'no-cache')).toBe(true)
  expect(await isStored(200, 'private, no-cache')).toBe(true)
  expect(await isStored(200, 'no-store')).toBe(false)
  expect(await isStored(200, 'private, no-store')).toBe(false)
  expect(await isStored(404)).toBe(false)
})
