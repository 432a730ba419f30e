import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  deleteResponses,
  isServedByWorker,
  openResponses,
  storedResponse,
} from '../../src/storage/stored-responses.ts'
import { inTab, onDevice } from '../../src/storage/stored-text.ts'

/** The browser's storage as browsers refuse it. */

const refuse = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

/** A storage in memory, as the browser's. */
function memory(given: Partial<Storage> = {}): Storage {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => void entries.set(key, text),
    removeItem: (key: string) => void entries.delete(key),
    ...given,
  } as Storage
}

/** Makes the page's storage one that `get` returns, or that throws where it is only named. */
const stub = (name: 'localStorage' | 'sessionStorage' | 'caches' | 'navigator', get: () => unknown): void => {
  vi.stubGlobal(name, undefined)
  Object.defineProperty(globalThis, name, { configurable: true, get })
}

afterEach(() => {
  onDevice.remove('key')
  inTab.remove('key')
  vi.unstubAllGlobals()
})

for (const [name, stored] of [
  ['localStorage', onDevice],
  ['sessionStorage', inTab],
] as const)
  describe(name, () => {
    test('keeps texts and values', () => {
      const storage = memory()
      stub(name, () => storage)
      expect(stored.read('key')).toBeNull()
      expect(stored.write('key', 'text')).toBe(true)
      expect(storage.getItem('key')).toBe('text')
      expect(stored.writeJson('key', { a: [1] })).toBe(true)
      expect(stored.readJson('key')).toEqual({ a: [1] })
      storage.setItem('key', '{ not JSON')
      expect(stored.readJson('key')).toBeNull()
      expect(stored.isBlocked()).toBe(false)
      stored.remove('key')
      expect(stored.read('key')).toBeNull()
    })

    test.each([
      ['throws where it is named, as with cookies blocked', refuse],
      ['is missing', () => undefined],
      ['is null, as in some web views', () => null],
    ])('where it %s, the page keeps what it wrote until it is closed', (_, get) => {
      stub(name, get)
      expect(stored.isBlocked()).toBe(true)
      expect(stored.read('key')).toBeNull()
      expect(stored.readJson('key')).toBeNull()
      expect(stored.write('key', 'text')).toBe(false)
      expect(stored.read('key')).toBe('text')
      expect(stored.writeJson('key', { a: 1 })).toBe(false)
      expect(stored.readJson('key')).toEqual({ a: 1 })
      stored.remove('key')
      expect(stored.read('key')).toBeNull()
    })

    test('where it is full, the newest value counts, and what was stored before stays readable', () => {
      const storage = memory()
      stub(name, () => storage)
      stored.write('key', 'old')
      const full = memory({ getItem: (key) => storage.getItem(key), setItem: refuse })
      stub(name, () => full)
      expect(stored.isBlocked()).toBe(false)
      expect(stored.read('key')).toBe('old')
      expect(stored.write('key', 'new')).toBe(false)
      expect(stored.read('key')).toBe('new')
    })
  })

describe('stored responses', () => {
  beforeEach(() => vi.unstubAllGlobals())

  test.each([
    ['throws where it is named', refuse],
    ['is missing, as without a secure context', () => undefined],
    ['refuses to open', () => ({ open: refuse, match: refuse, delete: refuse })],
    [
      'rejects',
      () => ({ open: async () => refuse(), match: async () => refuse(), delete: async () => refuse() }),
    ],
  ])('where the cache %s, there are none', async (_, get) => {
    stub('caches', get)
    expect(await openResponses('name')).toBeNull()
    expect(await storedResponse(new URL('http://localhost/'))).toBeUndefined()
    await deleteResponses('name')
  })

  test('a browser without service workers, or that refuses them, serves the page itself', () => {
    stub('navigator', () => ({}))
    expect(isServedByWorker()).toBe(false)
    stub('navigator', () => Object.defineProperty({}, 'serviceWorker', { get: refuse }))
    expect(isServedByWorker()).toBe(false)
  })
})

test('nothing of the site but src/storage names the browser’s storage', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith('storage'),
  )
  expect(files.length).toBeGreaterThan(200)
  const naming = files.filter((name) =>
    /\b(localStorage|sessionStorage|indexedDB)\b|\bcaches\.|document\.cookie/.test(
      readFileSync(join('src', name), 'utf8'),
    ),
  )
  expect(naming).toEqual([])
})
