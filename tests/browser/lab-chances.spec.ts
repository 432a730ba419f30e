import { expect, test, type Page } from '@playwright/test'
import { groupBy } from '../../domain/group-by.ts'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import type { Reference } from './reference.ts'
import { RECORD, tilesReady } from './site.ts'
import { filter, numberIn, openWorkspace, WIN } from './workspace-page.ts'

/** Staking by the user's own probabilities: model and market mixed, exponents moved, chances stored on race pages. */

let reference: Reference
let page: Page

test.beforeAll(async ({ browser }) => {
  ;({ reference, page } = await openWorkspace(browser))
})

const OWN_MODEL = 'fundamental'
const ODDS = 'coalesce(late_odds, win_odds)::DOUBLE'

async function openLab(settings: string, words: string): Promise<void> {
  await page.goto(
    `${RECORD()}?model=${OWN_MODEL}&origin=backtest&tuning=1&${words}&tab=lab&lab=${encodeURIComponent(settings)}`,
  )
  await tilesReady(page)
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
}

const figureOf = async (name: 'bets' | 'profit'): Promise<number> =>
  numberIn(await page.locator(`[data-figure="lab.figure.${name}"] dd`).first().textContent())

/** The geometric mixture of a race, written in SQL. */
const MIXED = (share: number): string =>
  `SELECT s.*, ${ODDS} AS odds_then,
     pow(probability::DOUBLE, ${1 - share}) * pow(market_probability::DOUBLE, ${share}) AS raw,
     raw / sum(raw) OVER (PARTITION BY race_key) AS own
   FROM starter s WHERE model = '${OWN_MODEL}' AND origin = 'backtest'`

test('model and market are mixed in every race before rules choose', async () => {
  await openLab('starters~value-from:1.15~mix:0.5', filter(WIN))
  const own = await reference.one(
    `SELECT count(*) FILTER (WHERE outcome <> 'void') AS n, sum(profit_cents) / 100 AS profit
     FROM (${MIXED(0.5)}) WHERE own * odds_then >= 1.15`,
  )
  const predicted = await reference.one(
    `SELECT count(*) AS n FROM starter WHERE model = '${OWN_MODEL}' AND origin = 'backtest'
     AND probability::DOUBLE * ${ODDS} >= 1.15`,
  )
  expect(own['n']).toBeGreaterThan(50)
  expect(own['n']).not.toBe(predicted['n'])
  expect(await figureOf('bets')).toBe(own['n'])
  expect(await figureOf('profit')).toBeCloseTo(own['profit']!, 2)
  await expect(page.getByTestId('own-races')).toContainText(/^([\d,]+) of \1 races/)
  // Rules on probabilities that only this device has cannot be frozen.
  await page.getByTestId('frozen').getByRole('textbox').fill('Mine')
  await expect(page.getByRole('button', { name: 'Freeze these rules' })).toBeDisabled()
})

test('another shape of finishing times changes the chances of combinations', async () => {
  await openLab('chance-from:0.08~mix:0.4~shape:1', filter('bet_type:3~prediction_type:1'))
  const starters = await reference.rows(`SELECT race_key, horse_no::INTEGER AS no, own FROM (${MIXED(0.4)})`)
  const picks = await reference.rows(
    `SELECT race_key, horse_no_1::INTEGER AS a, horse_no_2::INTEGER AS b, outcome FROM prediction
     WHERE model = '${OWN_MODEL}' AND origin = 'backtest' AND bet_type = 3 AND selected`,
  )
  const races = groupBy(starters, (row) => row['race_key'])
  let expected = 0
  for (const { race_key: key, a, b, outcome } of picks) {
    const race = races.get(key)!
    const table = combinationProbabilities(
      race.map(({ own }) => Number(own)),
      // Shape 1 is plain Harville.
      { second: 1, third: 1, fourth: 1 },
      3,
    )[3]
    const at = (no: unknown): number => race.findIndex((row) => row['no'] === no)
    const wanted = [at(a), at(b)].toSorted((x, y) => x - y).join('-')
    const found = table.all().find(({ horses }) => [...horses].toSorted((x, y) => x - y).join('-') === wanted)
    if (found!.probability >= 0.08 && outcome !== 'void') expected += 1
  }
  expect(expected).toBeGreaterThan(20)
  expect(await figureOf('bets')).toBe(expected)
})

test('chances that were stored on a race page are used where the reader wants it', async () => {
  const [race] = await reference.rows(
    `SELECT race.race_id AS id, min(s.horse_no)::INTEGER AS no FROM starter s JOIN race USING (race_key)
     WHERE s.model = '${OWN_MODEL}' AND s.origin = 'backtest' AND s.outcome <> 'void'
     GROUP BY race.race_id ORDER BY race.race_id LIMIT 1`,
  )
  await page.goto(RECORD())
  await page.evaluate(
    ([id, no]) =>
      localStorage.setItem(
        'furlong-own-chances',
        JSON.stringify({ [String(id)]: { share: 0, byHand: {}, win: { [String(no)]: 0.95 }, before: true } }),
      ),
    [race!['id'], race!['no']] as const,
  )
  await openLab('starters~chance-from:0.9~mix:0', filter(WIN))
  expect(await figureOf('bets')).toBe(0)
  await page.getByLabel('Use the chances that I saved for 1 race').check()
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true')
  await expect.poll(() => figureOf('bets')).toBe(1)
  await expect(page).toHaveURL(/saved/)
  await page.evaluate(() => localStorage.removeItem('furlong-own-chances'))
})
