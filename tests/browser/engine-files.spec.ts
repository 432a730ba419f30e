import { expect, test } from '@playwright/test'
import { readManifest } from '../../server/dataset/dataset-index.ts'
import {
  BASE,
  betType,
  engineReady,
  figuresShown,
  firstCell,
  gesture,
  RECORD,
  signIn,
  tilesReady,
  vipToken,
  Watch,
} from './site.ts'

/** The dataset files that the engine keeps on the device. */

test('a second visit downloads no data file again, and works offline', async ({ browser }) => {
  const context = await browser.newContext({
    serviceWorkers: 'allow',
    locale: 'en',
    viewport: { width: 1280, height: 800 },
  })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // The page that installs the service worker is not controlled by it; the next visit is.
  await page.goto(RECORD())
  await page.reload()
  await tilesReady(page)
  await engineReady(page)
  await expect(page.locator('.js-plotly-plot').first()).toBeVisible()
  await expect(firstCell(page, 'day')).toContainText('2026')
  const first = await figuresShown(page)
  const fetched = new Set(watch.datasetRequests())
  expect(fetched.size).toBeGreaterThan(3)
  // Files are stored once nothing waits.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const keys = await (await caches.open('furlong-dataset')).keys()
        return keys.map(({ url }) => url).filter((url) => url.endsWith('.duckdb'))
      }),
    )
    .toEqual(expect.arrayContaining([...fetched]))

  watch.requests.length = 0
  await page.reload()
  await tilesReady(page)
  await engineReady(page)
  expect(watch.datasetRequests()).toEqual([])
  expect(watch.problems).toEqual([])

  await context.setOffline(true)
  await page.reload()
  await tilesReady(page)
  await expect(page.getByText('You are offline')).toBeVisible()
  expect(await figuresShown(page)).toEqual(first)
  await betType(page, 'Quinella').click()
  await expect(page).toHaveURL(/bet_type%3A1%2C3/)
  await expect.poll(() => figuresShown(page)).not.toEqual(first)
  await context.close()
})

/** Damages of a stored file: its name, and the share of its bytes that is left; with all of them one is changed. */
const DAMAGES = [
  ['a damaged file', 1],
  ['a file cut off in the middle', 0.5],
  ['an empty file', 0],
] as const

test('files are fetched three at a time, so that a click finds a connection meanwhile', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const open = new Set<unknown>()
  let most = 0
  page.on('request', (request) => {
    if (!request.url().endsWith('.duckdb')) return
    open.add(request)
    most = Math.max(most, open.size)
  })
  page.on('requestfinished', (request) => open.delete(request))
  await page.goto(RECORD())
  await engineReady(page)
  expect(most).toBe(3)
  await context.close()
})

test('sectional times are fetched once a question reads them, and their size is told', async ({
  browser,
}) => {
  const files = readManifest(process.env['FURLONG_E2E_DATA']!)!.files.filter(
    ({ regionId, kind }) => regionId === '100000' && kind === 'sections',
  )
  expect(files.length).toBeGreaterThan(0)
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  const fetched = (): number =>
    files.filter(({ sha256 }) => watch.datasetRequests().some((url) => url.includes(sha256))).length
  await page.goto(`${RECORD()}?s=runners&p=bars:running_style`)
  await tilesReady(page)
  await engineReady(page)
  expect(fetched()).toBe(0)

  // What the page says of it is seen for less than a frame.
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    new MutationObserver(() =>
      said.push(document.querySelector('[data-testid=computed]')?.textContent ?? ''),
    ).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await page.goto(`${RECORD()}?s=runners&p=bars:run_style`)
  await tilesReady(page)
  await expect(page.locator('[data-testid=breakdown][data-by=run_style] tbody tr').first()).toBeVisible()
  await expect.poll(fetched).toBe(files.length)
  await engineReady(page)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const size = new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(bytes / 1e6)
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said.join('\n'))
  expect(said).toContain(`of ${size} MB`)
  expect(watch.problems).toEqual([])
  await context.close()
})

test('a damaged, cut off or empty file on the device is noticed and fetched again', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  await gesture(page)
  await engineReady(page)
  const shown = await figuresShown(page)
  // Files are stored once nothing waits, and the times of their use after all of them.
  await expect
    .poll(() =>
      page.evaluate(
        async () => (await caches.match(new URL('dataset/used.json', document.baseURI))) !== undefined,
      ),
    )
    .toBe(true)
  const watch = new Watch(page)
  for (const [damage, share] of DAMAGES)
    await test.step(damage, async () => {
      const damaged = await page.evaluate(async (part) => {
        const cache = await caches.open('furlong-dataset')
        const [request] = await cache.keys()
        const bytes = new Uint8Array(await (await cache.match(request!))!.arrayBuffer())
        if (part === 1) bytes[bytes.length >> 1]! ^= 255
        await cache.put(request!, new Response(bytes.subarray(0, Math.floor(part * bytes.length))))
        return request!.url
      }, share)
      watch.requests.length = 0
      await page.reload()
      await tilesReady(page)
      await gesture(page)
      await engineReady(page)
      expect(watch.datasetRequests(), damage).toEqual([damaged])
      expect(await figuresShown(page), damage).toEqual(shown)
      // Stored in the background: the next damage must find the whole file.
      await expect
        .poll(() =>
          page.evaluate(async (url) => {
            const cache = await caches.open('furlong-dataset')
            return (await (await cache.match(url))?.arrayBuffer())?.byteLength ?? 0
          }, damaged),
        )
        .toBeGreaterThan(1000)
    })
  await context.close()
})
