import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { choose, firstCell, tilesReady } from './site.ts'
import {
  expectInterval,
  expectTiles,
  MODEL,
  numberIn,
  PICKS,
  SUMS,
  sharedWorkspace,
} from './workspace-page.ts'

/** Questions that go from one slice to another: a second model, the rows of a bar. */

let reference: Reference
let page: Page

const { breakdown, show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

const OUTCOMES: Readonly<Record<string, string>> = { hit: 'Hit', miss: 'Miss', void: 'Void' }
/** As many rows of the list as are drawn at once. */
const DRAWN = 12

/** The texts of the first rows of the list, by column, once their races are the expected ones. */
async function listed(columns: readonly string[], raceIds: readonly unknown[]): Promise<string[][]> {
  await page.locator('#rows-heading').scrollIntoViewIfNeeded()
  const expected = raceIds.slice(0, DRAWN)
  const cells = (names: readonly string[]): Promise<string[][]> =>
    page.evaluate(
      ([wanted, most]) =>
        Array.from({ length: most }, (_, index) =>
          wanted.map(
            (name) =>
              document.querySelector(`[role=row][row-index="${index}"] [col-id="${name}"]`)?.textContent ??
              '',
          ),
        ),
      [names, expected.length] as const,
    )
  // Until the rows before the filter are gone.
  await expect.poll(async () => (await cells(['race_id'])).flat()).toEqual(expected)
  return cells(columns)
}

test('16 A against B, on common races', async () => {
  await show()
  await choose(page, 'Compared with', 'fundamental')
  const table = page.getByTestId('compare').getByRole('table').first()
  await expect(table).toBeVisible({ timeout: 60_000 })
  // Common races by meeting: the selection is one prediction a race, and A is the form model.
  const of = (model: string): string =>
    `SELECT race_key, meeting_key, outcome, profit_cents FROM prediction
     WHERE model = '${model}' AND origin = 'backtest' AND bet_type = 1 AND selected`
  const meetings = await reference.rows(
    `SELECT meeting_key, count(*)::INTEGER AS n,
       (count(*) FILTER (WHERE a.outcome = 'hit'))::INTEGER AS hits_a, (count(*) FILTER (WHERE a.outcome <> 'void'))::INTEGER AS bets_a,
       (count(*) FILTER (WHERE b.outcome = 'hit'))::INTEGER AS hits_b, (count(*) FILTER (WHERE b.outcome <> 'void'))::INTEGER AS bets_b,
       sum(a.profit_cents)::DOUBLE AS profit_a, (1000 * count(a.profit_cents) FILTER (WHERE a.outcome <> 'void'))::DOUBLE AS staked_a,
       sum(b.profit_cents)::DOUBLE AS profit_b, (1000 * count(b.profit_cents) FILTER (WHERE b.outcome <> 'void'))::DOUBLE AS staked_b
     FROM (${of('fundamental')}) a JOIN (${of(MODEL)}) b USING (race_key, meeting_key) GROUP BY meeting_key`,
  )
  const sum = (name: string): number => meetings.reduce((total, row) => total + Number(row[name]), 0)
  const shown = table.locator('tbody tr')
  // The intervals are a separate query and arrive after the two slices.
  for (const row of ['record.hitRate', 'record.return'])
    await expect(table.locator(`tr[data-key="${row}"] td`).nth(3)).toContainText(' to ')
  const cells = new Map(
    await shown.evaluateAll((rows) =>
      rows.map((row): [string, string[]] => [
        (row as HTMLElement).dataset['key']!,
        [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      ]),
    ),
  )
  expect(cells.get('count')!.slice(0, 2).map(numberIn)).toEqual([sum('n'), sum('n')])
  for (const [key, top, bottom] of [
    ['record.hitRate', 'hits', 'bets'],
    ['record.return', 'profit', 'staked'],
  ] as const) {
    const [a, b] = ['a', 'b'].map((side) => sum(`${top}_${side}`) / sum(`${bottom}_${side}`))
    const [ofA, ofB, difference, interval] = cells.get(key)!
    expect(Math.abs(numberIn(ofA!) - a!)).toBeLessThan(0.00051)
    expect(Math.abs(numberIn(ofB!) - b!)).toBeLessThan(0.00051)
    expect(Math.abs(numberIn(difference!) - (b! - a!))).toBeLessThan(0.00051)
    // Whole meetings are drawn for both models at once.
    const squares = meetings.reduce((total, row) => {
      const rest = (side: string, ratio: number): number =>
        (Number(row[`${top}_${side}`]) - ratio * Number(row[`${bottom}_${side}`])) / sum(`${bottom}_${side}`)
      return total + (rest('b', b!) - rest('a', a!)) ** 2
    }, 0)
    const reach = 1.959964 * Math.sqrt((squares * meetings.length) / (meetings.length - 1))
    expectInterval(interval!, b! - a!, reach)
  }
  const money = cells.get('profit')!.slice(0, 3).map(numberIn)
  const [profitA, profitB] = [sum('profit_a') / 100, sum('profit_b') / 100]
  for (const [index, profit] of [profitA, profitB, profitB - profitA].entries())
    expect(money[index]).toBeCloseTo(profit, 2)
  await page.getByRole('button', { name: 'Unpin A' }).click()
  await expect(page.getByTestId('compare')).toHaveCount(0)
})

test('17 from a bar to its rows to the race, and back with everything as it was', async () => {
  await show('p=bars:going&cols=day,race_id,combination,result,outcome,profit_cents')
  const bar = breakdown('going').locator('tbody tr').first()
  const going = (await bar.getAttribute('data-key'))!
  await bar.getByRole('button').click()
  await expect(page).toHaveURL(/going/)
  const picks = `${PICKS} AND prediction.going = '${going}'`
  await expectTiles(page, await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${picks}`))
  const address = page.url()
  // The longest losing run loads last.
  await expect(page.getByTestId('record-tiles').locator('dt + dd').last()).toHaveText(/\d/)
  const figures = await page.getByTestId('record-tiles').locator('dt + dd').allTextContents()

  const rows = await reference.rows(
    `SELECT race_id, race_key, horse_no_1 AS horse, outcome, profit_cents::DOUBLE / 100 AS profit,
       (SELECT string_agg(horse_no, '-' ORDER BY place, horse_no) FROM runner
         WHERE runner.race_key = prediction.race_key AND place <= 4) AS result
     FROM prediction JOIN race USING (race_key) WHERE ${picks}
     ORDER BY prediction.race_date DESC, prediction.stadium_key, prediction.race_no`,
  )
  const first = rows[0]!
  const shown = await listed(
    ['race_id', 'combination', 'result', 'outcome', 'profit_cents'],
    rows.map((row) => row['race_id']),
  )
  for (const [index, [raceId, combination, result, outcome, profit]] of shown.entries()) {
    const expected = rows[index]!
    expect([raceId, result, outcome]).toEqual([
      expected['race_id'],
      expected['result'],
      OUTCOMES[String(expected['outcome'])],
    ])
    expect(combination).toMatch(new RegExp(`^${Number(expected['horse'])}\\s`))
    expect(numberIn(profit!)).toBe(expected['profit'])
  }
  const hits = rows.filter(({ outcome }) => outcome === 'hit').length
  await expect(page.getByRole('row').filter({ hasText: 'Total' })).toContainText(
    `${hits} hits of ${rows.length}`,
  )

  await firstCell(page, 'combination').dblclick()
  await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=${String(first['race_id'])}`))
  // The race has the same order of finish, and its winner paid what the row won.
  const placed = page.getByTestId('finishers').locator('tbody tr')
  const runners = await reference.rows(
    `SELECT place, horse_no, name_en FROM runner JOIN horse USING (horse_key) WHERE race_key = ${Number(first['race_key'])}
     ORDER BY place, horse_no`,
  )
  await expect(placed).toHaveCount(runners.length)
  const finished = runners.filter(({ place }) => place !== null)
  for (const [index, { horse_no: number, name_en: name }] of finished.entries()) {
    await expect(placed.nth(index)).toContainText(String(number))
    await expect(placed.nth(index)).toContainText(String(name))
  }
  const paid = await reference.rows(
    `SELECT combination, dividend_cents::DOUBLE / 100 AS paid FROM dividend
     WHERE race_key = ${Number(first['race_key'])} AND bet_type = 1 ORDER BY combination`,
  )
  const win = page.getByTestId('dividends').getByRole('row').filter({ hasText: 'Win' }).first().locator('td')
  await expect(win.first()).toHaveText(String(paid[0]!['combination']))
  expect(numberIn(await win.nth(1).textContent())).toBe(paid[0]!['paid'])

  await page.goBack()
  // The first click of the double click opened the inspector, which is its own history entry.
  await expect(page).toHaveURL(/WinLossRecord/)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(address)
  await tilesReady(page)
  await expect
    .poll(() => page.getByTestId('record-tiles').locator('dt + dd').allTextContents())
    .toEqual(figures)
})
