import { readFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { engineReady } from './site.ts'
import { expectTiles, filter, MODEL, numberIn, PICKS, sharedWorkspace, SUMS } from './workspace-page.ts'

/** A pivot's cells and totals, read off the screen and compared with SQL that is written for this test. */

let reference: Reference
let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

const pivot = () => page.getByTestId('pivot')

/** The figures on screen, by `line,column`: `total` for totals. */
async function figures(cellsIn = 'tbody td, tfoot td'): Promise<Map<string, number[]>> {
  await expect(pivot().locator('tbody td').first()).toBeVisible()
  const cells = await pivot()
    .locator(cellsIn)
    .evaluateAll((all) =>
      all.map((cell): [string, string] => [
        `${cell.parentElement!.dataset['key'] ?? 'total'},${(cell as HTMLElement).dataset['key'] ?? 'total'}`,
        cell.textContent,
      ]),
    )
  const found = new Map<string, number[]>()
  for (const [place, text] of cells)
    found.set(place, [...(found.get(place) ?? []), text === '·' ? Number.NaN : numberIn(text)])
  return found
}

/** Compares count, hit rate and return of every cell and total with rows of `line`, `column` (`total` for totals) and `SUMS`. */
function expectCells(
  shown: ReadonlyMap<string, readonly number[]>,
  expected: readonly Record<string, unknown>[],
) {
  const missing = [...shown].filter(([, [count]]) => Number.isNaN(count))
  expect(shown.size - missing.length).toBe(expected.length)
  for (const row of expected) {
    const place = [row['line'], row['column']].map((value) => String(value)).join()
    const [count, rate, returned] = shown.get(place) ?? []
    expect(count, place).toBe(Number(row['n']))
    expect(Math.abs(rate! - Number(row['rate'])), place).toBeLessThan(0.00051)
    // Where a dividend is missing, its bounds are shown.
    if (!Number.isNaN(returned!) && row['unknown'] === 0n)
      expect(Math.abs(returned! - Number(row['returned'])), place).toBeLessThan(0.00051)
  }
}

const TOTAL = `'total'`
const keyOf = (column: string): string => `coalesce(${column}::VARCHAR, 'null')`

/** Cells, totals of lines and columns, and the grand total: each grouped by itself. */
const unions = (line: string, column: string, from: string): string =>
  [
    [keyOf(line), keyOf(column)],
    [keyOf(line), TOTAL],
    [TOTAL, keyOf(column)],
    [TOTAL, TOTAL],
  ]
    .map(
      ([a, b]) =>
        `SELECT ${a} AS line, ${b} AS "column", ${SUMS},
           count(*) FILTER (WHERE outcome <> 'void' AND profit_cents IS NULL) AS unknown FROM ${from} GROUP BY 1, 2`,
    )
    .join(' UNION ALL ')

const RACES = `prediction JOIN race USING (race_key) WHERE ${PICKS}`

test('every cell and every total of a pivot is what SQL says, and a click on a cell filters by both values', async () => {
  await show('p=pivot:distance.going.count.hit_rate.return!')
  await engineReady(page)
  const expected = await reference.rows(unions('race.distance_m', 'race.going', RACES))
  expect(expected.length).toBeGreaterThan(12)
  expectCells(await figures(), expected)
  const cells = expected.filter(({ line, column }) => line !== 'total' && column !== 'total')
  const most = cells.toSorted((a, b) => Number(b['n']) - Number(a['n']))[0]!
  const [line, column] = [String(most['line']), String(most['column'])]
  await pivot().locator(`tr[data-key="${line}"] td[data-key="${column}"]`).first().click()
  await expect(page).toHaveURL(new RegExp(`${column}.*${line}|${line}.*${column}`))
  const chosen = await reference.one(
    `SELECT ${SUMS} FROM ${RACES} AND race.distance_m = ${line} AND race.going = '${column}'`,
  )
  await expectTiles(page, chosen)
  // Its own cells and totals stay as they were.
  expectCells(await figures(), expected)
  // The same again takes it back; a heading filters by its own value alone.
  await pivot().locator(`tr[data-key="${line}"] td[data-key="${column}"]`).first().click()
  await pivot().locator(`th[data-key="${column}"] button`).click()
  await expectTiles(page, await reference.one(`SELECT ${SUMS} FROM ${RACES} AND race.going = '${column}'`))
})

test('the lines are sorted by the figures of a column, and the file has what is on screen', async () => {
  await show('p=pivot:going.season.count.return.sort-count!')
  const lines = () =>
    pivot()
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['key']!))
  const counts = async (column: string) =>
    (await figures().then((all) => [...all]))
      .filter(([place]) => place.endsWith(`,${column}`) && !place.startsWith('total'))
      .map(([, [count]]) => count!)
  const isFalling = (all: readonly number[]): boolean =>
    all.every((each, at) => at === 0 || all[at - 1]! >= each)
  await expect.poll(async () => isFalling(await counts('total'))).toBe(true)
  const before = await lines()
  await page.getByRole('columnheader').filter({ hasText: '↓' }).getByRole('button').click()
  await expect.poll(lines).toEqual(before.toReversed())
  await expect(page).toHaveURL(/ascending/)
  const shown = await figures()
  const downloading = page.waitForEvent('download')
  await page.locator('[data-panel=pivot]').getByRole('button', { name: 'Tools of this chart' }).click()
  await page.getByRole('button', { name: 'Export CSV' }).first().click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('furlong-pivot-going-season.csv')
  const [head, ...rows] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toContain('Going,Total: Predictions,Total: Return,Season')
  expect(rows).toHaveLength((await lines()).length + 1)
  const [, total] = rows.at(-1)!.split(',')
  expect(Number(total)).toBe(shown.get('total,total')![0])
})

test('a line is split by a third dimension, whose figures are what SQL says, and a click filters by all three', async () => {
  await show('p=pivot:going.season.count.hit_rate.return.within-distance!')
  const line = pivot().locator('tbody tr').first()
  await expect(line).toBeVisible()
  const going = (await line.getAttribute('data-key'))!
  await line.locator('th button').first().focus()
  await page.keyboard.press('+')
  const parts = `tr[data-whole="${going}"]`
  await expect(pivot().locator(parts).first()).toBeVisible()
  const from = `${RACES} AND race.going = '${going}'`
  const expected = (await reference.rows(unions('race.distance_m', 'prediction.season', from))).filter(
    ({ line: key }) => key !== 'total',
  )
  expect(expected.length).toBeGreaterThan(4)
  expectCells(await figures(`${parts} td`), expected)
  const most = expected
    .filter(({ column }) => column !== 'total')
    .toSorted((a, b) => Number(b['n']) - Number(a['n']))[0]!
  const downloading = page.waitForEvent('download')
  await page.locator('[data-panel=pivot]').getByRole('button', { name: 'Tools of this chart' }).click()
  await page.getByRole('button', { name: 'Export CSV' }).first().click()
  const rows = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(rows[0]).toContain('Going,Distance,Total: Predictions')
  expect(rows.filter((row) => /^[^,]+,"?[\d,]+ m"?,/.test(row))).toHaveLength(
    await pivot().locator(parts).count(),
  )
  await pivot()
    .locator(`${parts}[data-key="${String(most['line'])}"] td[data-key="${String(most['column'])}"]`)
    .first()
    .click()
  const chosen = `${from} AND race.distance_m = ${String(most['line'])} AND prediction.season = ${String(most['column'])}`
  await expectTiles(page, await reference.one(`SELECT ${SUMS} FROM ${chosen}`))
  // Its own lines, parts and totals stay as they were.
  expectCells(await figures(`${parts} td`), expected)
  await line.locator('th button').first().focus()
  await page.keyboard.press('-')
  await expect(pivot().locator(parts)).toHaveCount(0)
})

test('every chart is saved as a table: a line for each of its groups or race days', async () => {
  await show(
    'p=bars:going~heat:going.season.profit~columns:probability~calendar~profit~spread~rolling:hit_rate.last-10',
  )
  const of = async (sql: string): Promise<number> => Number((await reference.one(sql))['n'])
  const groupsOf = (columns: string) =>
    of(`SELECT count(*) AS n FROM (SELECT DISTINCT ${columns} FROM ${RACES})`)
  const days = await groupsOf('prediction.race_date')
  const expected: readonly [string, number][] = [
    ['bars', await groupsOf('race.going')],
    ['heat', await groupsOf('race.going, prediction.season')],
    ['calendar', days],
    ['profit', days],
    ['spread', days],
  ]
  const save = async (kind: string, name: string): Promise<string> => {
    const panel = page.locator(`[data-panel=${kind}]`)
    await panel.scrollIntoViewIfNeeded()
    await expect(panel.locator('table, svg, canvas').first()).toBeAttached()
    const downloading = page.waitForEvent('download')
    await panel.getByRole('button', { name: 'Tools of this chart' }).click()
    await panel.getByRole('button', { name, exact: true }).click()
    return (await downloading).path()
  }
  const linesOf = async (kind: string): Promise<string[]> =>
    readFileSync(await save(kind, 'Export CSV'), 'utf8')
      .trim()
      .split('\r\n')
  for (const [kind, count] of expected) expect(await linesOf(kind), kind).toHaveLength(count + 1)
  const [head, ...bands] = await linesOf('columns')
  expect(head).toContain('Probability,Predictions,Profit,A/E against the market,Hit rate,Return')
  expect(bands.length).toBeGreaterThan(3)
  const rolled = await linesOf('rolling')
  // The first line is that of ten days.
  expect(rolled).toHaveLength(days - 9 + 1)
  const [, ...last] = rolled.at(-1)!.split(',')
  expect(Number(last[0])).toBeCloseTo(
    await of(`SELECT sum(hits) / sum(bets) AS n FROM (
      SELECT count(*) FILTER (WHERE outcome = 'hit') AS hits, count(*) FILTER (WHERE outcome <> 'void') AS bets
      FROM prediction WHERE ${PICKS} GROUP BY race_date ORDER BY race_date DESC LIMIT 10)`),
    5,
  )
  expect(
    readFileSync(await save('bars', 'Export Parquet'))
      .subarray(0, 4)
      .toString(),
  ).toBe('PAR1')
})

test('a pivot of runners by jockey has the totals of all of them, as SQL says', async () => {
  await show(`s=runners&${filter('distance:1200')}&p=pivot:jockey.course.count.hit_rate.return!`)
  const from = `starter s JOIN race USING (race_key, race_date)
    WHERE s.model = '${MODEL}' AND s.origin = 'backtest' AND race.distance_m = 1200`
  const expected = await reference.rows(unions('s.jockey_key', 's.course', from))
  const shown = await figures()
  const lines = new Set([...shown.keys()].map((place) => place.split(',')[0]!))
  expect(lines.size).toBeGreaterThan(5)
  expect(lines.size).toBeLessThanOrEqual(41)
  expectCells(
    shown,
    expected.filter(({ line }) => lines.has(String(line))),
  )
  // The last dimension of the address, and what saved views have, is kept.
  await expect(page).toHaveURL(/pivot(:|%3A)jockey\.course\.count\.hit_rate\.return/)
})
