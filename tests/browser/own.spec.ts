import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { csvLine } from '../../domain/csv.ts'
import { chooseOwn, chooseRepeated, openOwn, ownStarters, watchSent } from './own-page.ts'
import type { Reference } from './reference.ts'
import { Watch } from './site.ts'
import { MODEL, numberIn, newWorkspace } from './workspace-page.ts'

/** A user's own file: matched, evaluated, stored only on request, and never sent anywhere. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await newWorkspace(browser))
})
test.afterAll(() => context.close())

const figuresOf = async (side: string): Promise<number[]> =>
  (await page.getByTestId('own-sides').locator(`[data-side=${side}] td`).allTextContents()).map(numberIn)

test('ratings by Chinese names are matched, judged like a model, and never sent', async () => {
  test.setTimeout(180_000)
  await openOwn(page)
  const watch = new Watch(page)
  const sent = watchSent(page, ['secret', '評分', '備註', 'ratings'])
  const rows = await ownStarters(reference)
  expect(rows.length).toBeGreaterThan(3000)
  // Includes a byte order mark, quotes, line breaks in cells, and 37 rows that match no runner.
  const lines = [
    '\uFEFF日期,馬場,場次,馬名,評分,勝率,"備註, ""秘""",secret\r\n',
    ...rows.map((row, at) =>
      csvLine([
        row.day,
        row.stadium,
        row.race_no,
        row.horse,
        row.rating,
        row.probability,
        at % 3 === 0 ? `第 ${at} 行\n"引號"` : null,
        'secret',
      ]),
    ),
    ...Array.from({ length: 30 }, (_, at) =>
      csvLine(['2026-01-01', '沙田', 1, `無此馬${at}`, 1, 0.1, null, 's']),
    ),
    ...Array.from({ length: 7 }, (_, at) =>
      csvLine([rows[0]!.day, rows[0]!.stadium, rows[0]!.race_no, `無${at}`, 1, 0.1, null, 's']),
    ),
  ]
  await chooseOwn(page, 'ratings.csv', lines.join(''))
  await expect(page.getByTestId('own-matched')).toHaveText(
    new RegExp(`^${rows.length.toLocaleString('en')} of ${(rows.length + 37).toLocaleString('en')} rows`),
    { timeout: 60_000 },
  )
  await expect(page.getByTestId('own-unmatched')).toContainText('37 rows have none.')
  await expect(page.getByTestId('own-unmatched')).toContainText('No such race: 30')
  await expect(page.getByTestId('own-unmatched')).toContainText('No such runner: 7')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the others' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(saved).toHaveLength(38)
  // Cells of the file contain line breaks, which count as lines.
  const breaks = rows.filter((_, at) => at % 3 === 0).length
  expect(saved[1]!.split(',').slice(0, 2)).toEqual([String(rows.length + breaks + 2), 'no-race'])

  // With the model’s own probabilities as the user’s file, both have the same figures.
  await expect(page.getByTestId('own-compare')).toHaveAttribute('data-races', /\d+/)
  const own = await figuresOf('own')
  expect(own).toEqual(await figuresOf('model'))
  const [judged] = await reference.rows(
    `WITH whole AS (SELECT race_key FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' GROUP BY race_key
         HAVING bool_and(market_probability IS NOT NULL))
     SELECT count(DISTINCT race_key)::INTEGER AS races,
       (sum(CASE WHEN won > 0 THEN -won * ln(probability::DOUBLE) ELSE 0 END) / count(DISTINCT race_key))::DOUBLE AS loss,
       (sum(profit_cents) FILTER (WHERE model_rank = 1 AND outcome <> 'void')
         / (1000.0 * count(profit_cents) FILTER (WHERE model_rank = 1 AND outcome <> 'void')))::DOUBLE AS returned
     FROM starter JOIN whole USING (race_key) WHERE model = '${MODEL}' AND origin = 'backtest'`,
  )
  expect(await page.getByTestId('own-compare').getAttribute('data-races')).toBe(String(judged!['races']))
  expect(own[0]).toBeCloseTo(Number(judged!['loss']), 3)

  // Fifths of the rating: about equally many starters each, and no rating in two groups.
  await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: '評分' })
  const groups = page.getByTestId('own-groups').locator('tbody tr')
  await expect(groups).toHaveCount(5)
  const sizes = (await groups.locator('td:nth-of-type(1)').allTextContents()).map(numberIn)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  for (const size of sizes) expect(Math.abs(size / total - 0.2)).toBeLessThan(0.05)
  const edges = (await groups.locator('th').allTextContents()).flatMap((text) =>
    text.split(' – ').map(numberIn),
  )
  expect(edges).toEqual(edges.toSorted((a, b) => a - b))
  for (let group = 1; group < 5; group += 1) expect(edges[2 * group]).toBeGreaterThan(edges[2 * group - 1]!)

  // A filter of the page also applies to these figures.
  const before = await page.getByTestId('own-compare').getAttribute('data-races')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.locator('[data-facet=racecourse] input').first().click()
  await expect(page).toHaveURL(/racecourse/)
  await page.getByRole('tab', { name: 'Your data' }).click()
  await expect(page.getByTestId('own-compare')).toBeVisible({ timeout: 30_000 })
  await expect
    .poll(async () => Number(await page.getByTestId('own-compare').getAttribute('data-races')))
    .toBeLessThan(Number(before))

  // In the console the rows are a table.
  await page.getByRole('tab', { name: 'SQL' }).click()
  await page.locator('.cm-content').fill('SELECT count(*) AS n, count("評分") AS rated FROM own_data')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('console')).toHaveAttribute('data-state', 'rows', { timeout: 60_000 })
  const first = page.getByTestId('console-result').locator('.ag-row[row-index="0"] [role=gridcell]')
  await expect
    .poll(async () => (await first.allTextContents()).map(numberIn))
    .toEqual([rows.length, rows.length])
  expect(sent).toEqual([])
  expect(watch.problems).toEqual([])
})

test('a file is kept on the device by choice, read again, and removed', async () => {
  await openOwn(page)
  const rows = (await ownStarters(reference)).slice(0, 40)
  const text = [
    'Race ID;No.;P(win)\n',
    ...rows.map(
      (row) =>
        `${row.race_id};${row.horse_no};${String(Math.round(row.probability * 1000) / 10).replace('.', ',')}%\n`,
    ),
  ]
  await chooseOwn(page, 'kept.csv', text.join(''))
  await expect(page.getByTestId('own-matched')).toContainText('40 of 40 rows', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Keep on this device' }).click()
  await expect(page.getByTestId('own-file')).toContainText('in the browser’s own storage')
  await page.reload()
  await expect(page.getByTestId('own-matched')).toContainText('40 of 40 rows', { timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'kept.csv' })).toBeVisible()
  // The use of a column can be changed, and the change is stored.
  await page.getByRole('combobox', { name: 'Use of P(win)' }).selectOption('')
  await expect(page.getByTestId('own-compare')).toHaveCount(0)
  await expect(page.getByTestId('own-matched')).toContainText('40 of 40 rows')
  await page.reload()
  await expect(page.getByTestId('own-matched')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('combobox', { name: 'Use of P(win)' })).toHaveValue('')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  await expect(page.getByRole('heading', { name: 'kept.csv' })).toHaveCount(0)
})

test('a Parquet file is read as well', async () => {
  await openOwn(page)
  const rows = (await ownStarters(reference)).slice(0, 60)
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'race_id', data: rows.map((row) => row.race_id), type: 'STRING' },
      { name: 'horse_no', data: rows.map((row) => row.horse_no), type: 'INT32' },
      { name: 'probability', data: rows.map((row) => row.probability), type: 'DOUBLE' },
    ],
  })
  await chooseOwn(page, 'ratings.parquet', new Uint8Array(file))
  await expect(page.getByTestId('own-matched')).toContainText('60 of 60 rows', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
})

test('what a file leaves open is decided by all its rows, shown, and can be changed', async () => {
  await openOwn(page)
  const rows = (await ownStarters(reference)).filter(({ day }) => {
    const [, month, date] = day.split('-').map(Number)
    return month !== date && date! <= 12
  })
  const some = rows.slice(0, 60)
  expect(some).toHaveLength(60)
  const american = (day: string): string => {
    const [year, month, date] = day.split('-').map(Number)
    return `${month}/${date}/${year}`
  }
  const lines = [
    ['', 'date', 'course', 'race', 'no', 'horse', 'turnover'],
    ...some.map((row, at) => [
      at,
      american(row.day),
      row.stadium,
      `R${row.race_no}`,
      `#${row.horse_no}`,
      row.horse,
      `"${at + 1},500"`,
    ]),
  ]
  await chooseOwn(page, 'american.csv', lines.map((cells) => `${cells.join(',')}\n`).join(''))
  await expect(page.getByTestId('own-matched')).toContainText('60 of 60 rows', { timeout: 30_000 })
  const choice = (name: string) => page.locator(`[data-choice=${name}]`)
  await expect(choice('days')).toHaveAttribute('data-value', 'mdy')
  await expect(choice('days')).toHaveAttribute('data-by', 'matched')
  await expect(choice('decimal')).toHaveAttribute('data-by', 'assumed')
  await expect(page.locator('[data-note=left-out]')).toContainText('columns 1')
  // Against the horses no row matches; the reasons and lines are shown.
  await choice('days').getByRole('combobox').selectOption('dmy')
  await expect(page.getByTestId('own-problem')).toHaveAttribute('data-problem', 'no-match', {
    timeout: 30_000,
  })
  await expect(page.getByTestId('own-unmatched')).toContainText('60 rows have none.')
  await expect(page.getByRole('cell', { name: '2', exact: true }).first()).toBeVisible()
  await choice('days').getByRole('combobox').selectOption('mdy')
  await expect(page.getByTestId('own-matched')).toContainText('60 of 60 rows', { timeout: 30_000 })
  // The other sign makes other numbers.
  await expect(page.getByTestId('own-columns')).toContainText('1,500')
  await choice('decimal').getByRole('combobox').selectOption(',')
  await expect(choice('decimal')).toHaveAttribute('data-by', 'chosen', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
})

test('a large file shows its progress and can be cancelled', async () => {
  await openOwn(page)
  const row = `HKSHT2026010101,1,0.5,${'x'.repeat(200)}\n`
  await chooseRepeated(page, 'race_id,horse_no,probability,note\n', row, 180_000, '')
  await expect(page.getByTestId('own').getByRole('progressbar')).toBeVisible()
  await page.getByTestId('own').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page.getByTestId('own-problem')).toHaveCount(0)
})
