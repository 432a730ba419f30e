import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { askedOf, bandOf, RUNS, SECONDS, SHARE } from './asked.ts'
import { RECORD, tilesReady } from './site.ts'
import { filter, MODEL, numberIn, sharedWorkspace, SUMS } from './workspace-page.ts'

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

/** How far from the front a runner was at the first call, 0 in front and 1 behind all others, by its published positions. */
const FIRST_CALL = `(nullif(split_part(trim(r.running_position), ' ', 1), '')::INTEGER - 1) / nullif(s.starters - 1, 0)`
const STYLE = `CASE WHEN ${FIRST_CALL} < 0.25 THEN 'leader' WHEN ${FIRST_CALL} < 0.5 THEN 'prominent'
  WHEN ${FIRST_CALL} < 0.75 THEN 'midfield' WHEN ${FIRST_CALL} IS NOT NULL THEN 'behind' END`
/** Every starter with its published positions, and the row of its sectional times, if it has one. */
const RAN = `starter s JOIN runner r ON r.race_key = s.race_key AND r.horse_no = s.horse_no
  LEFT JOIN starter_sections x ON x.race_key = s.race_key AND x.horse_no = s.horse_no
  WHERE s.model = '${MODEL}' AND s.origin = 'backtest'`

test('runners that raced in front, by their finishing speed', async () => {
  await runners(
    'run_style:leader',
    'bars:run_finishing_speed.finishing_speed!~bars:run_style.early_seconds!~bars:run_early_pace.late_seconds!',
  )
  const chosen = `${RAN} AND ${FIRST_CALL} < 0.25`
  await expectTotals(`SELECT ${SUMS} FROM ${chosen}`)
  const speeds = [0, 0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06]
  await expectAll(
    'run_finishing_speed',
    `SELECT ${bandOf('x.finishing_speed', speeds)} AS key, ${SUMS}, avg(x.finishing_speed) AS mean
     FROM ${chosen} GROUP BY ALL`,
    { further: { name: 'mean', within: SHARE } },
  )
  // The panel that is filtered by keeps its other groups.
  await expectAll(
    'run_style',
    `SELECT ${STYLE} AS key, ${SUMS}, avg(x.early_par_ms - x.early_ms) / 1000 AS early FROM ${RAN} GROUP BY ALL`,
    { further: { name: 'early', within: SECONDS } },
  )
  await expectAll(
    'run_early_pace',
    `SELECT ${bandOf('(x.early_par_ms::DOUBLE - x.early_ms) / x.early_ms', [-1, -0.04, -0.02, -0.01, 0, 0.01, 0.02, 0.04])} AS key,
       ${SUMS}, avg(x.late_par_ms - x.late_ms) / 1000 AS late FROM ${chosen} GROUP BY ALL`,
    { further: { name: 'late', within: SECONDS } },
  )
  const known = await reference.one(`SELECT count(*) AS runs, count(x.race_key) AS sections FROM ${chosen}`)
  const note = page.getByText(/runs have sectional times/)
  await expect(note.first()).toBeVisible()
  const shown = (await note.first().textContent()) ?? ''
  expect(known['runs']).toBeGreaterThan(20)
  expect(shown).toContain(
    known['sections'] === known['runs']
      ? `All ${known['runs']!.toLocaleString('en')} runs`
      : `${known['sections']!.toLocaleString('en')} of ${known['runs']!.toLocaleString('en')} runs`,
  )
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
