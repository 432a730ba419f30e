import { readFileSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { consoleOf } from './console-page.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { Reference } from './reference.ts'
import { BASE, openMenu, RECORD, signIn, tilesReady, vipToken, Watch } from './site.ts'
import { filter, MODEL, numberIn, newWorkspace, PICKS, saveView, WIN } from './workspace-page.ts'

/** The SQL console: a user's own statements, and everything that they must not be able to do. */

let reference: Reference
let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, context, page } = await newWorkspace(browser))
})
test.afterAll(() => context.close())

const { openConsole, state, write, run, firstRow } = consoleOf(() => page)

test('write, complete, run, sort, chart, save and share', async ({ browser }) => {
  const watch = new Watch(page)
  await openConsole()
  // Completion knows the table's columns, and Ctrl+Enter runs the statement.
  await write('SELECT season, count(*) AS n FROM prediction WHERE bet_type = 1 AND sel')
  await page.locator('.cm-content').press('Control+End')
  await page.locator('.cm-content').press('Control+Space')
  // Chosen by a click: for a moment after it appears, the list leaves keys to the editor. It is drawn again when what was
  // asked for while the word was typed comes, so a click may miss, and the list may be back after one.
  const completion = page.getByRole('option', { name: 'selected' }).first()
  const text = page.locator('.cm-content')
  await expect(completion).toHaveAttribute('aria-selected', 'true')
  await expect(async () => {
    if ((await text.textContent())?.includes('AND selected') !== true)
      await completion.click({ timeout: 2000 })
    expect(await text.textContent()).toContain('AND selected')
  }).toPass()
  await page
    .locator('.cm-content')
    .pressSequentially(" AND origin = 'backtest' GROUP BY season ORDER BY season")
  await expect(page.locator('.cm-content')).toContainText('GROUP BY season ORDER BY season')
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
  await signIn(own, vipToken())
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
  for (const [statement, message] of [
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
    await expect(page.getByTestId('console-error'), statement).toContainText(message)
  }
  expect(outside).toEqual([])
  await run('SELECT count(*) FROM race')
  const [races] = await reference.rows('SELECT count(*)::INTEGER AS n FROM race')
  await expect.poll(async () => numberIn((await firstRow())[0]!)).toBe(races!['n'])
})

test('values of every kind are shown, saved and copied as DuckDB prints them', async () => {
  await openConsole()
  await run(
    `SELECT outcome, count(*) AS n, DATE '290000-01-01' AS far, 'infinity'::TIMESTAMP AS never, '3-7' AS pair, 3.4::FLOAT AS odds
FROM prediction WHERE bet_type = 1 GROUP BY ALL ORDER BY n DESC; -- one statement`,
  )
  const [most] = await reference.rows(
    `SELECT outcome::VARCHAR AS outcome, count(*)::INTEGER AS n FROM prediction
     WHERE bet_type = 1 AND model = '${MODEL}' GROUP BY 1 ORDER BY 2 DESC`,
  )
  const n = String(Number(most!['n']))
  const outcome = String(most!['outcome'])
  await expect.poll(firstRow).toEqual([outcome, n, '290000-01-01', 'infinity', '3-7', '3.4'])
  const saving = page.waitForEvent('download')
  const result = page.getByTestId('console-result')
  await result.getByRole('button', { name: 'Export CSV' }).click()
  const [, line] = readFileSync(await (await saving).path(), 'utf8').split('\r\n')
  expect(line).toBe(`${outcome},${n},'290000-01-01,infinity,'3-7,3.4`)
  const savingParquet = page.waitForEvent('download')
  await result.getByRole('button', { name: 'Parquet' }).click()
  const path = await (await savingParquet).path()
  expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await result.getByRole('button', { name: 'Copy rows' }).click()
  await expect(result.getByText(/\d+ rows? copied/)).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')[1]).toBe(
    `${outcome}\t${n}\t'290000-01-01\tinfinity\t'3-7\t3.4`,
  )

  // An engine without time zones says so, in words of the reader's language.
  await run("SELECT TIMESTAMP '2026-11-26 05:30:00' AT TIME ZONE 'Asia/Hong_Kong' AS off")
  await expect(page.getByTestId('console-error')).toContainText('seen_at + INTERVAL 8 HOURS')
})

test('of ten million rows the first ten thousand are shown, with the total number', async () => {
  await openConsole()
  await run('SELECT range AS n FROM range(10000000)')
  await state('rows')
  await page.getByRole('button', { name: 'There are more: count them' }).click()
  await expect(page.getByText('and 9,990,000 more')).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByTestId('console-result').getByRole('button', { name: 'Export CSV' }).click()
  expect((await saving).suggestedFilename()).toBe('furlong-query-first-10000-rows.csv')
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

test('a view and a panel open as statements that have their figures', async () => {
  await page.goto(`${RECORD()}?s=runners&v=2&f=${encodeURIComponent('draw:1,2')}&p=bars:going`)
  await tilesReady(page)
  const runs = numberIn(await page.getByTestId('record-tiles').locator('dd').first().textContent())
  await openMenu(page, 'More')
  await page.getByRole('button', { name: 'This view as SQL' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(async () => numberIn((await firstRow())[0]!), { timeout: 30_000 }).toBe(runs)
  await page.goBack()
  await tilesReady(page)
  const panel = page.locator('[data-panel=bars]')
  await openMenu(panel, 'Tools of this chart')
  await panel.getByRole('button', { name: 'This panel as SQL' }).click()
  await expect(page.locator('.cm-content')).toContainText('GROUP BY ALL')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByTestId('console-result')).toContainText('going')
  // The rows that the page's filters leave are a table of every statement.
  await run('SELECT count(*) AS n, max(draw) AS most FROM slice')
  await expect.poll(async () => (await firstRow()).map(numberIn)).toEqual([runs, 2])
  await expect(
    page.getByRole('region', { name: 'Tables' }).locator('summary:has(> code:text-is("slice"))'),
  ).toContainText(runs.toLocaleString('en'))
})

const KINDS = ['profit', 'rolling', 'spread', 'calendar', 'columns', 'heat', 'pivot']

test('every kind of panel opens as a statement that the engine answers', async () => {
  test.slow()
  const panels = 'profit~rolling~spread~calendar~columns:odds~heat:draw.going~pivot:draw.going.count.return'
  for (const kind of KINDS) {
    await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&p=${panels}`)
    await tilesReady(page)
    const panel = page.locator(`[data-panel=${kind}]`)
    await panel.scrollIntoViewIfNeeded()
    await openMenu(panel, 'Tools of this chart')
    await panel.getByRole('button', { name: 'This panel as SQL' }).click()
    await expect(page.locator('.cm-content').first(), kind).toContainText('WITH slice AS')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByTestId('console-result'), kind).toContainText(/[1-9]\d* rows? in/, {
      timeout: 30_000,
    })
  }
})

test('the rows of other models, whose size is said before they are loaded', async ({ browser }) => {
  const byModel = 'SELECT model, count(*) AS n FROM starter GROUP BY model ORDER BY model::VARCHAR'
  const all = await Reference.open('100000', [...MODEL_IDS])
  const rows = await all.rows(
    'SELECT model::VARCHAR AS model, count(*)::INTEGER AS n FROM starter GROUP BY 1 ORDER BY 1',
  )
  const expected = rows.map((row) => [String(row['model']), Number(row['n'])])
  expect(expected.length).toBeGreaterThan(1)
  await openConsole()
  const models = page.getByTestId('console-models')
  await expect(models).toContainText(`1 of ${expected.length}`)
  const others = models.getByRole('checkbox', { disabled: false })
  await expect(others).toHaveCount(expected.length - 1)
  const loaded = page.waitForResponse(/dataset\/.*\.duckdb/)
  for (let at = 0; at < expected.length - 1; at += 1) await others.nth(at).check()
  await loaded
  await run(byModel)
  const counts = async (): Promise<unknown[]> => {
    const cells = await page.getByTestId('console-result').locator('.ag-row .ag-cell').allTextContents()
    return expected.map((_, at) => [cells[2 * at], numberIn(cells[2 * at + 1] ?? '')])
  }
  await expect.poll(counts).toEqual(expected)
  const total = expected.reduce((sum, [, n]) => sum + Number(n), 0)
  const tables = page.getByRole('region', { name: 'Tables' })
  await expect(tables.locator('summary:has(> code:text-is("starter"))')).toContainText(
    total.toLocaleString('en'),
  )
  await expect(page).toHaveURL(/models=/)

  // A reader of the link is told the size first.
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(own, vipToken())
  const theirs = await own.newPage()
  await theirs.goto(page.url())
  await expect(
    theirs.getByText(/This statement also reads the rows of .*: up to .* MB to load/),
  ).toBeVisible()
  await theirs.getByRole('button', { name: 'Load them' }).click()
  await expect(theirs.getByTestId('console-models')).toContainText(`${expected.length} of ${expected.length}`)
  await own.close()

  // They are there at the next visit, and go again.
  await page.reload()
  await expect(models).toContainText(`${expected.length} of ${expected.length}`)
  for (let at = 0; at < expected.length - 1; at += 1) await others.nth(at).uncheck()
  await run(byModel)
  await expect.poll(async () => (await firstRow())[0]).toBe(MODEL)
  await expect(page).not.toHaveURL(/models=/)
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

test('a link in a value is a text of the chart, not a link', async () => {
  await openConsole()
  await run(
    `SELECT '<a href="https://evil.example/login">Sign in</a>' || race_no AS word, count(*)::INTEGER AS n
     FROM race WHERE race_no < 3 GROUP BY ALL`,
  )
  await state('rows')
  await page
    .locator('label')
    .filter({ hasText: /^Chart$/ })
    .click()
  await page.getByLabel('Kind of chart').selectOption('bars')
  const chart = page.getByTestId('console-chart')
  await expect(chart.locator('.js-plotly-plot')).toContainText('<a href="https://evil.example/login">')
  await expect(chart.locator('.js-plotly-plot a')).toHaveCount(0)
})

test('several tabs of statements and a history, stored on this device', async () => {
  await openConsole()
  const tabs = page.getByRole('group', { name: 'Statements' })
  const tab = (number: number) => tabs.getByRole('button', { name: `Query ${number}`, exact: true })
  const text = page.locator('.cm-content')
  const count = await tabs.getByRole('button', { name: /^Query \d+$/ }).count()
  await tabs.getByRole('button', { name: 'New query' }).click()
  await expect(tab(count + 1)).toHaveAttribute('aria-pressed', 'true')
  await expect(text).toHaveText('')
  await run('SELECT 11 AS eleven')
  await expect.poll(firstRow).toEqual(['11'])
  await tabs.getByRole('button', { name: 'New query' }).click()
  await run('SELECT 12 AS twelve')
  await expect.poll(firstRow).toEqual(['12'])
  // Each tab has its own statement, and running one does not change another.
  await tab(count + 1).click()
  await expect(text).toHaveText('SELECT 11 AS eleven')
  await tab(count + 2).click()
  await expect(text).toHaveText('SELECT 12 AS twelve')

  // The history lists what was run, the last first, without statements that failed.
  await run('SELECT nonsense')
  await expect(page.getByTestId('console-error')).toContainText('nonsense')
  const history = page.getByLabel('History')
  const past = async (): Promise<string[]> =>
    (await history.locator('option').allTextContents()).slice(1).map((each) => each.replace(/^.*?: /, ''))
  expect((await past()).slice(0, 2)).toEqual(['SELECT 12 AS twelve', 'SELECT 11 AS eleven'])
  await tab(count + 1).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(firstRow).toEqual(['11'])
  // A statement that is run again moves to the top instead of being listed twice.
  const again = await past()
  expect(again.slice(0, 2)).toEqual(['SELECT 11 AS eleven', 'SELECT 12 AS twelve'])
  expect(again.filter((each) => each === 'SELECT 11 AS eleven')).toHaveLength(1)

  await page.reload()
  await expect(text).toHaveText('SELECT 11 AS eleven')
  await expect(tab(count + 2)).toBeVisible()
  // An earlier statement opens in a tab of its own.
  await history.selectOption({ index: 2 })
  await expect(tab(count + 3)).toHaveAttribute('aria-pressed', 'true')
  await expect(text).toHaveText('SELECT 12 AS twelve')
  // Closing a tab that is shown shows another; closing the last leaves an empty one.
  await tabs.getByRole('button', { name: `Close query ${count + 3}` }).click()
  await expect(tab(count + 3)).toHaveCount(0)
  for (let left = count + 2; left > 0; left -= 1)
    await tabs.getByRole('button', { name: `Close query ${left}` }).click()
  await expect(tabs.getByRole('button', { name: /^Query \d+$/ })).toHaveCount(1)
  await expect(text).toHaveText('')
})

for (const api of [true, false])
  test(`full screen ${api ? 'through the browser' : 'over the page, where the browser has none'}`, async () => {
    if (!api)
      await page.addInitScript(() => {
        delete (Element.prototype as Partial<Element>).requestFullscreen
      })
    await page.goto('about:blank')
    await openConsole()
    const button = page.getByRole('button', { name: 'Full screen' })
    const frame = page.locator('[data-full]')
    const covers = (): Promise<boolean> =>
      frame.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const inside = [
          [1, 1],
          [innerWidth - 2, 1],
          [1, innerHeight - 2],
          [innerWidth - 2, innerHeight - 2],
        ].every(([x, y]) => element.contains(document.elementFromPoint(x!, y!)))
        return inside && left === 0 && top === 0 && width === innerWidth && height === innerHeight
      })
    await expect(button).toHaveAttribute('aria-pressed', 'false')
    expect(await covers()).toBe(false)
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await expect(frame).toHaveAttribute('data-full', api ? 'screen' : 'window')
    await expect.poll(covers).toBe(true)
    await expect(button).toBeFocused()
    await run('SELECT 7 AS seven')
    await expect.poll(firstRow).toEqual(['7'])

    // Escape first closes the editor's completion list, then leaves, and does not clear the filters.
    await write('SELECT sea')
    await page.locator('.cm-content').press('Control+End')
    await page.locator('.cm-content').press('Control+Space')
    await expect(page.locator('.cm-tooltip-autocomplete')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.cm-tooltip-autocomplete')).toHaveCount(0)
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await button.focus()
    const address = page.url()
    await page.keyboard.press('Escape')
    await expect(button).toHaveAttribute('aria-pressed', 'false')
    await expect(button).toBeFocused()
    expect(await covers()).toBe(false)
    expect(page.url()).toBe(address)

    await button.press('Enter')
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await button.press('Enter')
    await expect(button).toHaveAttribute('aria-pressed', 'false')
    await expect(button).toBeFocused()

    await page.getByRole('tab', { name: 'Overview' }).click()
    const [picks] = await reference.rows(`SELECT count(*)::INTEGER AS n FROM prediction WHERE ${PICKS}`)
    const total = page.getByTestId('record-tiles').locator('dd').first()
    await expect.poll(async () => numberIn(await total.textContent())).toBe(picks!['n'])
  })
