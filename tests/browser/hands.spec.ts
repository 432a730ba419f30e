import { expect, test, type Locator, type Page } from '@playwright/test'
import { settled } from './settled.ts'
import { BASE, signIn, tilesReady, vipToken, Watch } from './site.ts'
import { tabTo } from './tab-to.ts'

/** One way of following a link or pressing a button on the page; each is used for the same tour of the site. */
type Hand = (page: Page, target: Locator) => Promise<void>

const byKeyboard =
  (key: 'Tab' | 'Shift+Tab'): Hand =>
  async (page, target) => {
    await tabTo(page, target, key)
    await page.keyboard.press('Enter')
  }

const byTouch: Hand = async (_page, target) => {
  await target.tap()
}

/** Visits home, a coming race, one of its horses, the race's report, and the record. */
async function walk(
  page: Page,
  onward: Hand,
  back: () => Promise<unknown>,
  toNavigation: Hand,
): Promise<void> {
  await settled(page)
  await onward(page, page.locator('[aria-labelledby="next-race"] button').first())
  await expect(page).toHaveURL(/HorseRace\?id=/)
  await settled(page)
  const race = page.url()
  const card = page.getByTestId('racecard')
  await onward(page, card.locator('button[aria-expanded="false"]').first())
  await onward(page, card.getByRole('link', { name: 'Horse profile' }).first())
  await expect(page).toHaveURL(/HorseDetail/)
  await settled(page)
  await expect(page.getByTestId('horse-record-by')).toBeVisible()
  await back()
  await expect(page).toHaveURL(race)
  await settled(page)
  await onward(page, page.locator('main a[href*="ReportView"]').first())
  await expect(page).toHaveURL(/ReportView/)
  await settled(page)
  await expect(page.locator('main table').first()).toBeVisible()
  await toNavigation(page, page.getByRole('navigation').locator('a[href*="WinLossRecord"]').first())
  await tilesReady(page)
}

test('the keyboard alone: home, race, horse, report, record', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await walk(page, byKeyboard('Tab'), () => page.goBack(), byKeyboard('Shift+Tab'))
  // The heading has the focus, so a screen reader starts the new screen there.
  await expect(page.locator('main h1')).toBeFocused()
  expect(watch.problems).toEqual([])
  await context.close()
})

test('touch alone: home, race, horse, report, record', async ({ browser }) => {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await walk(page, byTouch, () => page.goBack(), byTouch)
  expect(watch.problems).toEqual([])
  await context.close()
})
