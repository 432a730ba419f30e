import { expect, test } from '@playwright/test'
import { EN, PHONE } from './reader.ts'
import { settled } from './settled.ts'
import { BASE, registerMember, signIn, Watch } from './site.ts'

test.describe.configure({ mode: 'parallel' })

test('the installed app has a way back with the title on screens below the first ones', async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  // As iOS tells it: Chromium without a window cannot install an app.
  await context.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await signIn(context, await registerMember())
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

  // A screen that was opened from outside has no screen before it: the way leads home.
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
