import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { feedCards } from '../../contract/api/feed.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'
import { cardOf, raceOf, tomorrow } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { Watch } from './site.ts'

const day = tomorrow(new Date())
let server: TestServer
let operator: string

test.beforeAll(async () => {
  const place = await newDatabase('pglite')
  await buildDataset(place.database, place.dataFolder)
  server = await TestServer.start(place, { siteFolder: resolve('dist/site') })
  operator = await newOperatorToken(server.database)
})
test.afterAll(async () => {
  await server.close()
  await server.place.close()
})

/** The card of a race reaches the server as on a race day. */
const post = (key: string, race: object) =>
  server.ask(feedCards, {
    headers: { authorization: `Bearer ${operator}`, 'idempotency-key': key },
    body: { races: [race] },
  })

for (const [raceNo, size] of [
  [1, { width: 390, height: 844 }],
  [2, { width: 1280, height: 800 }],
] as const)
  test(`a horse is followed on its race, declared by the feed, and its alert leads back to the race, ${size.width} pixels wide`, async ({
    browser,
  }) => {
    const raceId = raceOf(day, raceNo)
    const card = cardOf(day, raceNo)
    const entries = card.runners.map((runner) => ({ ...runner, draw: null }))
    await post(`entries-${raceNo}`, { ...card, runners: entries })
    const { token } = await seedCustomer(server.database)
    const context = await browser.newContext({ locale: 'en-GB', viewport: size, reducedMotion: 'reduce' })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    const page = await context.newPage()
    const watch = new Watch(page, server.base)
    await page.goto(`${server.base}#/pages/race/HorseRace?id=${raceId}&tab=0`)
    const runner = page.getByTestId('racecard').locator('[data-number="3"]')
    await runner.locator('button[aria-expanded]').click()
    const star = page.getByRole('button', { name: `Follow Trial Horse ${raceNo} 3` }).first()
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')

    await post(`declarations-${raceNo}`, card)
    await page.goto(`${server.base}#/pages/user/alerts`)
    const title = `Trial Horse ${raceNo} 3 runs from draw 3, ridden by Jockey 3`
    const alert = page.getByRole('link', { name: title })
    await expect(alert).toBeVisible()
    await expect(page.getByText('New', { exact: true })).toHaveCount(1)
    await alert.click()
    await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=${raceId}`))
    await expect(page.getByTestId('racecard').locator('[data-number="3"]')).toContainText(
      `Trial Horse ${raceNo} 3`,
    )
    expect(watch.problems).toEqual([])
    await context.close()
  })
