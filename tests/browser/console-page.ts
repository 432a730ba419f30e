import { expect, type Page } from '@playwright/test'
import { RECORD } from './site.ts'
import { filter, MODEL, WIN } from './workspace-page.ts'

/** Actions that tests perform on the SQL console of one page. */
export function consoleOf(page: () => Page) {
  const state = (name: string): Promise<void> =>
    expect(page().getByTestId('console')).toHaveAttribute('data-state', name, { timeout: 60_000 })
  const write = async (sql: string): Promise<void> => {
    const editor = page().locator('.cm-content')
    // On a busy machine the editor may render old content while it is filled; it is then filled again.
    await expect(async () => {
      await editor.fill(sql)
      expect(await editor.locator('.cm-line').allTextContents()).toEqual(sql.split('\n'))
    }).toPass()
  }
  return {
    state,
    write,
    openConsole: async (): Promise<void> => {
      await page().goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&tab=console`)
      await expect(page().locator('.cm-content').first()).toBeVisible()
    },
    run: async (sql: string): Promise<void> => {
      await write(sql)
      await page().getByRole('button', { name: 'Run', exact: true }).click()
    },
    firstRow: async (): Promise<string[]> => {
      await state('rows')
      const row = page().getByTestId('console-result').locator('.ag-row[row-index="0"]')
      await expect(row).toBeVisible()
      return row.locator('[role=gridcell]').allTextContents()
    },
  }
}
