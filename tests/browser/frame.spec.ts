import { expect, test, type Browser, type Page } from '@playwright/test'
import { EN, PHONE } from './reader.ts'
import { settled } from './settled.ts'
import { BASE, memberToken, signIn, Watch } from './site.ts'

test.describe.configure({ mode: 'parallel' })

test('the installed app has a way back with the title on screens below the first ones', async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  // Set as iOS does: headless Chromium cannot install an app.
  await context.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await signIn(context, memberToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(`${BASE()}#/pages/user/fypeople`)
  await settled(page)
  const header = page.locator('header').first()
  const back = header.getByRole('button', { name: EN('nav.back') })
  await expect(back).toHaveCount(0)
  await page.getByRole('link', { name: EN('title.vouchers'), exact: true }).click()
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('title.vouchers'))
  await expect(header.getByText(EN('title.vouchers'))).toBeVisible()
  await back.click()
  await expect(page).toHaveURL(/fypeople$/)

  // A screen opened from outside has no previous screen: the back button leads home.
  const other = await context.newPage()
  await other.goto(`${BASE()}#/pages/race/viplist`)
  await settled(other)
  await other
    .locator('header')
    .first()
    .getByRole('button', { name: EN('nav.back') })
    .click()
  await expect(other).toHaveURL(/#\/$/)
  expect(watch.problems).toEqual([])
  await context.close()
})

test('what the server refuses is told for a moment, in its words', async ({ browser }) => {
  const visitor = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  const login = await visitor.newPage()
  await login.goto(`${BASE()}#/pages/login/login`)
  await settled(login)
  await login.getByRole('textbox', { name: EN('form.username') }).fill('nobody-of-this-name')
  await login.getByRole('textbox', { name: EN('form.password') }).fill('wrong4course')
  await login.getByRole('button', { name: EN('session.signIn'), exact: true }).click()
  await expect(login.getByRole('status').filter({ hasText: EN('error.wrong-credentials') })).toBeVisible()
  await visitor.close()
})

/** A phone page that counts the moments at which nothing would be painted. */
async function watchedForBlanks(browser: Browser): Promise<{ page: Page; blanks: () => Promise<number> }> {
  const context = await browser.newContext({
    ...PHONE,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() => {
    const watched = globalThis as unknown as { blank: number }
    watched.blank = 0
    new MutationObserver(() => {
      // Before the first paint the page is still being parsed, and nobody can see an incomplete state.
      if (performance.getEntriesByType('paint').length === 0) return
      const root = document.getElementById('root')
      if (root && (root.childElementCount === 0 || root.getBoundingClientRect().height < 100))
        watched.blank += 1
    }).observe(document, { childList: true, subtree: true })
  })
  const page = await context.newPage()
  return {
    page,
    blanks: () => page.evaluate(() => (globalThis as unknown as { blank: number }).blank),
  }
}

test('the page as it came stands until the first screen does, and a late one comes into a frame', async ({
  browser,
}) => {
  const { page, blanks } = await watchedForBlanks(browser)
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const requested = page.waitForRequest(/race-home-screen-[\w-]+\.js/)
  await page.route(/race-home-screen-[\w-]+\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${BASE()}#/pages/race/racehome`)
  await requested
  // The code runs, and what came with the page is still all there is.
  expect(await page.evaluate(() => document.querySelector('.first-bar') !== null)).toBe(true)
  // After five seconds the frame is shown, with a placeholder for the screen; two more are for a busy machine.
  await expect(page.getByRole('navigation').first()).toBeVisible({ timeout: 7000 })
  await expect(page.locator('main [class*="skeleton"]')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('title.raceHome'))
  expect(await blanks()).toBe(0)
  await page.context().close()
})

for (const route of ['/', '/pages/race/PredictionResults', '/pages/race/WinLossRecord'])
  test(`no blank after the first paint at slow 4G and a processor four times slower: ${route}`, async ({
    browser,
  }) => {
    test.setTimeout(120_000)
    const { page, blanks } = await watchedForBlanks(browser)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await cdp.send('Network.enable')
    // Slow 4G as Lighthouse defines it: 150 ms, 1.6 and 0.75 Mbit/s.
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
    await page.goto(`${BASE()}#${route}`)
    await expect(page.locator('main')).toHaveAttribute('data-visit', /\d/, { timeout: 60_000 })
    await expect(page.locator('main')).not.toBeEmpty()
    expect(await blanks()).toBe(0)
    await page.context().close()
  })
