import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { NO_OWN_VALUE } from '../../analytics/own-slots.ts'
import { csvLine } from '../../domain/csv.ts'
import { chooseOwn, openOwn, readable, watchSent } from './own-page.ts'
import type { Reference } from './reference.ts'
import { RECORD, tilesReady } from './site.ts'
import { MODEL, numberIn, newWorkspace, saveView } from './workspace-page.ts'

/** Number columns of a user's own file as filters, breakdowns, measures and list columns of the workspace. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await newWorkspace(browser))
})
test.afterAll(() => context.close())

const POINTS = `(s.horse_no * 1.25 + s.race_no * 0.5)::DOUBLE`
/** Horses above it are not in the file. */
const LAST_HORSE = 9

/** Main picks to win with the points of the file, and their band: separately written SQL. */
const PICKS = `WITH file AS (
    SELECT s.race_key, s.horse_no, ${POINTS} AS points FROM starter s
    WHERE s.model = '${MODEL}' AND s.horse_no <= ${LAST_HORSE}
  ), sorted AS (
    SELECT list(points ORDER BY points) AS points FROM file
  ), cuts AS (
    SELECT list_distinct([points[1 + len(points) // 5], points[1 + 2 * len(points) // 5],
      points[1 + 3 * len(points) // 5], points[1 + 4 * len(points) // 5]]) AS cut FROM sorted
  )
  SELECT p.*, file.points, CASE WHEN file.points IS NULL THEN ${NO_OWN_VALUE}
    ELSE len(list_filter((SELECT cut FROM cuts), lambda c: c <= file.points)) END AS band
  FROM prediction p LEFT JOIN file ON file.race_key = p.race_key AND file.horse_no = p.horse_no_1
  WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 1 AND p.selected`

interface Band {
  band: number
  predictions: number
  hits: number
  /** Their mean; `null` for horses without a value. */
  points: number | null
}

const bands = async (): Promise<Band[]> =>
  (await reference.rows(
    `SELECT band::INTEGER AS band, count(*)::INTEGER AS predictions, (count(*) FILTER (WHERE outcome = 'hit'))::INTEGER AS hits,
       avg(points)::DOUBLE AS points
     FROM (${PICKS}) GROUP BY band ORDER BY band`,
  )) as unknown as Band[]

const tile = async (): Promise<number> =>
  numberIn(await page.getByTestId('record-tiles').locator('dd').first().innerText())

test('a number column of the file filters and groups the whole page', async () => {
  test.setTimeout(240_000)
  await openOwn(page)
  // The file's name, the names of its columns as written and as in SQL, and its texts.
  const words = [
    'secret-file',
    'My {points} <b>',
    'My {points}',
    'my_points',
    'gallop_remark',
    'quietly fancied',
  ]
  // The test saves a view and opens a second document, whose visit is counted.
  const sent = watchSent(page, words, ['/customer/savedViews', '/customer/visitLog'])
  const posted: string[] = []
  page.context().on('request', (request) => {
    const body = readable(request.postData() ?? '')
    if (/\bown_\d/.test(body)) posted.push(body)
  })
  const [{ predictions: all }] = (await reference.rows(
    `SELECT count(*)::INTEGER AS predictions FROM (${PICKS})`,
  )) as unknown as [{ predictions: number }]
  const starters = (await reference.rows(
    `SELECT race.race_id, s.horse_no::INTEGER AS horse_no, ${POINTS} AS points FROM starter s JOIN race USING (race_key)
     WHERE s.model = '${MODEL}' AND s.horse_no <= ${LAST_HORSE} ORDER BY race.race_id, s.horse_no`,
  )) as unknown as { race_id: string; horse_no: number; points: number }[]
  const lines = [
    csvLine(['race_id', 'horse_no', 'My {points} <b>', 'gallop_remark']),
    ...starters.map(({ race_id: race, horse_no: horse, points }) =>
      csvLine([race, horse, points, 'quietly fancied']),
    ),
  ]
  await chooseOwn(page, 'secret-file.csv', lines.join(''))
  await expect(page.getByTestId('own-matched')).toBeVisible({ timeout: 60_000 })

  // The facet is the first of the rail, under the name that the file gives the column.
  await page.getByRole('tab', { name: 'Overview' }).click()
  const facet = page.locator('[data-facet=own_1]')
  await expect(facet).toContainText('My {points} <b>')
  expect(await tile()).toBe(all)
  await facet.getByRole('button').first().click()
  const expected = await bands()
  expect(expected.length).toBeGreaterThan(3)
  const values = facet.locator('li')
  await expect(values).toHaveCount(expected.length)
  const counts = (await values.locator('label > span:last-of-type').allInnerTexts()).map(numberIn)
  expect(counts).toEqual(expected.map(({ predictions }) => predictions))
  // Horses without a value are the last part: together they are all.
  await expect(values.last()).toContainText('No value')
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all)
  await values.last().locator('input').click()
  await expect.poll(tile).toBe(counts.at(-1))
  await values.last().locator('input').click()
  await expect.poll(tile).toBe(all)
  // To leave out a band keeps the horses without a value.
  await values
    .first()
    .locator('input')
    .click({ modifiers: ['Alt'] })
  await expect.poll(tile).toBe(all - counts[0]!)
  await values
    .first()
    .locator('input')
    .click({ modifiers: ['Alt'] })
  await expect.poll(tile).toBe(all)

  // A band filters every figure, and the address carries it.
  const second = expected[1]!
  await values.nth(1).locator('input').click()
  await expect.poll(tile).toBe(second.predictions)
  // The address and a saved view have the slot and the number of the band alone.
  expect(decodeURIComponent(page.url())).toContain('~own_1:1')
  expect(words.filter((word) => decodeURIComponent(page.url()).includes(word))).toEqual([])
  expect(posted).toEqual([])
  await saveView(page, 'Second band')
  expect(posted).toHaveLength(1)
  expect(posted[0]).toContain('~own_1:1')
  expect(sent).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(tile).toBe(all)

  // A breakdown by it, with the column's mean beside the hit rate.
  const panel = page.locator('[data-panel=bars]').first()
  await panel.getByRole('combobox', { name: 'By', exact: true }).selectOption('own_1')
  const table = page.locator('[data-by=own_1]')
  await expect(table.locator('tbody tr')).toHaveCount(expected.length)
  await panel.getByRole('combobox', { name: 'Figure' }).selectOption('own_1_mean')
  await expect(table.locator('thead')).toContainText('Mean of My {points} <b>')
  for (const { band, predictions, hits, points } of expected) {
    const cells = table.locator(`tr[data-key="${band}"] td`)
    await expect(cells.nth(0)).toHaveText(predictions.toLocaleString('en'))
    await expect(cells.nth(1)).toHaveText(`${((100 * hits) / predictions).toFixed(1)}%`)
    await expect(cells.last()).toHaveText(points === null ? '–' : points.toFixed(points >= 10 ? 1 : 2))
  }

  // A column of the list.
  await page.goto(`${page.url()}&cols=day,race_no,combination,own_1_value`)
  const column = page.locator('[role=gridcell][col-id=own_1_value]')
  await expect(page.locator('[role=columnheader][col-id=own_1_value]')).toHaveText('My {points} <b>')
  const newest = await reference.rows(
    `SELECT points FROM (${PICKS}) ORDER BY race_date DESC, stadium_key, race_no LIMIT 5`,
  )
  for (const [at, { points }] of newest.entries())
    await expect(page.locator(`[row-index="${at}"]`).locator(column)).toHaveText(
      points === null ? '–' : Number(points).toFixed(Number(points) >= 10 ? 1 : 2),
    )

  // A new document has no file: the filter is not applied, and the page says so.
  const address = `${RECORD()}?model=${MODEL}&origin=backtest&v=2&f=bet_type:1~prediction_type:1~own_1:1`
  await page.goto('about:blank')
  await page.goto(address)
  await tilesReady(page)
  await expect(page.getByText('which is not open on this device')).toBeVisible()
  await expect.poll(tile).toBe(all)
  expect(posted).toHaveLength(1)
  expect(sent).toEqual([])
})

test('the lab stakes by a number column of the file, and says which bets the column does not stake on', async () => {
  test.setTimeout(240_000)
  await openOwn(page)
  const sent = watchSent(page, ['secret-stakes', 'My_stakes'], ['/customer/savedViews', '/customer/visitLog'])
  // For some no number, below 0 or 0; for the others HK$25, 30, 35 …, of which whole units are staked.
  const STAKES = `CASE (s.horse_no + s.race_no) % 8 WHEN 1 THEN NULL WHEN 2 THEN -20 WHEN 3 THEN 0
    ELSE 5 * s.horse_no + 20 END`
  const rows = (await reference.rows(
    `SELECT race.race_id, s.horse_no::INTEGER AS horse_no, (${STAKES})::INTEGER AS stake FROM starter s JOIN race USING (race_key)
     WHERE s.model = '${MODEL}' ORDER BY race.race_id, s.horse_no`,
  )) as unknown as { race_id: string; horse_no: number; stake: number | null }[]
  const lines = [
    csvLine(['race_id', 'horse_no', 'My_stakes']),
    ...rows.map(({ race_id: race, horse_no: horse, stake }) => csvLine([race, horse, stake])),
  ]
  await chooseOwn(page, 'secret-stakes.csv', lines.join(''))
  await expect(page.getByTestId('own-matched')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('tab', { name: 'Strategy lab' }).click()
  const lab = page.getByTestId('lab')
  const settled = (): Promise<void> =>
    expect(lab).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
  await settled()
  await lab.getByRole('combobox', { name: 'Stakes', exact: true }).selectOption('column')
  await expect(
    lab.getByRole('combobox', { name: 'Column', exact: true }).locator('option:checked'),
  ).toHaveText('My_stakes')
  await expect(page).toHaveURL(/lab=own_1(%3A|:)100/)
  await settled()
  const expected = await reference.one(
    `WITH bet AS (
       SELECT p.outcome, p.profit_cents::DOUBLE AS profit, 1000 * (stake // 10)::DOUBLE AS cents, stake
       FROM prediction p JOIN (SELECT race_key, horse_no, (${STAKES})::INTEGER AS stake FROM starter s
         WHERE s.model = '${MODEL}') file ON file.race_key = p.race_key AND file.horse_no = p.horse_no_1
       WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 1 AND p.selected)
     SELECT count(*) FILTER (WHERE cents > 0 AND outcome <> 'void') AS n,
       sum(cents * profit / 1000) FILTER (WHERE cents > 0) / 100 AS profit,
       count(*) FILTER (WHERE stake IS NULL) AS missing, count(*) FILTER (WHERE stake < 0) AS negative,
       count(*) FILTER (WHERE stake = 0) AS zero FROM bet`,
  )
  const figureOf = async (name: string): Promise<number> =>
    numberIn(await page.locator(`[data-figure="lab.figure.${name}"] dd`).first().textContent())
  expect(expected['n']).toBeGreaterThan(100)
  await expect.poll(() => figureOf('bets')).toBe(expected['n'])
  expect(await figureOf('profit')).toBeCloseTo(expected['profit']!, 2)
  const { missing, negative, zero } = expected
  for (const count of [missing, negative, zero]) expect(count).toBeGreaterThan(5)
  await expect(page.getByTestId('lab-unstaked')).toContainText(
    `${missing} without a number in the file, ${negative} below 0, ${zero} at 0.`,
  )
  // The rows of the file stay on the device, also for the lab.
  expect(sent).toEqual([])
  await page.goto('about:blank')
  await page.goto(
    `${RECORD()}?model=${MODEL}&origin=backtest&v=2&f=bet_type:1~prediction_type:1&tab=lab&lab=own_1:100`,
  )
  await expect(
    page.getByText('These stakes are by a column of your own file, which is not open.'),
  ).toBeVisible()
})
