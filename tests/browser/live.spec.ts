import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { seedCustomer } from '../support/seed-customer.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { insertEvents } from '../../server/store/operation/site-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { settled } from './settled.ts'

test('odds and results reach the open race; a lost connection is told, comes back and catches up', async ({
  browser,
}) => {
  const server = await TestServer.start(await newSmallSeason('pglite', new Date()), {
    siteFolder: resolve('dist/site'),
  })
  try {
    const { database } = server
    const { token } = await seedCustomer(database)
    await server.buy(token)
    // Shortly before a race starts nothing is predicted any more, whatever the time of the day is.
    const [race] = await database.rows<{ id: string; horse: number }>(
      `select race.id, min(horse_no)::int as horse from race join runner on runner.race_id = race.id
       where race.status = 'scheduled' and race.region_id = '100000' and race.starts_at > now() + interval '1 hour'
       group by race.id order by race.starts_at, race.id limit 1`,
    )
    const tell = (kind: 'odds' | 'result') =>
      insertEvents(database, [{ kind, raceId: race!.id, customerId: null, body: '' }], new Date())
    const tick = (odds: number) =>
      database.rows(
        'insert into odds_tick (race_id, horse_no, seen_at, odds) values ($1, $2::smallint, $3, $4::float8)',
        [race!.id, race!.horse, new Date().toISOString(), odds],
      )

    const locksOf = async (raceId: string): Promise<number> =>
      (
        await database.rows<{ count: number }>(
          'select count(*) as count from prediction_lock where race_id = $1',
          [raceId],
        )
      )[0]!.count

    const context = await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      serviceWorkers: 'allow',
    })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    const page = await context.newPage()
    const greeted = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
    await page.goto(`${server.base}#/pages/race/HorseRace?id=${race!.id}`)
    await settled(page)
    expect(String((await greeted).payload)).toContain('hello')
    const first = page.getByTestId('racecard').locator(`[data-number="${race!.horse}"]`)
    await expect(page.getByText(/^Live: updated at/)).toHaveCount(0)

    await tick(77.5)
    await tell('odds')
    await expect(first).toContainText('77.5')
    await expect(page.getByText(/^Live: updated at \d\d:\d\d:\d\d/)).toBeVisible()

    // A new tip is locked too: the list of locks is updated.
    const locks = page.getByRole('listitem').filter({ hasText: /locked at/ })
    await expect(locks).toHaveCount(await locksOf(race!.id))
    await database.rows('update runner set win_odds = win_odds * 1.5 where race_id = $1 and horse_no = $2', [
      race!.id,
      race!.horse,
    ])
    await database.rows(`update race set scoring = 'stale' where id = $1`, [race!.id])
    const before = await locksOf(race!.id)
    await scoreStaleRaces(database)
    expect(await locksOf(race!.id)).toBeGreaterThan(before)
    await expect(locks).toHaveCount(await locksOf(race!.id))

    await context.setOffline(true)
    await expect(page.getByText(/Live updates paused/)).toBeVisible()
    await tick(81.5)
    await tell('odds')
    await database.rows(`update race set status = 'final' where id = $1`, [race!.id])
    await database.rows(
      `update runner set place = 1, status = 'finished' where race_id = $1 and horse_no = $2`,
      [race!.id, race!.horse],
    )
    // Invalidates cached data of the races, as an import does.
    await database.rows('update partition_revision set revision = revision + 1')
    await tell('result')
    await context.setOffline(false)
    await expect(page.getByText('Official result')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/Live updates paused/)).toHaveCount(0)
    await expect(first).toContainText('1st')
    await context.close()
  } finally {
    await server.close()
    await server.place.close()
  }
})
