import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { RECORD, signIn, tilesReady, vipToken } from './site.ts'
import { MODEL } from './workspace-page.ts'

/** Sizes and places of the workspace's parts, in pixels, in a phone's window and in two of a desktop. */

async function openAt(browser: Browser, width: number, height: number): Promise<Page> {
  const phone = width < 600
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width, height },
    isMobile: phone,
    hasTouch: phone,
  })
  await signIn(context, vipToken())
  const page = await context.newPage()
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest`)
  await tilesReady(page)
  return page
}

/** The box of a visible element, from the top of the page. */
async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await expect(part).toBeVisible()
  return part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y: y + scrollY, width, height }
  })
}

const topBar = (page: Page): Locator => page.locator('main h1').locator('..')
const chartOf = (page: Page): Locator => page.locator('[data-panel=profit] .js-plotly-plot')

/** Checks that the figures have at least the height that the strip reserves for them. */
async function expectFigureHeights(page: Page): Promise<void> {
  const cells = page.getByTestId('record-tiles').locator(':scope > div')
  for (const height of await cells.evaluateAll((all) =>
    all.map((cell) => cell.getBoundingClientRect().height),
  ))
    expect(height).toBeGreaterThanOrEqual(72)
}

test('the bar is one line of 1,280 px, whatever the model and the rows are called', async ({ browser }) => {
  const page = await openAt(browser, 1280, 800)
  for (const model of ['network', 'fundamental', 'blended'])
    for (const subject of ['predictions', 'runners', 'races']) {
      await page.goto(`${RECORD()}?model=${model}&origin=backtest&s=${subject}`)
      await tilesReady(page)
      expect((await boxOf(topBar(page))).height, `${model}, ${subject}`).toBe(48)
    }
  await page.context().close()
})

for (const [width, height] of [
  [1280, 800],
  [1920, 1080],
] as const)
  test(`the parts of the page at ${width} × ${height}`, async ({ browser }) => {
    const page = await openAt(browser, width, height)
    const bar = await boxOf(topBar(page))
    // One row of controls: all of them have the same middle.
    const middles = await topBar(page)
      .locator(':is(select, fieldset, button):visible')
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ y, height: of }) => y + of / 2),
      )
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
    expect(bar.height).toBe(48)
    expect(bar.width).toBe(width)

    const rail = await boxOf(page.getByRole('complementary', { name: 'Filters' }))
    expect(rail.width).toBe(240)
    const strip = await boxOf(page.getByTestId('record-tiles'))
    expect(strip.height).toBeGreaterThanOrEqual(72)
    await expectFigureHeights(page)
    // The figures have all the width beside the rail.
    expect(strip.x).toBeGreaterThanOrEqual(rail.x + rail.width)
    expect(strip.x + strip.width).toBeGreaterThanOrEqual(width - 32)
    expect((await boxOf(chartOf(page))).height).toBe(220)

    const list = page.getByRole('region', { name: 'Every prediction' })
    await page.locator('#rows-heading').scrollIntoViewIfNeeded()
    // The rows come after the columns, whose widths follow what is in them.
    const day = page.locator('[role=row][row-index="0"] [col-id=day]')
    await expect(day).toHaveText(/\d/)
    await day.click()
    const inspector = page.getByRole('complementary', { name: 'Race of the selected row' })
    await expect(inspector.getByRole('table').first()).toBeVisible()
    const race = await boxOf(inspector)
    expect(race.x + race.width).toBeLessThanOrEqual(width)
    expect(race.x + race.width).toBeGreaterThanOrEqual(width - 32)
    // In the wider window the race has a column of its own; in the other one it lies over the list.
    const rows = await boxOf(list)
    if (width === 1920) {
      expect(race.width).toBe(360)
      expect(race.x).toBeGreaterThanOrEqual(rows.x + rows.width)
    } else expect(race.x).toBeLessThan(rows.x + rows.width)
    await page.context().close()
  })

test('the usual columns of runners and of races are all in a window of 1,280 px', async ({ browser }) => {
  const page = await openAt(browser, 1280, 800)
  for (const [subject, last] of [
    ['runners', 'draw'],
    ['races', 'profit_cents'],
  ] as const) {
    await page.goto(`${RECORD()}?origin=backtest&s=${subject}`)
    await tilesReady(page)
    await page.locator('#rows-heading').scrollIntoViewIfNeeded()
    await expect(page.locator('[role=row][row-index="0"] [col-id=day]')).toHaveText(/\d/)
    const list = await boxOf(
      page.getByRole('region', { name: subject === 'runners' ? 'Every run' : 'Every race' }),
    )
    const heading = await boxOf(page.locator(`[role=columnheader][col-id=${last}]`))
    expect(heading.x + heading.width, subject).toBeLessThanOrEqual(list.x + list.width)
    expect(await page.getByRole('columnheader').last().getAttribute('col-id'), subject).toBe(last)
  }
  await page.context().close()
})

test('the parts of the page on a phone', async ({ browser }) => {
  const page = await openAt(browser, 390, 844)
  expect((await boxOf(chartOf(page))).height).toBe(220)
  await expectFigureHeights(page)
  // Two figures in a row, three rows, and nothing beside them.
  const cells = page.getByTestId('record-tiles').locator(':scope > div')
  const [predictions, hits, ratio, profit, returned, runs] = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => boxOf(cells.nth(index))),
  )
  for (const [left, right] of [
    [predictions!, hits!],
    [profit!, returned!],
    [ratio!, runs!],
  ] as const) {
    expect(left.x).toBe(predictions!.x)
    expect(right).toMatchObject({ x: hits!.x, y: left.y })
    expect(right.x + right.width).toBeLessThanOrEqual(390 - 12)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const bar = await boxOf(page.getByRole('button', { name: /Main pick.*Filters/ }))
  expect(bar.height).toBeGreaterThanOrEqual(44)

  // What is out of view is drawn when it comes into view, with its final height.
  const line = page.locator('a[href*="HorseRace"]').filter({ hasText: '%' })
  await page.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(page.locator('[data-panel=bars] tbody tr').last()).toBeVisible()
  for (const index of [0, 1, 2]) expect((await boxOf(line.nth(index))).height).toBeGreaterThanOrEqual(56)
  expect((await boxOf(line.first())).y).toBeLessThan(1600)
  // The bar that names the slice stays in view.
  await expect(page.getByRole('button', { name: /Main pick.*Filters/ })).toBeInViewport()
  await page.context().close()
})
