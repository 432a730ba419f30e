// @module-tag rest
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReplacedProcess } from '../../server/analytics/replaced-process.ts'

/** Questions that nobody waits for any more, at the times at which a query does not run yet. */

const folder = mkdtempSync(join(tmpdir(), 'furlong-cancelled-'))
let analytics: ReplacedProcess
beforeAll(() => {
  analytics = new ReplacedProcess({ spill: folder, memoryMib: 100, niceness: 0, idleMs: null })
})
afterAll(() => {
  analytics.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Takes minutes. */
const endless = (key: string) => ({
  open: { key, group: null, totalsOnly: false, files: [] },
  sql: 'select sum(a.range * b.range) as sum from range(1000000) a, range(1000000) b',
  columns: [],
  format: 'arrow' as const,
  limits: { seconds: 20, rows: 10 },
})

test('a question that is cancelled while its files are opened is never begun', async () => {
  const left = new AbortController()
  const reply = analytics.send(endless('opening'), left.signal)
  left.abort()
  expect(await reply).toMatchObject({ ok: false, code: 'query-cancelled' })
})

test('a question that is cancelled while it runs ends', async () => {
  const left = new AbortController()
  await analytics.send({ ...endless('running'), sql: null })
  const reply = analytics.send(endless('running'), left.signal)
  setTimeout(() => left.abort(), 200)
  expect(await reply).toMatchObject({ ok: false, code: 'query-cancelled' })
})

test('a question that was cancelled before it is sent is not sent', async () => {
  expect(await analytics.send(endless('before'), AbortSignal.abort())).toMatchObject({
    ok: false,
    code: 'query-cancelled',
  })
})
