import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { engineReady, RECORD, signIn, tilesReady, vipToken } from './site.ts'
import { filter, MODEL, numberIn, tile, WIN, sharedWorkspace } from './workspace-page.ts'

/** Defects of the first record screen that must not come back. */

let reference: Reference
let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

/** Dimensions whose values have texts that are not their keys. */
const CHANGES = [
  'track',
  'season',
  'going',
  'racecourse',
  'jockey',
  'month',
  'odds',
  'weekday',
  'going',
] as const
/** `2017`, `awt_fast`, `2026-04`, `null`. */
const RAW = /^[a-z0-9_.-]+$/

/** Changes the breakdown again and again; returns every text that its first column showed, and those it came to rest at. */
async function textsOfChanges(of: Page): Promise<{ seen: string[]; settled: string[] }> {
  const panel = of.locator('[data-panel=bars]')
  // The panel of another dimension is another element, so that the whole page is observed.
  await of.evaluate(() => {
    const seen = new Set<string>()
    const look = (): void => {
      for (const cell of document.querySelectorAll('[data-panel=bars] tbody th')) seen.add(cell.textContent)
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    Object.assign(globalThis, {
      seenTexts: (): string[] => {
        observer.disconnect()
        return [...seen]
      },
    })
  })
  const settled: string[] = []
  for (const dim of CHANGES) {
    await panel.getByLabel('By', { exact: true }).selectOption(dim)
    const rows = panel.locator(`[data-testid=breakdown][data-by="${dim}"] tbody th`)
    await expect(rows.first()).toBeVisible()
    // Returns of groups follow; then nothing of the change is outstanding.
    await expect(of.getByTestId('record-tiles')).toHaveAttribute('aria-busy', 'false')
    settled.push(...(await rows.allTextContents()))
  }
  const seen = await of.evaluate(() => (globalThis as unknown as { seenTexts: () => string[] }).seenTexts())
  return { seen, settled }
}

test('no raw key is shown while a breakdown changes, by the engine or by the server', async ({ browser }) => {
  await show('p=bars:season')
  await engineReady(page)
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 1000 } })
  await signIn(own, await vipToken())
  const remote = await own.newPage()
  await remote.route('**/dataset/*.duckdb', (route) => route.abort())
  await remote.goto(`${RECORD()}?model=${MODEL}&origin=backtest&p=bars:season`)
  await tilesReady(remote)
  for (const each of [page, remote]) {
    const { seen, settled } = await textsOfChanges(each)
    expect(settled.filter((text) => RAW.test(text))).toEqual([])
    expect(new Set(seen).size).toBeGreaterThan(20)
    // Nothing was shown on the way that is not a text of one of the breakdowns.
    expect(seen.filter((text) => RAW.test(text) || !settled.includes(text))).toEqual([])
  }
  await expect(remote.getByTestId('record-tiles')).toHaveAttribute('data-computed', 'remote')
  await own.close()
})

test('a view that counts other races than the figures above it says so', async () => {
  const wins = `origin = 'backtest' AND bet_type = 1 AND selected`
  const counts = async (condition: string): Promise<number[]> => {
    const rows = await reference.rows(
      `WITH bet AS (SELECT * FROM prediction WHERE ${wins} AND ${condition}),
       day AS (SELECT race_date FROM (SELECT race_date, model, count(DISTINCT race_key) AS races FROM bet GROUP BY ALL)
         GROUP BY race_date HAVING count(*) = 2 AND min(races) = max(races))
       SELECT model::VARCHAR AS model, count(*)::INTEGER AS n FROM bet WHERE race_date IN (FROM day) GROUP BY ALL ORDER BY model`,
    )
    return ['fundamental', MODEL].map((model) => Number(rows.find((row) => row['model'] === model)!['n']))
  }
  const shown = (): Promise<number[]> =>
    Promise.all(
      ['fundamental', MODEL].map(async (model) =>
        numberIn(
          await page.getByTestId('models').locator(`tr[data-key="${model}"] td`).first().textContent(),
        ),
      ),
    )
  const panel = page.getByRole('tabpanel')

  // A filter of races leaves every model the same ones.
  await show(`${filter(`${WIN}~racecourse:1`)}&tab=models`)
  await expect.poll(shown, { timeout: 60_000 }).toEqual(await counts('stadium_key = 1'))
  await expect(panel).not.toContainText('each model picks other races')

  // A filter of predictions does not: the chart and the figures above are of different races.
  await show(`${filter(`${WIN}~odds:3,4`)}&tab=models`)
  await expect(panel).toContainText('Filtered by Win odds, each model picks other races of these days.')
  const asked = await counts('win_odds >= 3 AND win_odds < 6')
  await expect.poll(shown, { timeout: 60_000 }).toEqual(asked)
  const own = await reference.one(
    `SELECT count(*) AS n FROM prediction WHERE model = '${MODEL}' AND ${wins} AND win_odds >= 3 AND win_odds < 6`,
  )
  expect(numberIn((await tile(page, 'Predictions')).value)).toBe(own['n'])
  expect(asked[1]).not.toBe(own['n'])

  // Seasons judge whole races: filters of predictions and horses do not apply there.
  await show(`${filter(`${WIN}~odds:3,4~racecourse:1`)}&tab=seasons`)
  await expect(panel).toContainText('Not filtered by Win odds: every starter of each race counts here.')
  const races = await reference.one(
    `SELECT count(DISTINCT race_key) AS n FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' AND stadium_key = 1`,
  )
  const first = page.getByTestId('judge').locator('tbody tr').first().locator('td').nth(1)
  await expect.poll(async () => numberIn(await first.textContent())).toBe(races['n'])
  expect(numberIn((await tile(page, 'Predictions')).value)).toBeLessThan(races['n']!)

  // Calibration is of starters, which have odds but no rank among predictions.
  await show(`${filter(`bet_type:1~rank:2~odds:3,4`)}&tab=calibration`)
  await expect(panel).toContainText('Not filtered by Rank: every starter of each race counts here.')
  await show(`${filter(`${WIN}~racecourse:1`)}&tab=seasons`)
  await expect(page.getByTestId('judge')).toBeVisible()
  await expect(panel).not.toContainText('Not filtered by')
})
