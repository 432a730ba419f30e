import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { LANGUAGES } from '../../domain/languages.ts'
import { EN, HANT, openSettings } from './reader.ts'
import { BASE, choose, firstCell, predictionsShown, signIn, tilesReady, vipToken, Watch } from './site.ts'
import { expectAccessible, expectNoSidewaysScroll } from './settled.ts'

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false },
] as const

const messages = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...['common', 'home', 'record', 'workspace', 'model', 'racing'].map(
      (file) => JSON.parse(readFileSync(`locales/${language}/${file}.json`, 'utf8')) as object,
    ),
  ) as Record<string, string>

for (const language of LANGUAGES) {
  const words = messages(language)
  const word = (id: string): string => words[id]!
  for (const { name, ...size } of SIZES) {
    // `routes.spec.ts` covers every route in pairs with roles, sizes and languages; here each language opens the record.
    if ((language === 'en') === (name === 'phone')) continue
    for (const role of [language === 'zh-Hant' ? 'visitor' : 'VIP'] as const) {
      test(`${role}, ${language}, ${name}: from home to the record, filtered`, async ({ browser }) => {
        const context = await browser.newContext({
          ...size,
          serviceWorkers: 'allow',
          locale: language,
          colorScheme: role === 'VIP' ? 'dark' : 'light',
        })
        if (role === 'VIP') await signIn(context, vipToken())
        const page = await context.newPage()
        const watch = new Watch(page)

        await page.goto(BASE())
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          word('home.title').replace('{region}', language === 'en' ? 'Hong Kong' : '香港'),
        )
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
        await expect(page.getByText(word('legal.notAdvice'))).toBeVisible()
        await page.getByRole('button', { name: word('common.demonstration.short'), exact: true }).click()
        await expect(page.getByRole('dialog').getByText(word('common.demonstration'))).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('listitem').first()).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)

        await page.getByRole('link', { name: word('home.toRecord') }).click()
        await tilesReady(page)
        await expect(page).toHaveTitle(new RegExp(word('record.title')))
        // The market model also has predictions of the previous season. On a phone the filters are in a sheet.
        const sheet = page.getByRole('button', { name: new RegExp(`${word('record.filters')}\\s?[(（]`) })
        const openSheet = async (): Promise<void> => {
          if (name === 'phone') await sheet.click()
        }
        const closeSheet = async (): Promise<void> => {
          if (name === 'phone') await page.getByRole('dialog').getByRole('button').last().click()
        }
        await openSheet()
        if (name === 'phone') await page.getByLabel(word('record.model')).selectOption('market-baseline')
        else await choose(page, word('record.model'), 'market-baseline')
        await closeSheet()
        await expect.poll(() => predictionsShown(page), { timeout: 30_000 }).toBeGreaterThan(400)
        const all = await predictionsShown(page)
        await expectNoSidewaysScroll(page)

        await openSheet()
        if (name === 'phone')
          await page.getByLabel(word('record.period'), { exact: true }).selectOption('quarter')
        else await choose(page, word('workspace.dates'), 'quarter')
        await expect(page).toHaveURL(/period=quarter/)
        await expect.poll(() => predictionsShown(page), { timeout: 30_000 }).toBeLessThan(all)
        await page
          .locator('label')
          .filter({ hasText: new RegExp(`^${word('gameplay.3')}$`) })
          .click()
        await closeSheet()
        await expect(page).toHaveURL(/bet_type%3A1%2C3/)

        if (role === 'visitor') await expect(page.getByText(word('record.visitor'))).toBeVisible()
        else await expect(page.getByRole('tab', { name: word('workspace.tab.calibration') })).toBeVisible()
        // A chart is drawn when it scrolls into view.
        await page.getByRole('heading', { name: word('record.profitOverTime') }).scrollIntoViewIfNeeded()
        await page.evaluate(() => scrollBy(0, 300))
        await expect(page.locator('.js-plotly-plot').first()).toBeVisible()

        const list = page.getByRole('heading', { name: word('record.list') })
        await list.scrollIntoViewIfNeeded()
        if (name === 'desktop') await expect(firstCell(page, 'day')).toContainText(/ 2026$/)
        else await expect(page.locator('main a[href*="/pages/race/HorseRace"]').first()).toBeVisible()

        await page.getByText(word('record.asTable')).first().click()
        await expect(page.getByRole('table').first()).toBeVisible()
        // The sticky bar hides what is below it, so the page is checked from its top.
        await page.evaluate(() => window.scrollTo(0, 0))
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        expect(watch.problems).toEqual([])
        await context.close()
      })
    }
  }
}

test('a view’s address shows the same view to who opens it', { tag: '@smoke' }, async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  await signIn(context, vipToken())
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/WinLossRecord?class=2%2C4&type=0&going=good`)
  await tilesReady(page)
  await expect(page.getByLabel('Place', { exact: true })).toBeChecked()
  await expect(page.getByLabel('Win', { exact: true })).not.toBeChecked()
  await expect(page.getByLabel('All ten picks')).toBeChecked()
  await expect(page.getByText('Going is Good', { exact: true })).toBeVisible()
  await expect(page.getByTestId('record-tiles')).toHaveAttribute('data-source', 'race_total')
  await context.close()
})

/** Of a page whose language is not known yet. */
const SETTINGS = /Region, language|地區、語言|地区、语言/

test('another language comes at once and stays', { tag: '@smoke' }, async ({ page }) => {
  await page.goto(BASE())
  await page.getByRole('button', { name: SETTINGS }).click()
  await page.getByLabel(/Language|語言|语言/).selectOption('zh-Hant')
  await expect(page.getByRole('link', { name: HANT('nav.record') }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: HANT('nav.record') }).first()).toBeVisible()
})

test('another region is another record', async ({ page }) => {
  await page.goto(`${BASE()}#/pages/race/WinLossRecord`)
  await tilesReady(page)
  const hongKong = await predictionsShown(page)
  await page.getByRole('button', { name: SETTINGS }).click()
  await page.getByLabel(/Country or region|國家或地區|国家或地区/).selectOption('100036')
  await expect.poll(() => predictionsShown(page)).not.toBe(hongKong)
  expect(await predictionsShown(page)).toBeGreaterThan(100)
  // Without a chosen language the region's language is used; Hong Kong's is Traditional Chinese.
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByLabel('Country or region').selectOption('100000')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hant')
})

test('there and back between regions, quickly, ends at the one that is chosen', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  await signIn(context, vipToken())
  // An explicitly chosen language stays, whatever the region.
  await context.addInitScript(() => localStorage.setItem('userLocale', 'en'))
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/WinLossRecord`)
  await tilesReady(page)
  const hongKong = await predictionsShown(page)
  await page.locator('[data-facet=racecourse] input').first().click()
  await expect(page).toHaveURL(/racecourse/)
  await openSettings(page)
  const region = page.getByLabel('Country or region')
  for (const id of ['100036', '100000', '100036', '100000']) await region.selectOption(id)
  await tilesReady(page)
  // Filters chosen for one region do not apply to another.
  await expect(page).not.toHaveURL(/racecourse/)
  await expect.poll(() => predictionsShown(page)).toBe(hongKong)
  await expect(page.locator('[data-facet=racecourse]')).toContainText('Sha Tin')
  await context.close()
})

test('the keyboard alone filters the record', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/WinLossRecord`)
  await tilesReady(page)
  await page.keyboard.press('Tab')
  await expect(page.getByText('Skip to content')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
  const place = page.getByLabel('Place', { exact: true })
  for (
    let press = 0;
    press < 40 && !(await place.evaluate((input) => input === document.activeElement));
    press += 1
  ) {
    await page.keyboard.press('Tab')
  }
  await expect(place).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/bet_type%3A1%2C2/)
  await context.close()
})

test('an unknown address has the search, and a way home', async ({ page }) => {
  await page.goto(`${BASE()}#/pages/nowhere`)
  await page
    .getByRole('main')
    .getByRole('button', { name: EN('palette.title') })
    .click()
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page
    .getByRole('main')
    .getByRole('link', { name: EN('notFound.home') })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
