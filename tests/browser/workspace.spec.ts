import { readFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { engineReady, openMenu, RECORD, registerMember, signIn, subscribe, tilesReady } from './site.ts'
import { MODEL, numberIn, PICKS, sharedWorkspace } from './workspace-page.ts'
import { boxOf } from './box-of.ts'

/** How the workspace responds to user input: all views change, and nothing else does. */

let reference: Reference
let page: Page

const { breakdown, show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

test('a gesture on a bar filters every other view, and takes itself back', { tag: '@smoke' }, async () => {
  await show('p=bars:going~bars:racecourse~heat:distance.season')
  const total = async () =>
    numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent())
  const all = await total()
  const first = breakdown('going').locator('tbody tr').first()
  const count = numberIn(await first.locator('td').first().textContent())
  const courses = async () =>
    (await breakdown('racecourse').locator('tbody td:nth-of-type(1)').allTextContents())
      .map(numberIn)
      .reduce((a, b) => a + b, 0)
  await first.getByRole('button').click()
  await expect.poll(total).toBe(count)
  await expect.poll(courses).toBe(count)
  // The clicked view keeps its other bars.
  expect(await breakdown('going').locator('tbody tr').count()).toBeGreaterThan(1)
  await expect(first.getByRole('button')).toHaveAttribute('aria-pressed', 'true')
  // Shift adds, Alt excludes, Escape clears, Ctrl+Z undoes one step.
  await breakdown('going')
    .locator('tbody tr')
    .nth(1)
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await expect.poll(total).toBeGreaterThan(count)
  await first.getByRole('button').click({ modifiers: ['Alt'] })
  await expect.poll(total).toBe(all - count)
  await page.keyboard.press('Escape')
  await expect.poll(total).toBe(all)
  await page.keyboard.press('Control+z')
  await expect.poll(total).toBe(all - count)
  await expect(page.getByTestId('announcement')).toContainText(
    `${(all - count).toLocaleString('en')} predictions`,
  )
})

test('a slice by racecourse and draw takes three gestures, and the filters beside the page stay where they are', async () => {
  await show()
  // The page of the test before is scrolled back while it is drawn, and a scroll closes what is open.
  await expect(page.locator('[data-drawing=true]')).toHaveCount(0)
  await expect(page.getByTestId('computed')).toHaveAttribute('data-fetching', '0')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  let gestures = 0
  const gesture = async (make: () => Promise<void>): Promise<void> => {
    gestures += 1
    await make()
  }
  // A key; then a text with Enter each, without waiting for what it finds.
  await gesture(() => page.keyboard.press('f'))
  for (const text of ['happy valley', 'draw 3'])
    await gesture(async () => {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    })
  expect(gestures).toBe(3)
  await expect(page).toHaveURL(/racecourse/)
  await expect(page).toHaveURL(/draw%3A3(?!\d)/)
  await tilesReady(page)
  const expected = await reference.one(
    `SELECT count(*) AS n FROM prediction p JOIN runner r ON r.race_key = p.race_key AND r.horse_no = horse_no_1
     WHERE ${PICKS} AND r.draw = 3 AND p.race_key IN
       (SELECT race_key FROM race JOIN stadium USING (stadium_key) WHERE stadium.name_en = 'Happy Valley')`,
  )
  await expect
    .poll(async () => numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent()))
    .toBe(expected['n'])
  expect(await page.locator('#record-filters').evaluate((rail) => rail.scrollTop)).toBe(0)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  // Escape leaves it, not the slice; a chip takes one more value where it is.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Find a dimension' })).toBeHidden()
  await page.getByRole('button', { name: 'Edit filter Draw: 3' }).click()
  await page.getByRole('group', { name: 'Edit filter Draw' }).getByRole('checkbox', { name: /^4\D/ }).check()
  await expect(page).toHaveURL(/draw%3A3%2C4/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/racecourse/)
})

test('where the pointer rests, a click is answered by an index, with the figures of the rows', async () => {
  await show('p=bars:weekday~bars:racecourse')
  await engineReady(page)
  const tiles = page.getByTestId('record-tiles')
  const bar = (at: number) => breakdown('weekday').locator('tbody tr').nth(at)
  for (const at of [0, 1]) {
    await bar(at).hover()
    // The pointer rests, and the index is built: in a tenth of the time on an idle machine.
    await page.waitForTimeout(1500)
    const count = numberIn(await bar(at).locator('td').first().textContent())
    await bar(at).getByRole('button').click()
    await expect.poll(async () => numberIn(await tiles.locator('dd').first().textContent())).toBe(count)
    await expect(tiles).toHaveAttribute('data-source', 'index')
  }
})

test('a brush over the months moves every other view, and rests as a filter', { tag: '@smoke' }, async () => {
  await show('p=profit!~bars:racecourse')
  await engineReady(page)
  const total = async () =>
    numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent())
  const all = await total()
  const area = page.locator('[data-panel=profit] [data-testid=brush]')
  const box = await boxOf(area)
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 12 })
  // The range under the pointer is marked at once: the first and last months are excluded.
  const marks = await area.locator('i').evaluateAll((bars) => bars.map((bar) => bar.className))
  expect(marks[0]).toBe(marks.at(-1))
  expect(marks[0]).not.toBe(marks[Math.floor(marks.length * 0.45)])
  // While the pointer is down the figures change, but the address does not.
  await expect.poll(total).toBeLessThan(all)
  expect(page.url()).not.toContain('month')
  // The last position's answer may still be pending: its figure is the sum of the marked months.
  const moving = await area.locator('i').evaluateAll((bars) => {
    const inside = bars[Math.floor(bars.length * 0.45)]!.className
    return bars
      .filter((bar) => bar.className === inside)
      .reduce((sum, bar) => sum + Number((bar as HTMLElement).title.split(': ')[1]!.replaceAll(',', '')), 0)
  })
  await expect.poll(total).toBe(moving)
  expect(page.url()).not.toContain('month')
  await page.mouse.up()
  await expect(page).toHaveURL(/month/)
  await tilesReady(page)
  await expect.poll(total).toBe(moving)
  const [, from, to] = /month%3A(\d{4}-\d{2})\.\.(\d{4}-\d{2})/.exec(page.url())!
  const expected = await reference.one(
    `SELECT count(*) AS n FROM prediction WHERE ${PICKS} AND strftime(race_date, '%Y-%m') BETWEEN '${from}' AND '${to}'`,
  )
  expect(moving).toBe(expected['n'])
})

test(
  'a race stands beside the list with what it paid, and J and K go through the races',
  { tag: '@smoke' },
  async () => {
    await show('cols=day,race_no,combination,race_id')
    const raceAt = (index: number) => page.locator(`[role=row][row-index="${index}"] [col-id=race_id]`)
    await page.locator('#rows-heading').scrollIntoViewIfNeeded()
    await expect(raceAt(0)).toHaveText(/^[A-Z]{5}/)
    // The list updates once more when it comes into view: a click before that opens a race of the rows that were there, whose
    // panel covers the last column.
    await expect(async () => {
      await page.locator('[role=row][row-index="0"] [col-id=day]').click()
      await expect(page).toHaveURL(new RegExp(`race=${await raceAt(0).textContent()}`), { timeout: 1000 })
    }).toPass()
    const [first, second] = [await raceAt(0).textContent(), await raceAt(1).textContent()]
    expect(first).not.toBe(second)
    const paid = await reference.rows(
      `SELECT combination, dividend_cents FROM dividend d JOIN race r USING (race_key) WHERE r.race_id = '${first}' AND bet_type = 1`,
    )
    const win = page.getByTestId('dividends').getByRole('row').filter({ hasText: 'Win' })
    await expect(win).toContainText(String(paid[0]!['combination']))
    await expect(win).toContainText((Number(paid[0]!['dividend_cents']) / 100).toFixed(2))
    await page.keyboard.press('j')
    await expect(page).toHaveURL(new RegExp(`race=${second}`))
    await page.keyboard.press('k')
    await expect(page).toHaveURL(new RegExp(`race=${first}`))
    await page.getByRole('button', { name: 'Next race of the list' }).click()
    await expect(page).toHaveURL(new RegExp(`race=${second}`))
  },
)

test('a view is made higher with the pointer and the keyboard, and its address keeps it', async () => {
  await show('p=profit!~bars:going')
  const edge = page.getByRole('separator', { name: 'Height of “Profit over time”' })
  const chart = page.locator('[data-panel=profit] .js-plotly-plot, [data-panel=profit] [role=img]').first()
  const before = (await boxOf(chart)).height
  await edge.scrollIntoViewIfNeeded()
  const box = await boxOf(edge)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 100, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/high-320/)
  await expect.poll(async () => (await boxOf(chart)).height).toBeCloseTo(before + 100, -1)
  await edge.focus()
  await page.keyboard.press('ArrowUp')
  await expect(page).toHaveURL(/high-280/)
  await page.reload()
  await tilesReady(page)
  await expect(edge).toHaveAttribute('aria-valuenow', '280')
  await edge.focus()
  await page.keyboard.press('Delete')
  await expect(page).not.toHaveURL(/high-/)
})

test('a chart is saved as a picture that says what it shows', async () => {
  await show('p=profit!')
  const saved = async (name: string): Promise<Buffer> => {
    const saving = page.waitForEvent('download')
    const panel = page.locator('[data-panel=profit]')
    await openMenu(panel, 'Tools of this chart')
    await panel.getByRole('button', { name, exact: true }).click()
    return readFileSync(await (await saving).path())
  }
  const svg = (await saved('SVG')).toString('utf8')
  expect(svg).toMatch(/^<svg/)
  const expected = await reference.one(`SELECT count(*) AS n FROM prediction WHERE ${PICKS}`)
  for (const words of ['Bet type: Win', `n = ${expected['n']!.toLocaleString('en')}`, 'Backtest', 'As of'])
    expect(svg).toContain(words)
  const png = await saved('PNG')
  expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  expect(png.length).toBeGreaterThan(10_000)
})

test('a heat map is saved as a picture of all its cells', async () => {
  await show('p=heat:draw.distance.predictions')
  const panel = page.locator('[data-panel=heat]')
  await expect(panel.getByTestId('heat')).toBeVisible()
  const saved = async (name: string): Promise<Buffer> => {
    const saving = page.waitForEvent('download')
    await openMenu(panel, 'Tools of this chart')
    await panel.getByRole('button', { name, exact: true }).click()
    return readFileSync(await (await saving).path())
  }
  const svg = (await saved('SVG')).toString('utf8')
  expect(svg).toMatch(/^<svg/)
  for (const words of ['Bet type: Win', 'Backtest', 'As of', '1,200 m', 'Draw × Distance: Predictions'])
    expect(svg).toContain(words)
  const png = await saved('PNG')
  expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  expect(png.length).toBeGreaterThan(10_000)
  // The export leaves no element on the page.
  await expect(page.locator('[aria-hidden=true] [data-testid=heat]')).toHaveCount(0)
})

test('a member sees which filter is for VIPs, and a list with the races that he opened', async ({
  browser,
}) => {
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 1000 } })
  const token = await registerMember()
  await signIn(own, token)
  const [old] = await reference.rows(
    `SELECT r.race_id, concat_ws('-', p.horse_no_1) AS pick FROM race r JOIN prediction p USING (race_key)
     WHERE p.model = '${MODEL}' AND p.bet_type = 1 AND p.selected ORDER BY r.race_date, r.race_id LIMIT 1`,
  )
  const raceId = String(old!['race_id'])
  const theirs = await own.newPage()
  const words = `model=${MODEL}&origin=backtest&sort=day&cols=day,race_id,combination,outcome`
  const first = theirs.locator('[role=row][row-index="0"] [col-id=race_id]')
  await theirs.goto(`${RECORD()}?${words}`)
  await tilesReady(theirs)
  await expect(theirs.locator('[data-facet=going]')).toHaveCount(0)
  await expect(theirs.locator('[data-group=where] p')).toContainText(/^For VIP members: .*Going/)
  await theirs.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(first).toHaveText(/^[A-Z]{5}/)
  await expect(first).not.toHaveText(raceId)
  await subscribe(token, raceId)
  await theirs.reload()
  await tilesReady(theirs)
  await theirs.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(first).toHaveText(raceId)
  await expect(theirs.locator('[role=row][row-index="0"] [col-id=combination]')).toContainText(
    String(old!['pick']),
  )
  await expect(theirs.getByText('of every race that you have unlocked')).toBeVisible()
  await own.close()
})
