import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { Language } from '../../domain/languages.ts'
import { EN, LANGUAGES, switchTo } from './reader.ts'
import { firstCell, openMenu, predictionsShown, RECORD, signIn, tilesReady, vipToken } from './site.ts'

test('the printed link opens the whole history once; signing out gives it back', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(process.env['FURLONG_E2E_LINK']!)
  await expect(page.getByText('You are signed in as demo-vip.')).toBeVisible()
  expect(page.url()).not.toContain('link=')
  await page.getByRole('main').getByRole('link').click()
  await tilesReady(page)
  await expect(page.locator('[data-facet=going] button').first()).toBeEnabled()

  const storedFiles = (): Promise<string[]> =>
    page.evaluate(async () => {
      const cache = await caches.open('furlong-dataset')
      const found: string[] = []
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        if (request.url.endsWith('.duckdb'))
          found.push(response?.headers.get('x-furlong-entitlement') ?? 'unknown')
      }
      return found
    })
  await expect
    .poll(async () => (await storedFiles()).filter((each) => each === 'member').length)
    .toBeGreaterThan(0)

  // An answer as the service worker stores it, which these tests do not allow.
  await page.evaluate(async () =>
    (await caches.open('furlong-api')).put('race/api/queryRace', new Response('[]')),
  )
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Demo VIP/ })
    .click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  // Signing out removes files that only a VIP may fetch, and cached API responses.
  await expect.poll(async () => (await storedFiles()).filter((each) => each !== 'public')).toEqual([])
  expect(
    await page.evaluate(async () => (await (await caches.open('furlong-api')).keys()).map(({ url }) => url)),
  ).toEqual([])
  await page.goto(RECORD())
  await expect(page.getByText('You see daily totals of the whole history')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('[data-group=where] p')).toContainText(/^For VIP members: .*Going/)

  await page.goto(process.env['FURLONG_E2E_LINK']!)
  await expect(page.getByRole('alert')).toContainText('This link was used already')
  await context.close()
})

/** The headings of the CSV's first columns in a language. */
function headings(language: Language): string {
  const file = readFileSync(`locales/${language}/workspace.json`, 'utf8')
  const words = JSON.parse(file) as Record<string, string>
  return ['field.race_id', 'dimension.day', 'dimension.racecourse'].map((id) => words[id]).join(',')
}

const exportWord = (language: Language): string =>
  (
    JSON.parse(
      readFileSync(new URL(`../../locales/${language}/workspace.json`, import.meta.url), 'utf8'),
    ) as Record<string, string>
  )['workspace.exportMenu']!

test('the CSV is the whole filtered record, in the reader’s words', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  await page.goto(`${RECORD()}?type=0&class=1%2C9&model=market-baseline`)
  await tilesReady(page)
  const predictions = await predictionsShown(page)
  const files: string[][] = []
  let words = EN
  for (const [language, itsWords] of LANGUAGES) {
    await switchTo(page, language, words)
    words = itsWords
    const saving = page.waitForEvent('download')
    await openMenu(page, exportWord(language))
    await page.getByRole('button', { name: words('record.export'), exact: true }).click()
    const file = readFileSync(await (await saving).path())
    expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = file.toString('utf8').slice(1).trimEnd().split('\n')
    expect(lines[0]).toContain(headings(language))
    expect(lines).toHaveLength(predictions + 1)
    expect(lines.length).toBeGreaterThan(8000)
    for (const line of lines.slice(1, 200)) expect(line).toMatch(/^[A-Z]{5}\d{10},\d{4}-\d{2}-\d{2},/)
    files.push(lines)
  }
  // The rows of the three files are in different words.
  expect(new Set(files.map(([, first]) => first)).size).toBe(LANGUAGES.length)
  await context.close()
})

test('sorting and filtering the table ask the engine, and the sums follow', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  await page.goto(RECORD())
  await tilesReady(page)
  const firstProfit = firstCell(page, 'profit_cents')
  await expect(firstProfit).not.toBeEmpty()
  const header = page.locator('[role=columnheader][col-id=profit_cents]')
  await header.click()
  await header.click()
  await expect
    .poll(async () =>
      Number((await firstProfit.textContent())!.replaceAll('−', '-').replaceAll(/[^\d.-]/g, '')),
    )
    .toBeGreaterThan(50)
  const totals = page.getByRole('row').filter({ hasText: 'Total' })
  const before = await totals.textContent()
  await page.locator('[data-group=price] h3 button').click()
  await page.locator('[data-facet=outcome] button').first().click()
  await page.locator('[data-facet=outcome] label').filter({ hasText: 'Miss' }).locator('input').click()
  await expect.poll(() => totals.textContent()).not.toBe(before)
  await expect(totals).toContainText('0 hits')
  await context.close()
})
