// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import * as racing from '../../contract/api/racing.ts'
import { Manifest, type DatasetFile } from '../../contract/dataset.ts'
import { lastRaceDay } from '../../contract/last-race-day.ts'
import { addDays } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { DEMO_DAY } from '../support/demo-data.ts'

let server: TestServer
let files: DatasetFile[]

beforeAll(async () => {
  const place = await newSmallSeason('postgresql')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, { time: () => DEMO_DAY })
  files = Manifest.parse(await (await fetch(new URL('dataset/manifest.json', server.base))).json()).files
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

describe('dataset files', () => {
  const publicFile = (): string => `/dataset/${files.find(({ kind }) => kind === 'racing')!.sha256}.duckdb`
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.fetch({ method: 'GET', path }, { headers })

  test('are immutable, compressed where that helps, and may be fetched in part', async () => {
    const whole = await get(publicFile(), { 'accept-encoding': 'br' })
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(whole.headers.get('content-encoding')).toBe('br')
    // The server waits at its end for answers that were not read.
    await whole.body!.cancel()
    const part = await get(publicFile(), { range: 'bytes=8-11', 'accept-encoding': 'br' })
    expect(part.status).toBe(206)
    expect(await part.text()).toBe('DUCK')
  })
  test('entitled ones are private to caches, and say nothing when refused', async () => {
    const url = `/dataset/${files.find(({ kind }) => kind === 'record')!.sha256}.duckdb`
    const { token } = await seedCustomer(server.database, { at: DEMO_DAY })
    await server.buy(token)
    const given = await server.fetch({ method: 'GET', path: url }, { token })
    expect(given.headers.get('cache-control')).toContain('private')
    await given.body!.cancel()
    const refused = await get(url)
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await refused.arrayBuffer()).byteLength).toBeLessThan(400)
    for (const twin of [`${url}.br`, `${url}?x=1.br`, url.replace('/dataset/', '/dataset/./')])
      expect((await server.app.inject(twin)).statusCode, twin).toBeGreaterThanOrEqual(400)
  })
  test.each([
    '/dataset/index.json',
    '/dataset/..%2fsecret',
    '/dataset/%2e%2e/secret',
    `/dataset/${'0'.repeat(64)}.duckdb`,
  ])('%s is not served', async (url) => {
    expect((await server.app.inject(url)).statusCode).toBe(404)
  })
  test('the manifest is asked for anew, and not sent twice', async () => {
    const first = await get('/dataset/manifest.json')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/dataset/manifest.json', { 'if-none-match': first.headers.get('etag')! })
    expect(again.status).toBe(304)
  })
  test('what everybody may fetch holds seven days of predictions at most', () => {
    const open = files.filter(({ rows, entitlement }) => entitlement === 'public' && 'prediction' in rows)
    expect(open.length).toBeGreaterThan(0)
    for (const file of open) {
      expect(file.kind).toBe('recent')
      const last = lastRaceDay(files, file.regionId)!
      expect(file.from! >= addDays(last, -6)).toBe(true)
      expect(file.to).toBe(last)
    }
  })
})

describe('refusals', () => {
  const post = (headers: Record<string, string>, payload: string) =>
    server.app.inject({ method: 'POST', url: account.linkSignIn.path, headers, payload })
  test.each([
    ['another type', 'application/xml', '<a/>', 415],
    ['broken JSON', 'application/json', '{"code":', 400],
    ['a field missing', 'application/json', '{}', 400],
    ['a body too large', 'application/json', `{"code":"${'x'.repeat(300_000)}"}`, 413],
  ])('%s is refused in the envelope, without a trace', async (_, type, payload, status) => {
    const answer = await post({ 'content-type': type }, payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ success: false, code: status })
    expect(answer.body).not.toMatch(/node_modules|at .*\.ts/)
  })
  test.each([
    ['en', 'Check this field: '],
    ['zh-Hant', '請檢查此欄：'],
    ['zh-Hans', '请检查此项：'],
  ])('bad input names each field, in %s', async (language, words) => {
    const reply = await server.call(racing.queryRace, {
      query: { countryRegionId: '1', today: 'soon' },
      language,
    })
    expect(reply.status).toBe(400)
    if (reply.ok) return
    expect(reply.refusal.message).toContain(words)
    expect(reply.refusal.result.fields!.map(({ field }) => field).toSorted()).toEqual([
      'countryRegionId',
      'today',
    ])
  })
})
