import { resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { saveView } from '../../contract/api/view.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { dayIn } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { insertEvents } from '../../server/store/operation/site-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { settled } from './settled.ts'
import { BASE, tilesReady } from './site.ts'
import { filter, numberIn, openWorkspace, WIN } from './workspace-page.ts'

/** A horse's own record, and the analysts' question about coming races. */

test('a horse’s own page has every win prediction of it, as far as the reader may see it', async ({
  browser,
}) => {
  const { reference, page } = await openWorkspace(browser)
  const [horse] = await reference.rows(
    `SELECT h.horse_id, s.horse_key::INTEGER AS key, count(*)::INTEGER AS n, sum(p.profit_cents)::INTEGER AS profit,
       sum(p.probability)::DOUBLE AS expected
     FROM prediction p JOIN starter s ON s.race_key = p.race_key AND s.horse_no = p.horse_no_1 AND s.model = p.model
     JOIN horse h USING (horse_key) WHERE p.model = 'fundamental' AND p.origin = 'backtest' AND p.bet_type = 1
     GROUP BY ALL ORDER BY n DESC, key LIMIT 1`,
  )
  await page.goto(`${BASE()}#/pages/race/HorseDetail?id=${String(horse!['horse_id'])}`)
  const record = page.getByTestId('horse-record')
  await record.getByText('Form model (no odds)', { exact: true }).click()
  const cells = page
    .getByTestId('horse-totals')
    .getByRole('row')
    .filter({ hasText: 'Backtest' })
    .locator('td')
  await expect(cells.first()).toHaveText(String(horse!['n']))
  // Shown with one decimal.
  expect(Math.abs(numberIn(await cells.nth(2).textContent()) - Number(horse!['expected']))).toBeLessThan(
    0.051,
  )
  expect(numberIn(await cells.nth(4).textContent())).toBe(Number(horse!['profit']) / 100)
  // The horse's record by racecourse adds up to the runs in its form.
  const starts = await page
    .getByTestId('horse-record-by')
    .locator('tbody tr td:nth-of-type(1)')
    .allTextContents()
  expect(starts.reduce((sum, text) => sum + numberIn(text), 0)).toBeGreaterThanOrEqual(Number(horse!['n']))
  await expect(page.getByTestId('horse-runs').locator('tbody tr')).toHaveCount(Number(horse!['n']))
  await record.getByRole('link', { name: 'All of them in the workspace' }).click()
  await tilesReady(page)
  await expect(page.getByTestId('record-tiles').locator('dd').first()).toHaveText(String(horse!['n']))

  // A visitor sees only the seven days up to the last meeting.
  const visitor = await browser.newContext({ locale: 'en' })
  const theirs = await visitor.newPage()
  await theirs.goto(`${BASE()}#/pages/race/HorseDetail?id=${String(horse!['horse_id'])}`)
  await expect(theirs.getByText('of the seven days up to the last meeting').first()).toBeVisible()
  await visitor.close()
})

test('20 today’s matches of a saved view: counted, listed, and marked when one is new', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  // The day before a Hong Kong meeting: on other weekdays there may be no race today or tomorrow.
  const started = Date.now()
  const now = (): Date => new Date(DEMO_DAY.getTime() + Date.now() - started)
  const place = await newSmallSeason('pglite', DEMO_DAY)
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  const server = await TestServer.start(place, { siteFolder: resolve('dist/site'), time: now })
  try {
    const { database } = server
    const { token } = await seedCustomer(database, { at: DEMO_DAY })
    await server.buy(token)
    const region = { countryRegionId: '100000' }
    const save = (name: string, address: string) =>
      server.ask(saveView, { token, body: { ...region, name, address } })
    // Parts of a view that concern finished races are ignored for coming races.
    await save('Main picks', `${filter(`${WIN}~outcome:hit`)}&model=market-baseline&period=month&tab=seasons`)
    await save('Longshots', `${filter('bet_type:1~odds:50')}&model=market-baseline`)
    const today = dayIn('Asia/Hong_Kong', DEMO_DAY)
    const expected = async (condition: string): Promise<string[]> => {
      const found = await database.rows<{ line: string }>(
        `select p.race_id || ' ' || p.combination as line from race join prediction p on p.race_id = race.id
         where race.region_id = '100000' and race.status = 'scheduled' and p.model_id = 'market-baseline'
           and race_date between $1::date and $1::date + 1 and p.gameplay_class = 1 and ${condition}`,
        [today],
      )
      return found.map(({ line }) => line).toSorted()
    }
    const picks = await expected('p.selected')
    expect(picks.length).toBeGreaterThan(0)

    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    await context.clock.setFixedTime(DEMO_DAY)
    const page = await context.newPage()
    await page.goto(server.base)
    await settled(page)
    const heading = page.getByRole('heading', { name: 'Your views today' })
    await expect(heading).toBeVisible()
    const home = page.locator('section').filter({ has: heading })
    const line = home.getByRole('listitem').filter({ hasText: 'Main picks' }).first()
    await line.getByRole('button').click()
    await expect(line.getByRole('button')).toHaveText(matchText(picks.length))
    expect(await listed(page)).toEqual(picks.slice(0, 5))

    // In the workspace: matches of the view on screen and of each saved view.
    await line.getByRole('link', { name: 'Main picks' }).click()
    await expect(page.getByTestId('coming-count')).toHaveAccessibleName(matchText(picks.length))
    await page.getByTestId('coming-count').click()
    await expect(page.getByTestId('matches').getByRole('listitem')).toHaveCount(picks.length)
    expect(await listed(page)).toEqual(picks)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const longshots = dialog.getByRole('listitem').filter({ hasText: 'Longshots' })
    const before = await expected(`(select odds from odds_tick t where t.race_id = race.id
      and t.horse_no::text = p.combination order by seen_at desc limit 1) >= 50`)
    await expect(longshots).toContainText(matchText(before.length))
    await longshots.getByRole('button', { name: 'Follow Longshots' }).click()
    await expect(longshots.getByRole('button', { name: 'Follow Longshots' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await longshots.getByRole('button', { name: matchText(before.length) }).click()
    await expect(longshots.getByTestId('matches')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByTestId('match-mark')).toHaveCount(0)

    // The odds of a main pick drift beyond 50, and a live update announces a change of its race.
    const [raceId, horse] = picks[0]!.split(' ')
    await database.rows(
      'insert into odds_tick (race_id, horse_no, seen_at, odds) values ($1, $2::smallint, $3, 88)',
      [raceId!, Number(horse), now().toISOString()],
    )
    await insertEvents(database, [{ kind: 'tip', raceId: raceId!, customerId: null, body: '' }], now())
    await expect(page.getByTestId('match-mark')).toBeVisible()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await expect(longshots.getByTestId('new-matches')).toHaveText('1 new')
    await longshots.getByRole('button', { name: matchText(before.length + 1) }).click()
    await expect(longshots.getByRole('listitem').filter({ hasText: 'New' })).toHaveCount(1)
    await expect(page.getByTestId('match-mark')).toHaveCount(0)
    await context.close()
  } finally {
    await server.close()
    await server.place.close()
  }
})

const matchText = (count: number): string => (count === 1 ? '1 match coming' : `${count} matches coming`)

/** The matches on screen, as race and horse number. */
async function listed(page: Page): Promise<string[]> {
  const lines = page.getByTestId('matches').getByRole('listitem')
  await expect(lines.first()).toBeVisible()
  const found = await lines.evaluateAll((items) =>
    items.map((item) => {
      const race = new URLSearchParams(item.querySelector('a')!.href.split('?')[1]).get('id')
      return `${race} ${item.querySelectorAll('span span')[0]!.textContent.trim().split(/\s/)[0]}`
    }),
  )
  return found.toSorted()
}
