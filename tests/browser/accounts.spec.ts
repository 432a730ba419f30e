import { expect, test } from '@playwright/test'
import { BASE, openOrder, RECORD, registerMember, signIn, tilesReady, Watch } from './site.ts'
import { expectAccessible, expectNoSidewaysScroll } from './settled.ts'

test(
  'a member sees what is public, without asking for what is not his',
  { tag: '@smoke' },
  async ({ browser }) => {
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
    await signIn(context, await registerMember())
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(RECORD())
    await tilesReady(page)
    await expect(page.getByText('Reader', { exact: true })).toBeVisible()
    await expect(page.getByText('You see daily totals of the whole history')).toBeVisible()
    expect(watch.problems).toEqual([])
    await page.getByRole('banner').getByRole('link', { name: 'Reader' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are signed out.')).toBeVisible()
    await expect(page.getByText('Reader', { exact: true })).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('Access-Token'))).toBeNull()
    await context.close()
  },
)

for (const [language, approve, amount] of [
  ['en', 'Approve', 'HK$98.00'],
  ['zh-HK', '批准付款', 'HK$98.00'],
  ['zh-CN', '批准付款', 'HK$98.00'],
] as const) {
  test(`the sandbox’s page asks and leads back: ${language}`, async ({ browser }) => {
    const context = await browser.newContext({
      locale: language,
      viewport: { width: 390, height: 844 },
      colorScheme: language === 'en' ? 'light' : 'dark',
    })
    const page = await context.newPage()
    const watch = new Watch(page)
    const { payUrl, orderId } = await openOrder(await registerMember())
    await page.goto(new URL(payUrl, BASE()).href)
    await expect(page.getByText(amount)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.screenshot({ path: `test-results/sandbox-${language}.png` })
    await page.getByRole('button', { name: approve }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`vippayresult\\?order=${orderId}&result=success`))
    expect(watch.problems).toEqual([])
    await page.goto(new URL(payUrl, BASE()).href)
    await expect(page.getByRole('alert')).toBeVisible()
    await context.close()
  })
}
