import { readFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import {
  engineReady,
  firstCell,
  RECORD,
  registerMember,
  signIn,
  subscribe,
  tilesReady,
  Watch,
} from './site.ts'
import { filter, MODEL, numberIn, PICKS, WIN, sharedWorkspace } from './workspace-page.ts'

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

test('a brush over the months moves every other view, and rests as a filter', { tag: '@smoke' }, async () => {
  await show('p=profit!~bars:racecourse')
  await engineReady(page)
  const total = async () =>
    numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent())
  const all = await total()
  const area = page.locator('[data-panel=profit] [data-testid=brush]')
  const box = (await area.boundingBox())!
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
  const asked = await reference.one(
    `SELECT count(*) AS n FROM prediction WHERE ${PICKS} AND strftime(race_date, '%Y-%m') BETWEEN '${from}' AND '${to}'`,
  )
  expect(moving).toBe(asked['n'])
})

test('an empty slice says so, and nothing is called known of it', async () => {
  await show(filter(`${WIN}~rank:9`))
  await expect(page.getByTestId('record-tiles').getByText('No bets')).toBeVisible()
  await expect(page.getByText('Staked')).toHaveCount(0)
  await expect(page.getByText('No predictions match this filter.').first()).toBeVisible()
})

test('groups of the list open in place, columns are chosen, and both are in the address', async () => {
  await show('g=season&cols=day,race_no,combination,going,outcome,profit_cents')
  const rows = page.locator('[role=row][row-index]')
  await expect(rows.first()).toContainText('▸')
  await rows.first().locator('[col-id=day]').click()
  await expect(rows.first()).toContainText('▾')
  await expect(firstCell(page, 'going').or(rows.nth(1).locator('[col-id=going]')).first()).toBeVisible()
  await expect(page.locator('[role=columnheader]')).toHaveCount(6)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog').getByLabel('Distance').check()
  await expect(page).toHaveURL(/distance/)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
})

test(
  'a race stands beside the list with what it paid, and J and K go through the races',
  { tag: '@smoke' },
  async () => {
    await show('cols=day,race_no,combination,race_id')
    const raceAt = (index: number) => page.locator(`[role=row][row-index="${index}"] [col-id=race_id]`)
    await page.locator('#predictions-heading').scrollIntoViewIfNeeded()
    await expect(raceAt(0)).toHaveText(/^[A-Z]{5}/)
    // The list updates once more when it comes into view.
    await expect(async () => {
      await raceAt(0).click()
      await expect(page).toHaveURL(/race=/, { timeout: 1000 })
    }).toPass()
    const [first, second] = [await raceAt(0).textContent(), await raceAt(1).textContent()]
    expect(first).not.toBe(second)
    await expect(page).toHaveURL(new RegExp(`race=${first}`))
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

test('two slices have their curves on one chart, and their groups beside each other', async () => {
  await show()
  await page.getByLabel('Compare').selectOption('fundamental')
  // Groups side by side, each over the races of its own slice.
  const groups = page.getByTestId('compare-groups')
  await expect(groups).toHaveAttribute('data-by', 'season')
  for (const [offset, model] of [
    [0, MODEL],
    [3, 'fundamental'],
  ] as const) {
    const [season] = await reference.rows(
      `SELECT season::INTEGER AS season, count(*)::INTEGER AS n FROM prediction
       WHERE model = '${model}' AND origin = 'backtest' AND bet_type = 1 AND selected GROUP BY ALL ORDER BY 1 DESC`,
    )
    const shown = groups.locator(`tr[data-key="${String(season!['season'])}"] td`)
    expect(numberIn(await shown.nth(offset).textContent())).toBe(season!['n'])
  }
  await expect(page.getByTestId('compare').getByRole('img', { name: /common races/ })).toBeVisible()
  // The difference of a season's returns, and its interval with meetings sampled for both models together.
  const meetings = await reference.rows(
    `SELECT meeting_key, season::INTEGER AS season,
       coalesce(sum(profit_cents) FILTER (WHERE model = '${MODEL}'), 0)::DOUBLE AS profit_a,
       (1000 * count(profit_cents) FILTER (WHERE model = '${MODEL}' AND outcome <> 'void'))::DOUBLE AS staked_a,
       coalesce(sum(profit_cents) FILTER (WHERE model = 'fundamental'), 0)::DOUBLE AS profit_b,
       (1000 * count(profit_cents) FILTER (WHERE model = 'fundamental' AND outcome <> 'void'))::DOUBLE AS staked_b
     FROM prediction WHERE origin = 'backtest' AND bet_type = 1 AND selected
     GROUP BY ALL HAVING season = (SELECT max(season) FROM prediction WHERE origin = 'backtest')`,
  )
  const sum = (name: string): number => meetings.reduce((total, row) => total + Number(row[name]), 0)
  const [ra, rb] = [sum('profit_a') / sum('staked_a'), sum('profit_b') / sum('staked_b')]
  const squares = meetings
    .map((row) => {
      const ofB = (Number(row['profit_b']) - rb * Number(row['staked_b'])) / sum('staked_b')
      return (ofB - (Number(row['profit_a']) - ra * Number(row['staked_a'])) / sum('staked_a')) ** 2
    })
    .reduce((total, each) => total + each, 0)
  const error = 1.96 * Math.sqrt((squares * meetings.length) / (meetings.length - 1))
  const newest = groups.locator(`tr[data-key="${String(meetings[0]!['season'])}"] td`)
  // Either model may be the pinned slice A; the sign depends on which.
  const difference = numberIn(await newest.nth(6).textContent())
  expect(Math.abs(Math.abs(difference) - Math.abs(rb - ra))).toBeLessThan(0.00051)
  const [low, high] = (await newest.nth(7).textContent())!.split(' to ').map(numberIn)
  expect(Math.abs((high! - low!) / 2 - error)).toBeLessThan(0.0011)
  expect(Math.abs((high! + low!) / 2 - difference)).toBeLessThan(0.0011)
  await page.getByRole('button', { name: 'Unpin A' }).click()
})

test('a view is made higher with the pointer and the keyboard, and its address keeps it', async () => {
  await show('p=profit!~bars:going')
  const edge = page.getByRole('separator', { name: 'Height of “Profit over time”' })
  const chart = page.locator('[data-panel=profit] .js-plotly-plot, [data-panel=profit] [role=img]').first()
  const before = (await chart.boundingBox())!.height
  await edge.scrollIntoViewIfNeeded()
  const box = (await edge.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 100, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/high-320/)
  await expect.poll(async () => (await chart.boundingBox())!.height).toBeCloseTo(before + 100, -1)
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
    await page.locator('[data-panel=profit]').getByRole('button', { name, exact: true }).click()
    return readFileSync(await (await saving).path())
  }
  const svg = (await saved('SVG')).toString('utf8')
  expect(svg).toMatch(/^<svg/)
  const asked = await reference.one(`SELECT count(*) AS n FROM prediction WHERE ${PICKS}`)
  for (const words of ['Bet type: Win', `n = ${asked['n']!.toLocaleString('en')}`, 'Backtest', 'As of'])
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
  const going = theirs.locator('[data-facet=going]')
  await expect(going.getByRole('button')).toBeDisabled()
  await expect(going.getByLabel('For VIP members')).toBeVisible()
  await theirs.locator('#predictions-heading').scrollIntoViewIfNeeded()
  await expect(first).toHaveText(/^[A-Z]{5}/)
  await expect(first).not.toHaveText(raceId)
  await subscribe(token, raceId)
  await theirs.reload()
  await tilesReady(theirs)
  await theirs.locator('#predictions-heading').scrollIntoViewIfNeeded()
  await expect(first).toHaveText(raceId)
  await expect(theirs.locator('[role=row][row-index="0"] [col-id=combination]')).toContainText(
    String(old!['pick']),
  )
  await expect(theirs.getByText('of every race that you have unlocked')).toBeVisible()
  await own.close()
})

test('a view that came by a link is what the next gesture changes', async () => {
  await show('p=bars:going')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Draw at Happy Valley' }).click()
  await tilesReady(page)
  const cells = page.locator('[data-testid=heat] tbody tr').first().locator('td')
  const distance = async (index: number) => (await cells.nth(index).getAttribute('data-key'))!
  await cells.nth(0).getByRole('button').click()
  await expect(page).toHaveURL(new RegExp(`distance%3A${await distance(0)}.*draw%3A1`))
  await tilesReady(page)
  await expect(page.getByTestId('heat')).toBeVisible()
  // Another cell of the same row keeps the shared filter.
  await cells.nth(1).getByRole('button').click()
  await expect(page).toHaveURL(new RegExp(`distance%3A${await distance(1)}.*draw%3A1`))
  await tilesReady(page)
  await cells.nth(1).getByRole('button').click()
  await expect(page).not.toHaveURL(/draw%3A1/)
})

test('a filter that is known for some bet types goes with them', async () => {
  await show(`${filter(`${WIN}~odds:10,15`)}&p=bars:bet_type`)
  await expect(page.getByText('Win odds: 10.0 to 15.0, 15.0 to 20.0')).toBeVisible()
  await page
    .locator('label')
    .filter({ hasText: /^Place$/ })
    .click()
  await expect(page).not.toHaveURL(/odds/)
  await tilesReady(page)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a reader without the history meets no empty part of the page', async ({ browser }) => {
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  const theirs = await own.newPage()
  const watch = new Watch(theirs)
  await theirs.goto(`${RECORD()}?tab=models&a=model%3Dfundamental`)
  await tilesReady(theirs)
  await expect(theirs.locator('[data-testid=breakdown]').first()).toBeVisible()
  expect(watch.problems).toEqual([])
  await own.close()
})

test('the ends of a brush answer to the keyboard and to assistive technology', async () => {
  await show('p=profit!')
  const first = page.locator('[data-panel=profit] input[type=range]').first()
  await expect(first).toHaveAccessibleName(/Month: start: \w+ \d{4}/)
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/month/)
  await show('p=profit!')
  await expect(first).toHaveValue('0')
  await first.fill('1')
  await expect(page).toHaveURL(/month/)
})
