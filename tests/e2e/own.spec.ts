import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { OWN_PROBLEMS } from '../../analytics/own-api.ts'
import { csvLine } from '../../domain/csv.ts'
import type { Reference } from './reference.ts'
import { RECORD, tilesReady, Watch } from './site.ts'
import { filter, MODEL, numberIn, openWorkspace, WIN } from './workspace-page.ts'

/** A user's own file: matched, evaluated, stored only on request, and never sent anywhere. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await openWorkspace(browser))
})
test.afterAll(() => context.close())

const ADDRESS = (tab = 'own'): string =>
  `${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&tab=${tab}`

async function openOwn(): Promise<void> {
  // A new document, so that the file of an earlier test is gone.
  await page.goto('about:blank')
  await page.goto(ADDRESS())
  await tilesReady(page)
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
}

const choose = (name: string, content: string | Uint8Array): Promise<void> =>
  page
    .getByTestId('own')
    .locator('input[type=file]')
    .setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    })

interface Starter {
  race_id: string
  day: string
  stadium: string
  race_no: number
  horse_no: number
  horse: string
  probability: number
  rating: number
}

const starters = async (): Promise<Starter[]> =>
  (await reference.rows(
    `SELECT race.race_id, s.race_date::VARCHAR AS day, stadium.name_hant AS stadium, s.race_no::INTEGER AS race_no,
       s.horse_no::INTEGER AS horse_no, horse.name_hant AS horse, s.probability::DOUBLE AS probability, s.rating::INTEGER AS rating
     FROM starter s JOIN race USING (race_key) JOIN stadium ON stadium.stadium_key = s.stadium_key
     JOIN horse USING (horse_key) WHERE s.model = '${MODEL}' ORDER BY race.race_id, s.horse_no`,
  )) as unknown as Starter[]

const figuresOf = async (side: string): Promise<number[]> =>
  (await page.getByTestId('own-sides').locator(`[data-side=${side}] td`).allTextContents()).map(numberIn)

test('ratings by Chinese names are matched, judged like a model, and never sent', async () => {
  test.setTimeout(180_000)
  await openOwn()
  const watch = new Watch(page)
  const sent: string[] = []
  page.on('request', (request) => {
    const told = `${request.url()} ${request.postData() ?? ''}`
    // The page's own queries continue, without data of the file; any other request is an error.
    const asks = request.method() === 'GET' || request.url().endsWith('/analytics/query')
    if (!asks || /secret|評分|備註|ratings/.test(decodeURIComponent(told))) sent.push(told)
  })
  const rows = await starters()
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
  await choose('ratings.csv', lines.join(''))
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
  await page.locator('[data-facet=racecourse] input').first().click()
  await expect(page).toHaveURL(/racecourse/)
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
  await openOwn()
  const rows = (await starters()).slice(0, 40)
  const text = [
    'Race ID;No.;P(win)\n',
    ...rows.map(
      (row) =>
        `${row.race_id};${row.horse_no};${String(Math.round(row.probability * 1000) / 10).replace('.', ',')}%\n`,
    ),
  ]
  await choose('kept.csv', text.join(''))
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
  await tilesReady(page)
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  await expect(page.getByRole('heading', { name: 'kept.csv' })).toHaveCount(0)
})

test('a Parquet file is read as well', async () => {
  await openOwn()
  const rows = (await starters()).slice(0, 60)
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'race_id', data: rows.map((row) => row.race_id), type: 'STRING' },
      { name: 'horse_no', data: rows.map((row) => row.horse_no), type: 'INT32' },
      { name: 'probability', data: rows.map((row) => row.probability), type: 'DOUBLE' },
    ],
  })
  await choose('ratings.parquet', new Uint8Array(file))
  await expect(page.getByTestId('own-matched')).toContainText('60 of 60 rows', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
})

test('a file that is wrong gets what is wrong and its line', async () => {
  test.setTimeout(120_000)
  await openOwn()
  const head = 'race_id,horse_no,probability\n'
  const good = 'HKSHT2026010101,1,0.5\n'
  const parquet = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'a', data: [1, 2] },
        { name: 'b', data: [1, 2] },
      ],
    }),
  )
  const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(head, 'utf16le')])
  const rows = (await starters()).slice(0, 3)
  const real = rows.map((row) => `${row.race_id},${row.horse_no},0.2\n`).join('')
  const cases: [string, string | Uint8Array, (typeof OWN_PROBLEMS)[number], number | null][] = [
    ['nothing at all', '', 'empty', null],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), 'not-table', null],
    ['a spreadsheet', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]), 'not-table', null],
    ['UTF-16', utf16, 'utf16', null],
    [
      'another encoding in the header',
      Uint8Array.from([0xb0, 0xa8, 0x2c, 0xb8, 10, 49, 44, 49, 10]),
      'encoding',
      1,
    ],
    [
      'another encoding in a row',
      Buffer.concat([Buffer.from(`${head}${good}x,`), Uint8Array.from([0xb0, 0xa8]), Buffer.from(',1\n')]),
      'encoding',
      3,
    ],
    ['old line ends', head.replace('\n', '\r') + good.replace('\n', '\r'), 'line-endings', null],
    ['a header alone', head, 'no-rows', null],
    ['cells where names should be', '1,2,3\n4,5,6\n', 'no-header', null],
    ['empty names', ',,\n1,2,3\n', 'no-header', null],
    ['one column', 'race_id\nHKSHT2026010101\n', 'one-column', null],
    ['a column without a name', 'race_id,,probability\n1,2,3\n', 'unnamed-column', null],
    ['two columns of a name', 'race_id,No,no\n1,2,3\n', 'same-column', null],
    [
      'too many columns',
      `${Array.from({ length: 201 }, (_, at) => `c${at}`).join(',')}\n1\n`,
      'too-many-columns',
      null,
    ],
    ['a cell too few', `${head}${good}\nHKSHT2026010101,2\n`, 'too-few-cells', 4],
    ['a cell too many', `${head}"HKSHT\n2026",1,0.5\nHKSHT2026010101,2,0.1,x\n`, 'too-many-cells', 4],
    ['an open quote', `${head}${good}"HKSHT2026010101,2,0.1\n`, 'quote', 3],
    ['an open quote in the header', 'race_id,"horse_no\n1,2\n', 'quote', 1],
    ['text behind a quote', `${head}"HKSHT"x,2,0.1\n`, 'quote', 2],
    ['a line without end', `${head}${'x'.repeat(2_500_000)},1,0.1\n`, 'line-too-long', 2],
    ['half of a Parquet file', parquet.slice(0, parquet.length - 20), 'parquet', null],
    ['no keys', 'rating,comment\n1,x\n', 'no-keys', null],
    ['dates that are none', 'date,race_no,horse_no\nyesterday,1,1\n', 'bad-date', null],
    ['probabilities that are words', `${head}${real.replaceAll('0.2', 'high')}`, 'bad-number', null],
    ['a probability above 1', `${head}${real}HKSHT2026010101,1,17\n`, 'bad-probability', 5],
    ['races of nowhere', head + good, 'no-match', null],
  ]
  for (const [name, content, problem, line] of cases) {
    await test.step(name, async () => {
      const told = page.getByTestId('own-problem')
      await choose('wrong.csv', content)
      await expect(told).toHaveAttribute('data-problem', problem, { timeout: 20_000 })
      if (line === null) await expect(told).not.toContainText(/^Line/)
      else await expect(told).toContainText(`Line ${line}:`)
      await expect(told).not.toContainText(/[{}]|undefined/)
      const remove = page.getByRole('button', { name: 'Remove', exact: true })
      if (await remove.isVisible()) await remove.click()
    })
  }
  // A rejected file does not affect a valid one.
  await choose('good.csv', head + real)
  await expect(page.getByTestId('own-matched')).toContainText('3 of 3 rows', { timeout: 20_000 })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
})

test('a large file shows its progress and can be cancelled', async () => {
  await openOwn()
  const row = `HKSHT2026010101,1,0.5,${'x'.repeat(200)}\n`
  await choose('large.csv', `race_id,horse_no,probability,note\n${row.repeat(180_000)}`)
  await expect(page.getByTestId('own').getByRole('progressbar')).toBeVisible()
  await page.getByTestId('own').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page.getByTestId('own-problem')).toHaveCount(0)
})
