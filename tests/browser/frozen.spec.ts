import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { seedCustomer } from '../support/seed-customer.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { recordFrozenBets } from '../../server/dataset/frozen-rules.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { filter, numberIn, WIN } from './workspace-page.ts'

test('rules are frozen in the lab, the clock moves over a race day, and the record is settled', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  let time = DEMO_DAY
  const place = await newSmallSeason('pglite')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  const server = await TestServer.start(place, { siteFolder: resolve('dist/site'), time: () => time })
  try {
    const { token } = await seedCustomer(server.database, { at: DEMO_DAY })
    await server.buy(token)
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    await context.clock.setFixedTime(DEMO_DAY)
    const page = await context.newPage()
    const address = `${server.base}#/pages/race/WinLossRecord?model=market-baseline&origin=backtest&${filter(WIN)}&tab=lab&lab=${encodeURIComponent('kept~level:2000')}`
    await page.goto(address)
    const frozen = page.getByTestId('frozen')
    const name = frozen.getByRole('textbox', { name: 'Name of the rules' })
    const freeze = frozen.getByRole('button', { name: 'Freeze these rules' })
    await expect(freeze).toBeDisabled()
    await name.fill('Main picks at HK$20')
    // A second click freezes nothing more.
    await freeze.dblclick()
    const line = frozen.locator('[data-frozen="Main picks at HK$20"]')
    await expect(line).toHaveCount(1)
    await expect(line.locator('summary')).toContainText('0 races checked · 0 bets')

    const races = await server.database.rows<{ startsAt: string }>(
      `select starts_at from race where region_id = '100000' and race_date = '2026-11-22' order by race_no`,
    )
    for (const { startsAt } of races) {
      time = new Date(Date.parse(startsAt) - 120_000)
      await ensureDemonstration(server.database, time, SMALL_SEASON_DAYS)
      await scoreStaleRaces(server.database, undefined, () => time)
      await recordFrozenBets(server.context)
    }
    await page.reload()
    await expect(line.locator('summary')).toContainText(
      `${races.length} races checked · ${races.length} bets`,
    )
    await line.locator('summary').click()
    const figure = (name: string) =>
      line
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
    await expect(figure('Not settled yet')).toHaveText(String(races.length))
    await expect(line.getByTestId('frozen-bets').locator('tbody tr')).toHaveCount(races.length)
    await expect(line.getByTestId('frozen-bets').locator('tbody tr').first()).toContainText('Waiting')

    time = new Date(DEMO_DAY.getTime() + 2 * 86_400_000)
    await context.clock.setFixedTime(time)
    await ensureDemonstration(server.database, time, SMALL_SEASON_DAYS)
    await scoreStaleRaces(server.database, undefined, () => time)
    const [settled] = await server.database.rows<{ hits: number; profit: number; bets: number }>(
      `select count(*) filter (where outcome = 'hit')::int as hits, count(*) filter (where outcome <> 'void')::int as bets,
         sum(profit_cents)::int as profit
       from settlement s join prediction p on p.race_id = s.race_id and p.model_id = s.model_id
         and p.gameplay_class = s.gameplay_class and p.rank = s.rank
       join race on race.id = s.race_id
       where s.model_id = 'market-baseline' and s.gameplay_class = 1 and p.selected and race_date = '2026-11-22'
         and race.region_id = '100000'`,
    )
    await page.reload()
    await line.locator('summary').click()
    await expect(figure('Not settled yet')).toHaveText('0')
    await expect(figure('Hits')).toHaveText(String(settled!.hits))
    // Twice the flat stake of HK$10.
    expect(numberIn(await figure('Profit').textContent())).toBeCloseTo((2 * settled!.profit) / 100, 2)
    expect(numberIn(await figure('Staked').textContent())).toBe(20 * settled!.bets)
    await line.getByRole('button', { name: 'End' }).click()
    await expect(line.locator('summary')).toContainText('ended')
    await line.getByRole('link', { name: 'Its backtest' }).click()
    await expect(page).toHaveURL(/tab=lab/)
    await context.close()
  } finally {
    await server.close()
    await server.place.close()
  }
})
