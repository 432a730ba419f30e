import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { BASE, RECORD, signIn, tilesReady, vipToken, Watch } from './site.ts'
import { filter, MODEL, numberIn, openWorkspace, saveView, WIN } from './workspace-page.ts'

/** The SQL console: a user's own statements, and everything that they must not be able to do. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await openWorkspace(browser))
})
test.afterAll(() => context.close())

async function openConsole(): Promise<void> {
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&tab=console`)
  await tilesReady(page)
  await expect(page.locator('.cm-content')).toBeVisible()
}

const state = (name: string) =>
  expect(page.getByTestId('console')).toHaveAttribute('data-state', name, { timeout: 60_000 })

async function write(sql: string): Promise<void> {
  const editor = page.locator('.cm-content')
  // On a busy machine the editor may render old content while it is filled; it is then filled again.
  await expect(async () => {
    await editor.fill(sql)
    expect(await editor.locator('.cm-line').allTextContents()).toEqual(sql.split('\n'))
  }).toPass()
}

async function run(sql: string): Promise<void> {
  await write(sql)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
}

const firstRow = async (): Promise<string[]> => {
  await state('rows')
  const row = page.getByTestId('console-result').locator('.ag-row[row-index="0"]')
  await expect(row).toBeVisible()
  return row.locator('[role=gridcell]').allTextContents()
}

test('write, complete, run, sort, chart, save and share', async ({ browser }) => {
  const watch = new Watch(page)
  await openConsole()
  // Completion knows the table's columns, and Ctrl+Enter runs the statement.
  await write('SELECT season, count(*) AS n FROM prediction WHERE bet_type = 1 AND sel')
  await page.locator('.cm-content').press('Control+End')
  await page.locator('.cm-content').press('Control+Space')
  await expect(page.locator('.cm-tooltip-autocomplete')).toContainText('selected')
  // The completion list ignores keys until a user could have seen it.
  await page.waitForTimeout(150)
  await page.locator('.cm-content').press('Enter')
  await page
    .locator('.cm-content')
    .pressSequentially(" AND origin = 'backtest' GROUP BY season ORDER BY season")
  await page.locator('.cm-content').press('Control+Enter')
  const [season] = await reference.rows(
    `SELECT season::INTEGER AS season, count(*)::INTEGER AS n FROM prediction
     WHERE bet_type = 1 AND selected AND model = '${MODEL}' AND origin = 'backtest' GROUP BY 1 ORDER BY 1`,
  )
  await expect.poll(async () => (await firstRow()).map(numberIn)).toEqual([season!['season'], season!['n']])
  await expect(page.getByTestId('console')).toContainText(/\d+ rows? in/)

  await page
    .locator('label')
    .filter({ hasText: /^Chart$/ })
    .click()
  await expect(page.getByTestId('console-chart').locator('.js-plotly-plot')).toBeVisible()
  await page.getByLabel('Kind of chart').selectOption('points')
  await expect(page.getByTestId('console-chart')).toHaveAttribute('data-kind', 'points')

  const saving = page.waitForEvent('download')
  await page.getByTestId('console-result').getByRole('button', { name: 'Export CSV' }).click()
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines[0]).toBe('\uFEFFseason,n')
  expect(lines[1]).toBe(`${Number(season!['season'])},${Number(season!['n'])}`)

  // The statement is in the address: it is saved with the view and opens in another signed-in browser.
  await expect(page).toHaveURL(/sql=SELECT/)
  const link = await saveView(page, 'Seasons in SQL')
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(own, await vipToken())
  const theirs = await own.newPage()
  await theirs.goto(link)
  await expect(theirs.locator('.cm-content')).toContainText('GROUP BY season ORDER BY season')
  await own.close()
  expect(watch.problems).toEqual([])
})

test('errors name the line, and nothing but rows can be asked for', async () => {
  await openConsole()
  await run('SELECT race_id\nFROM race\nWHERE nonsense = 1')
  await expect(page.getByTestId('console-error')).toContainText('nonsense')
  await expect(page.getByTestId('console-error')).toContainText('Line 3:')
  await expect(page.locator('.cm-lintRange-error')).toHaveText('WHERE nonsense = 1')
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(BASE()) && !request.url().startsWith('blob:')) outside.push(request.url())
  })
  for (const [statement, told] of [
    ["SELECT * FROM read_csv('https://example.com/x.csv')", /disabled by configuration/],
    ["SELECT * FROM read_blob('*')", /disabled by configuration/],
    ["SELECT * FROM glob('*')", /disabled by configuration/],
    ["ATTACH 'other.duckdb' AS other", /syntax error/],
    ["COPY race TO 'race.csv'", /syntax error/],
    ['INSTALL httpfs', /must answer rows/],
    ['LOAD httpfs', /must answer rows/],
    ['SET memory_limit = 1', /syntax error/],
    ['PRAGMA database_list', /must answer rows/],
    ['DROP VIEW race', /must answer rows|syntax error/],
    ['SELECT 1; DROP VIEW race', /syntax error/],
    ['SELECT 1) AS a; DROP VIEW race; SELECT * FROM (SELECT 1', /multiple statements/],
    ['-- nothing', /no statement/],
  ] as const) {
    await run(statement)
    await expect(page.getByTestId('console-error'), statement).toContainText(told)
  }
  expect(outside).toEqual([])
  await run('SELECT count(*) FROM race')
  const [races] = await reference.rows('SELECT count(*)::INTEGER AS n FROM race')
  await expect.poll(async () => numberIn((await firstRow())[0]!)).toBe(races!['n'])
})

test('a statement that would never end is stopped while the panels answer, and so is one that eats memory', async () => {
  await openConsole()
  await run('SELECT sum(a.probability * b.probability * c.probability) FROM starter a, starter b, starter c')
  await state('running')
  await page.getByRole('tab', { name: 'Overview' }).click()
  const total = page.getByTestId('record-tiles').locator('dd').first()
  const before = await total.textContent()
  await page
    .locator('label')
    .filter({ hasText: /^Place$/ })
    .click()
  await expect(total).not.toHaveText(before!)
  await page.getByRole('tab', { name: 'SQL' }).click()

  await run('SELECT sum(a.probability * b.probability * c.probability) FROM starter a, starter b, starter c')
  await state('running')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByTestId('console')).toContainText('Stopped.')
  // A statement above the memory limit fails with a message, and the next one is answered.
  await run('SELECT list(a) FROM (SELECT range AS a FROM range(1000000000)) GROUP BY a % 3')
  await state('failed')
  await run('SELECT 7 AS seven')
  await expect.poll(firstRow).toEqual(['7'])
  // Ten million rows: the first ten thousand are shown, with the total number.
  await run('SELECT range AS n FROM range(10000000)')
  await state('rows')
  await page.getByRole('button', { name: 'There are more: count them' }).click()
  await expect(page.getByText('and 9,990,000 more')).toBeVisible()
})

test('tables tell what they hold, and examples run', async () => {
  await openConsole()
  const tables = page.getByRole('region', { name: 'Tables' })
  const [starters] = await reference.rows(
    `SELECT count(*)::INTEGER AS n FROM starter WHERE model = '${MODEL}'`,
  )
  const named = (name: string) => tables.locator(`summary:has(> code:text-is("${name}"))`).first()
  await expect(named('starter')).toContainText(Number(starters!['n']).toLocaleString('en'))
  await named('race').click()
  await tables.locator('details[open] summary:has(> code:text-is("distance_m"))').click()
  await expect(tables.getByTestId('column-summary')).toContainText(/0 missing, about \d+ values, \d+ to \d+/)
  const examples = page.getByLabel('Examples')
  const keys = (
    await examples
      .locator('option')
      .evaluateAll((options) => options.map((each) => (each as HTMLOptionElement).value))
  ).filter(Boolean)
  expect(keys).toHaveLength(10)
  for (const key of keys) {
    await examples.selectOption(key)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await state('rows')
    await expect(page.getByTestId('console-result')).toContainText(/[1-9]\d* rows? in/)
  }
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByTestId('console-plan')).toContainText('SEQ_SCAN')
})

test('a reader without the history has no console', async ({ browser }) => {
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  const theirs = await own.newPage()
  await theirs.goto(`${RECORD()}?tab=console&sql=SELECT+1`)
  await tilesReady(theirs)
  await expect(theirs.getByRole('tab', { name: 'SQL' })).toHaveCount(0)
  await expect(theirs.getByTestId('console')).toHaveCount(0)
  await own.close()
})

test('parameters are fields whose values the statement has, and a heat map suggests itself', async () => {
  await openConsole()
  const sql = (odds: number): string =>
    `SELECT count(*)::INTEGER AS n FROM starter WHERE win_odds >= ${odds} AND race_date > DATE '2026-01-01'`
  await write(
    "SELECT count(*) AS n FROM starter WHERE win_odds >= $least AND race_date > $from AND '$least' <> 'x'",
  )
  await page.getByRole('textbox', { name: '$least' }).fill('10')
  await page.getByRole('textbox', { name: '$from' }).fill('2026-01-01')
  const ask = async (odds: number): Promise<void> => {
    const [row] = await reference.rows(`${sql(odds)} AND model = '${MODEL}'`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(async () => (await firstRow()).map(numberIn)).toEqual([row!['n']])
  }
  await ask(10)
  await page.getByRole('textbox', { name: '$least' }).fill('25.5')
  await ask(25.5)
  await expect(page).toHaveURL(/least/)

  await run(
    'SELECT race_no, starters, count(*) AS n FROM race WHERE race_no <= 6 AND starters BETWEEN 8 AND 12 GROUP BY ALL ORDER BY ALL',
  )
  await state('rows')
  await page
    .locator('label')
    .filter({ hasText: /^Chart$/ })
    .click()
  await expect(page.getByTestId('console-chart')).toHaveAttribute('data-kind', 'heat')
  const [cell] = await reference.rows(
    'SELECT count(*)::INTEGER AS n FROM race WHERE race_no = 1 AND starters = 8',
  )
  const heat = page.getByTestId('console-heat')
  await expect(heat.locator('thead th').nth(1)).toHaveText('8')
  await expect(heat.locator('tbody tr').first().locator('td').first()).toHaveText(
    Number(cell!['n']) === 0 ? '–' : `${Number(cell!['n'])}`,
  )
})
