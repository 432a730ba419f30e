import { expect, test, type Page } from '@playwright/test'
import { NO_OWN_VALUE } from '../../analytics/own-slots.ts'
import { csvLine } from '../../domain/csv.ts'
import { askedOf, bandOf, expectShown, MONEY, RATIO, RUNS, SHARE } from './asked.ts'
import { kellyBets } from './kelly-bets.ts'
import { chooseOwn, openOwn } from './own-page.ts'
import type { Reference } from './reference.ts'
import { RECORD, tilesReady } from './site.ts'
import { filter, MODEL, numberIn, PICKS, sharedWorkspace, SUMS, WIN } from './workspace-page.ts'

/**
 * The analysts' further questions that no other file asks (docs/questions.md): over every runner, the race days, the lab and a
 * file of the reader's own. Each is read off the screen and answered by SQL written for this test.
 */

let reference: Reference
let page: Page

const workspace = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})
const { show } = workspace
const { expectAll, expectHeat, expectTotals, rowsOf } = askedOf(() => ({ page, reference }), workspace)

const OTHER = 'fundamental'
const ODDS = 'coalesce(late_odds, win_odds)::DOUBLE'

const runners = (clauses: string, panels: string): Promise<void> =>
  show(`s=runners&${filter(clauses)}&p=${panels}`)

async function openLab(model: string, settings: string): Promise<void> {
  await page.goto(
    `${RECORD()}?model=${model}&origin=backtest&tuning=1&${filter(WIN)}&tab=lab&lab=${encodeURIComponent(settings)}`,
  )
  await tilesReady(page)
  await expect(page.getByTestId('lab')).toHaveAttribute('data-settled', 'true', { timeout: 60_000 })
}
const figureOf = async (name: string): Promise<number> =>
  numberIn(await page.locator(`[data-figure="lab.figure.${name}"] dd`).first().textContent())

test('2 horses that drop in class, over 1,200 m on yielding ground from the four inside stalls', async () => {
  await runners('class_move:down~distance:1200~going:yielding~draw:1..4', 'bars:draw')
  const chosen = `${RUNS} AND b.last_class < s.race_class AND s.distance_m = 1200 AND s.going = 'yielding' AND s.draw <= 4`
  await expectTotals(`SELECT ${SUMS} FROM ${chosen}`)
})

test('4 trainers with horses that have not run for 61 days', async () => {
  await runners('days_since_run:61..', 'bars:trainer')
  await expectAll(
    'trainer',
    `SELECT s.trainer_key AS key, ${SUMS} FROM ${RUNS} AND b.days >= 61 GROUP BY ALL`,
  )
})

test('5 quinellas of the first favourites: what they were paid over their fair price', async () => {
  await show(`${filter('bet_type:3')}&p=bars:market_ranks.paid_fair`)
  await expectAll(
    'market_ranks',
    `SELECT key, ${SUMS},
       sum(dividend_cents) / sum(1000 / market_probability::DOUBLE) FILTER (WHERE dividend_cents IS NOT NULL) AS paid
     FROM (
       SELECT p.*, dividend_cents, least(one.market_rank, other.market_rank) || '-' ||
         greatest(one.market_rank, other.market_rank) AS key
       FROM prediction p
       JOIN starter one ON one.race_key = p.race_key AND one.model = p.model AND one.horse_no = horse_no_1
       JOIN starter other ON other.race_key = p.race_key AND other.model = p.model AND other.horse_no = horse_no_2
       LEFT JOIN dividend d ON d.race_key = p.race_key AND d.bet_type = 3
         AND d.combination = concat_ws('-', horse_no_1, horse_no_2)
       WHERE p.model = '${MODEL}' AND p.origin = 'backtest' AND p.bet_type = 3
     ) WHERE key IN ('1-2', '1-3', '1-4', '2-3') GROUP BY key`,
    { only: ['1-2', '1-3', '1-4', '2-3'], further: { name: 'paid', within: 0.00051 } },
  )
})

test('7 the return of all runners by their closing line value', async () => {
  await runners('', 'bars:odds_move.closing_value')
  await expectAll(
    'odds_move',
    `SELECT ${bandOf('win_odds::DOUBLE / opening_odds::DOUBLE - 1', [-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1])} AS key, ${SUMS},
       avg(opening_odds::DOUBLE / win_odds::DOUBLE - 1) AS closing
     FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' GROUP BY ALL`,
    { further: { name: 'closing', within: SHARE } },
  )
})

test('8 how the profit of race days is spread', async () => {
  await show('p=spread!')
  const days = await reference.one(
    `SELECT avg(profit) AS mean, stddev_samp(profit) AS deviation, avg((profit > 0)::INTEGER) AS above,
       min(profit) AS lowest, max(profit) AS highest
     FROM (SELECT sum(profit_cents)::DOUBLE / 100 AS profit FROM prediction WHERE ${PICKS} AND outcome <> 'void' GROUP BY race_date)`,
  )
  const told = page.locator('[data-panel=spread]').getByText('a race day, standard deviation')
  await expect(told).toBeVisible()
  const figures =
    /^Mean (\S+) a race day, standard deviation (\S+)\. (\S+) of the race days made a profit; from (\S+) to (\S+)\.$/.exec(
      (await told.textContent())!,
    )!
  for (const [at, name, within] of [
    [1, 'mean', MONEY],
    [2, 'deviation', MONEY],
    [3, 'above', SHARE],
    [4, 'lowest', MONEY],
    [5, 'highest', MONEY],
  ] as const)
    expectShown(figures[at], days[name], within)
})

test('10 the hit rate of the last fifty race days, day by day', async () => {
  await show('p=rolling:hit_rate.last-50!')
  const expected = await rowsOf(
    `SELECT * FROM (
       SELECT race_date, sum(bets) OVER last AS bets, sum(hits) OVER last / sum(bets) OVER last AS rate, count(*) OVER last AS days
       FROM (SELECT race_date, count(*) FILTER (WHERE outcome <> 'void') AS bets, count(*) FILTER (WHERE outcome = 'hit') AS hits
         FROM prediction WHERE ${PICKS} GROUP BY race_date)
       WINDOW last AS (ORDER BY race_date ROWS BETWEEN 49 PRECEDING AND CURRENT ROW))
     WHERE days = 50 ORDER BY race_date DESC`,
    10,
  )
  const panel = page.locator('[data-panel=rolling]')
  await panel.getByText('Show as a table').click()
  const rows = panel.locator('tbody tr')
  await expect(rows).toHaveCount(expected.length)
  const shown = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
  )
  for (const [at, row] of expected.entries()) {
    expect(numberIn(shown[at]![0]!)).toBe(Number(row['bets']))
    expectShown(shown[at]![1], row['rate'], SHARE)
  }
})

test('12 a quarter of Kelly from HK$100,000 on every runner with a value of at least 1.15', async () => {
  await openLab(OTHER, 'starters~value-from:1.15~kelly:0.25~bank:10000000')
  const chosen = await rowsOf(
    `SELECT race_key, probability::DOUBLE AS p, ${ODDS} AS odds, outcome, profit_cents::DOUBLE AS profit,
       strftime(race_date, '%Y-%m') AS month
     FROM starter WHERE model = '${OTHER}' AND origin = 'backtest' AND probability::DOUBLE * ${ODDS} >= 1.15
     ORDER BY race_date, meeting_key, race_no, model_rank`,
    50,
  )
  const { bets, profit } = kellyBets(chosen, { bankroll: 10_000_000, fraction: 0.25 })
  expect(await figureOf('bets')).toBe(bets)
  expect(await figureOf('profit')).toBeCloseTo(profit / 100, 2)
})

test('14 with a tenth of every lost bet given back', async () => {
  await openLab(OTHER, 'starters~value-from:1.15~rebate:1000')
  const { n, profit } = await reference.one(
    `SELECT count(*) FILTER (WHERE outcome <> 'void') AS n,
       (sum(profit_cents) + 100 * count(*) FILTER (WHERE outcome = 'miss')) / 100 AS profit
     FROM starter WHERE model = '${OTHER}' AND origin = 'backtest' AND probability::DOUBLE * ${ODDS} >= 1.15`,
  )
  expect(await figureOf('bets')).toBe(n)
  expect(await figureOf('profit')).toBeCloseTo(profit!, 2)
})

test('15 the profit without the five largest dividends', async () => {
  await openLab(MODEL, '')
  const expected = await reference.one(
    `WITH bet AS (SELECT profit_cents::DOUBLE AS profit FROM prediction WHERE ${PICKS} AND outcome <> 'void' AND profit_cents IS NOT NULL)
     SELECT sum(profit) / 100 AS profit, sum(profit) / (1000 * count(*)) AS returned
     FROM (FROM bet ORDER BY profit DESC OFFSET 5)`,
  )
  const told = page.getByTestId('lab-without-largest')
  await expect(told).toBeVisible()
  const [, profit, returned] = /^Without the 5 largest wins: (\S+), a return of (\S+)\.$/.exec(
    (await told.textContent())!,
  )!
  expectShown(profit, expected['profit'], MONEY)
  expectShown(returned, expected['returned'], SHARE)
})

test('15 the return of each season without its five largest wins', async () => {
  await show('p=bars:season.return_trimmed')
  await expectAll(
    'season',
    `SELECT season AS key, ${SUMS},
       sum(profit_cents) FILTER (WHERE profit_cents <= 0 OR place > 5)
         / (1000.0 * (count(profit_cents) - 5)) AS trimmed
     FROM (SELECT *, row_number() OVER (PARTITION BY season ORDER BY profit_cents DESC NULLS LAST, race_key) AS place
       FROM prediction WHERE ${PICKS} AND outcome <> 'void') GROUP BY ALL`,
    { further: { name: 'trimmed', within: 0.00051 } },
  )
})

test('16 all runners by how the going differs from that of the first race of the meeting', async () => {
  await runners('', 'bars:going_change')
  const scale = `list_position(['firm', 'good_to_firm', 'good', 'good_to_yielding', 'yielding', 'yielding_to_soft', 'soft', 'heavy'], `
  await expectAll(
    'going_change',
    `WITH first AS (SELECT race_date, stadium_key, track, arg_min(going, race_no) AS going FROM race
       WHERE going IS NOT NULL GROUP BY ALL)
     SELECT key, ${SUMS} FROM (SELECT s.*, CASE WHEN s.going = first.going THEN 'same'
         WHEN ${scale}s.going) > ${scale}first.going) THEN 'softer'
         WHEN ${scale}s.going) < ${scale}first.going) THEN 'firmer' END AS key
     FROM starter s JOIN first ON first.race_date = s.race_date AND first.stadium_key = s.stadium_key
       AND first.track IS NOT DISTINCT FROM s.track
     WHERE s.model = '${MODEL}' AND s.origin = 'backtest') WHERE key IS NOT NULL GROUP BY key`,
  )
})

test('18 jockeys’ wins over those that the market expects, this season and the last', async () => {
  await runners('', 'heat:jockey.season.ae_market!')
  const rows = await rowsOf(
    `SELECT jockey_key AS jockey, season, sum(won) / sum(market_probability::DOUBLE) AS ratio
     FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' GROUP BY ALL`,
  )
  await expectHeat('jockey.season', rows, { name: 'ratio', within: RATIO })
})

test('19 a quartet box of the four best, and a trio of the best with the next three: cost and return', async () => {
  // Of the demonstration every dividend is known, so that the lines that a box covers are all that it won.
  const wonBy = (pool: number, horses: number, covered: string): string =>
    `WITH box AS (
       SELECT race_key, list(horse_no::INTEGER ORDER BY model_rank) AS horses,
         any_value(starters) AS starters, bool_or(place IS NULL AND outcome = 'void') AS gone
       FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' AND model_rank <= ${horses}
       GROUP BY race_key HAVING count(*) = ${horses}),
     line AS (
       SELECT race_key, dividend_cents, string_split(combination, '-')::INTEGER[] AS won
       FROM dividend WHERE bet_type = ${pool} AND status = 'paid')
     SELECT count(DISTINCT box.race_key) AS n, count(*) FILTER (WHERE ${covered}) AS winners,
       count(DISTINCT box.race_key) FILTER (WHERE ${covered}) AS hits,
       coalesce(sum(dividend_cents) FILTER (WHERE ${covered}), 0) / 100 AS paid
     FROM box JOIN line USING (race_key) WHERE NOT gone`
  const expectBoxes = async (settings: string, sql: string, cost: number): Promise<void> => {
    await openLab(MODEL, settings)
    const expected = await reference.one(sql)
    expect(expected['n']).toBeGreaterThan(100)
    expect(await figureOf('bets')).toBe(expected['n'])
    expect(await figureOf('winners')).toBe(expected['winners'])
    expect(await figureOf('profit')).toBeCloseTo(expected['paid']! - cost * expected['n']!, 2)
  }
  await expectBoxes('boxes', wonBy(9, 4, 'list_has_all(horses, won)'), 240)
  const banker = wonBy(6, 4, 'list_has_all(horses, won) AND list_contains(won, horses[1])')
  await expectBoxes('boxes~box:trio~bankers:1~legs:3', banker, 30)
})

test('20 the thirds of the draw on one day, over all runners', async () => {
  const [day] = await rowsOf(
    `SELECT race_date::VARCHAR AS day FROM starter WHERE model = '${MODEL}' AND origin = 'backtest'
     GROUP BY ALL ORDER BY count(*) DESC, day LIMIT 1`,
    1,
  )
  await runners(`day:${String(day!['day'])}`, 'bars:draw_third~bars:course')
  await expectAll(
    'draw_third',
    `SELECT ['low', 'middle', 'high'][least(3, ceil(draw * 3.0 / starters))::INTEGER] AS key, ${SUMS}
     FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' AND race_date = DATE '${String(day!['day'])}' GROUP BY ALL`,
  )
})

test('11 where two models disagree: the other one’s chances come as a file of the reader’s own', async () => {
  // The market against the form model first: by how many places they rank a runner apart.
  await page.goto(
    `${RECORD()}?model=${OTHER}&origin=backtest&tuning=1&s=runners&${filter('')}&p=bars:rank_difference`,
  )
  await tilesReady(page)
  await expectAll(
    'rank_difference',
    `SELECT market_rank - model_rank AS key, ${SUMS} FROM starter WHERE model = '${OTHER}' AND origin = 'backtest' GROUP BY ALL`,
  )
  const both = `SELECT s.*, race_id, round(o.probability::DOUBLE - s.probability::DOUBLE, 6) AS apart
    FROM starter s JOIN race USING (race_key)
    LEFT JOIN starter o ON o.race_key = s.race_key AND o.horse_no = s.horse_no AND o.model = '${OTHER}'
    WHERE s.model = '${MODEL}' AND s.origin = 'backtest'`
  const rows = await rowsOf(`SELECT race_id, horse_no, apart FROM (${both}) WHERE apart IS NOT NULL`, 100)
  await openOwn(page)
  const lines = [
    csvLine(['race_id', 'horse_no', 'apart']),
    ...rows.map((row) => csvLine([String(row['race_id']), Number(row['horse_no']), Number(row['apart'])])),
  ]
  try {
    await chooseOwn(page, 'apart.csv', lines.join(''))
    await expect(page.getByTestId('own-matched')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('tab', { name: 'Overview' }).click()
    await runners('', 'bars:own_1')
    await expectAll(
      'own_1',
      `WITH given AS (${both}), sorted AS (SELECT list(apart ORDER BY apart) AS parts FROM given WHERE apart IS NOT NULL),
       cuts AS (SELECT list_transform([1, 2, 3, 4], lambda k: parts[1 + k * len(parts) // 5]) AS cut FROM sorted)
       SELECT CASE WHEN apart IS NULL THEN ${NO_OWN_VALUE}
         ELSE len(list_filter((SELECT cut FROM cuts), lambda c: c <= apart)) END AS key, ${SUMS} FROM given GROUP BY ALL`,
    )
  } finally {
    await openOwn(page)
  }
})
