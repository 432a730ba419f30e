import { expect, test, type Page } from '@playwright/test'
import { askedOf, bandOf, expectShown, MONEY, SHARE } from './asked.ts'
import type { Reference } from './reference.ts'
import { openDates } from './site.ts'
import {
  expectInterval,
  filter,
  MODEL,
  numberIn,
  PICKS,
  sharedWorkspace,
  SUMS,
  tile,
  WIN,
} from './workspace-page.ts'

/**
 * The analysts' planned questions that no other file asks (docs/questions.md), each read off the screen and answered by SQL
 * written for this test. The slice is the market line's main win picks, backtested.
 */

let reference: Reference
let page: Page

const workspace = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})
const { groups, show } = workspace
const { expectAll, expectHeat, expectTotals, rowsOf } = askedOf(() => ({ page, reference }), workspace)

const ODDS_EDGES = [1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50]
const MOVE_EDGES = [-1, -0.4, -0.25, -0.1, 0.1, 0.25, 0.5, 1]
const MOVE = 'win_odds::DOUBLE / opening_odds::DOUBLE - 1'

test('2 by going', async () => {
  await show('p=bars:going')
  await expectAll('going', `SELECT going AS key, ${SUMS} FROM prediction WHERE ${PICKS} GROUP BY ALL`)
})

test('3 draw × distance', async () => {
  await show('p=heat:draw.distance.hit_rate~heat:draw.distance')
  const rows = await rowsOf(
    `SELECT r.draw, distance_m AS distance, ${SUMS} FROM prediction JOIN runner r
       ON r.race_key = prediction.race_key AND r.horse_no = horse_no_1 WHERE ${PICKS} GROUP BY ALL`,
  )
  await expectHeat('draw.distance', rows, { name: 'rate', within: SHARE })
  await expectHeat('draw.distance', rows, { name: 'returned', within: SHARE, at: 1 })
})

test('4 jockey and trainer together, with at least so many bets, under their names', async () => {
  const pairs = `SELECT s.jockey_key * 32768 + s.trainer_key AS key, jockey.name_en || ' / ' || trainer.name_en AS name, ${SUMS}
    FROM starter s JOIN jockey USING (jockey_key) JOIN trainer USING (trainer_key)
    WHERE s.model = '${MODEL}' AND s.origin = 'backtest' GROUP BY ALL`
  // The demonstration is short: as many rides as some twenty pairs have, instead of the thirty of ten seasons.
  const [twentieth] = await rowsOf(`SELECT n FROM (${pairs}) ORDER BY n DESC LIMIT 1 OFFSET 19`, 1)
  const least = Number(twentieth!['n'])
  expect(least).toBeGreaterThan(5)
  await show(`s=runners&${filter('')}&p=bars:jockey_trainer.min-${least}`)
  await expectAll('jockey_trainer', `SELECT * FROM (${pairs}) WHERE n >= ${least}`)
  for (const { key, name } of await rowsOf(`SELECT key, name FROM (${pairs}) WHERE n >= ${least}`))
    await expect(
      page.locator(`[data-by=jockey_trainer] tr[data-key="${String(key)}"]`).getByRole('rowheader'),
    ).toHaveAccessibleName(String(name))
})

test('5 by odds: in bands, and in a range of one’s own', async () => {
  await show('p=bars:odds')
  await expectAll(
    'odds',
    `SELECT ${bandOf('win_odds', ODDS_EDGES)} AS key, ${SUMS} FROM prediction WHERE ${PICKS} GROUP BY ALL`,
  )
  await show(filter(`${WIN}~odds:2.5..4.4`))
  const range = `${PICKS} AND win_odds BETWEEN 2.5::FLOAT AND 4.4::FLOAT`
  await expectTotals(`SELECT ${SUMS} FROM prediction WHERE ${range}`, 'predictions')
})

test('9 the longest losing run and the largest fall, at Happy Valley in class 5', async () => {
  const [valley] = await rowsOf(`SELECT stadium_key FROM stadium WHERE name_en = 'Happy Valley'`, 1)
  const racecourse = Number(valley!['stadium_key'])
  await show(filter(`${WIN}~racecourse:${racecourse}~class:C5`))
  const { bets, run, fall } = await reference.one(
    `WITH bet AS (
       SELECT outcome, profit_cents, row_number() OVER (ORDER BY race_date, meeting_key, race_no) AS place
       FROM prediction WHERE ${PICKS} AND stadium_key = ${racecourse} AND race_class = 'C5' AND outcome <> 'void'
     ), told AS (
       SELECT outcome, count(*) FILTER (WHERE outcome = 'hit') OVER (ORDER BY place) AS hits,
         sum(profit_cents) OVER (ORDER BY place) AS profit, place FROM bet
     ), fallen AS (
       SELECT greatest(0, max(profit) OVER (ORDER BY place)) - profit AS fall FROM told
     )
     SELECT (SELECT count(*) FROM bet) AS bets, (SELECT max(fall) / 100 FROM fallen) AS fall,
       (SELECT max(n) FROM (SELECT count(*) FILTER (WHERE outcome = 'miss') AS n FROM told GROUP BY hits)) AS run`,
  )
  expect(bets).toBeGreaterThan(10)
  await expect(async () => {
    const { value, note } = await tile(page, 'Longest losing run')
    expect(numberIn(value)).toBe(run)
    expectShown(/Largest drawdown (\S+)/.exec(note)?.[1], fall, MONEY)
  }).toPass({ timeout: 30_000 })
})

test('10 profit by month and season', async () => {
  await show('p=heat:calendar_month.season.profit!')
  const rows = await rowsOf(
    `SELECT month(race_date) AS calendar_month, season, sum(profit_cents) / 100 AS profit FROM prediction
     WHERE ${PICKS} GROUP BY ALL`,
  )
  await expectHeat('calendar_month.season', rows, { name: 'profit', within: MONEY })
})

test('16 two slices that share no race: Sha Tin against Happy Valley', async () => {
  const courses = await rowsOf(
    `SELECT stadium_key AS key FROM stadium WHERE name_en IN ('Sha Tin', 'Happy Valley') ORDER BY name_en DESC`,
    2,
  )
  const [shaTin, valley] = courses.map(({ key }) => Number(key))
  const of = (racecourse: number | undefined): string => filter(`${WIN}~racecourse:${racecourse}`)
  const pinned = encodeURIComponent(`model=${MODEL}&origin=backtest&${of(shaTin)}`)
  await show(`${of(valley)}&a=${pinned}`)
  const compare = page.getByTestId('compare')
  await expect(compare).toContainText('share no race')
  const meetings = await rowsOf(
    `SELECT stadium_key = ${shaTin} AS is_a, sum(profit_cents)::DOUBLE AS profit,
       (1000 * count(profit_cents) FILTER (WHERE outcome <> 'void'))::DOUBLE AS staked
     FROM prediction WHERE ${PICKS} AND stadium_key IN (${shaTin}, ${valley}) GROUP BY meeting_key, stadium_key`,
  )
  const side = (isA: boolean) => {
    const own = meetings.filter((row) => row['is_a'] === isA)
    const sum = (name: string): number => own.reduce((total, row) => total + Number(row[name]), 0)
    const [ratio, staked] = [sum('profit') / sum('staked'), sum('staked')]
    const rest = own.map((row) => (Number(row['profit']) - ratio * Number(row['staked'])) / staked)
    return { ratio, squares: rest.reduce((total, each) => total + each ** 2, 0) }
  }
  const [a, b] = [side(true), side(false)]
  const cells = compare.getByRole('table').first().locator('tr[data-key="record.return"] td')
  await expect(cells.nth(3)).toContainText(' to ')
  const shown = await cells.allTextContents()
  expectShown(shown[0], a.ratio, SHARE)
  expectShown(shown[1], b.ratio, SHARE)
  // Shown as the difference of the percentages beside it.
  expectShown(shown[2], b.ratio - a.ratio, 0.00151)
  const error = Math.sqrt(((a.squares + b.squares) * meetings.length) / (meetings.length - 1))
  expectInterval(shown[3]!, b.ratio - a.ratio, 1.959964 * error)
})

test('18 by how the odds moved, with the closing line value', async () => {
  await show('p=bars:odds_move.closing_value')
  await expectAll(
    'odds_move',
    `SELECT ${bandOf(MOVE, MOVE_EDGES)} AS key, ${SUMS}, avg(opening_odds::DOUBLE / win_odds::DOUBLE - 1) AS closing
     FROM prediction WHERE ${PICKS} GROUP BY ALL`,
    { further: { name: 'closing', within: SHARE } },
  )
})

test('19 a season that is held back, and its figures when it is revealed', async () => {
  const [oldest] = await rowsOf(`SELECT min(season)::INTEGER AS season FROM prediction`, 1)
  const season = Number(oldest!['season'])
  await show(`hold=${season}`)
  await expectTotals(`SELECT ${SUMS} FROM prediction WHERE ${PICKS} AND season <> ${season}`, 'predictions')
  await openDates(page)
  await page.getByRole('button', { name: 'Reveal the hold-out season' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reveal the hold-out season' }).click()
  const { n, rate, returned } = await reference.one(
    `SELECT ${SUMS} FROM prediction WHERE ${PICKS} AND season = ${season}`,
  )
  const told = page.getByTestId('revealed')
  await expect(told).toContainText(`${n!.toLocaleString('en')} predictions`)
  const [, ofHits, ofReturn] = /hit rate (\S+), return (\S+),/.exec((await told.textContent())!)!
  expectShown(ofHits, rate, SHARE)
  expectShown(ofReturn, returned, SHARE)
  // What is above leaves it out still.
  expect(await groups('season')).not.toContain(String(season))
})
