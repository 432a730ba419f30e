import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { tabTo } from './tab-to.ts'
import { expectTiles, numberIn, PICKS, SUMS, tile, sharedWorkspace } from './workspace-page.ts'

/** The workspace by the keyboard alone: facets, tabs, cells of a heat map, saved views. */

let reference: Reference
let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

/** Opens a view with the focus where it is on arrival: on the heading. */
async function arrive(words = ''): Promise<void> {
  await show(words)
  await page.locator('main h1').focus()
}

const picks = (condition: string): Promise<Record<string, number>> =>
  reference.one(`SELECT ${SUMS} FROM prediction WHERE ${PICKS} AND ${condition}`)

test('a facet is opened, its values are added and taken alone, and Escape clears them', async () => {
  await arrive()
  const facet = page.locator('[data-facet=race_no]')
  const heading = facet.getByRole('button', { name: 'Race number' })
  await tabTo(page, heading)
  await expect(heading).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveAttribute('aria-expanded', 'true')
  const value = (text: string) =>
    facet.getByRole('listitem').filter({ has: page.getByTitle(text, { exact: true }) })
  for (const text of ['1', '2']) {
    const box = value(text).getByRole('checkbox')
    await tabTo(page, box)
    await page.keyboard.press(' ')
    await expect(box).toBeChecked()
    await expectTiles(page, await picks(`race_no <= ${text}`))
    // The new figures leave the focus where it was.
    await expect(box).toBeFocused()
  }
  const only = value('3').getByRole('button', { name: 'Only' })
  await tabTo(page, only)
  await page.keyboard.press('Enter')
  await expectTiles(page, await picks('race_no = 3'))
  await expect(only).toBeFocused()
  await page.keyboard.press('Escape')
  await expectTiles(page, await picks('true'))
})

test('the tabs have one place in the order of focus, and the arrow keys go through them', async () => {
  await arrive()
  const tabs = page.getByRole('tablist', { name: 'Parts of the record' })
  const named = (name: string) => tabs.getByRole('tab', { name, exact: true })
  await tabTo(page, named('Overview'))
  for (const [key, name, word] of [
    ['ArrowRight', 'Calibration', 'calibration'],
    ['ArrowRight', 'Models', 'models'],
    ['ArrowLeft', 'Calibration', 'calibration'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(named(name)).toBeFocused()
    await expect(named(name)).toHaveAttribute('aria-selected', 'true')
    await expect(page).toHaveURL(new RegExp(`tab=${word}`))
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
  }
  // Beyond the first tab is the last one; Tab leaves the list.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(named('Verify')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tabpanel').locator(':focus')).toHaveCount(1)
})

test('a cell of a heat map filters by both of its values, and takes that back', async () => {
  await arrive('p=heat:draw.distance.predictions')
  const heat = page.locator('[data-testid=heat][data-by="draw.distance"]')
  const cell = heat.locator('td[data-key]').nth(2)
  const button = cell.getByRole('button')
  const [draw, distance] = await cell.evaluate((element) => [
    element.closest('tr')!.dataset['key']!,
    element.dataset['key']!,
  ])
  await tabTo(page, button)
  const all = (await tile(page, 'Predictions')).value
  const count = numberIn(await button.textContent())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`distance%3A${distance}.*draw%3A${draw}`))
  await expect.poll(async () => numberIn((await tile(page, 'Predictions')).value)).toBe(count)
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await tile(page, 'Predictions')).value).toBe(all)
})

test('views are saved, ordered, renamed and deleted', { tag: '@smoke' }, async () => {
  await arrive()
  const opener = page.getByRole('button', { name: 'Views', exact: true })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const names = (): Promise<string[]> => dialog.getByRole('listitem').getByRole('link').allTextContents()
  const press = async (name: string): Promise<void> => {
    await tabTo(page, dialog.getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  const field = dialog.getByRole('textbox', { name: 'Name' })
  for (const name of ['Early races', 'Late races']) {
    await tabTo(page, field.last())
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect.poll(names).toContain(name)
    await expect(field).toHaveValue('')
  }
  const before = await names()
  const at = before.indexOf('Late races')
  expect(before[at - 1]).toBe('Early races')
  await press('Move Late races up')
  await expect.poll(names).toEqual(before.with(at - 1, 'Late races').with(at, 'Early races'))

  await press('Rename Early races')
  await tabTo(page, field.first())
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Dawn')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual(before.with(at - 1, 'Late races').with(at, 'Dawn'))
  for (const name of ['Dawn', 'Late races']) {
    await press(`Delete ${name}`)
    await expect.poll(names).not.toContain(name)
  }
  expect(await names()).toEqual(before.toSpliced(at - 1, 2))
  // Closing the dialog returns the focus to its button.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
})
