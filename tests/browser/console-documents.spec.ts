import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { consoleOf } from './console-page.ts'
import type { Reference } from './reference.ts'
import { axeFindings, expectNoSidewaysScroll, strangeType } from './settled.ts'
import { openMenu } from './site.ts'
import { MODEL, newWorkspace, numberIn } from './workspace-page.ts'

/** Documents of the SQL console: cells that read each other, their files, and the keyboard. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await newWorkspace(browser))
})
test.afterAll(() => context.close())

const { openConsole } = consoleOf(() => page)

const cells = () => page.getByTestId('console-cell')
const editor = (cell: number) => cells().nth(cell).locator('.cm-content')
const rowsIn = (name: string) =>
  page.getByRole('region', { name: `Result of ${name}` }).locator('.ag-row .ag-cell')

/** Fills the editor of a cell, again if it is drawn while it is filled. */
async function write(cell: number, sql: string): Promise<void> {
  await expect(async () => {
    await editor(cell).fill(sql)
    expect(await editor(cell).locator('.cm-line').allTextContents()).toEqual(sql.split('\n'))
  }).toPass()
}

const RUNS = 'SELECT draw, won FROM starter WHERE draw <= 3'
const RATES = 'SELECT draw, count(*) AS runs, sum(won) AS wins\nFROM by_draw\nGROUP BY draw\nORDER BY draw'

test('three cells, of which one reads another, are run, exported, stored, shared and imported', async () => {
  test.slow()
  await openConsole()
  await page.getByRole('button', { name: 'New query' }).click()
  await write(0, RUNS)
  await page.getByRole('button', { name: 'Add statement' }).click()
  await write(1, RATES)
  await page.getByLabel('Name of cell 1').fill('by_draw')
  await page.getByRole('button', { name: 'Add text' }).click()
  await page
    .getByRole('textbox', { name: 'Text of cell 3' })
    .fill('## Draw\n\nLow draws, **all** races.\n\n### By `season`\n\n#### Each\n\n##### Of 1 to 4\n\n- one')
  await page.keyboard.press('Control+Enter')
  await expect(cells().nth(2).getByRole('heading', { name: 'Draw' })).toBeVisible()
  await page.getByRole('button', { name: 'Move cell 3 up' }).click()
  await page.getByRole('button', { name: 'Move cell 2 up' }).click()
  await expect(cells().nth(0)).toContainText('Low draws')
  await openMenu(page.getByTestId('console'), 'Document')
  await page.getByLabel('Title').fill('Low draws')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Low draws', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  await page.getByRole('button', { name: 'Run all' }).click()
  const expected = (
    await reference.rows(
      `SELECT draw::INTEGER AS draw, count(*)::INTEGER AS runs, sum(won)::DOUBLE AS wins FROM starter
       WHERE draw <= 3 AND model = '${MODEL}' GROUP BY 1 ORDER BY 1`,
    )
  ).map((row) => [row['draw'], row['runs'], row['wins']].map(Number))
  expect(expected).toHaveLength(3)
  await expect
    .poll(async () => (await rowsIn('q2').allTextContents()).map(Number), { timeout: 30_000 })
    .toEqual(expected.flat())
  await expect(page.getByRole('region', { name: 'Result of by_draw' })).toContainText(/rows? in/)

  // As SQL, which DuckDB's own shell runs: the reference is such an engine.
  const saving = page.waitForEvent('download')
  await openMenu(page.getByTestId('console'), 'Document')
  await page.getByRole('button', { name: 'Save as .sql' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('Low-draws.sql')
  const path = await download.path()
  const file = readFileSync(path, 'utf8')
  expect(file).toContain('-- ## Draw\n--\n-- Low draws, **all** races.\n')
  expect(file).toContain(`CREATE OR REPLACE TEMP VIEW "by_draw" AS\n${RUNS}\n;`)

  const savingMarkdown = page.waitForEvent('download')
  await openMenu(page.getByTestId('console'), 'Document')
  await page.getByRole('button', { name: 'Save as Markdown with results' }).click()
  const markdown = readFileSync(await (await savingMarkdown).path(), 'utf8')
  expect(markdown).toContain('# Low draws\n\n## Draw\n')
  expect(markdown).toContain(`| ${expected[0]!.join(' | ')} |`.replace(/ (\d+) \|$/, ' $1'))
  expect(markdown).toMatch(/\*The first 100 of .* rows\.\*/)

  // It is in the address and on the device, and a link to it opens no second tab.
  await expect(page).toHaveURL(/sql=/)
  await page.reload()
  await expect(cells()).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Low draws', exact: true })).toHaveCount(1)
  await expect(editor(2).locator('.cm-line')).toHaveText(RATES.split('\n'))

  // Removed, and opened from its file.
  const tabs = page.getByRole('group', { name: 'Statements' })
  const count = await tabs.getByRole('button', { name: /^Close query/ }).count()
  await page.getByRole('button', { name: `Close query ${count}` }).click()
  await expect(page.getByRole('button', { name: 'Low draws', exact: true })).toHaveCount(0)
  await openMenu(page.getByTestId('console'), 'Document')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a .sql file' }).click()
  await (await choosing).setFiles({ name: 'low.sql', mimeType: 'application/sql', buffer: Buffer.from(file) })
  await expect(cells()).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Low draws', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('button', { name: 'Run all' }).click()
  await expect.poll(async () => (await rowsIn('q2').allTextContents()).map(Number)).toEqual(expected.flat())

  expect(await axeFindings(page)).toEqual([])
  expect(await strangeType(page)).toEqual([])
})

test('the keyboard runs cells and goes from one to the next', async () => {
  await openConsole()
  await page.getByRole('button', { name: 'New query' }).click()
  await write(0, 'SELECT 1 AS one')
  await page.getByRole('button', { name: 'Add statement' }).click()
  await expect(editor(1)).toBeFocused()
  await write(1, 'SELECT one + 1 AS two FROM q1')
  await editor(1).press('Control+Enter')
  await expect.poll(() => rowsIn('q2').allTextContents()).toEqual(['2'])
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await expect(editor(0)).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => rowsIn('q1').allTextContents()).toEqual(['1'])
  await expect(editor(1)).toBeFocused()
  // An error in a cell that another reads is named there, with no mark in the reader's own text.
  await write(0, 'SELECT nonsense')
  await editor(1).press('Control+Enter')
  await expect(cells().nth(1).getByTestId('console-error')).toContainText(
    'The statement of cell q1 could not be run:',
  )
  await expect(page.locator('.cm-lintRange-error')).toHaveCount(0)
  await write(0, 'FROM q2')
  await editor(1).press('Control+Enter')
  await expect(cells().nth(1).getByTestId('console-error')).toContainText('q2 → q1 → q2')
})

test('a document can be used on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openConsole()
  await page.getByRole('button', { name: 'New query' }).click()
  await write(0, 'SELECT 1 AS one')
  await page.getByRole('button', { name: 'Add statement' }).click()
  await write(1, 'FROM q1')
  await page.getByRole('button', { name: 'Run all' }).click()
  await expect.poll(async () => (await rowsIn('q2').allTextContents()).map(numberIn)).toEqual([1])
  await expectNoSidewaysScroll(page)
})
