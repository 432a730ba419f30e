import { expect, test } from '@playwright/test'
import { Reference } from './reference.ts'
import { shownDay } from './reader.ts'
import { expectAccessible } from './settled.ts'
import { BASE, RECORD, memberToken, signIn, tilesReady, Watch } from './site.ts'

test('the search finds horses in every language, races, screens and views, by the keyboard alone', async ({
  browser,
}) => {
  const reference = await Reference.open('100000', ['fundamental'])
  const [horse] = await reference.rows(
    `SELECT name_en, name_hant FROM horse WHERE name_hant IS NOT NULL AND name_en IS NOT NULL ORDER BY name_en LIMIT 1`,
  )
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, memberToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  const tool = page.getByRole('button', { name: 'Search', exact: true })
  await tool.focus()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const input = dialog.getByRole('searchbox')
  await expect(input).toBeFocused()
  await expect(dialog.getByRole('option', { name: 'Record', exact: true })).toBeVisible()
  await expectAccessible(page)

  // A name in another language finds the horse.
  await page.keyboard.type(String(horse!['name_hant']))
  const option = dialog.getByRole('option', { name: String(horse!['name_en']) }).first()
  await expect(option).toBeVisible()
  await page.keyboard.press('ArrowDown')
  // What Enter opens: the entry that is announced.
  await expect(input).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id'))!)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/HorseDetail\?id=/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(String(horse!['name_en']))
  await expect(dialog).toHaveCount(0)

  await page.keyboard.press('/')
  await page.keyboard.type('no such thing at all')
  await expect(dialog.getByText('Nothing found.')).toBeVisible()
  await input.fill('Race 2')
  await dialog
    .getByRole('option', { name: /Race 2/ })
    .first()
    .click()
  await expect(page).toHaveURL(/HorseRace\?id=/)

  // Typing a day lists the races of that day.
  const [past] = await reference.rows(
    `SELECT strftime(race_date, '%Y-%m-%d') AS day, count(*) AS races FROM race GROUP BY race_date ORDER BY race_date LIMIT 1`,
  )
  await page.keyboard.press('/')
  await input.fill(String(past!['day']))
  const found = dialog.getByRole('group', { name: 'Past races' }).getByRole('option')
  await expect(found).toHaveCount(Math.min(8, Number(past!['races'])))
  const shown = shownDay(String(past!['day']))
  for (const text of await found.allInnerTexts()) expect(text).toContain(shown)
  // The day as the screens show it.
  await input.fill(shown)
  await expect(found).toHaveCount(Math.min(8, Number(past!['races'])))
  await found.first().click()
  await expect(page).toHaveURL(/HorseRace\?id=/)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Ctrl')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // What is done to the page itself is offered before anything is typed.
  await page.goto(RECORD())
  await tilesReady(page)
  await page.keyboard.press('/')
  await dialog.getByRole('option', { name: 'Save this view' }).click()
  await expect(page.getByRole('dialog', { name: 'Views' })).toBeVisible()
  expect(watch.problems).toEqual([])
  await context.close()
})

test('without a connection the search still finds what is here, and says what it cannot', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(BASE())
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await expect(dialog.getByRole('option', { name: 'Record', exact: true })).toBeVisible()
  await context.setOffline(true)
  // In a text field a shortcut key is an ordinary character.
  await dialog.getByRole('searchbox').pressSequentially('record/')
  await dialog.getByRole('searchbox').press('Backspace')
  await expect(dialog.getByText('Horses and past races could not be searched.')).toBeVisible()
  await expect(dialog.getByRole('option', { name: 'Record', exact: true })).toBeVisible()
  await context.close()
})
