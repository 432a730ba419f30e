import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { accountOf, engineReady, newVip, openMenu, signIn, tilesReady, vipToken } from './site.ts'
import {
  expectTiles,
  filter,
  MODEL,
  numberIn,
  openWorkspace,
  saveView,
  SUMS,
  tile,
  workspaceOf,
} from './workspace-page.ts'

/** Four of the analysts' questions about one slice: its figures, its export, its link, and the saved view. */

const OUTSIDERS = 'bet_type:1~odds:10,15,20,30,50~value:0.9,1,1.1,1.25,1.5,2'
const OUTSIDER_SQL = `model = '${MODEL}' AND origin = 'backtest' AND bet_type = 1 AND win_odds >= 10 AND probability * win_odds >= 0.9`

test('11 outsiders with value, 12 their export, 13 their link, 14 saved and opened again', async ({
  browser,
}) => {
  const { reference, page, watch } = await openWorkspace(browser)
  const { show } = workspaceOf(() => page)
  await show(filter(OUTSIDERS))
  const expected = await reference.one(
    `SELECT ${SUMS}, sum(profit_cents) / 100 AS profit FROM prediction WHERE ${OUTSIDER_SQL}`,
  )
  await expectTiles(page, expected)
  expect(numberIn((await tile(page, 'Profit')).value)).toBeCloseTo(expected['profit']!, 2)

  await engineReady(page)
  const saving = page.waitForEvent('download')
  await openMenu(page, 'Export')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines).toHaveLength(expected['n']! + 1)

  const saved = page.waitForEvent('download')
  await openMenu(page, 'Export')
  await page.getByRole('button', { name: 'Parquet' }).click()
  const parquet = await (await saved).path()
  const [inFile] = await reference.rows(
    `SELECT count(*)::INTEGER AS n, sum(profit_cents)::INTEGER AS profit FROM read_parquet('${parquet}') WHERE win_odds >= 10`,
  )
  const inTables = await reference.one(
    `SELECT sum(profit_cents) AS profit FROM prediction WHERE ${OUTSIDER_SQL}`,
  )
  expect(inFile).toEqual({ n: expected['n'], profit: inTables['profit'] })
  const download = page.waitForEvent('download')
  await openMenu(page, 'Export')
  await page.getByRole('button', { name: 'DuckDB' }).click()
  await reference.rows(`ATTACH '${await (await download).path()}' AS kept (READ_ONLY)`)
  const [inDatabase] = await reference.rows(
    'SELECT count(*)::INTEGER AS n, sum(profit_cents)::INTEGER AS profit FROM kept.predictions',
  )
  expect(inDatabase).toEqual(inFile)

  await openMenu(page, 'Export')
  await page.getByRole('button', { name: 'Copy as query' }).click()
  await expect(page.getByText('Query copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"dim":"odds"')

  const link = await saveView(page, 'Outsiders')

  // The browser of another VIP shows the same.
  const token = await newVip()
  expect((await accountOf(token)).id).not.toBe((await accountOf(vipToken())).id)
  const other = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(other, token)
  const theirs = await other.newPage()
  await theirs.goto(link)
  await tilesReady(theirs)
  await expectTiles(theirs, expected)
  // The view is the first customer's: the other one has the link, and no saved view.
  await theirs.getByRole('button', { name: 'Views' }).click()
  await expect(theirs.getByRole('dialog').getByText('You have saved no view yet.')).toBeVisible()
  await other.close()

  await show()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Outsiders', exact: true }).click()
  await expectTiles(page, expected)
  expect(watch.problems).toEqual([])
})
