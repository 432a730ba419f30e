import { expect, test, type Page } from '@playwright/test'
import { openEnginePage, type EngineScope } from '../../bench/browser.ts'
import { EVERYTHING, of } from '../support/cases.ts'
import { checkRequest, type CheckedRequest } from '../../analytics/request.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import { Manifest } from '../../contract/dataset.ts'
import {
  BASE,
  betType,
  engineReady,
  figuresShown,
  gesture,
  RECORD,
  signIn,
  tilesReady,
  vipToken,
} from './site.ts'

/** Runs a query on the engine; returns the error reply, or `ok` with the size of the response. */
const ask = (page: Page, request: unknown) =>
  page.evaluate(async (question) => {
    const { engine } = globalThis as unknown as EngineScope
    const call = { requestId: Math.floor(Math.random() * 1e9), priority: 'interactive' as const }
    const reply = await engine.api.run(question as never, call)
    return reply.ok ? { ok: true as const, bytes: reply.answer.bytes.length } : reply
  }, request)

const totals = (by: string[] = [], where: unknown = EVERYTHING) => ({
  aggregate: { model: 'predictions', by, measures: ['predictions', 'profit'], where },
})

test.describe('the engine in the worker', () => {
  let page: Page
  test.beforeAll(async ({ browser }) => {
    page = await openEnginePage(browser, { baseUrl: BASE(), token: vipToken() })
  })
  test.afterAll(() => page.context().close())

  test(
    'opens the files of the region and model with the exact engine in use',
    { tag: '@smoke' },
    async () => {
      const manifest = Manifest.parse(await (await page.request.get(`${BASE()}dataset/manifest.json`)).json())
      const files = chooseFiles(manifest, { regionId: '100000', models: ['market-baseline'], entitled: true })
      const dataset = await page.evaluate(() => (globalThis as unknown as EngineScope).engine.dataset)
      expect(dataset).toMatchObject({ history: true, demonstration: true, files: files.length, since: null })
    },
  )

  test('a question that cannot be compiled gets a code, and the next one its answer', async () => {
    // The page checks what comes from outside, as the server does; the worker compiles what it is given.
    for (const [request, code] of [
      [totals(['sea']), 'bad-parameters'],
      [{ 'DROP TABLE race': {} }, 'unknown-query'],
    ] as const) {
      expect(() => checkRequest(request)).toThrowError(expect.objectContaining({ code }))
      expect(await ask(page, request)).toMatchObject({ ok: false, error: { code: 'engine-failed' } })
    }
    expect(await ask(page, totals())).toMatchObject({ ok: true })
  })

  test('a cancelled question ends as such, equal questions are one, and the engine goes on', async () => {
    const codes = await page.evaluate(async (where) => {
      const { api } = (globalThis as unknown as EngineScope).engine
      const heavy = (by: string) =>
        ({
          aggregate: { model: 'predictions' as const, by: [by], measures: ['predictions'], where },
        }) as unknown as CheckedRequest
      const call = (id: number, priority: 'interactive' | 'idle') => ({ requestId: 900_000 + id, priority })
      const questions = [
        api.run(heavy('horse'), call(1, 'idle')),
        api.run(heavy('jockey'), call(2, 'idle')),
        api.run(heavy('trainer'), call(3, 'idle')),
        api.run(heavy('trainer'), call(4, 'interactive')),
      ]
      await Promise.all([2, 3].map((id) => api.cancel(900_000 + id)))
      return (await Promise.all(questions)).map((reply) => (reply.ok ? 'ok' : reply.error.code))
    }, EVERYTHING)
    // The third request shared its query with the fourth, which was still waiting for it.
    expect(codes).toEqual(['ok', 'query-cancelled', 'query-cancelled', 'ok'])
    expect(await ask(page, totals(['going']))).toMatchObject({ ok: true })
  })

  test('a question of rows that are no longer open is refused, not answered without rows', async () => {
    const codes = await page.evaluate(async (request) => {
      const { api, dataset } = (globalThis as unknown as EngineScope).engine
      const asked = ['market-baseline', 'fundamental'].map(
        (model) => ({ ...dataset, model }) as typeof dataset,
      )
      const replies = await Promise.all(
        asked.map((rows, at) =>
          api.run(request as never, { requestId: 800_000 + at, priority: 'visible', rows }),
        ),
      )
      return replies.map((reply) => (reply.ok ? 'ok' : reply.error.code))
    }, totals())
    expect(codes).toEqual(['ok', 'busy'])
  })

  test('an index answers each position of a brush, and another region of it', async () => {
    const outcome = await page.evaluate(async (where) => {
      const { engine } = globalThis as unknown as EngineScope
      const call = () => ({ requestId: Math.floor(Math.random() * 1e9), priority: 'interactive' as const })
      const before = await engine.api.step('no_index', { from: 1, to: 2, panels: [0] }, call())
      const built = await engine.api.index(
        {
          model: 'predictions',
          active: ['race_no'],
          panels: [{ by: ['going'], where }],
          measures: ['predictions'],
        },
        call(),
      )
      const name = built.ok ? built.answer.name : ''
      const whole = await engine.api.step(name, { from: 1, to: 99, panels: [0] }, call())
      const bad = await engine.api.step(name, { from: 'x', to: 99, panels: [0] }, call())
      return {
        before: before.ok ? 'ok' : before.error.code,
        whole: whole.ok && whole.answer.bytes.length > 100,
        bad: bad.ok ? 'ok' : bad.error.code,
      }
    }, EVERYTHING)
    expect(outcome).toMatchObject({ before: 'bad-parameters', whole: true })
  })

  test('too little memory is said, and more of it mends it', async () => {
    const token = vipToken()
    const openWith = (limit: number) =>
      page.evaluate(
        async ([baseUrl, vip, memoryLimitMb]) => {
          const { api } = (globalThis as unknown as EngineScope).engine
          const opened = await api.open({
            baseUrl,
            regionId: '100000',
            model: 'market-baseline',
            seasons: 'all',
            token: vip,
            memoryLimitMb,
          })
          const memory = await api.memory()
          return { ok: opened.ok, limit: memory.ok ? memory.limitBytes : 0 }
        },
        [BASE(), token, limit] as const,
      )
    // Attaching files reads little of them.
    await openWith(1)
    expect(await ask(page, totals(['horse']))).toMatchObject({ ok: false, error: { code: 'out-of-memory' } })
    const { ok, limit } = await openWith(1000)
    expect(ok).toBe(true)
    expect(limit).toBeGreaterThan(900_000_000)
    expect(await ask(page, totals(['day']))).toMatchObject({ ok: true })
  })
})

test('news is stored in tables of the engine, once each, and wrong rows are refused', async ({ browser }) => {
  const page = await openEnginePage(browser, { baseUrl: BASE(), token: vipToken() })
  const raceId = 'HKSHT2026112209'
  const at = '2026-11-22T05:00:00.000Z'
  const outcome = await page.evaluate(
    async ([race, seen]) => {
      const { api } = (globalThis as unknown as EngineScope).engine
      const rows = [
        { kind: 'odds', raceId: race!, at: seen!, horseNumber: 4, odds: 3.5 },
        { kind: 'tip', raceId: race!, at: seen!, horseNumber: 4, rank: 1, probability: 0.25 },
        { kind: 'result', raceId: race!, at: '2026-11-22T05:03:00.000Z', horseNumber: 7, place: 1 },
        { kind: 'result', raceId: race!, at: '2026-11-22T05:03:00.000Z', horseNumber: 4, place: 2 },
      ] as const
      const first = await api.live(rows)
      const again = await api.live(rows)
      const bad = await api.live([{ ...rows[0], raceId: "x' OR 1=1" }])
      return { first: first.ok, again: again.ok, bad: bad.ok }
    },
    [raceId, at],
  )
  expect(outcome).toEqual({ first: true, again: true, bad: false })
  const rows = await page.evaluate(() =>
    (globalThis as unknown as EngineScope).engine.read({ named: { name: 'live_races' } }),
  )
  expect(rows).toEqual([{ race_id: raceId, at: '2026-11-22T05:03:00Z', odds: 1, tips: 1, result: '7-4' }])
  await page.context().close()
})

test('what is open answers while more is fetched, and then with it', async ({ browser }) => {
  const token = vipToken()
  const page = await openEnginePage(browser, { baseUrl: BASE(), token })
  const manifest = Manifest.parse(await (await page.request.get(`${BASE()}dataset/manifest.json`)).json())
  const details = manifest.files.filter(({ kind }) => kind === 'details').map(({ sha256 }) => sha256)
  expect(details.length).toBeGreaterThan(0)
  let asked = 0
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/dataset/*.duckdb', async (route) => {
    if (details.some((sha256) => route.request().url().includes(sha256))) {
      asked += 1
      await held
    }
    await route.continue()
  })
  await page.evaluate(
    ([baseUrl, own]) => {
      const scope = globalThis as unknown as EngineScope & { opening: Promise<unknown> }
      const { regionId, model } = scope.engine.dataset
      scope.opening = scope.engine.api.open({
        baseUrl,
        regionId,
        model,
        token: own,
        seasons: 'all',
        details: true,
        memoryLimitMb: 2000,
      })
    },
    [BASE(), token] as const,
  )
  await expect.poll(() => asked).toBeGreaterThan(0)
  const where = EVERYTHING
  const ofRunners = (by: string) => ({
    aggregate: { model: 'runners', by: [by], measures: ['runners'], where },
  })
  expect(await ask(page, ofRunners('draw'))).toMatchObject({ ok: true })
  release()
  const opened = await page.evaluate(() => (globalThis as unknown as { opening: Promise<unknown> }).opening)
  expect(opened).toMatchObject({ ok: true, dataset: { details: true, history: true } })
  expect(await ask(page, ofRunners('class_move'))).toMatchObject({ ok: true })
  await page.context().close()
})

test('a right that the server refuses opens what is public', async ({ browser }) => {
  const page = await openEnginePage(browser, { baseUrl: BASE(), token: 'forged' })
  const dataset = await page.evaluate(() => (globalThis as unknown as EngineScope).engine.dataset)
  expect(dataset).toMatchObject({ history: false })
  expect(await ask(page, totals())).toMatchObject({ ok: true })
  expect(await ask(page, totals([], of({ dim: 'racecourse', in: [1] })))).toMatchObject({
    ok: false,
    error: { code: 'vip-needed' },
  })
  await page.context().close()
})

test(
  'first figures come from the server, then this device computes the same ones',
  { tag: '@smoke' },
  async ({ browser }) => {
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
    await signIn(context, vipToken())
    const page = await context.newPage()
    await page.goto(RECORD())
    await tilesReady(page)
    await expect(page.getByTestId('record-tiles')).toHaveAttribute('data-computed', 'remote')
    const first = await figuresShown(page)
    await engineReady(page)
    // No query is repeated when the engine becomes ready.
    expect(await figuresShown(page)).toEqual(first)
    // While the engine makes its tables, a near server answers, if there is one.
    await page.route('**/analytics/query', (route) => route.abort())
    await betType(page, 'Quinella').click()
    await expect(page.getByTestId('record-tiles')).toHaveAttribute('data-computed', 'local')
    await tilesReady(page)
    await page.unroute('**/analytics/query')
    await betType(page, 'Quinella').click()
    await tilesReady(page)
    expect(await figuresShown(page)).toEqual(first)
    await context.close()
  },
)

test('twenty clicks in a second are all in the state at the end', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  const slow = await context.newCDPSession(page)
  for (const rate of [1, 4]) {
    await slow.send('Emulation.setCPUThrottlingRate', { rate })
    // Clicks nine bet types twice each, and the last two once more: those clicked an odd number of times are selected.
    const clicked = await page.evaluate(async () => {
      const labels = [...document.querySelectorAll('label')]
      const names = [
        'Place',
        'Quinella',
        'Forecast',
        'Tierce',
        'Trio',
        'First 4',
        'Quartet',
        'Quinella Place',
        'Win',
      ]
      const order = [...names, ...names, 'Place', 'Tierce']
      for (const name of order) {
        labels.find((label) => label.textContent?.trim() === name)!.click()
        await new Promise((resolve) => setTimeout(resolve, 45))
      }
      return order.length
    })
    expect(clicked).toBe(20)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    const taken = rate === 1 ? [1, 2, 7] : [1]
    await expect
      .poll(() => page.evaluate(() => decodeURIComponent(location.hash)))
      .toMatch(taken.length === 1 ? /^(?!.*bet_type)/ : /bet_type:1,2,7/)
    await tilesReady(page)
  }
  await context.close()
})

test('a device without enough memory says so, and the server answers instead', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  // The engine may use a share of the device memory that the browser reports: one megabyte here.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'deviceMemory', { value: 0.003, configurable: true }),
  )
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  await expect(page.getByTestId('computed')).toHaveAttribute('data-engine', 'failed', { timeout: 60_000 })
  await expect(page.getByText('The figures are computed on the server instead.')).toBeVisible()
  const before = await figuresShown(page)
  await betType(page, 'Quinella').click()
  await expect.poll(() => figuresShown(page)).not.toEqual(before)
  await expect(page.getByTestId('record-tiles')).toHaveAttribute('data-computed', 'remote')
  await context.close()
})

test('a worker that breaks is replaced, and the record goes on', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'en' })
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  await gesture(page)
  await engineReady(page)
  const before = await figuresShown(page)
  const worker = page.workers().find((each) => each.url().includes('analytics.worker'))
  const ended = worker!.waitForEvent('close')
  await worker!.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('broken on purpose')
      }),
  )
  await ended
  await betType(page, 'Quinella').click()
  await expect.poll(() => figuresShown(page)).not.toEqual(before)
  await tilesReady(page)
  await context.close()
})

test('two tabs work beside each other', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'en' })
  const pages = [await context.newPage(), await context.newPage()]
  await Promise.all(pages.map((page) => page.goto(RECORD())))
  await Promise.all(pages.map(tilesReady))
  await context.close()
})
