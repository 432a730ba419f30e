// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FEED_KINDS } from '../../contract/api/feed.ts'
import { TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { feedSamples } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { TRACE, VALUES } from '../support/hostile.ts'

type Path = readonly (string | number)[]

/** Paths to every field; of each list, only the first element. */
function leavesOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const entries = Array.isArray(value) ? [[0, value[0]] as const] : Object.entries(value)
  return [[], ...entries.flatMap(([key, part]) => leavesOf(part).map((path): Path => [key, ...path]))]
}

function withValue(whole: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const copy = Array.isArray(whole) ? [...whole] : { ...(whole as object) }
  const parts = copy as Record<string | number, unknown>
  parts[key] = withValue(parts[key], rest, value)
  return copy
}

/** Hostile input with a token of every scope: never a 500, and no internal details in a response. */
describeOnBoth('the feed under attack on %s', { usual: 'pglite', other: 'soak' }, (kind) => {
  let server: TestServer
  let lastKey = 0
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind))
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  async function wrongOf(
    path: string,
    token: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<string[]> {
    lastKey += 1
    const response = await fetch(new URL(path, server.base), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': `${lastKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    })
    const text = await response.text()
    const isWrong = response.status >= 500 || (response.status >= 400 && TRACE.test(text))
    return isWrong
      ? [`${path} ${body.slice(0, 200).toString()}: ${response.status} ${text.slice(0, 200)}`]
      : []
  }

  test('every field, and every field inside it, with every hostile value', async () => {
    const wrong: string[] = []
    let sent = 0
    for (const [each, sample] of Object.entries(feedSamples('2099-01-01'))) {
      for (const path of leavesOf({ races: [sample] })) {
        // Tokens are rate-limited, so each field gets a new one: a request refused by the limit tests nothing.
        const token = await newOperatorToken(server.database)
        const bodies = VALUES.map((value) => JSON.stringify(withValue({ races: [sample] }, path, value)))
        const answers = await Promise.all(bodies.map((body) => wrongOf(`/feed/${each}`, token, body)))
        sent += answers.length
        wrong.push(...answers.flat())
      }
    }
    expect(wrong).toEqual([])
    expect(sent).toBeGreaterThan(1000)
  })

  test('bodies that are broken, deep, no UTF-8 or no JSON, and keys of every kind', async () => {
    const wrong: string[] = []
    for (const each of FEED_KINDS) {
      const token = await newOperatorToken(server.database)
      for (const body of [
        '',
        '{"races":',
        'null',
        '[1]',
        `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
        '{"__proto__":{"x":1},"races":[]}',
        new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      ])
        wrong.push(...(await wrongOf(`/feed/${each}`, token, body)))
      const sound = JSON.stringify({ races: [feedSamples('2099-01-01')[each]] })
      for (const key of ["' or 1=1 --", 'x'.repeat(8000), '%00', ' ', 'é'])
        wrong.push(...(await wrongOf(`/feed/${each}`, token, sound, { 'idempotency-key': key })))
    }
    expect(wrong).toEqual([])
  })
})
