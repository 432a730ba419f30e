import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { askedOf, bandOf, RUNS, SHARE } from './asked.ts'
import { RECORD, tilesReady } from './site.ts'
import { filter, numberIn, sharedWorkspace, SUMS } from './workspace-page.ts'

/**
 * Questions of racing people about every runner, each read off the screen and answered by SQL written for this test over the
 * races and runners of the dataset: what a horse had done before is looked up run by run.
 */

let reference: Reference
let page: Page

const workspace = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})
const { breakdown, groups, show } = workspace
const { expectAll, expectTotals } = askedOf(() => ({ page, reference }), workspace)

const runners = (clauses: string, panels: string): Promise<void> =>
  show(`s=runners&${filter(clauses)}&p=${panels}`)

test('a jockey’s first ride on a horse, by trainer', async () => {
  await runners('rides_together:0', 'bars:draw')
  await expectTotals(`SELECT ${SUMS} FROM ${RUNS} AND b.rides = 0`)
  await expectAll('draw', `SELECT s.draw AS key, ${SUMS} FROM ${RUNS} AND b.rides = 0 GROUP BY ALL`)
})

test('horses that drop in class, from the four inside stalls', async () => {
  await runners('class_move:down~draw:1..4', 'bars:class')
  const chosen = `${RUNS} AND b.last_class < s.race_class AND s.draw <= 4`
  await expectTotals(`SELECT ${SUMS} FROM ${chosen}`)
  await expectAll('class', `SELECT s.race_class AS key, ${SUMS} FROM ${chosen} GROUP BY ALL`)
})

test('all runners by the days since their last run, and by their last place', async () => {
  await runners('draw:1..4', 'bars:days_since_run~bars:last_place')
  const chosen = `${RUNS} AND s.draw <= 4`
  await expectAll(
    'days_since_run',
    `SELECT ${bandOf('b.days', [0, 8, 15, 22, 29, 43, 61, 91, 181])} AS key, ${SUMS} FROM ${chosen} GROUP BY ALL`,
  )
  await expectAll('last_place', `SELECT b.last_place AS key, ${SUMS} FROM ${chosen} GROUP BY ALL`)
})

test('jockeys by wins over those that the market expects, in one season', async () => {
  const [newest] = await reference.rows('SELECT max(season)::INTEGER AS season FROM starter')
  const season = Number(newest!['season'])
  await runners(`season:${season}`, 'bars:jockey')
  const expected = await reference.rows(
    `SELECT s.jockey_key AS key, sum(s.won) / sum(s.market_probability) AS ratio FROM ${RUNS}
     AND s.season = ${season} AND s.jockey_key IS NOT NULL GROUP BY ALL`,
  )
  const shown = await groups('jockey')
  expect(shown.size).toBeGreaterThan(5)
  for (const [key, cells] of shown) {
    const row = expected.find((each) => String(each['key']) === key)
    expect(Math.abs(numberIn(cells[2]!) - Number(row!['ratio']))).toBeLessThan(0.0051)
  }
})

test('the draw on each course, over all runners', async () => {
  await runners('', 'heat:draw.course.hit_rate!')
  await expect(page.getByTestId('heat').or(breakdown('draw')).first()).toBeAttached()
  for (const row of await reference.rows(
    `SELECT s.draw AS draw, s.course AS course, ${SUMS} FROM ${RUNS} AND s.draw IN (1, 5) GROUP BY ALL`,
  )) {
    const cell = page.locator(`tr[data-key="${String(row['draw'])}"] td[data-key="${String(row['course'])}"]`)
    expect(Math.abs(numberIn(await cell.first().textContent()) - Number(row['rate']))).toBeLessThan(0.00051)
  }
})

/** Every race as its first choice by the market line, with how often its favourite won and what its winner was at. */
const RACES = `(SELECT s.*, f.favourite, f.winner_odds FROM starter s JOIN (
    SELECT race_key, count(*) FILTER (WHERE market_rank = 1 AND outcome = 'hit') AS favourite,
      min(win_odds) FILTER (WHERE won > 0) AS winner_odds
    FROM starter WHERE model = 'fundamental' GROUP BY race_key
  ) f USING (race_key) WHERE s.model = 'fundamental' AND s.origin = 'backtest' AND s.model_rank = 1)`

test('how often the favourite wins by class, and the odds of winners by field size', async () => {
  // By the market line, the first choice of every race is the favourite.
  const words = `${filter('race_no:1..6~draw:1')}&p=bars:class.favourite_rate!~bars:field_size.mean_winner_odds!`
  await page.goto(`${RECORD()}?s=races&model=fundamental&origin=backtest&tuning=1&${words}`)
  await tilesReady(page)
  const chosen = `${RACES} WHERE race_no BETWEEN 1 AND 6`
  await expectTotals(`SELECT ${SUMS} FROM ${chosen}`, 'races')
  await expectAll(
    'class',
    `SELECT race_class AS key, ${SUMS}, avg(favourite) AS favourite FROM ${chosen} GROUP BY ALL`,
    { further: { name: 'favourite', within: SHARE } },
  )
  await expectAll(
    'field_size',
    `SELECT starters AS key, ${SUMS}, avg(winner_odds) AS odds FROM ${chosen} GROUP BY ALL`,
    { further: { name: 'odds', within: 0.051 } },
  )
  await expect(page.getByText('Not filtered by Draw, which a race does not have')).toBeVisible()
  await breakdown('class').getByRole('button', { name: 'Class 4', exact: true }).click()
  await expectTotals(`SELECT ${SUMS} FROM ${chosen} AND race_class = 'C4'`, 'races')
})
