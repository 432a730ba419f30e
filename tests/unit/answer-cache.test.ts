import { expect, test } from 'vitest'
import { AnswerCache } from '../../server/routes/answer-cache.ts'
import type { Database } from '../../server/db/database.ts'

/** A database whose statements wait for the promise given last, and a clock that is set by hand. */
function delayedDatabase(kind: Database['kind'] = 'pglite') {
  let time = Date.parse('2026-03-01T12:00:10Z')
  let pending: Promise<unknown> = Promise.resolve()
  let stamp = 'first'
  const database: Pick<Database, 'kind' | 'rows'> = {
    kind,
    rows: async <Row>() => {
      await pending
      return [{ stamp, value: stamp, revision: stamp }] as Row[]
    },
  }
  const cache = new AnswerCache(database, () => new Date(time))
  return {
    cache,
    advance: (ms: number): void => void (time += ms),
    change: (): void => void (stamp += ' changed'),
    hold: (): (() => void) => {
      let release = (): void => {}
      pending = new Promise<void>((resolve) => (release = resolve))
      return release
    },
    failing: (): void => {
      pending = Promise.reject(new Error('unreachable'))
      pending.catch(() => {})
    },
  }
}

const unasked = (): Promise<never> => Promise.reject(new Error('made again'))

/** Waits for as long as a cache that may answer before its database does. */
async function patienceEnded(): Promise<void> {
  const { cache, advance, hold } = delayedDatabase()
  await cache.get('list', async () => 1)
  advance(1500)
  hold()
  await cache.get('list', unasked)
}

test('a kept answer is sent while a long transaction holds the database, and made again after a change', async () => {
  const { cache, advance, hold, change } = delayedDatabase()
  const first = await cache.get('list', async () => 1)
  advance(1500)
  const release = hold()
  expect(await cache.get('list', unasked)).toBe(first)
  const other = cache.get('other list', async () => 2)
  change()
  release()
  expect((await other).body).toContain('"result":2')
  expect((await cache.get('list', async () => 3)).body).toContain('"result":3')
})

test('a kept answer of two minutes ago waits for the database', async () => {
  const { cache, advance, hold } = delayedDatabase()
  await cache.get('list', async () => 1)
  advance(120_000)
  const release = hold()
  const waiting = cache.get('list', async () => 2)
  await patienceEnded()
  release()
  expect((await waiting).body).toContain('"result":2')
})

test('a database that fails is told, though an answer is kept', async () => {
  const { cache, advance, failing } = delayedDatabase()
  await cache.get('list', async () => 1)
  advance(1500)
  failing()
  await expect(cache.get('list', unasked)).rejects.toThrow('unreachable')
})

test('an answer of a slow PostgreSQL is awaited, because it may know of a change', async () => {
  const { cache, advance, hold, change } = delayedDatabase('postgresql')
  await cache.get('list', async () => 1)
  advance(1500)
  const release = hold()
  const waiting = cache.get('list', async () => 2)
  await patienceEnded()
  change()
  release()
  expect((await waiting).body).toContain('"result":2')
})
