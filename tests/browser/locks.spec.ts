import { resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { seedCustomer } from '../support/seed-customer.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { ensureDemonstration } from '../../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { newSmallSeason, SMALL_SEASON_DAYS, TestServer } from '../support/api.ts'
import { EN, HANS, HANT, PHONE, switchTo } from './reader.ts'
import { goTo, axeFindings, settled } from './settled.ts'
import { signIn, Watch } from './site.ts'

const REGION = '100000'
const DAY_MS = 86_400_000

/** A server whose card was locked days ago; some of its races have been run since. */
let server: TestServer
let token: string
let coming: string
let run: string
test.beforeAll(async () => {
  const now = new Date()
  const place = await newSmallSeason('pglite', new Date(now.getTime() - 8 * DAY_MS))
  await ensureDemonstration(place.database, now, SMALL_SEASON_DAYS)
  await scoreStaleRaces(place.database)
  await buildDataset(place.database, place.dataFolder)
  server = await TestServer.start(place, { siteFolder: resolve('dist/site') })
  token = (await seedCustomer(place.database)).token
  await server.buy(token)
  const races = await place.database.rows<{ id: string; status: string }>(
    `select distinct race.id, status from race join prediction_lock l on l.race_id = race.id
     where race.region_id = $1 order by race.id`,
    [REGION],
  )
  coming = races.findLast(({ status }) => status === 'scheduled')!.id
  run = races.find(({ status }) => status === 'final')!.id
})
test.afterAll(async () => {
  await server.close()
  await server.place.close()
})

const verdict = (page: Page) => page.locator('[data-verdict]')

/** Changes one stored prediction, as somebody with database access could. */
const changeByHand = (raceId: string, factor: number): Promise<unknown> =>
  server.database.rows(
    `update prediction set probability = (probability * $2)::real where race_id = $1 and gameplay_class = 6 and rank = 5`,
    [raceId, factor],
  )

test('a race’s locks are verified in the browser; one changed prediction fails and names the race', async ({
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  await signIn(context, token)
  const page = await context.newPage()
  const watch = new Watch(page, server.base)
  await page.goto(`${server.base}#/pages/race/HorseRace?id=${coming}&tab=1`)
  await settled(page)
  const verify = page.getByRole('button', { name: EN('lock.verify') })
  await verify.focus()
  await page.keyboard.press('Enter')
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'holds')
  for (const [language, from, to] of [
    ['zh-Hant', EN, HANT],
    ['zh-Hans', HANT, HANS],
    ['en', HANS, EN],
  ] as const) {
    await switchTo(page, language, from)
    await settled(page)
    await expect(page.getByRole('heading', { name: to('lock.title') })).toBeVisible()
    await page.getByRole('button', { name: to('lock.verify') }).click()
    await expect(verdict(page)).toHaveAttribute('data-verdict', 'holds')
  }
  expect(await axeFindings(page)).toEqual([])

  await changeByHand(coming, 0.5)
  await verify.click()
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'fails')
  const ground = coming.startsWith('HKSHT') ? 'Sha Tin' : 'Happy Valley'
  await expect(verdict(page)).toContainText(ground)
  await expect(verdict(page)).toContainText(`Race ${Number(coming.slice(13))}`)
  await changeByHand(coming, 2)
  await verify.click()
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'holds')
  expect(watch.problems).toEqual([])
  await context.close()
})

test('the record begins with what was locked, verifies it from the files, and names what was changed', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await signIn(context, token)
  const page = await context.newPage()
  await page.goto(`${server.base}#/pages/race/WinLossRecord`)
  await expect(page.getByRole('radio', { name: 'Locked', exact: true })).toBeChecked({ timeout: 60_000 })
  const openTab = (name: string) => page.getByRole('tab', { name }).click()
  const shown = async (): Promise<number> => {
    const text = await page.getByTestId('record-tiles').locator('dd').first().textContent()
    return Number(text!.replaceAll(/\D/g, ''))
  }
  const locked = await shown()
  expect(locked).toBeGreaterThan(3)
  await openTab('Verify')
  const panel = page.getByRole('button', { name: EN('lock.verify') })
  await panel.click()
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'holds')
  await page.getByRole('radio', { name: 'Backtest', exact: true }).check()
  await openTab('Seasons')
  await expect(page.getByTestId('record-tiles')).toHaveAttribute('aria-busy', 'false')
  await expect.poll(shown).not.toBe(locked)
  await expect(page.getByTestId('judge')).toBeVisible()

  await changeByHand(run, 0.5)
  await buildDataset(server.database, server.place.dataFolder, new Date())
  await page.goto(`${server.base}#/pages/race/viplist`)
  await page.reload()
  await goTo(page, '/pages/race/WinLossRecord')
  await expect(page.getByRole('radio', { name: 'Locked', exact: true })).toBeChecked({ timeout: 60_000 })
  await expect.poll(shown, { timeout: 30_000 }).toBe(locked - 1)
  await openTab('Verify')
  await page.getByRole('button', { name: EN('lock.verify') }).click()
  await expect(verdict(page)).toHaveAttribute('data-verdict', 'fails')
  await expect(page.getByRole('link', { name: new RegExp(run) })).toBeVisible()
  await page.getByRole('link', { name: new RegExp(run) }).click()
  await expect(page.getByText(/is not what was locked/).first()).toBeVisible()
  await context.close()
})
