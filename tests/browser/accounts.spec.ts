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

test('work on the device goes with the sign-out where the reader says so', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, await registerMember())
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/common/exit`)
  await page.evaluate(async () => {
    localStorage.setItem('furlong-console', '{"tabs":[{"id":1,"sql":"select 1"}],"active":1,"past":[]}')
    const folder = await (
      await navigator.storage.getDirectory()
    ).getDirectoryHandle('furlong-own-data', { create: true })
    const writer = await (await folder.getFileHandle('mine.csv', { create: true })).createWritable()
    await writer.write('a,b')
    await writer.close()
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Statements of the SQL console')
  await expect(dialog).toContainText('Your own file')
  // The page is loaded anew, since it has the work in its memory.
  const reloaded = page.waitForEvent('load')
  await dialog.getByRole('button', { name: 'Delete it and sign out' }).click()
  await reloaded
  await expect(page.getByText('You are signed out.')).toBeVisible()
  const left = await page.evaluate(async () => {
    const names: string[] = []
    const storage = (await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterable<string> }
    for await (const name of storage.keys()) names.push(name)
    return [localStorage.getItem('furlong-console'), localStorage.getItem('Access-Token'), ...names]
  })
  expect(left).toEqual([null, null])
  // The name of the device stays, so that strangers cannot lock its owner out.
  expect(await page.evaluate(() => localStorage.getItem('furlong-device'))).toMatch(/^[\w-]{43}$/)
  await context.close()
})

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
