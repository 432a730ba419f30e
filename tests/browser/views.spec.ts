import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { openDates, predictionsShown, tilesReady } from './site.ts'
import { newWorkspace, workspaceOf } from './workspace-page.ts'
import { boxOf } from './box-of.ts'

/** What a view of the workspace is: built-in, and with a season that is held back. */

let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ context, page } = await newWorkspace(browser))
})
test.afterAll(() => context.close())

const { breakdown, show } = workspaceOf(() => page)

test('every built-in view shows predictions, and classes in words', async () => {
  await show()
  const views = page.getByRole('button', { name: 'Views' })
  const links = page.getByRole('dialog').getByRole('listitem').getByRole('link')
  const builtIn = page.getByRole('dialog').locator('section').filter({ hasText: 'Built-in views' })
  await views.click()
  await expect(builtIn.getByRole('link', { name: 'Draw at Happy Valley' })).toBeVisible()
  const names = await builtIn.getByRole('link').allTextContents()
  expect(names).toHaveLength(13)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  for (const name of names) {
    await views.click()
    await links.getByText(name, { exact: true }).click()
    await tilesReady(page)
    await expect(async () => {
      expect(await predictionsShown(page), name).toBeGreaterThan(0)
    }).toPass({ timeout: 30_000 })
    if (name === 'Draw at Happy Valley')
      await expect(page.getByRole('button', { name: 'Remove filter Racecourse: Happy Valley' })).toBeVisible()
    if (name !== 'Class 5 calibration') continue
    await expect(page.getByRole('button', { name: 'Remove filter Class: Class 5' })).toBeVisible()
    await expect(page.getByTestId('calibration').locator('tbody tr').first()).toBeAttached()
    await page.locator('[data-group=race] h3 button').click()
    const facet = page.locator('[data-facet=class]')
    await facet.getByRole('button', { name: /^Class/ }).click()
    await expect(facet.getByRole('checkbox', { name: 'Class 4' })).toBeVisible()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect(breakdown('class').locator('tr[data-key=C5] th')).toHaveText('Class 5')
  }
})

test('a season is revealed once, also after a step back', async () => {
  await show()
  await openDates(page)
  await page.getByLabel('Hold-out season').selectOption({ index: 1 })
  await expect(page).toHaveURL(/hold=\d+/)
  const holdParameter = /hold=\d+/.exec(page.url())![0]
  const reveal = page.getByRole('button', { name: 'Reveal the hold-out season' })
  await reveal.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal the hold-out season' }).click()
  await expect(page.getByTestId('revealed')).toContainText(/revealed on \d{1,2} [A-Z][a-z]+ \d{4}/)
  const [day] = /\d{1,2} [A-Z][a-z]+ \d{4}/.exec((await page.getByTestId('revealed').textContent())!)!
  await expect(page).toHaveURL(/shown=1/)
  // The address of the step before does not know of the reveal, but the device does.
  await page.goBack()
  await expect(page).not.toHaveURL(/shown=1/)
  await expect(page).toHaveURL(new RegExp(holdParameter))
  await expect(page.getByTestId('revealed-before')).toHaveText(`Revealed on ${day}`)
  await expect(page.getByTestId('revealed')).toHaveCount(0)
  await expect(reveal).toHaveCount(0)
  // The same on another day's visit, and after the season was released and held back again.
  await page.reload()
  await tilesReady(page)
  await expect(page.getByTestId('revealed-before')).toHaveText(`Revealed on ${day}`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByTestId('revealed-before')).toHaveCount(0)
  await openDates(page)
  await page.getByLabel('Hold-out season').selectOption({ index: 1 })
  const before = page.getByTestId('revealed-before')
  await expect(before).toBeVisible()
  // The bar stays as high as it is.
  expect((await boxOf(page.locator('main h1').locator('..'))).height).toBe(48)
  await before.click()
  const dialog = page.getByRole('dialog', { name: `Revealed on ${day}` })
  await expect(dialog).toContainText('were shown on this device')
  await expect(dialog.getByRole('button', { name: 'Reveal' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/hold=\d+/)
  // Another season can still be revealed.
  await page.getByLabel('Hold-out season').selectOption({ index: 2 })
  await expect(reveal).toBeVisible()
})
