import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { firstCell, signIn, tilesReady, vipToken } from './site.ts'
import {
  expectFigures,
  filter,
  MODEL,
  numberIn,
  PICKS,
  SUMS,
  openWorkspace,
  WIN,
  workspaceOf,
  saveView,
} from './workspace-page.ts'

/**
 * Questions that analysts asked, each answered on the screen and by SQL written for this test over the dataset's own
 * tables. The slice is the market line's main win picks, backtested.
 */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await openWorkspace(browser))
})
test.afterAll(() => context.close())

const { breakdown, group, show } = workspaceOf(() => page)

test('1 hit rate and return at each racecourse by season', async () => {
  await show('p=heat:racecourse.season.hit_rate~heat:racecourse.season')
  for (const row of await reference.rows(
    `SELECT stadium_key::INTEGER AS racecourse, season::INTEGER AS season, ${SUMS} FROM prediction WHERE ${PICKS} GROUP BY ALL`,
  )) {
    const cells = page.locator(
      `tr[data-key="${String(row['racecourse'])}"] td[data-key="${String(row['season'])}"]`,
    )
    expect(Math.abs(numberIn(await cells.nth(0).textContent()) - Number(row['rate']))).toBeLessThan(0.00051)
    expect(Math.abs(numberIn(await cells.nth(1).textContent()) - Number(row['returned']))).toBeLessThan(
      0.00051,
    )
  }
})

test('2 by going, and 3 by draw and distance', async () => {
  await show('p=bars:going~heat:draw.distance.predictions')
  const [good] = await reference.rows(
    `SELECT going FROM prediction WHERE ${PICKS} GROUP BY going ORDER BY count(*) DESC`,
  )
  const going = String(good!['going'])
  expectFigures(
    await group('going', going),
    await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${PICKS} AND going = '${going}'`),
  )
  const [cell] = await reference.rows(
    `SELECT s.draw::INTEGER AS draw, p.distance_m::INTEGER AS distance, count(*)::INTEGER AS n
     FROM prediction p JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.horse_no_1 AND s.model = p.model
     WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 1 AND p.selected GROUP BY ALL ORDER BY n DESC, draw LIMIT 1`,
  )
  await expect(
    page.locator(
      `[data-testid=heat] tr[data-key="${Number(cell!['draw'])}"] td[data-key="${Number(cell!['distance'])}"]`,
    ),
  ).toHaveText(String(cell!['n']))
})

test('4 by jockey and trainer with a minimum sample', async () => {
  await show('p=bars:jockey_trainer.min-5')
  const pairs = await reference.rows(
    `SELECT (s.jockey_key::INTEGER * 32768 + s.trainer_key)::INTEGER AS pair, ${SUMS.replaceAll('outcome', 'p.outcome').replaceAll('profit_cents', 'p.profit_cents')}
     FROM prediction p JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.horse_no_1 AND s.model = p.model
     WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 1 AND p.selected
     GROUP BY ALL HAVING count(*) >= 5 ORDER BY n DESC`,
  )
  await expect(breakdown('jockey_trainer').locator('tbody tr')).toHaveCount(pairs.length)
  const [most] = pairs
  expectFigures(await group('jockey_trainer', Number(most!['pair'])), {
    n: Number(most!['n']),
    rate: Number(most!['rate']),
    returned: Number(most!['returned']),
  })
})

test('5 by odds band; odds are offered for win bets alone', async () => {
  await show('p=bars:odds')
  expectFigures(
    await group('odds', 3),
    await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${PICKS} AND win_odds >= 3 AND win_odds < 4`),
  )
  await expect(page.locator('[data-facet=odds] button').first()).toBeEnabled()
  await show(`${filter('bet_type:3~prediction_type:1')}&p=bars:odds`)
  // A filter by odds would select by outcome, so it is neither offered nor applied.
  await expect(page.locator('[data-facet=odds] button').first()).toBeDisabled()
  await expect(breakdown('odds')).toHaveCount(0)
})

test('6 models on one chart, on the same races', async () => {
  await show('tab=models')
  const table = page.getByTestId('models').getByRole('table')
  await expect(table).toBeVisible({ timeout: 60_000 })
  const common = `race_date IN (SELECT race_date FROM (
    SELECT race_date, model, count(DISTINCT race_key) AS races FROM prediction
    WHERE origin = 'backtest' AND bet_type = 1 AND selected GROUP BY ALL)
    GROUP BY race_date HAVING count(*) = 2 AND min(races) = max(races))`
  for (const model of [MODEL, 'fundamental']) {
    const asked = await reference.one(
      `SELECT count(*) AS n, sum(profit_cents) / 100 AS profit FROM prediction
       WHERE model = '${model}' AND origin = 'backtest' AND bet_type = 1 AND selected AND ${common}`,
    )
    const cells = await table.locator(`tr[data-key="${model}"] td`).allTextContents()
    expect(numberIn(cells[0]!)).toBe(asked['n'])
    expect(numberIn(cells[3]!)).toBeCloseTo(asked['profit']!, 2)
  }
  await expect(page.locator('.js-plotly-plot .legendtext')).toHaveCount(4)
})

test('7 return with interval for each bet type, with the number of comparisons', async () => {
  await show(`${filter('prediction_type:1')}&p=bars:bet_type.adjusted`)
  expectFigures(
    await group('bet_type', 1).then(async ({ n, rate }) => {
      const cells = await breakdown('bet_type').locator('tr[data-key="1"] td').allTextContents()
      return { n, rate, returned: numberIn(cells[4]!) }
    }),
    await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${PICKS}`),
  )
  // Every group has an interval where its return is known, and a false discovery rate.
  await expect(breakdown('bet_type').locator('tr[data-key="1"] td').last()).toHaveText(/^[01]\.\d\d$/)
  expect(Number(await page.getByTestId('evidence').getAttribute('data-slices'))).toBeGreaterThan(2)
})

test('8 calibration in one class, over every starter', async () => {
  const [found] = await reference.rows(
    `SELECT race_class FROM starter WHERE model = '${MODEL}' AND race_class IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
  )
  const raceClass = String(found!['race_class'])
  await show(`${filter(`${WIN}~class:${raceClass}`)}&tab=calibration`)
  await page.getByText('Show as a table').click()
  const bins = await reference.rows(
    `SELECT count(*)::INTEGER AS n, avg(probability) AS expected, sum(won) / count(*) AS happened FROM starter
     WHERE model = '${MODEL}' AND origin = 'backtest' AND race_class = '${raceClass}' AND probability >= 0.1 AND probability < 0.15`,
  )
  const rows = page.getByTestId('calibration').locator('tbody tr')
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  )
  const [bin] = bins
  // The bin is identified by its probability: two bins may hold the same number of starters.
  const shown = texts.find((cells) => numberIn(cells[0]!) >= 0.1 && numberIn(cells[0]!) < 0.15)
  expect(shown).toBeDefined()
  expect(numberIn(shown![3]!)).toBe(Number(bin!['n']))
  expect(Math.abs(numberIn(shown![0]!) - Number(bin!['expected']))).toBeLessThan(0.00051)
  expect(Math.abs(numberIn(shown![2]!) - Number(bin!['happened']))).toBeLessThan(0.00051)
})

test('9 longest losing run and largest drawdown', async () => {
  await show()
  const bets = await reference.rows(
    `SELECT outcome, profit_cents FROM prediction WHERE ${PICKS} AND outcome <> 'void' ORDER BY race_date, meeting_key, race_no, rank`,
  )
  let run = 0
  let longest = 0
  let balance = 0
  let peak = 0
  let fall = 0
  for (const { outcome, profit_cents: profit } of bets) {
    run = outcome === 'hit' ? 0 : run + 1
    longest = Math.max(longest, run)
    balance += Number(profit ?? 0)
    peak = Math.max(peak, balance)
    fall = Math.max(fall, peak - balance)
  }
  const cell = page.getByTestId('record-tiles').locator('div').filter({ hasText: 'Longest losing run' })
  await expect(cell.locator('dd').first()).toHaveText(String(longest))
  expect(numberIn(await cell.locator('dd').nth(1).textContent())).toBeCloseTo(fall / 100, 2)
})

test('10 profit by month and season', async () => {
  await show('p=heat:calendar_month.season.profit')
  const [cell] = await reference.rows(
    `SELECT month(race_date)::INTEGER AS month, season::INTEGER AS season, sum(profit_cents) / 100 AS profit FROM prediction
     WHERE ${PICKS} GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
  )
  const shown = page.locator(
    `tr[data-key="${Number(cell!['month'])}"] td[data-key="${Number(cell!['season'])}"]`,
  )
  expect(numberIn(await shown.textContent())).toBeCloseTo(Number(cell!['profit']), 2)
})

const OUTSIDERS = 'bet_type:1~odds:10,15,20,30,50~value:0.9,1,1.1,1.25,1.5,2'
const OUTSIDER_SQL = `model = '${MODEL}' AND origin = 'backtest' AND bet_type = 1 AND win_odds >= 10 AND probability * win_odds >= 0.9`

test('11 outsiders with value, 12 their export, 13 their link, 14 saved and opened again', async ({
  browser,
}) => {
  await show(filter(OUTSIDERS))
  const asked = await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${OUTSIDER_SQL}`)
  const first = page.getByTestId('record-tiles').locator('dd').first()
  expect(numberIn(await first.textContent())).toBe(asked['n'])

  await expect(page.getByTestId('computed')).toHaveAttribute('data-engine', 'ready', { timeout: 60_000 })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(asked['n']! + 1)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Parquet' }).click()
  const parquet = await (await saved).path()
  const [inFile] = await reference.rows(
    `SELECT count(*)::INTEGER AS n, sum(profit_cents)::INTEGER AS profit FROM read_parquet('${parquet}') WHERE win_odds >= 10`,
  )
  const inTables = await reference.one(
    `SELECT sum(profit_cents) AS profit FROM prediction WHERE ${OUTSIDER_SQL}`,
  )
  expect(inFile).toEqual({ n: asked['n'], profit: inTables['profit'] })
  const kept = page.waitForEvent('download')
  await page.getByRole('button', { name: 'DuckDB' }).click()
  await reference.rows(`ATTACH '${await (await kept).path()}' AS kept (READ_ONLY)`)
  const [inDatabase] = await reference.rows(
    'SELECT count(*)::INTEGER AS n, sum(profit_cents)::INTEGER AS profit FROM kept.predictions',
  )
  expect(inDatabase).toEqual(inFile)

  await page.getByRole('button', { name: 'Copy as query' }).click()
  await expect(page.getByText('Query copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"dim":"odds"')

  const link = await saveView(page, 'Outsiders')

  // Another VIP's browser shows the same.
  const other = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(other, await vipToken())
  const theirs = await other.newPage()
  await theirs.goto(link)
  await tilesReady(theirs)
  await expect(theirs.getByTestId('record-tiles').locator('dd').first()).toHaveText(
    (await first.textContent())!,
  )
  await other.close()

  await show()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Outsiders', exact: true }).click()
  await tilesReady(page)
  await expect.poll(async () => numberIn(await first.textContent())).toBe(asked['n'])
})

test('15 a horse’s whole prediction record', async () => {
  await show(`${filter('bet_type:1')}&p=bars:horse`)
  const row = breakdown('horse').locator('tbody tr').first()
  const key = (await row.getAttribute('data-key'))!
  const name = (await row.locator('th').textContent())!
  const asked = await reference.one(
    `SELECT count(*) AS n FROM prediction p JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.horse_no_1 AND s.model = p.model
     WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 1 AND s.horse_key = ${Number(key)}`,
  )
  await row.getByRole('button').click()
  await expect(page).toHaveURL(/horse/)
  await tilesReady(page)
  await expect
    .poll(async () => numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent()))
    .toBe(asked['n'])
  await expect(firstCell(page, 'combination')).toContainText(name.split(' ')[0]!)
})

test('16 A against B, on common races', async () => {
  await show()
  await page.getByLabel('Compare').selectOption('fundamental')
  const table = page.getByTestId('compare').getByRole('table').first()
  await expect(table).toBeVisible({ timeout: 60_000 })
  const of = (model: string) =>
    `SELECT race_key, outcome FROM prediction WHERE model = '${model}' AND origin = 'backtest' AND bet_type = 1 AND selected`
  const asked = await reference.one(
    `SELECT count(*) AS n, count(*) FILTER (WHERE b.outcome = 'hit') / count(*) FILTER (WHERE b.outcome <> 'void')
       - count(*) FILTER (WHERE a.outcome = 'hit') / count(*) FILTER (WHERE a.outcome <> 'void') AS difference
     FROM (${of('fundamental')}) a JOIN (${of(MODEL)}) b USING (race_key)`,
  )
  const row = table.locator('tr[data-key="record.hitRate"] td')
  // The difference and its interval are a separate query and arrive after the two slices.
  await expect(row.nth(3)).toContainText(' to ')
  const cells = await row.allTextContents()
  expect(Math.abs(numberIn(cells[2]!) - asked['difference']!)).toBeLessThan(0.00051)
  expect(numberIn(await table.locator('tr[data-key=predictions] td').first().textContent())).toBe(asked['n'])
  await page.getByRole('button', { name: 'Unpin A' }).click()
  await expect(page.getByTestId('compare')).toHaveCount(0)
})

test('17 from a bar to its rows to the race, and back with everything as it was', async () => {
  await show('p=bars:going')
  await breakdown('going').locator('tbody tr').first().getByRole('button').click()
  await expect(page).toHaveURL(/going/)
  await tilesReady(page)
  const address = page.url()
  // The longest losing run loads last.
  await expect(page.getByTestId('record-tiles').locator('dt + dd').last()).toHaveText(/\d/)
  const figures = await page.getByTestId('record-tiles').locator('dt + dd').allTextContents()
  await firstCell(page, 'combination').dblclick()
  await expect(page).toHaveURL(/HorseRace\?id=/)
  await page.goBack()
  // The first click of the double click opened the inspector, which is its own history entry.
  await expect(page).toHaveURL(/WinLossRecord/)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(address)
  await tilesReady(page)
  await expect
    .poll(() => page.getByTestId('record-tiles').locator('dt + dd').allTextContents())
    .toEqual(figures)
})

test('19 a season that is held back, revealed once', async () => {
  await show(filter('bet_type:1'))
  const before = numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent())
  const season = Number(
    (await reference.one(`SELECT max(season) AS season FROM prediction WHERE model = '${MODEL}'`))['season'],
  )
  await page.getByLabel('Season held back').selectOption(String(season))
  const held = await reference.one(
    `SELECT count(*) AS n FROM prediction WHERE model = '${MODEL}' AND origin = 'backtest' AND bet_type = 1 AND season = ${season}`,
  )
  await expect
    .poll(async () => numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent()))
    .toBe(before - held['n']!)
  await expect(page.getByTestId('revealed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reveal the held-back season' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal the held-back season' }).click()
  await expect(page.getByTestId('revealed')).toContainText(`${held['n']!.toLocaleString('en')} predictions`)
  await expect(page).toHaveURL(/shown=1/)
  await expect(page.getByLabel('Season held back')).toBeDisabled()
})
