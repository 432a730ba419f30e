import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { filter, numberIn, openWorkspace, WIN, workspaceOf } from './workspace-page.ts'

/** The total below the list states what the figures above state, and nothing else. */

let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ context, page } = await openWorkspace(browser))
})
test.afterAll(() => context.close())

const { show } = workspaceOf(() => page)

const tile = (label: string) =>
  page.getByTestId('record-tiles').locator('div').filter({ hasText: label }).locator('dd').first()
/** A cell of the total below the list. */
const total = (column: string) => page.locator(`[role=row][row-index="b-0"] [col-id=${column}]`)

test('a total is a dash where the figure above cannot be told', async () => {
  await show(filter(`${WIN}~rank:9`))
  await expect(tile('Profit')).toHaveText('Not available')
  await page.locator('#predictions-heading').scrollIntoViewIfNeeded()
  await expect(total('profit_cents')).toHaveText('–')
  await show(filter(WIN))
  await page.locator('#predictions-heading').scrollIntoViewIfNeeded()
  const shown = numberIn(await tile('Profit').textContent())
  await expect.poll(async () => numberIn(await total('profit_cents').textContent())).toBe(shown)
})
