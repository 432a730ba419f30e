import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { settled } from './settled.ts'
import { choose, engineReady, tilesReady } from './site.ts'
import { filter, MODEL, numberIn, PICKS, sharedWorkspace, tile, WIN } from './workspace-page.ts'
import { boxOf } from './box-of.ts'
import { contrastOf } from '../support/contrast.ts'

/** What a pointer does over a chart: select; and that its series can be told apart, whatever colours are shown. */

let reference: Reference
let page: Page

/** The band of a probability, named by its lower edge. */
const BAND = `CASE ${[0.4, 0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.02, 0]
  .map((edge) => `WHEN probability >= ${edge} THEN ${edge}`)
  .join(' ')} END::DOUBLE`

const { show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})
const total = async (): Promise<number> => numberIn((await tile(page, 'Predictions')).value)

/** Centres of the diagram's points in the window; the selected ones are drawn in the accent colour. */
const points = (): Promise<{ x: number; y: number; colour: string }[]> =>
  page.locator('.js-plotly-plot .scatterlayer .trace:not(:last-child) path.point').evaluateAll((all) =>
    all
      .map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect()
        return { x: x + width / 2, y: y + height / 2, colour: getComputedStyle(each).fill }
      })
      .toSorted((a, b) => a.x - b.x),
  )

/**
 * The points once everything of the slice is on screen and the diagram stands still: filter chips and a longer table
 * shift it.
 */
async function settledPoints(): ReturnType<typeof points> {
  await tilesReady(page)
  await settled(page)
  await expect(page.locator('.js-plotly-plot .point').first()).toBeVisible()
  const diagram = await page.locator('.js-plotly-plot').first().elementHandle()
  await diagram.waitForElementState('stable')
  return points()
}

test('a drag over the reliability diagram moves every other view, and rests as a filter', async () => {
  const whole = `${filter(WIN)}&tab=calibration`
  await show(whole)
  await engineReady(page)
  const all = await total()
  await expect(page.locator('.js-plotly-plot .point').first()).toBeVisible()
  const bins = (
    await reference.rows(
      `SELECT DISTINCT ${BAND} AS band FROM starter
       WHERE model = '${MODEL}' AND origin = 'backtest' AND probability IS NOT NULL ORDER BY band`,
    )
  ).map(({ band }) => Number(band))
  const many = async (from: number, to = from): Promise<number> => {
    const [row] = await reference.rows(
      `SELECT count(*)::INTEGER AS n FROM prediction
       WHERE ${PICKS} AND ${BAND} BETWEEN ${bins[from]!} AND ${bins[to]!}`,
    )
    return Number(row!['n'])
  }
  const [from, to] = [3, 5]
  // A chart that is drawn again under the pointer ends the drag before it selects anything.
  await expect(async () => {
    // The attempt before may have selected, only later than it was waited for.
    await page.mouse.up()
    await show(whole)
    const drawn = await settledPoints()
    expect(drawn).toHaveLength(bins.length)
    const between = (a: number, b: number): number => (drawn[a]!.x + drawn[b]!.x) / 2
    const area = await boxOf(page.getByTestId('chart-brush'))
    await page.mouse.move(between(from - 1, from), area.y + area.height / 3)
    await page.mouse.down()
    expect(page.url()).not.toContain('probability')
    await page.mouse.move(between(to, to + 1), drawn[to]!.y, { steps: 12 })
    // While the button is down, the figures, the points and the histogram follow, but the address does not.
    await expect.poll(total, { timeout: 5000 }).toBeLessThan(all)
  }).toPass()
  await expect.poll(async () => new Set((await points()).map(({ colour }) => colour)).size).toBe(2)
  const marks = await page
    .locator('[data-testid=brush] i')
    .evaluateAll((bars) => bars.map((bar) => bar.className))
  expect(new Set(marks).size).toBe(2)
  expect(page.url()).not.toContain('probability')
  await page.mouse.up()
  await expect(page).toHaveURL(/probability/)
  await expect.poll(total).toBe(await many(from, to))
  // The points that are left out stay visible.
  // They are drawn after the figures.
  await expect
    .poll(async () => {
      const colours = (await points()).map(({ colour }) => colour)
      return colours.map((colour) => colour === colours[from])
    })
    .toEqual(bins.map((_, index) => index >= from && index <= to))

  // A click selects one band, with Shift another one as well, and the same click again none.
  const click = async (at: number, modifiers: 'Shift'[] = []): Promise<void> => {
    const point = (await settledPoints())[at]!
    for (const key of modifiers) await page.keyboard.down(key)
    await page.mouse.click(point.x, point.y)
    for (const key of modifiers) await page.keyboard.up(key)
  }
  // The predictions change with the day of the demonstration: only bands that have some are told apart.
  const counts = await Promise.all(bins.map((_, index) => many(index)))
  const [one, other] = counts.flatMap((count, index) => (count > 0 && count < all ? [index] : []))
  if (one === undefined || other === undefined) throw new Error('fewer than two bands have predictions')
  await click(one)
  await expect.poll(total).toBe(counts[one])
  await click(other, ['Shift'])
  await expect.poll(total).toBe(counts[one]! + counts[other]!)
  await page.keyboard.press('Escape')
  await expect.poll(total).toBe(all)
  await click(one)
  await expect.poll(total).toBe(counts[one])
  await click(one)
  await expect.poll(async () => decodeURIComponent(page.url())).not.toContain('probability')
  await expect.poll(total).toBe(all)

  // The table does the same from the keyboard.
  await page.getByText('Show as a table').click()
  const row = page.getByTestId('calibration').locator('tbody tr').nth(4).getByRole('button')
  await row.press('Enter')
  await expect(row).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/probability/)
})

interface DrawnSeries {
  /** Colour of its line or points, and how they are dashed or shaped. */
  colour: string
  form: string
}

/** The series of every chart on the page as the browser paints them, and the colour of the ground. */
const drawnSeries = (): Promise<{ ground: string; charts: DrawnSeries[][] }> =>
  page.evaluate(() => {
    const probe = document.createElement('span')
    probe.style.color = matchMedia('(forced-colors: active)').matches ? 'Canvas' : 'var(--surface)'
    probe.style.forcedColorAdjust = 'none'
    document.body.append(probe)
    const ground = getComputedStyle(probe).color
    probe.remove()
    const charts = [...document.querySelectorAll('.js-plotly-plot')].map((chart) =>
      [...chart.querySelectorAll('.scatterlayer > .trace')].flatMap((trace) => {
        const part = trace.querySelector('.js-line') ?? trace.querySelector('.point')
        if (part === null) return []
        const { fill, stroke, strokeDasharray } = getComputedStyle(part)
        const isLine = part.matches('.js-line')
        const shape = isLine ? `line ${strokeDasharray}` : `${part.getAttribute('d')} ${fill === 'none'}`
        return [{ colour: isLine || fill === 'none' ? stroke : fill, form: shape }]
      }),
    )
    return { ground, charts }
  })

const PALETTES = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const

test('in greyscale and in a palette of the user’s own every series is seen, and told from the others', async () => {
  for (const tab of ['models', 'seasons', 'calibration', 'overview'])
    await test.step(tab, async () => {
      await show(`${filter(WIN)}&tab=${tab}`)
      // The market's own record has no gain over the market, and no chart of it.
      if (tab === 'seasons') {
        await choose(page, 'Model', 'fundamental')
        await tilesReady(page)
      }
      await expect(async () => {
        await page.locator('main [role=img]').first().scrollIntoViewIfNeeded({ timeout: 1000 })
        await expect(page.locator('.js-plotly-plot .trace').first()).toBeAttached({ timeout: 5000 })
      }).toPass({ timeout: 60_000 })
      for (const palette of PALETTES) {
        await page.emulateMedia(palette)
        await expect(async () => {
          const { ground, charts } = await drawnSeries()
          // The gain by season is one series, of which there is nothing to tell apart.
          expect(charts.flat().length).toBeGreaterThan(tab === 'seasons' ? 0 : 1)
          for (const series of charts)
            for (const [at, one] of series.entries()) {
              // A grey picture has nothing but this contrast.
              expect(contrastOf(one.colour, ground), `${tab} ${one.colour}`).toBeGreaterThan(2.9)
              for (const other of series.slice(at + 1))
                expect(
                  one.form !== other.form || contrastOf(one.colour, other.colour) >= 1.3,
                  `${tab}: ${JSON.stringify([one, other])}`,
                ).toBe(true)
            }
        }).toPass({ timeout: 10_000 })
      }
      await page.emulateMedia({ colorScheme: null, forcedColors: null })
    })
})
