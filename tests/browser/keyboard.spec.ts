import { expect, test, type Page } from '@playwright/test'
import { tabTo } from './tab-to.ts'
import { sharedWorkspace } from './workspace-page.ts'

/** The workspace by the keyboard alone: saved views. */

let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ page } = opened)
})

/** Opens a view with the focus where it is on arrival: on the heading. */
async function arrive(words = ''): Promise<void> {
  await show(words)
  await page.locator('main h1').focus()
}

test('views are saved, ordered, renamed and deleted', async () => {
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
