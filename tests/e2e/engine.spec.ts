import { expect, test, type Page } from '@playwright/test'
import { openDoorPage } from '../../bench/browser.ts'
import { EVERYTHING } from '../../bench/cases.ts'
import type { OpenedDoor } from '../../bench/door-page.ts'
import { Manifest } from '../../contract/dataset.ts'
import { BASE, figuresShown, firstCell, RECORD, signIn, tilesReady, vipToken, Watch } from './site.ts'

type Scope = {
  door: OpenedDoor
  openDoor: (worker: string, base: string, token: string | null, limit?: number) => Promise<OpenedDoor>
}

const ask = (page: Page, name: string, parameters: unknown) =>
  page.evaluate(
    async ([query, given]) => {
      const { door } = globalThis as unknown as Scope
      const reply = await door.door.run(query as 'stadiums', given, Math.floor(Math.random() * 1e9))
      return reply.ok ? { ok: true as const, bytes: reply.bytes.length } : reply
    },
    [name, parameters] as const,
  )

test.describe('the worker’s door', () => {
  let page: Page
  test.beforeAll(async ({ browser }) => {
    page = await openDoorPage(browser, { baseUrl: BASE(), token: await vipToken() })
  })
  test.afterAll(() => page.context().close())

  test('opens every file of the region with the exact engine in use', async () => {
    const manifest = Manifest.parse(await (await page.request.get(`${BASE()}dataset/manifest.json`)).json())
    const files = manifest.files.filter(({ regionId, kind }) => regionId === '100000' && kind !== 'recent')
    const dataset = await page.evaluate(() => (globalThis as unknown as Scope).door.dataset)
    expect(dataset).toMatchObject({ history: true, demonstration: true, files: files.length })
  })

  test('bad input gets a code, and the next question its answer', async () => {
    expect(await ask(page, 'record_totals', { filter: { ...EVERYTHING, from: 'soon' } })).toMatchObject({
      ok: false,
      error: { code: 'bad-parameters' },
    })
    expect(await ask(page, 'DROP TABLE race', {})).toMatchObject({
      ok: false,
      error: { code: 'unknown-query' },
    })
    expect(await ask(page, 'record_totals', { filter: EVERYTHING })).toMatchObject({ ok: true })
  })

  test('a cancelled question ends as such, waiting or running, and leaves the engine usable', async () => {
    const codes = await page.evaluate(async (filter) => {
      const { door } = (globalThis as unknown as Scope).door
      const heavy = { filter, by: 'horse' as const }
      const asked = [1, 2, 3, 4].map((id) => door.run('record_breakdown', heavy, 900_000 + id))
      await Promise.all([1, 2, 3].map((id) => door.cancel(900_000 + id)))
      return (await Promise.all(asked)).map((reply) => (reply.ok ? 'ok' : reply.error.code))
    }, EVERYTHING)
    expect(codes.slice(1)).toEqual(['query-cancelled', 'query-cancelled', 'ok'])
    // The first may have been done before the cancel came.
    expect(['query-cancelled', 'ok']).toContain(codes[0])
    expect(await ask(page, 'stadiums', {})).toMatchObject({ ok: true })
  })

  test('too little memory is said, and more of it mends it', async () => {
    const outcome = await page.evaluate(
      async ([base, token]) => {
        const { door } = (globalThis as unknown as Scope).door
        const open = (memoryLimitMb: number) =>
          door.open({ baseUrl: base!, regionId: '100000', token: token!, memoryLimitMb })
        const small = await open(1)
        const large = await open(1000)
        const memory = await door.memory()
        return {
          small: small.ok ? 'ok' : small.error.code,
          large: large.ok,
          limit: memory.ok ? memory.limitBytes : 0,
        }
      },
      [BASE(), await vipToken()],
    )
    expect(outcome).toMatchObject({ small: 'out-of-memory', large: true })
    expect(outcome.limit).toBeGreaterThan(900_000_000)
    expect(await ask(page, 'record_days', { filter: EVERYTHING })).toMatchObject({ ok: true })
  })
})

test('news is kept in tables of the engine, once each, and wrong rows are refused', async ({ browser }) => {
  const page = await openDoorPage(browser, { baseUrl: BASE(), token: await vipToken() })
  const raceId = 'HKSHT2026112209'
  const at = '2026-11-22T05:00:00.000Z'
  const outcome = await page.evaluate(
    async ([race, told]) => {
      const { door } = (globalThis as unknown as Scope).door
      const rows = [
        { kind: 'odds', raceId: race!, at: told!, horseNumber: 4, odds: 3.5 },
        { kind: 'tip', raceId: race!, at: told!, horseNumber: 4, rank: 1, probability: 0.25 },
        { kind: 'result', raceId: race!, at: '2026-11-22T05:03:00.000Z', horseNumber: 7, place: 1 },
        { kind: 'result', raceId: race!, at: '2026-11-22T05:03:00.000Z', horseNumber: 4, place: 2 },
      ] as const
      const first = await door.live(rows)
      const again = await door.live(rows)
      const bad = await door.live([{ ...rows[0], raceId: "x' OR 1=1" }])
      return { first: first.ok, again: again.ok, bad: bad.ok }
    },
    [raceId, at],
  )
  expect(outcome).toEqual({ first: true, again: true, bad: false })
  const rows = await page.evaluate(() => (globalThis as unknown as Scope).door.read('live_races', {}))
  expect(rows).toEqual([{ race_id: raceId, at: '2026-11-22T05:03:00Z', odds: 1, tips: 1, result: '7-4' }])
  await page.context().close()
})

test('a right that the server refuses opens what is public', async ({ browser }) => {
  const page = await openDoorPage(browser, { baseUrl: BASE(), token: 'forged' })
  const dataset = await page.evaluate(() => (globalThis as unknown as Scope).door.dataset)
  expect(dataset).toMatchObject({ history: false })
  expect(await ask(page, 'record_totals', { filter: EVERYTHING })).toMatchObject({ ok: true })
  const stadium = { filter: { ...EVERYTHING, stadiumKeys: [1] } }
  expect(await ask(page, 'record_totals', stadium)).toMatchObject({
    ok: false,
    error: { code: 'vip-needed' },
  })
  await page.context().close()
})

test('a second visit downloads no data file again, and works offline', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, await vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // The page that installs the worker is not under it; the visit after it is.
  await page.goto(RECORD())
  await page.reload()
  await tilesReady(page)
  await expect(page.locator('.js-plotly-plot').first()).toBeVisible()
  await expect(firstCell(page, 'race_date')).toContainText('2026-')
  const first = await figuresShown(page)
  expect(watch.datasetRequests().length).toBeGreaterThan(3)

  watch.requests.length = 0
  await page.reload()
  await tilesReady(page)
  expect(watch.datasetRequests()).toEqual([])
  expect(watch.problems).toEqual([])

  await context.setOffline(true)
  await page.reload()
  await tilesReady(page)
  await expect(page.getByText('You are offline')).toBeVisible()
  expect(await figuresShown(page)).toEqual(first)
  await page.getByText('Quinella', { exact: true }).click()
  await expect(page).toHaveURL(/class=1%2C3/)
  await expect.poll(() => figuresShown(page)).not.toEqual(first)
  await context.close()
})

test('a damaged file on the device is noticed and fetched again', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  const shown = await figuresShown(page)
  const damaged = await page.evaluate(async () => {
    const cache = await caches.open('furlong-dataset')
    const [request] = await cache.keys()
    const bytes = new Uint8Array(await (await cache.match(request!))!.arrayBuffer())
    bytes[bytes.length >> 1]! ^= 255
    await cache.put(request!, new Response(bytes))
    return request!.url
  })
  const watch = new Watch(page)
  await page.reload()
  await tilesReady(page)
  expect(watch.datasetRequests()).toEqual([damaged])
  expect(await figuresShown(page)).toEqual(shown)
  await context.close()
})

test('a worker that breaks is replaced, and the record goes on', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  const before = await figuresShown(page)
  const worker = page.workers().find((each) => each.url().includes('analytics.worker'))
  await worker!.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('broken on purpose')
      }),
  )
  await page.waitForTimeout(500)
  await page.getByText('Quinella', { exact: true }).click()
  await expect.poll(() => figuresShown(page), { timeout: 20_000 }).not.toEqual(before)
  await tilesReady(page)
  await context.close()
})

test('two tabs work beside each other', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  const pages = [await context.newPage(), await context.newPage()]
  await Promise.all(pages.map((page) => page.goto(RECORD())))
  await Promise.all(pages.map(tilesReady))
  await context.close()
})
