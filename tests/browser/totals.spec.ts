import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { firstCell, predictionsShown } from './site.ts'
import { filter, MODEL, sharedWorkspace } from './workspace-page.ts'

/** The total below the list states what the figures above state, and nothing else. */

let reference: Reference
let page: Page

const { breakdown, show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

/** A cell of the total below the list. */
const total = (column: string) => page.locator(`[role=row][row-index="b-0"] [col-id=${column}]`)

const CLAUSES = `model = '${MODEL}' AND origin = 'backtest' AND bet_type = 3 AND selected`
/** Main quinella picks with a horse drawn 1 to 4: a row for each of those horses. */
const DRAWN = `SELECT p.race_key, p.rank FROM
  (SELECT race_key, rank, unnest([horse_no_1, horse_no_2]) AS horse_no FROM prediction WHERE ${CLAUSES}) p
  JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.horse_no AND s.model = '${MODEL}' AND s.draw BETWEEN 1 AND 4`

test('figures in which a combination counts once for each horse say so, and move nothing', async () => {
  const note = 'A combination counts once for each of its horses.'
  const mark = page.getByTestId('record-tiles').getByTitle(note)
  const below = page.getByText('in the list it has one row')
  const quinella = 'bet_type:3~prediction_type:1'
  await show(`${filter(quinella)}&p=bars:draw~bars:going`)
  // Only the breakdown by draw counts horses: neither the total nor the breakdown by going does.
  const panel = (by: string) => page.locator('section').filter({ has: breakdown(by) })
  await expect(panel('draw').getByText(note)).toBeVisible()
  await expect(panel('going')).toBeVisible()
  await expect(panel('going').getByText(note)).toHaveCount(0)
  await expect(mark).toHaveCount(0)
  await show(`${filter(`${quinella}~draw:1,2,3,4`)}&p=bars:going`)
  const { n, rows } = await reference.one(
    `SELECT count(*) AS n, count(DISTINCT (race_key, rank)) AS rows FROM (${DRAWN})`,
  )
  expect(n).toBeGreaterThan(rows!)
  await expect(mark).toBeVisible()
  await expect(panel('going').getByText(note)).toBeVisible()
  expect(await predictionsShown(page)).toBe(n)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 1000 })
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width)
    // In one step: the strip is laid out anew when the window's size changes.
    const [marked, unmarked] = await mark.evaluate((element) => {
      const strip = element.closest('[data-testid=record-tiles]')!
      const before = strip.clientHeight
      element.style.display = 'none'
      const after = strip.clientHeight
      element.style.display = ''
      return [before, after]
    })
    expect(marked).toBeGreaterThan(50)
    expect(unmarked).toBe(marked)
  }
  // The list has each combination once, without blank rows at its end.
  await page.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(below).toBeVisible()
  await expect(total('combination')).toContainText(n!.toLocaleString('en'))
  await firstCell(page, 'combination').click()
  const last = page.locator(`[role=row][row-index="${rows! - 1}"] [col-id=combination]`)
  await expect(async () => {
    await page.keyboard.press('Control+End')
    await expect(last).toHaveText(/\d+-\d+/, { timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Control+End')
  await expect(page.locator(`[role=row][row-index="${rows!}"]`)).toHaveCount(0)

  // The same in groups: an opened one has as many rows as combinations, and opening one does not move the list.
  await show(`${filter(`${quinella}~draw:1,2,3,4`)}&p=bars:going&g=racecourse`)
  const courses = await reference.rows(
    `SELECT count(*)::INTEGER AS n, count(DISTINCT (race_key, rank))::INTEGER AS rows
     FROM (${DRAWN}) JOIN race USING (race_key) GROUP BY stadium_key ORDER BY n DESC`,
  )
  expect(Number(courses[0]!['n'])).toBeGreaterThan(Number(courses[0]!['rows']))
  await page.locator('#rows-heading').scrollIntoViewIfNeeded()
  const headings = page.locator('[role=row] [col-id]').filter({ hasText: /^[▸▾]/ })
  await expect(headings).toHaveCount(courses.length)
  for (let count = courses.length - 1; count >= 0; count -= 1) await headings.nth(count).click()
  await expect(headings.first()).toContainText('▾')
  const all = courses.reduce((sum, each) => sum + 1 + Number(each['rows']), 0)
  const list = page.locator('.ag-grid-viewport').first()
  // The end of each group is seen.
  for (let row = 0; row < all + 100; row += 50) {
    await list.evaluate((element, top) => element.scrollTo(0, top), row * 32)
    await expect(page.locator('[role=row][row-index]').filter({ hasText: '…' })).toHaveCount(0)
  }
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.locator(`[role=row][row-index="${all - 1}"] [col-id=combination]`)).toHaveText(/\d+-\d+/)
  await expect(page.locator(`[role=row][row-index="${all}"]`)).toHaveCount(0)
})
