import { readFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from '@playwright/test'
import type { Reference } from './reference.ts'
import { choose, openMenu, tilesReady } from './site.ts'
import { filter, MODEL, PICKS, sharedWorkspace, WIN } from './workspace-page.ts'

/** Every chart is saved as a picture whose caption says what it shows. */

let reference: Reference
let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ reference, page } = opened)
})

/** The file of the only picture below a part of the page. */
async function saved(part: Locator, name: 'PNG' | 'SVG'): Promise<{ file: string; bytes: Buffer }> {
  // A chart is drawn, and its buttons with it, once half of it is in view; its place is then another element.
  await expect(async () => {
    await part.getByRole('img').first().scrollIntoViewIfNeeded({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  await openMenu(part, 'Save as a picture')
  const button = part.getByRole('button', { name, exact: true })
  const saving = page.waitForEvent('download')
  await button.click()
  const download = await saving
  return { file: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** Saves both formats, and expects the words in the caption. */
async function expectPictures(part: Locator, name: string, words: readonly string[]): Promise<void> {
  const { file, bytes } = await saved(part, 'SVG')
  expect(file).toBe(`${name}.svg`)
  const svg = bytes.toString('utf8')
  expect(svg).toMatch(/^<svg/)
  const text = svg.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  for (const each of [...words, 'As of', 'Furlong']) expect(text).toContain(each)
  const png = await saved(part, 'PNG')
  expect(png.file).toBe(`${name}.png`)
  expect([...png.bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  expect(png.bytes.length).toBeGreaterThan(10_000)
}

const count = async (sql: string): Promise<string> => (await reference.one(sql))['n']!.toLocaleString('en')
const section = (heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

test('the reliability diagram, with the starters that it counts', async () => {
  await show(`${filter(`${WIN}~class:C5`)}&tab=calibration`)
  const starters = await count(
    `SELECT count(*) AS n FROM starter WHERE model = '${MODEL}' AND origin = 'backtest' AND race_class = 'C5'`,
  )
  await expectPictures(section('Reliability diagram').last(), 'furlong-calibration', [
    'Reliability diagram',
    'Class: Class 5',
    'Backtest',
    `Starters: ${starters}`,
    'bars: 95% intervals',
  ])
})

test('probability accuracy by season, with the interval of all races', async () => {
  await show('tab=seasons')
  // The market's own record has no gain over the market, and no chart of it.
  await expect(section('Probability accuracy').last().getByTestId('judge')).toBeVisible()
  await expect(section('Probability accuracy').last().getByRole('img')).toHaveCount(0)
  await choose(page, 'Model', 'fundamental')
  await tilesReady(page)
  const races = await count(
    `SELECT count(DISTINCT race_key) AS n FROM starter WHERE model = 'fundamental' AND origin = 'backtest'`,
  )
  await expectPictures(section('Probability accuracy').last(), 'furlong-seasons', [
    'Probability accuracy',
    'Backtest',
    `Races: ${races}`,
    '95% interval',
  ])
})

test('the curves of two slices, with both slices and their common races', async () => {
  await show(filter(WIN))
  await choose(page, 'Compared with', 'fundamental')
  await expect(page.getByTestId('compare').getByRole('img', { name: /common races/ })).toBeVisible()
  const races = await count(
    `SELECT count(DISTINCT race_key) AS n FROM prediction a WHERE ${PICKS}
     AND race_key IN (SELECT race_key FROM prediction WHERE model = 'fundamental' AND origin = 'backtest' AND bet_type = 1 AND selected)`,
  )
  await expectPictures(page.getByTestId('compare'), 'furlong-compare', [
    'A: Model:',
    'On screen: Model:',
    `${races} common races`,
    'Difference: return, 95% interval',
  ])
  await page.getByRole('button', { name: 'Unpin A' }).click()
})

test('the odds of a race over time, with the race', async () => {
  const [race] = await reference.rows(
    `SELECT race_id, race_no::INTEGER AS race_no FROM race JOIN odds_tick USING (race_key) GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
  )
  const raceId = String(race!['race_id'])
  await show(`race=${raceId}`)
  await tilesReady(page)
  const inspector = page.getByRole('complementary', { name: 'Race of the selected row' })
  // The race beside the list may be drawn anew while its parts arrive.
  await expect(async () => {
    await inspector.getByRole('img', { name: 'Win odds over time' }).scrollIntoViewIfNeeded({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  await expectPictures(inspector, `furlong-odds-${raceId}`, [`Race ${Number(race!['race_no'])}`])
})
