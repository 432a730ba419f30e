import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { consoleOf } from './console-page.ts'
import type { Reference } from './reference.ts'
import { choose, engineReady, Watch } from './site.ts'
import { MODEL, numberIn, newWorkspace } from './workspace-page.ts'

/** Statements of the SQL console that never end or that need too much memory: the workspace beside them works on. */

const CROSS_JOIN =
  'SELECT sum(a.probability * b.probability * c.probability) FROM starter a, starter b, starter c'
const RECURSION = 'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t)'
/** Long texts reach the memory limit in seconds. */
const TOO_MUCH = "SELECT len(list(repeat(repeat('x', 1000), 100) || range)) FROM range(1000000)"

let reference: Reference
let context: BrowserContext
let page: Page
let watch: Watch

test.beforeAll(async ({ browser }) => {
  ;({ reference, context } = await newWorkspace(browser))
})
test.afterAll(() => context.close())
// A page of its own for each test: an engine that has the next test's figures could not show that it still answers.
test.beforeEach(async () => {
  page = await context.newPage()
  watch = new Watch(page)
})
test.afterEach(async () => {
  await page.close()
  expect(watch.problems).toEqual([])
})

const { openConsole, state, run, firstRow } = consoleOf(() => page)

/** Changes the period, beside the console: the page's own engine answers it, and the slice is counted. */
async function pageAnswers(period: 'year' | 'quarter' | 'month'): Promise<void> {
  const seen = page.getByTestId('evidence')
  const before = Number(await seen.getAttribute('data-slices'))
  await choose(page, 'Dates', period)
  await page.keyboard.press('Escape')
  await expect(seen).toHaveAttribute('data-slices', String(before + 1))
}

/** Adds a bet type to the filter and compares the panels with the tables. */
async function panelsAnswer(name: string, betTypes: readonly number[]): Promise<void> {
  await page
    .locator('label')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click()
  const [row] = await reference.rows(
    `SELECT count(*)::INTEGER AS n FROM prediction WHERE model = '${MODEL}' AND origin = 'backtest'
     AND selected AND bet_type IN (${betTypes.join(', ')})`,
  )
  const total = page.getByTestId('record-tiles').locator('dd').first()
  await expect.poll(async () => numberIn(await total.textContent())).toBe(row!['n'])
}

async function consoleAnswers(): Promise<void> {
  await run('SELECT 7 AS seven')
  await expect.poll(firstRow).toEqual(['7'])
}

const stop = (): Promise<void> => page.getByRole('button', { name: 'Stop' }).click()

test('a cross join of everything: the panels answer beside it, after a stop, and so does the console', async () => {
  await openConsole()
  await run(CROSS_JOIN)
  await state('running')
  await pageAnswers('quarter')
  await state('running')
  await stop()
  await expect(page.getByTestId('console')).toContainText('Stopped.')
  await pageAnswers('year')
  await consoleAnswers()

  // Leaving the tab while a statement runs leaves nothing behind that blocks the next one.
  await run(CROSS_JOIN)
  await state('running')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await choose(page, 'Dates', 'all')
  await panelsAnswer('Trio', [1, 6])
  await page.getByRole('tab', { name: 'SQL' }).click()
  await consoleAnswers()
})

test('infinite recursion ends at the limit of rows, by the stop button and after 30 seconds', async () => {
  await openConsole()
  // Rows arrive as they are made: the recursion ends with the last row that is shown.
  await run(`${RECURSION} SELECT * FROM t`)
  await expect.poll(firstRow).toEqual(['1'])
  await expect(page.getByTestId('console-result')).toContainText('10,000 rows')
  await pageAnswers('quarter')

  await run(`${RECURSION} SELECT count(*) FROM t`)
  await state('running')
  await stop()
  await expect(page.getByTestId('console')).toContainText('Stopped.')
  await pageAnswers('year')

  await run(`${RECURSION} SELECT count(*) FROM t`)
  await state('running')
  await expect(page.getByTestId('console-error')).toHaveText(/^Stopped after 30 seconds\./, {
    timeout: 120_000,
  })
  await pageAnswers('month')
  await consoleAnswers()
})

test('a worker that does not stop by itself is ended after 30 seconds, and says so', async () => {
  await page.clock.install()
  await openConsole()
  // The engine is open and the rows of the tables are counted: the next statement starts at once.
  await consoleAnswers()
  await expect(page.getByRole('region', { name: 'Tables' }).locator('summary').first()).toContainText(/\d/)
  await run(CROSS_JOIN)
  await state('running')
  // Moves the page's clock only: the worker, which has its own, is still within its limit.
  await page.clock.fastForward(31_000)
  await expect(page.getByTestId('console-error')).toHaveText(/^Stopped after 30 seconds\./)
  await pageAnswers('quarter')
  await consoleAnswers()
})

test('a statement that needs too much memory fails with a message; panels and console answer', async () => {
  // A device whose limit is reached in seconds, also by a slow machine.
  await page.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 2 }))
  await openConsole()
  await run(TOO_MUCH)
  await state('failed')
  await expect(page.getByTestId('console').getByRole('alert')).toContainText(/memory/i)
  await pageAnswers('quarter')
  await engineReady(page)
  await consoleAnswers()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await choose(page, 'Dates', 'all')
  await panelsAnswer('Place', [1, 2])
})
