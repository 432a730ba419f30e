import { expect, test, type Page } from '@playwright/test'
import sharp from 'sharp'
import { parseRaceId } from '../../domain/race-id.ts'
import { CARD_WIDTH } from '../../src/widgets/share-card/draw-card.ts'
import { Reference } from './reference.ts'
import { expectAccessible, expectNoSidewaysScroll } from './settled.ts'
import { BASE, memberToken, signIn, vipToken, Watch } from './site.ts'
import { numberIn } from './workspace-page.ts'
import { boxOf } from './box-of.ts'

interface Runner {
  horseNumber: number
  name: string
  ranking: string
  status: string
  odds: number | null
  probability: number | null
}

const runnersOf = async (raceId: string, token: string): Promise<Runner[]> => {
  const answer = await fetch(new URL(`race/api/queryRaceCompetitor?raceId=${raceId}`, BASE()), {
    headers: { 'x-access-token': token },
  })
  return ((await answer.json()) as { result: Runner[] }).result
}

/** A finished race with a withdrawn horse: the most complex racecard. */
async function finishedRace(): Promise<string> {
  const reference = await Reference.open('100000', ['fundamental'])
  const [race] = await reference.rows(
    `SELECT race_id FROM race WHERE status = 'final' AND race_key IN (SELECT race_key FROM runner WHERE status = 'withdrawn')
     ORDER BY race_date DESC, race_no LIMIT 1`,
  )
  return String(race!['race_id'])
}

const numbers = async (page: Page): Promise<number[]> =>
  page
    .getByTestId('racecard')
    .locator('[data-number]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset['number'])))

test(
  'a racecard is in finishing order, is sorted by the keyboard, and its figures are those of the field',
  { tag: '@smoke' },
  async ({ browser }) => {
    const token = vipToken()
    const raceId = await finishedRace()
    const runners = await runnersOf(raceId, token)
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
    await signIn(context, token)
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(`${BASE()}#/pages/race/HorseRace?id=${raceId}&tab=0`)
    const card = page.getByTestId('racecard')
    await expect(card).toBeVisible()
    const shown = await numbers(page)
    const byNumber = new Map(runners.map((runner) => [runner.horseNumber, runner]))
    const placed = shown.map((number) => byNumber.get(number)!)
    const places = placed.flatMap(({ ranking }) => (/^\d+$/.test(ranking) ? [Number(ranking)] : []))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(placed.at(-1)!.status).toBe('withdrawn')
    await expect(card.locator('tbody').last()).toContainText('Withdrawn')

    // Most probable first; the model's shares equal the API's, and fair odds are their reciprocals.
    await card.getByRole('button', { name: 'Model', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(card.getByRole('columnheader', { name: 'Model', exact: true })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    const starters = runners.filter(({ probability }) => probability !== null)
    const sorted = await numbers(page)
    expect(sorted.slice(0, starters.length)).toEqual(
      starters.toSorted((a, b) => b.probability! - a.probability!).map(({ horseNumber }) => horseNumber),
    )
    const market = starters.reduce((sum, { odds }) => sum + 1 / odds!, 0)
    for (const runner of starters) {
      const row = card.locator(`[data-number="${runner.horseNumber}"]`)
      const cell = async (name: string): Promise<number> =>
        numberIn(await row.locator(`[data-column=${name}]`).textContent())
      expect(await cell('model')).toBeCloseTo(runner.probability!, 3)
      expect(Math.abs((await cell('fair')) - 1 / runner.probability!)).toBeLessThan(0.006)
      expect(
        Math.abs((await cell('edge')) - 100 * (runner.probability! - 1 / runner.odds! / market)),
      ).toBeLessThan(0.051)
    }

    // A row expands to the model's reasons and the runs before this race.
    const winner = card.locator(`[data-number="${shown[0]}"] button[aria-expanded]`)
    await expect(winner).toHaveAttribute('aria-expanded', 'true')
    const first = card.locator(`[data-number="${sorted.find((number) => number !== shown[0])}"]`)
    await first.locator('button[aria-expanded]').focus()
    await page.keyboard.press('Enter')
    await expect(first.getByText(/^Why “.+” thinks so$/).first()).toBeVisible()
    const dates = first.getByRole('region', { name: 'Last runs before this race' }).locator('time')
    await expect(dates.first()).toBeVisible()
    for (const date of await dates.allTextContents()) {
      const { date: ofRace } = parseRaceId(raceId)
      expect(Date.parse(`${date} UTC`)).toBeLessThan(Date.parse(ofRace))
    }
    await expectAccessible(page)
    expect(watch.problems).toEqual([])
    await context.close()
  },
)

test('a member without the race reads runners and result on a phone, and how to open the model', async ({
  browser,
}) => {
  const raceId = await finishedRace()
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await signIn(context, memberToken())
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/race/HorseRace?id=${raceId}&tab=0`)
  const card = page.getByTestId('racecard')
  const lines = card.getByRole('listitem')
  await expect(lines.first()).toContainText('1st')
  await expect(lines.first()).toContainText('Odds')
  // A veil without figures stands for the model's column, and its heading opens the race.
  await expect(card).not.toContainText('%')
  await expect(card.getByRole('button', { name: /^Model: See every runner/ })).toBeVisible()
  // Each has the height of three lines, so that seven are in view.
  await expect(card.locator('[aria-expanded=true]')).toHaveCount(0)
  const height = (await boxOf(lines.nth(1))).height
  expect(height).toBeGreaterThanOrEqual(64)
  expect(height).toBeLessThan(72)
  // The first is read without scrolling, and seven are in view above the buttons at the thumb.
  const first = await boxOf(lines.first())
  expect(first.y + first.height).toBeLessThanOrEqual(330)
  const thumb = await boxOf(page.locator('main a[rel=next], main a[rel=prev]').first())
  const seventh = await boxOf(lines.nth(Math.min(7, await lines.count()) - 1))
  expect(seventh.y + seventh.height).toBeLessThanOrEqual(thumb.y + 2)
  await card.getByRole('button', { name: /^No\./ }).tap()
  // Below the runners the course; what the header says stays in view, and is not read twice.
  await page.getByTestId('course-sketch').scrollIntoViewIfNeeded()
  const line = page.locator('main p[aria-hidden=true]')
  await expect(line).toContainText(/^R\d+ \d\d:\d\d/)
  const tabs = await boxOf(page.getByRole('tablist').first())
  const seen = await boxOf(line)
  expect(tabs.y).toBeGreaterThanOrEqual(seen.y + seen.height - 1)
  await page.evaluate(() => scrollTo(0, 0))
  await expect(line).toBeEmpty()
  const shown = await numbers(page)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  const other = card.locator(`[data-number="${shown[1]}"]`)
  await other.getByRole('button').tap()
  await expect(other.getByRole('link', { name: 'Horse profile' })).toBeVisible()
  await expect(page.getByText('See every runner’s win chance')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await context.close()
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`a race is shared as a picture that the device draws, ${viewport.width} pixels wide`, async ({
    browser,
  }) => {
    const raceId = await finishedRace()
    const context = await browser.newContext({ locale: 'en', viewport })
    await signIn(context, memberToken())
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(`${BASE()}#/pages/race/HorseRace?id=${raceId}&tab=0`)
    await expect(page.getByTestId('racecard')).toBeVisible()
    const share = page.getByRole('button', { name: 'Share as a picture' })
    await share.scrollIntoViewIfNeeded()
    // The server has no part in it.
    await context.setOffline(true)
    const [download] = await Promise.all([page.waitForEvent('download'), share.click()])
    expect(download.suggestedFilename()).toBe(`furlong-${raceId}.png`)
    await expect(page.getByText('The picture was saved.')).toBeVisible()
    const picture = sharp(await download.path())
    const { format, width, height } = await picture.metadata()
    expect([format, width]).toEqual(['png', CARD_WIDTH])
    expect(height).toBeGreaterThan(CARD_WIDTH / 2)
    // Something is drawn on its ground; the fourth channel is its opacity.
    const { channels } = await picture.stats()
    for (const { min, max, stdev } of channels.slice(0, 3)) {
      expect(max - min).toBeGreaterThan(100)
      expect(stdev).toBeGreaterThan(5)
    }
    expect(watch.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    await context.close()
  })
