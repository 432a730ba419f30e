import { expect, test } from '@playwright/test'
import { EN, HANT, PHONE, switchTo } from './reader.ts'
import { goTo, settled } from './settled.ts'
import { BASE, tilesReady, Watch } from './site.ts'

/** A browser whose settings block what sites store: naming it throws, as Chromium does with cookies blocked. */
function blockStorage(): void {
  const refuse = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
    Object.defineProperty(globalThis, name, { configurable: true, get: refuse })
  Object.defineProperty(Navigator.prototype, 'storage', { configurable: true, get: refuse })
}

test('with storage blocked every screen is there, and what the reader chooses holds until the page is closed', async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  await context.addInitScript(blockStorage)
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    EN('home.title').replace('{region}', 'Hong Kong'),
  )
  for (const [route, title] of [
    ['/pages/race/racehome', 'title.raceHome'],
    ['/pages/race/PredictionResults', 'title.results'],
    ['/pages/race/viplist', 'title.vipList'],
    ['/pages/login/login', 'title.login'],
  ] as const) {
    await goTo(page, route)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN(title))
  }
  await expect(page.getByText(/lets no site store anything/)).toBeVisible()
  await switchTo(page, 'zh-Hant')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HANT('title.login'))
  await goTo(page, '/pages/race/WinLossRecord')
  await tilesReady(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hant')
  expect(watch.problems).toEqual([])
  await context.close()
})
