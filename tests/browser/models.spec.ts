import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { seedCustomer } from '../support/seed-customer.ts'
import { modelOrder } from '../../contract/model-ids.ts'
import { TestServer } from '../support/api.ts'
import { newThreeSeasons, THREE_SEASONS_DAY } from '../support/three-seasons.ts'
import { Reference } from './reference.ts'
import { shownDay } from './reader.ts'
import { choose, tilesReady, Watch } from './site.ts'
import { expectInterval, expectTiles, numberIn, SUMS } from './workspace-page.ts'

/**
 * The analysts' question about all models. The demonstration's two seasons are too short for the blend, so this
 * journey has its own server with parts of three seasons, on which the product itself trains all models.
 */

const WINS = `origin = 'backtest' AND bet_type = 1 AND selected`

test('6 all models on one chart, on the same races, with the favourite and chance; 17 a part of a season against the last one', async ({
  browser,
}) => {
  const place = await newThreeSeasons('pglite')
  const server = await TestServer.start(place, {
    siteFolder: resolve('dist/site'),
    time: () => THREE_SEASONS_DAY,
  })
  try {
    const reference = await Reference.open('100000', modelOrder(), place.dataFolder)
    const { token } = await seedCustomer(server.database, { at: THREE_SEASONS_DAY })
    await server.buy(token)
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 1000 } })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    const page = await context.newPage()
    const watch = new Watch(page, server.base)
    const workspace = `${server.base}/#/pages/race/WinLossRecord`
    await page.goto(`${workspace}?model=market-baseline&origin=backtest&tab=models`)
    await tilesReady(page)
    const table = page.getByTestId('models').getByRole('table')
    await expect(table).toBeVisible({ timeout: 60_000 })

    // The models start in different seasons; the screen says so, and offers the days that all of them have.
    const starts = await reference.rows(
      `SELECT model::VARCHAR AS model, min(season)::INTEGER AS season FROM prediction WHERE ${WINS} GROUP BY ALL ORDER BY season, model`,
    )
    expect(starts.map(({ model }) => model)).toEqual(['market-baseline', 'fundamental', 'network', 'blended'])
    expect(new Set(starts.map(({ season }) => season)).size).toBe(3)
    const common = `race_date IN (SELECT race_date FROM (
      SELECT race_date, model, count(DISTINCT race_key) AS races FROM prediction WHERE ${WINS} GROUP BY ALL)
      GROUP BY race_date HAVING count(*) = ${modelOrder().length} AND min(races) = max(races))`
    const days = await reference.rows(
      `SELECT DISTINCT race_date::VARCHAR AS day FROM prediction WHERE ${WINS} AND ${common} ORDER BY day`,
    )
    const dayOf = (index: number): string => shownDay(String(days.at(index)!['day']))
    await expect(page.getByTestId('models')).toContainText(
      `${days.length} race days on which every model predicted, ${dayOf(0)} to ${dayOf(-1)}. The models start in different seasons.`,
    )

    // One curve for each model, the favourite and chance: its end, and its row of figures, from SQL.
    // Each line is named beside its end, or beside that of the line that covers it.
    await expect(page.locator('.js-plotly-plot .scatterlayer .trace')).toHaveCount(modelOrder().length + 2)
    const ends = page.getByTestId('models').getByRole('list').first()
    for (const name of ['Calibrated market', 'Favourite', 'Random horse'])
      await expect(ends).toContainText(name)
    const curves = await page
      .locator('.js-plotly-plot')
      .evaluateAll((charts) =>
        charts.flatMap((chart) =>
          (chart as unknown as { data: { name: string; x: string[]; y: number[] }[] }).data.map(
            ({ name, x, y }) => ({ name, days: x.length, last: y.at(-1)! }),
          ),
        ),
      )
    expect(curves).toHaveLength(modelOrder().length + 2)
    const lines = [
      ...modelOrder().map((model) => ({
        key: model as string,
        source: `prediction WHERE model = '${model}' AND ${WINS}`,
      })),
      // A win bet on the shortest price by the market, and the same stake spread over all starters.
      {
        key: 'favourite',
        source: `starter WHERE model = 'market-baseline' AND origin = 'backtest' AND market_rank = 1`,
      },
      { key: 'random', source: `starter WHERE model = 'market-baseline' AND origin = 'backtest'` },
    ]
    for (const [index, { key, source }] of lines.entries()) {
      const share = key === 'random' ? '/ interests' : ''
      const race = `SELECT race_date, race_key, sum(profit_cents ${share})::DOUBLE AS profit,
        sum(CASE WHEN outcome <> 'void' AND profit_cents IS NOT NULL THEN 1000.0 ${share} ELSE 0 END) AS staked,
        max((outcome = 'hit')::INTEGER) AS hit FROM ${source} AND ${common} GROUP BY ALL`
      const expected = await reference.one(`WITH race AS (${race}),
        day AS (SELECT race_date, sum(profit) AS profit, sum(staked) AS staked FROM race GROUP BY race_date),
        whole AS (SELECT count(*) AS n, avg(hit) AS rate, sum(profit) AS profit, sum(staked) AS staked FROM race)
        SELECT any_value(n) AS n, any_value(rate) AS rate, any_value(whole.profit) / 100 AS profit,
          any_value(whole.profit / whole.staked) AS ratio,
          1.959964 * sqrt(sum((day.profit - whole.profit / whole.staked * day.staked) ** 2) * count(*) / (count(*) - 1))
            / any_value(whole.staked) AS reach
        FROM day, whole`)
      const cells = await table.locator(`tr[data-key="${key}"] td`).allTextContents()
      expect(numberIn(cells[0]!)).toBe(expected['n'])
      if (index < modelOrder().length)
        expect(Math.abs(numberIn(cells[1]!) - expected['rate']!)).toBeLessThan(0.00051)
      expect(Math.abs(numberIn(cells[3]!) - expected['profit']!)).toBeLessThan(0.0051)
      expect(Math.abs(numberIn(cells[4]!) - expected['ratio']!)).toBeLessThan(0.00051)
      expectInterval(cells[5]!, expected['ratio']!, expected['reach']!)
      expect(curves[index]!.days).toBe(days.length)
      expect(curves[index]!.last).toBeCloseTo(expected['profit']!, 2)
      expect(curves[index]!.name).toBe(await table.locator(`tr[data-key="${key}"] th`).textContent())
    }

    // Choosing a model changes the races of the other views, whose figures are then those of that model.
    for (const model of ['blended', 'market-baseline'] as const) {
      await choose(page, 'Model', model)
      await expectTiles(
        page,
        await reference.one(`SELECT ${SUMS} FROM prediction WHERE model = '${model}' AND ${WINS}`),
      )
    }

    // Days of a season against the same days of the season before, in one choice: they share no race.
    await page.goto(
      `${workspace}?model=market-baseline&origin=backtest&period=own&from=2026-06-01&to=2026-07-15`,
    )
    await tilesReady(page)
    await choose(page, 'Compared with', 'before')
    const compared = page.getByTestId('compare').getByRole('table').first()
    await expect(compared.locator('tr[data-key="record.return"] td').nth(3)).toContainText(' to ')
    for (const [at, year] of [2025, 2026].entries()) {
      const { n, rate, returned } = await reference.one(
        `SELECT ${SUMS} FROM prediction WHERE model = 'market-baseline' AND ${WINS}
           AND race_date BETWEEN '${year}-06-01' AND '${year}-07-15'`,
      )
      expect(n).toBeGreaterThan(20)
      const shown = async (key: string): Promise<number> =>
        numberIn(await compared.locator(`tr[data-key="${key}"] td`).nth(at).textContent())
      expect(await shown('count')).toBe(n)
      expect(Math.abs((await shown('record.hitRate')) - rate!)).toBeLessThan(0.00051)
      expect(Math.abs((await shown('record.return')) - returned!)).toBeLessThan(0.00051)
    }
    expect(watch.problems).toEqual([])
    await context.close()
  } finally {
    await server.close()
    await server.place.close()
  }
})
