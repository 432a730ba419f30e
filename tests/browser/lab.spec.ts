import { readFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { kellyBets } from './kelly-bets.ts'
import type { Reference } from './reference.ts'
import { RECORD, signIn, tilesReady, vipToken, Watch } from './site.ts'
import { filter, MODEL, numberIn, openWorkspace, PICKS, WIN } from './workspace-page.ts'

/** The strategy lab against the dataset's own tables, with SQL and arithmetic written only in these tests. */

/** A month `yyyy-mm` as the English site writes it. */
const monthName = (month: string): string =>
  new Date(`${month}-01`).toLocaleDateString('en-GB', { year: 'numeric', month: 'short', timeZone: 'UTC' })

let reference: Reference
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, page } = await openWorkspace(browser))
})

const figure = (name: string): Locator => page.locator(`[data-figure="${name}"] dd`).first()
const figureOf = async (name: string): Promise<number> => numberIn(await figure(name).textContent())

/** The odds that rules and stakes use by default: those two minutes before post time, else the final ones. */
const ODDS = 'coalesce(late_odds, win_odds)::DOUBLE'

async function openLab(settings: string, words = filter(WIN)): Promise<void> {
  const lab = settings === '' ? '' : `&lab=${encodeURIComponent(settings)}`
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${words}&tab=lab${lab}`)
  await tilesReady(page)
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
}

test(
  'level stakes of HK$10 on the slice are the workspace’s own profit, to the cent',
  { tag: '@smoke' },
  async () => {
    const watch = new Watch(page)
    await openLab('')
    const { profit, n } = await reference.one(
      `SELECT sum(profit_cents) / 100 AS profit, count(*) FILTER (WHERE outcome <> 'void') AS n FROM prediction WHERE ${PICKS}`,
    )
    expect(await figureOf('lab.figure.bets')).toBe(n)
    expect(await figureOf('lab.figure.profit')).toBeCloseTo(profit!, 2)
    const tile = page.getByTestId('record-tiles').locator('div').filter({ hasText: 'Profit' })
    expect(numberIn(await tile.locator('dd').first().textContent())).toBeCloseTo(profit!, 2)
    // The same for all bet types; some dividends are unknown and are left out.
    await openLab('', filter('prediction_type:1'))
    const all = await reference.one(
      `SELECT sum(profit_cents) / 100 AS profit FROM prediction WHERE model = '${MODEL}' AND origin = 'backtest' AND selected`,
    )
    expect(await figureOf('lab.figure.profit')).toBeCloseTo(all['profit']!, 2)
    expect(watch.problems).toEqual([])
  },
)

test('no line of the figures has an empty place, however many there are', async () => {
  for (const [settings, count] of [
    ['', 5],
    ['boxes~box:trio~legs:4', 6],
    ['bank:1000000', 7],
    ['boxes~box:trio~legs:4~bank:1000000', 8],
  ] as const) {
    await openLab(settings)
    const gaps = await page.getByTestId('lab-figures').evaluate((strip) => {
      const { right } = strip.getBoundingClientRect()
      const boxes = [...strip.children].map((each) => each.getBoundingClientRect())
      const ends = new Map<number, number>()
      for (const box of boxes) ends.set(box.top, Math.max(ends.get(box.top) ?? 0, box.right))
      return { count: boxes.length, widest: Math.max(...[...ends.values()].map((end) => right - end)) }
    })
    expect(gaps.count, settings).toBe(count)
    expect(gaps.widest, settings).toBeLessThan(3)
  }
})

test('a rule about value chooses no place bets, whose odds are not known', async () => {
  await openLab('value-from:1.1', filter('bet_type:2~prediction_type:1'))
  expect(await figureOf('lab.figure.bets')).toBe(0)
  await openLab('', filter('bet_type:2~prediction_type:1'))
  expect(await figureOf('lab.figure.bets')).toBeGreaterThan(100)
  await expect(page.getByText('Odds before the result are known only for win bets.')).toBeVisible()
})

test('every starter by value and odds, beside the favourite at the same stakes', async () => {
  await openLab('starters~value-from:0.9~odds-from:3~odds-to:20')
  const chosen = `starter.model = '${MODEL}' AND starter.origin = 'backtest' AND ${ODDS} BETWEEN 3 AND 20
    AND probability::DOUBLE * ${ODDS} >= 0.9`
  const expected = await reference.one(
    `SELECT count(*) FILTER (WHERE outcome <> 'void') AS n, sum(profit_cents) / 100 AS profit FROM starter WHERE ${chosen}`,
  )
  expect(expected['n']).toBeGreaterThan(100)
  expect(await figureOf('lab.figure.bets')).toBe(expected['n'])
  expect(await figureOf('lab.figure.profit')).toBeCloseTo(expected['profit']!, 2)
  const favourite = await reference.one(
    `SELECT sum(bets.n * favourite.profit_cents) / 100 AS profit
     FROM (SELECT race_key, count(*) FILTER (WHERE outcome <> 'void') AS n FROM starter WHERE ${chosen} GROUP BY race_key) bets
     JOIN (SELECT race_key, profit_cents FROM starter WHERE model = '${MODEL}' AND market_rank = 1 AND outcome <> 'void') favourite
       USING (race_key)`,
  )
  const row = page.getByTestId('lab-beside').locator('tr[data-key="lab.beside.favourite"] td')
  await expect.poll(async () => numberIn(await row.nth(1).textContent())).toBeCloseTo(favourite['profit']!, 2)
})

test('from a slice to a Kelly backtest to its worst month to a race, and back', async () => {
  await openLab('')
  await page.getByLabel('Bets', { exact: true }).selectOption('starters')
  await page.getByLabel('Stakes', { exact: true }).selectOption('kelly')
  await expect(page).toHaveURL(/lab=starters(~|%7E)kelly%3A0.25(~|%7E)bank%3A1000000/)
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })

  // The same calculation written out: quarter Kelly for the horses of each race together, on the bankroll left by
  // earlier races.
  const rows = await reference.rows(
    `SELECT race_key, probability::DOUBLE AS p, ${ODDS} AS odds, outcome, profit_cents::DOUBLE AS profit,
       strftime(race_date, '%Y-%m') AS month
     FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' ORDER BY race_date, meeting_key, race_no, model_rank`,
  )
  const { profit, months } = kellyBets(rows, { bankroll: 1_000_000, fraction: 0.25 })
  expect(await figureOf('lab.figure.profit')).toBeCloseTo(profit / 100, 2)
  const [worst] = [...months].toSorted(([, a], [, b]) => a - b)
  const button = page.getByRole('button', { name: /Worst month/ })
  expect(numberIn((await button.textContent())!.split(',').slice(1).join(''))).toBeCloseTo(worst![1] / 100, 2)

  await button.click()
  const bets = page.getByTestId('lab-bets')
  await expect(bets.getByRole('button', { name: /only: show all/ })).toBeVisible()
  await bets.getByLabel('Order').selectOption('worst')
  // The old rows stay until the new order has loaded.
  await expect(bets).toHaveAttribute('aria-busy', 'false')
  const first = bets.locator('tbody tr').first()
  await expect(first.locator('td').first()).toContainText(monthName(worst![0]))
  const raceId = await first.getAttribute('data-race')
  await first.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=${raceId}`))
  await page.goBack()
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
  expect(await figureOf('lab.figure.profit')).toBeCloseTo(profit / 100, 2)
})

test('a slider answers the keyboard, is one step of history, and is counted as a variant', async () => {
  await openLab('starters')
  const before = await figureOf('lab.figure.bets')
  const variants = async (): Promise<number> =>
    Number(await page.getByTestId('lab-variants').getAttribute('data-variants'))
  const seen = await variants()
  const slider = page.getByLabel('Value at least (probability × odds)')
  await slider.focus()
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/value-from%3A0\.9/)
  await expect.poll(() => figureOf('lab.figure.bets')).toBeLessThan(before)
  await expect.poll(variants).toBeGreaterThan(seen)
  const { n } = await reference.one(
    `SELECT count(*) FILTER (WHERE outcome <> 'void') AS n FROM starter
     WHERE model = '${MODEL}' AND origin = 'backtest' AND probability::DOUBLE * ${ODDS} >= 0.9`,
  )
  await expect.poll(() => figureOf('lab.figure.bets')).toBe(n)
  // The link opens the same lab in another signed-in browser.
  const own = await page
    .context()
    .browser()!
    .newContext({ locale: 'en', viewport: { width: 390, height: 844 } })
  await signIn(own, vipToken())
  const theirs = await own.newPage()
  const watch = new Watch(theirs)
  await theirs.goto(page.url())
  await expect(theirs.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
  expect(numberIn(await theirs.locator('[data-figure="lab.figure.bets"] dd').first().textContent())).toBe(n)
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(watch.problems).toEqual([])
  await own.close()
})

test('bets on starters by what their horses had done before, on the screen and in a file', async () => {
  await openLab('starters~by:class_move')
  const panel = page.getByTestId('lab-breakdown')
  await expect(panel).toHaveAttribute('data-by', 'class_move')
  // The engine opens the details of starters for it.
  const rows = panel.locator('tbody tr')
  await expect(rows).toHaveCount(4)
  const bets = (await rows.locator('td:first-of-type').allTextContents()).map(numberIn)
  expect(bets.reduce((sum, each) => sum + each, 0)).toBe(await figureOf('lab.figure.bets'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByTestId('lab').getByRole('button', { name: 'Export' }).click()
      await page.getByRole('button', { name: 'Export CSV' }).click()
    })(),
  ])
  const [heading] = readFileSync(await download.path(), 'utf8').split('\r\n')
  expect(heading).toContain('Class move')
})
