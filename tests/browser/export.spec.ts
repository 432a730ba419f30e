import { readFileSync } from 'node:fs'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { Reference } from './reference.ts'
import { openMenu, RECORD, registerMember, signIn, subscribe, tilesReady, vipToken } from './site.ts'
import { filter, MODEL, openWorkspace, PICKS, WIN } from './workspace-page.ts'

/** Exports of all rows, with the engine and without it. */

/** The text of the file that a button downloads, without its byte order mark. */
async function fileOf(page: Page, name: string): Promise<string> {
  const saving = page.waitForEvent('download')
  await openMenu(page, 'Export')
  await page.getByRole('button', { name }).click()
  const file = readFileSync(await (await saving).path())
  expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  return file.toString('utf8').slice(1)
}

const engineIs = (page: Page, state: string, timeout = 60_000): Promise<void> =>
  expect(page.getByTestId('computed')).toHaveAttribute('data-engine', state, { timeout })

async function workspaceAs(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 1280, height: 800 },
  })
  await signIn(context, token)
  return context.newPage()
}

test('where the engine cannot run the server’s pages are the same file', async ({ browser }) => {
  const own = await workspaceAs(browser, vipToken())
  await own.route('**/*.wasm', (route) => route.abort())
  const { page: shared, reference } = await openWorkspace(browser)
  const files: string[] = []
  // That its module cannot be fetched is noticed sooner than the 30 s after which a slow module is given up.
  for (const [page, state, timeout] of [
    [shared, 'ready', 60_000],
    [own, 'failed', 20_000],
  ] as const) {
    await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter('bet_type:1,2')}&period=all`)
    await tilesReady(page)
    await engineIs(page, state, timeout)
    files.push(await fileOf(page, 'Export CSV'))
  }
  await own.context().close()
  const [here, remote] = files
  const { n } = await reference.one(
    `SELECT count(*) AS n FROM prediction WHERE model = '${MODEL}' AND origin = 'backtest' AND bet_type IN (1, 2)`,
  )
  expect(here!.trimEnd().split('\r\n')).toHaveLength(n! + 1)
  // More than one page of the server's response.
  expect(n).toBeGreaterThan(5000)
  expect(remote).toBe(here)
})

test('the file says what the tables say', async ({ browser }) => {
  const { page, reference } = await openWorkspace(browser)
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&period=all`)
  await tilesReady(page)
  const [head, ...lines] = (await fileOf(page, 'Export CSV')).trimEnd().split('\r\n')
  const at = (name: string): number => head!.split(',').indexOf(name)
  const rows = await reference.rows(
    `SELECT race_id, '[' || horse_no_1 || ']' AS combination, profit_cents / 100 AS profit,
       round(probability::DOUBLE, 6) AS probability, p.odds::DOUBLE AS odds
     FROM prediction p JOIN race USING (race_key) WHERE ${PICKS.replaceAll('model', 'p.model').replaceAll('origin', 'p.origin')}`,
  )
  const known = new Map(rows.map((row) => [String(row['race_id']), row]))
  expect(lines).toHaveLength(rows.length)
  for (const line of lines.slice(0, 300)) {
    const cells = line.split(',')
    const row = known.get(cells[0]!)!
    expect(cells[at('Model')]).toBe('Calibrated market')
    expect(cells[at('Origin')]).toBe('Backtest')
    expect(cells[at('Main pick')]).toBe('Yes')
    expect(cells[at('Prediction')]).toBe(row['combination'])
    expect(cells[at('Profit (HK$)')]).toBe(row['profit'] === null ? '' : String(Number(row['profit'])))
    expect(Number(cells[at('Probability')])).toBeCloseTo(Number(row['probability']), 6)
  }
})

test('an export that is cancelled saves nothing, and the next one is whole', async ({ browser }) => {
  const page = await workspaceAs(browser, vipToken())
  // With too little memory for the engine, the server's pages are slow enough to be cancelled.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'deviceMemory', { value: 0.003, configurable: true }),
  )
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter('')}&type=0&period=all`)
  await tilesReady(page)
  await engineIs(page, 'failed')
  // Holds the second page until the export is cancelled.
  let calls = 0
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/analytics/query', async (route) => {
    if ((route.request().postData() ?? '').includes('"limit":5000')) calls += 1
    if (calls > 1) await released
    await route.continue().catch(() => undefined)
  })
  let saved = 0
  page.on('download', () => (saved += 1))
  await openMenu(page, 'Export')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByRole('progressbar', { name: 'Progress of the export' })).toBeVisible()
  await expect(page.getByText(/5,000 of [\d,]+ rows/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel export' }).click()
  await expect(page.getByRole('button', { name: 'Cancel export' })).toHaveCount(0)
  release()
  await page.unroute('**/analytics/query')
  expect(saved).toBe(0)
  await fileOf(page, 'Export CSV')
  await page.context().close()
})

test('a member’s file holds the races that he opened, beside the last seven days', async ({ browser }) => {
  const reference = await Reference.open('100000', [MODEL])
  const [old] = await reference.rows(
    `SELECT race_id FROM race WHERE race_date < current_date - 30 AND race_key IN (SELECT race_key FROM prediction)
     ORDER BY race_date DESC LIMIT 1`,
  )
  const raceId = String(old!['race_id'])
  const token = await registerMember()
  await subscribe(token, raceId)
  const page = await workspaceAs(browser, token)
  await page.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter(WIN)}&period=all`)
  await tilesReady(page)
  expect(await fileOf(page, 'Export CSV')).toContain(`\n${raceId},`)
  await page.context().close()
})
