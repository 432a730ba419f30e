import { resolve } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { userInfo } from '../../contract/api/account.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { FIRST_SCREEN_WORDS, firstScreenText } from '../support/first-screen.ts'
import { EN, HANS, HANT, PHONE } from './reader.ts'
import { axeFindings, settled } from './settled.ts'
import { tilesReady, Watch } from './site.ts'
import { filter, numberIn, WIN } from './workspace-page.ts'

const DAY_MS = 86_400_000
const REGION = '100000'

/** A small season on a server whose clock these tests set. */
let server: TestServer
let time = DEMO_DAY
test.beforeAll(async () => {
  const place = await newSmallSeason('pglite')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, { siteFolder: resolve('dist/site'), time: () => time })
})
test.afterAll(async () => {
  await server.close()
  await server.place.close()
})

async function visitAt(
  browser: Browser,
  instant: Date,
  locale = 'en-GB',
): Promise<{ page: Page; watch: Watch }> {
  time = instant
  const context = await browser.newContext({ ...PHONE, locale, reducedMotion: 'reduce' })
  await context.clock.setFixedTime(instant)
  const page = await context.newPage()
  const watch = new Watch(page, server.base)
  await page.goto(server.base)
  await settled(page)
  return { page, watch }
}

const figure = (page: Page, title: string | RegExp) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(title) })
    .locator('dd')

/** A day as it is written in English. */
const dayOf = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))

const escaped = (text: string): string => text.replaceAll(/[()]/g, '\\$&')

test('figures of the home page name their region, and agree with the record and the tables', async ({
  browser,
}) => {
  const { page, watch } = await visitAt(browser, DEMO_DAY)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
  const [counted] = await server.database.rows<{ hits: number; bets: number; all: number }>(
    `select count(*) filter (where outcome = 'hit') as hits, count(*) filter (where outcome <> 'void') as bets,
       (select count(*) from prediction p join race r on r.id = p.race_id and r.headline_model = p.model_id
        where r.region_id = '${REGION}' and r.race_date <= '2026-11-21') as all
     from settlement s join prediction p using (race_id, model_id, gameplay_class, rank) join race r on r.id = race_id
     where selected and gameplay_class = 1 and r.region_id = '${REGION}' and p.model_id = r.headline_model
       and r.race_date between '2026-09-01' and '2026-11-21'`,
  )
  expect(counted!.bets).toBeGreaterThan(50)
  const [headline] = await server.database.rows<{ model: string }>(
    `select distinct headline_model as model from race where region_id = '${REGION}' and headline_model is not null`,
  )
  const season = figure(page, 'Win hit rate, season 2026/27')
  await expect(season).toContainText(`${counted!.hits} of ${counted!.bets}`)
  await expect(figure(page, EN('home.total'))).toHaveText(counted!.all.toLocaleString('en'))
  // Region, model and time.
  await expect(
    page.getByText(new RegExp(`^Hong Kong\\s· ${escaped(EN(`source.${headline!.model}`))}\\s· as of`)),
  ).toBeVisible()

  // The record counts the same races of the same model.
  const shown = numberIn(/[\d.]+%/.exec((await season.textContent())!)![0])
  expect(shown).toBeCloseTo(counted!.hits / counted!.bets, 3)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(
    `${server.base}#/pages/race/WinLossRecord?model=${headline!.model}&origin=backtest&${filter(`${WIN}~season:2026`)}`,
  )
  await tilesReady(page)
  const rate = page
    .getByTestId('record-tiles')
    .locator('div')
    .filter({ has: page.getByText('Hit rate', { exact: true }) })
    .locator('dd')
  await expect.poll(async () => numberIn(await rate.first().textContent())).toBeCloseTo(shown, 3)
  expect(watch.problems).toEqual([])
  await page.context().close()
})

test('horses of the home page come page by page, and are found by a part of the name', async ({
  browser,
}) => {
  const { page, watch } = await visitAt(browser, DEMO_DAY)
  await page.getByRole('heading', { name: EN('home.horses'), exact: true }).scrollIntoViewIfNeeded()
  const list = page.getByRole('list', { name: EN('home.horses') })
  const links = list.getByRole('link')
  await expect(links).toHaveCount(10)
  await list.getByRole('button', { name: EN('common.loadMore') }).click()
  await expect(links).toHaveCount(20)
  const wanted = (await links.nth(17).locator('strong').textContent())!.trim()
  const search = page.getByRole('searchbox', { name: EN('home.findHorse') })
  await search.fill('no horse is called this')
  await expect(page.getByText(EN('home.noHorseFound'))).toBeVisible()
  await search.fill(wanted.slice(0, 6))
  await expect(list.getByText(wanted, { exact: true })).toBeVisible()
  expect(await links.count()).toBeLessThanOrEqual(10)
  expect(watch.problems).toEqual([])
  await page.context().close()
})

test('between meetings home says when racing goes on and what there was, without empty panels', async ({
  browser,
}) => {
  const [{ first, last }] = (await server.database.rows<{ first: string; last: string }>(
    `select min(race_date)::text as first, max(race_date)::text as last from race where region_id = '${REGION}'`,
  )) as [{ first: string; last: string }]
  const empty = ['tips.empty', 'home.noSchedule'] as const

  const before = await visitAt(browser, new Date(Date.parse(first) - 30 * DAY_MS))
  await expect(before.page.getByText(/^Next meeting: /)).toContainText(dayOf(first))
  for (const id of empty) await expect(before.page.getByText(EN(id))).toHaveCount(0)
  // The header of a phone has room for the clock, and for both ways into an account, beside the demonstration's mark.
  const header = before.page.getByRole('banner')
  await expect(header.locator('time')).toBeVisible()
  for (const id of ['session.signIn', 'session.register'])
    await expect(header.getByRole('link', { name: EN(id), exact: true })).toBeInViewport()
  await expect(header.getByRole('button', { name: EN('common.demonstration.short') })).toBeInViewport()
  expect(await axeFindings(before.page)).toEqual([])
  await before.page.context().close()

  const after = await visitAt(browser, new Date(Date.parse(last) + 60 * DAY_MS))
  await expect(after.page.getByText(EN('home.noMeetings'))).toBeVisible()
  for (const id of empty) await expect(after.page.getByText(EN(id))).toHaveCount(0)
  // However long ago they were, the last meetings are there, and the figures count back from the last one.
  const [meetings] = await server.database.rows<{ last: string }>(
    `select max(race_date)::text as last from race where region_id = '${REGION}' and status = 'final'`,
  )
  const results = after.page.locator('section').filter({ hasText: EN('home.lastRecord') })
  await expect(results.getByRole('listitem').first()).toContainText(/^R1/)
  await expect(results.getByRole('heading', { level: 3 }).first()).toContainText(dayOf(meetings!.last))
  await expect(figure(after.page, EN('home.accuracy'))).toHaveText(/%/)
  await expect(figure(after.page, /^Win hit rate, season/)).toHaveText(/%/)
  await expect(after.page.getByText(new RegExp(`as of ${dayOf(meetings!.last)}`))).toBeVisible()
  await expect(after.page.getByText('…', { exact: true })).toHaveCount(0)
  await after.page.goto(`${server.base}#/pages/foot/foothome`)
  await settled(after.page)
  await expect(after.page.getByText(EN('home.noMeetings'))).toBeVisible()
  await expect(results.getByRole('listitem').first()).toContainText(/^R1/)
  await expect(after.page.getByText(EN('tips.empty'))).toHaveCount(0)
  await after.page.goto(`${server.base}#/`)
  await settled(after.page)
  await after.page.getByRole('link', { name: EN('home.allResults') }).click()
  await expect(after.page).toHaveURL(new RegExp(`PredictionResults\\?month=${meetings!.last.slice(0, 7)}`))
  await expect(after.page.getByTestId('meeting').first()).toBeVisible()
  expect([...before.watch.problems, ...after.watch.problems]).toEqual([])
  await after.page.context().close()
})

test('in ten seconds a phone tells what the site is about, and what its forecasts are worth', async ({
  browser,
}) => {
  const [{ last }] = (await server.database.rows<{ last: string }>(
    `select max(race_date)::text as last from race where region_id = '${REGION}'`,
  )) as [{ last: string }]
  time = new Date(Date.parse(last) + 60 * DAY_MS)
  const context = await browser.newContext({
    ...PHONE,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await context.clock.setFixedTime(time)
  const page = await context.newPage()
  const returns = (rate: number) => ({ rate, interval: { low: rate - 0.04, high: rate + 0.04 }, bets: 4167 })
  // The small season has no tested one.
  await page.route(/queryProof/, (route) =>
    route.fulfill({
      json: {
        success: true,
        code: 200,
        message: '',
        timestamp: 0,
        result: {
          model: 'blended',
          seasons: [2020, 2024],
          races: 4167,
          pick: { hitRate: 0.312, hitInterval: { low: 0.298, high: 0.326 }, returns: returns(-0.14) },
          favourite: { hitRate: 0.311, hitInterval: { low: 0.297, high: 0.325 }, returns: returns(-0.143) },
          random: { hitRate: 0.085, hitInterval: null, returns: returns(-0.246) },
        },
      },
    }),
  )
  await page.goto(server.base)
  await settled(page)
  const seen = await firstScreenText(page)
  for (const words of [
    ...FIRST_SCREEN_WORDS,
    /Top pick 31\.2%/,
    /Favourite 31\.1%/,
    /Random 8\.5%/,
    /Last meeting/,
  ])
    expect(seen).toMatch(words)
  await context.close()
})

for (const [locale, word] of [
  ['en-GB', EN],
  ['zh-HK', HANT],
  ['zh-CN', HANS],
] as const)
  test(`a phone shows the names of tips and of the next race whole: ${locale}`, async ({ browser }) => {
    const { page, watch } = await visitAt(browser, DEMO_DAY, locale)
    const tips = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { level: 2, name: word('home.nextTips'), exact: true }) })
    await expect(tips.getByRole('listitem').filter({ hasText: '%' }).first()).toBeVisible()
    const cut = await tips.locator('li span').evaluateAll((all) =>
      all
        .filter((each) => getComputedStyle(each).overflowX !== 'visible')
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    // Racecourse and number are on one line.
    const lines = await page
      .locator('[aria-labelledby="next-race"] button strong')
      .first()
      .evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      })
    expect(lines).toBe(1)
    expect(watch.problems).toEqual([])
    await page.context().close()
  })

test('a VIP whose membership ended meanwhile is told that access is refused', async ({ browser }) => {
  time = DEMO_DAY
  const { token } = await server.register()
  await server.buy(token)
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  await context.clock.setFixedTime(DEMO_DAY)
  const page = await context.newPage()
  const session = page.waitForResponse((response) => response.url().includes(userInfo.path))
  await page.goto(server.base)
  await (await session).finished()
  await settled(page)
  // The purchase may be pushed late and have the account asked for again, which would tell the page before it is refused.
  await page.route(
    (url) => url.pathname.includes(userInfo.path),
    () => {},
  )
  await server.database.rows(`update customer set vip_end = $1 where vip_end > $1`, [DEMO_DAY.toISOString()])
  await page.evaluate(() => (location.hash = '#/pages/race/ModelCard'))
  await expect(page.getByRole('status').filter({ hasText: EN('error.vip-needed') })).toBeVisible()
  await context.close()
})
