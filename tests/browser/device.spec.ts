import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { EN, HANS, PHONE, switchTo } from './reader.ts'
import { goTo, settled } from './settled.ts'
import {
  BASE,
  engineReady,
  figuresShown,
  openOrder,
  RECORD,
  registerMember,
  signIn,
  tilesReady,
} from './site.ts'

test.describe.configure({ mode: 'parallel' })

test('the second visit works without a connection: home, tips, a race, in another language', async ({
  browser,
}) => {
  const context = await browser.newContext({
    ...PHONE,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'allow',
  })
  const page = await context.newPage()
  await page.goto(BASE())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await settled(page)
  await goTo(page, '/pages/race/racehome')
  await switchTo(page, 'zh-Hans')
  await settled(page)
  await goTo(page, '/')
  await context.setOffline(true)
  await page.reload()
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    HANS('home.title').replace('{region}', '香港'),
  )
  await expect(page.getByText(HANS('live.lost'))).toBeVisible()
  await expect(page.getByText(/· 截至 /)).toBeVisible()
  await goTo(page, '/pages/race/racehome')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  // A screen that was never opened is available too; missing server data is reported, with a retry button.
  await goTo(page, '/pages/race/viplist')
  await expect(page.getByRole('alert')).toContainText(HANS('error.offline'))
  await switchTo(page, 'en', HANS)
  await expect(page.getByRole('alert')).toContainText(EN('error.offline'))
  await context.setOffline(false)
  await page.getByRole('button', { name: EN('common.retry') }).click()
  await expect(page.getByText('HK$898.00')).toBeVisible()
  await expect(page.getByText(EN('live.lost'))).toHaveCount(0)
  await context.close()
})

test('the service worker stores what everybody may see, and nothing that belongs to a customer', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en', serviceWorkers: 'allow' })
  await signIn(context, await registerMember())
  const page = await context.newPage()
  await page.goto(BASE())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const personal = page.waitForResponse(
    (response) => response.url().includes('/voucherPage') && response.fromServiceWorker(),
  )
  await page.reload()
  // A screen that is left at once takes its calls back.
  await settled(page)
  await goTo(page, '/pages/race/racehome')
  await settled(page)
  await goTo(page, '/pages/user/vouchers')
  await settled(page)
  expect((await personal).headers()['cache-control']).toBe('no-store')
  const stored = () =>
    page.evaluate(async () => {
      const cache = await caches.open('furlong-api')
      return Promise.all(
        (await cache.keys()).map(async (request) => ({
          path: new URL(request.url).pathname,
          control: (await cache.match(request))?.headers.get('cache-control'),
        })),
      )
    })
  await expect.poll(async () => (await stored()).map(({ path }) => path)).toContain('/race/api/queryRace')
  expect(
    (await stored()).filter(({ path, control }) => control === 'no-store' || /customer/.test(path)),
  ).toEqual([])
  await context.close()
})

test('a picture is cut out and becomes the avatar; a file that is none is refused', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await signIn(context, await registerMember())
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/user/fyuseredit`)
  await settled(page)
  const picture = execFileSync(process.execPath, [
    '-e',
    `require('sharp')({create:{width:300,height:200,channels:3,background:'#b04020'}}).png().toBuffer().then((png)=>process.stdout.write(png))`,
  ])
  const input = page.locator('input[type=file]').first()
  await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: EN('common.close') })
    .click()
  await input.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  const take = page.getByRole('dialog').getByRole('button', { name: EN('avatar.take') })
  await expect(take).toBeEnabled()
  await take.click()
  await page.getByRole('button', { name: EN('avatar.upload'), exact: true }).click()
  await expect(page.getByText(EN('avatar.saved'))).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src*="/sys/common/static/"]')).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'huge.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(6 * 1024 * 1024),
    })
  await expect(page.getByText(/too large/)).toBeVisible()
  await context.close()
})

test('an order’s payment in another tab reaches the open screen by itself', async ({ browser }) => {
  const token = await registerMember()
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await signIn(context, token)
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/racehome`)
  await settled(page)
  await expect(page.getByText('?', { exact: true }).first()).toBeVisible()
  const { payUrl } = await openOrder(token)
  await fetch(new URL(payUrl, BASE()), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ decision: 'approve' }),
  })
  await expect(page.getByText('?', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('banner').getByText('VIP', { exact: true })).toBeVisible()
  await context.close()
})

test('a visitor downloads no engine for one look, and it starts with the first gesture', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) fetched.push(request.url())
  })
  await page.clock.install()
  await page.goto(RECORD())
  await tilesReady(page)
  // Longer than a VIP's engine waits for the first figures before it starts, and what follows from that.
  await page.clock.fastForward(2500)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(fetched).toEqual([])
  await expect(page.getByTestId('computed')).toHaveAttribute('data-engine', 'off')
  const first = await figuresShown(page)
  await page.keyboard.press('Tab')
  await engineReady(page)
  expect(fetched.length).toBeGreaterThan(0)
  expect(await figuresShown(page)).toEqual(first)
  await context.close()
})
