import { expect, test, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { openMore } from './site.ts'
import {
  expectGroups,
  expectInterval,
  filter,
  MODEL,
  numberIn,
  PICKS,
  returnsSql,
  SUMS,
  tile,
  WIN,
  sharedWorkspace,
} from './workspace-page.ts'

/**
 * Questions that analysts asked, each answered on the screen and by SQL written for this test over the dataset's own
 * tables. The slice is the market line's main win picks, backtested.
 */

let reference: Reference
let page: Page

const { breakdown, groups, show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

test('1 hit rate and return at each racecourse by season', { tag: '@smoke' }, async () => {
  await show('p=heat:racecourse.season.hit_rate~heat:racecourse.season')
  for (const row of await reference.rows(
    `SELECT stadium_key::INTEGER AS racecourse, season::INTEGER AS season, ${SUMS} FROM prediction WHERE ${PICKS} GROUP BY ALL`,
  )) {
    const cells = page.locator(
      `tr[data-key="${String(row['racecourse'])}"] td[data-key="${String(row['season'])}"]`,
    )
    expect(Math.abs(numberIn(await cells.nth(0).textContent()) - Number(row['rate']))).toBeLessThan(0.00051)
    expect(Math.abs(numberIn(await cells.nth(1).textContent()) - Number(row['returned']))).toBeLessThan(
      0.00051,
    )
  }
})
/** Probability of a standard normal beyond both −z and z, by the midpoint rule. */
function outside(z: number): number {
  const step = 0.001
  let sum = 0
  for (let x = z + step / 2; x < 10; x += step) sum += Math.exp((-x * x) / 2) * step
  return (2 * sum) / Math.sqrt(2 * Math.PI)
}

test('7 return with interval for each bet type, with the number of comparisons', async () => {
  const picks = PICKS.replace(' AND bet_type = 1', '')
  await show(`${filter('prediction_type:1')}&p=bars:bet_type.adjusted`)
  const figures = `SELECT bet_type AS key, ${SUMS} FROM prediction WHERE ${picks} GROUP BY ALL`
  expectGroups(await groups('bet_type'), await reference.rows(figures))
  const types = (await reference.rows(returnsSql('bet_type', picks))).map((row) => ({
    key: String(row['key']),
    ratio: Number(row['ratio']),
    reach: Number(row['reach']),
    bets: Number(row['bets']),
  }))
  expect(types).toHaveLength(9)

  // Each row draws its interval and its return on one scale around zero, which the first return tells.
  const table = breakdown('bet_type')
  await expect(table.locator('[aria-hidden] i')).toHaveCount(27)
  const drawn = await table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const [, span, point] = [...row.querySelectorAll<HTMLElement>('[aria-hidden] i')]
      const [left, width, at] = [span!.style.left, span!.style.width, point!.style.left].map(
        Number.parseFloat,
      )
      return { key: row.dataset['key'], left: left!, right: left! + width!, at: at! }
    }),
  )
  const edge = (50 * types[0]!.ratio) / (drawn.find(({ key }) => key === types[0]!.key)!.at - 50)
  const placeOf = (value: number): number => 50 + (50 * Math.max(-edge, Math.min(edge, value))) / edge
  for (const { key, ratio, reach } of types) {
    const marks = drawn.find((each) => each.key === key)!
    expect(marks.left).toBeCloseTo(placeOf(ratio - reach), 2)
    expect(marks.right).toBeCloseTo(placeOf(ratio + reach), 2)
    expect(marks.at).toBeCloseTo(placeOf(ratio), 2)
  }

  // The false discovery rates count nine comparisons with the return of all bets (Benjamini and Hochberg 1995).
  const all = await reference.one(`SELECT ${SUMS} FROM prediction WHERE ${picks}`)
  const chances = types.map(({ ratio, reach }) =>
    outside(Math.abs(ratio - all['returned']!) / (reach / 1.959964)),
  )
  const shown = await groups('bet_type')
  for (const [index, { key }] of types.entries()) {
    const weaker = chances.filter((each) => each >= chances[index]!)
    const rates = weaker.map(
      (each) => (each * types.length) / chances.filter((other) => other <= each).length,
    )
    expect(Math.abs(numberIn(shown.get(key)!.at(-1)!) - Math.min(1, ...rates))).toBeLessThan(0.0051)
  }

  // One bet type after the other as its own slice: the interval is a text, and the slices are counted.
  const evidence = page.getByTestId('evidence')
  const dialog = page.getByRole('dialog')
  await openMore(page)
  await evidence.click()
  await dialog.getByRole('button', { name: 'Reset the count' }).click()
  await expect(evidence).toHaveAttribute('data-slices', '0')
  await dialog.getByRole('button', { name: 'Close' }).click()
  for (const { key, ratio, reach, bets } of types) {
    await table.locator(`tr[data-key="${key}"]`).getByRole('button').click()
    await expect(async () => {
      const { value, note } = await tile(page, 'Return')
      expect(Math.abs(numberIn(value) - ratio)).toBeLessThan(0.00051)
      expectInterval(note, ratio, reach)
      expect(note.replaceAll('\u00A0', ' ')).toContain(`${bets.toLocaleString('en')} bets`)
    }).toPass({ intervals: [20], timeout: 30_000 })
  }
  await expect(evidence).toHaveAttribute('data-slices', String(types.length))
  await openMore(page)
  await evidence.click()
  await expect(dialog).toContainText(`You tried ${types.length} views`)
  const best = types.filter(({ bets }) => bets >= 200).toSorted((a, b) => b.ratio - a.ratio)[0]!
  const bestReturn = /The best return of them: (\S+) over ([\d,]+) bets/.exec((await dialog.textContent())!)!
  expect(Math.abs(numberIn(bestReturn[1]!) - best.ratio)).toBeLessThan(0.00051)
  expect(numberIn(bestReturn[2]!)).toBe(best.bets)
  await dialog.getByRole('link', { name: 'Show it' }).click()
  await expect.poll(async () => numberIn((await tile(page, 'Return')).value)).toBeCloseTo(best.ratio, 3)
})

test('8 calibration in one class, over every starter', async () => {
  const [found] = await reference.rows(
    `SELECT race_class FROM starter WHERE model = '${MODEL}' AND race_class IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
  )
  const raceClass = String(found!['race_class'])
  await show(`${filter(`${WIN}~class:${raceClass}`)}&tab=calibration`)
  await page.getByText('Show as a table').click()
  const bins = await reference.rows(
    `SELECT count(*)::INTEGER AS n, avg(probability) AS expected, sum(won) / count(*) AS happened FROM starter
     WHERE model = '${MODEL}' AND origin = 'backtest' AND race_class = '${raceClass}' AND probability >= 0.1 AND probability < 0.15`,
  )
  const rows = page.getByTestId('calibration').locator('tbody tr')
  const [bin] = bins
  // Until the answer is there, the page keeps the table of the view before.
  await expect(async () => {
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)),
    )
    // The bin is identified by its probability: two bins may hold the same number of starters.
    const shown = texts.find((cells) => numberIn(cells[0]!) >= 0.1 && numberIn(cells[0]!) < 0.15)
    expect(shown).toBeDefined()
    expect(numberIn(shown![3]!)).toBe(Number(bin!['n']))
    expect(Math.abs(numberIn(shown![0]!) - Number(bin!['expected']))).toBeLessThan(0.00051)
    expect(Math.abs(numberIn(shown![2]!) - Number(bin!['happened']))).toBeLessThan(0.00051)
  }).toPass({ timeout: 30_000 })
})
