import { expect, test } from '@playwright/test'
import { BASE, registerMember, signIn, Watch } from './site.ts'

const SERVER = (path: string): URL => new URL(path, BASE())

test('a note on a horse stands on its page, on its next race and in the notebook, for its writer alone', async ({
  browser,
}) => {
  const today = new Date().toISOString().slice(0, 10)
  const schedule = (await (
    await fetch(SERVER(`race/api/queryRace?countryRegionId=100000&today=${today}`))
  ).json()) as { result: { id: string; status: string }[] }
  const race = schedule.result.findLast(({ status }) => status === 'scheduled')!
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  await signIn(context, await registerMember())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(`${BASE()}#/pages/race/HorseRace?id=${race.id}&tab=notes`)
  await page.getByRole('button', { name: 'Write a note' }).click()
  const horse = page.getByRole('combobox', { name: 'About' })
  const label = (await horse.locator('option').nth(1).textContent())!
  const name = label.replace(/^\d+ /, '')
  await horse.selectOption({ label })
  const text = page.getByRole('textbox', { name: 'Note' })

  // Without a connection the text is not lost: the note can be saved once the connection is back.
  await context.setOffline(true)
  await text.fill('Slow away, finished fast.\nWants 1,400 m.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(text).toHaveValue(/Wants 1,400 m\./)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Save note' }).dblclick()
  const notes = page.getByTestId('note')
  await expect(notes).toHaveCount(1)
  await expect(notes).toContainText(name)
  await expect(notes).toContainText('Wants 1,400 m.')

  await notes.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await expect(notes).toContainText('Slow away, finished fast.')
  await notes.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=`))
  await expect(notes).toContainText('Slow away')

  await page.getByRole('link', { name: 'All notes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notes' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search notes' })
  await search.fill('no such word')
  await expect(page.getByText('No note matches your search.')).toBeVisible()
  await search.fill(name.toLowerCase())
  await expect(notes).toHaveCount(1)
  await notes.getByRole('button', { name: 'Edit' }).click()
  await text.fill('Wants 1,600 m.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(notes).toContainText('Wants 1,600 m.')
  await expect(notes).not.toContainText('1,400')

  const stranger = await browser.newContext({ locale: 'en-GB' })
  await signIn(stranger, await registerMember())
  const theirs = await stranger.newPage()
  await theirs.goto(`${BASE()}#/pages/user/notes`)
  await expect(theirs.getByText('No notes yet.')).toBeVisible()
  await stranger.close()

  await notes.getByRole('button', { name: 'Delete' }).click()
  await notes.getByRole('button', { name: 'Cancel' }).click()
  await expect(notes).toHaveCount(1)
  await notes.getByRole('button', { name: 'Delete' }).click()
  await notes.getByRole('button', { name: 'Delete' }).click()
  await expect(notes).toHaveCount(0)
  expect(watch.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await context.close()
})

test('a note on a saved view is written beside it', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  await signIn(context, await registerMember())
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/WinLossRecord`)
  await page.getByRole('button', { name: 'Views' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Inside draws')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Notes on “Inside draws”' }).click()
  await dialog.getByRole('button', { name: 'Write a note' }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Only on the C course')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await expect(dialog.getByTestId('note')).toContainText('Only on the C course')
  await dialog.getByRole('link', { name: 'All notes' }).click()
  await expect(page.getByTestId('note')).toContainText('Inside draws')
  await context.close()
})
