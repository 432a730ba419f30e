import { expect, test } from '@playwright/test'
import { EARLY_MIN, LATE_MIN, MARKS_MIN } from '../../domain/odds-replay.ts'
import { Reference } from './reference.ts'
import { BASE, signIn, vipToken, Watch } from './site.ts'
import { numberIn } from './workspace-page.ts'

test('the market of a race is replayed, and its table says what the recorded odds say', async ({
  browser,
}) => {
  const reference = await Reference.open('100000', ['fundamental'])
  const [race] = await reference.rows(
    `SELECT race_id, race_key FROM race WHERE status = 'final' ORDER BY race_date DESC, race_no LIMIT 1`,
  )
  const raceId = String(race!['race_id'])
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  const token = vipToken()
  await signIn(context, token)
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(`${BASE()}#/pages/race/HorseRace?id=${raceId}&tab=market`)
  const table = page.getByTestId('market')
  await expect(table).toBeVisible()

  const answer = await fetch(new URL(`race/api/queryRaceMarket?raceId=${raceId}`, BASE()), {
    headers: { 'x-access-token': token },
  })
  const { result: ticks } = (await answer.json()) as {
    result: { createTime: string; odds: number; horseNumber: number }[]
  }
  const infoAnswer = await fetch(new URL(`race/api/queryRaceInfo?raceId=${raceId}`, BASE()))
  const { result: info } = (await infoAnswer.json()) as { result: { competitionDate: string } }
  const off = Date.parse(info.competitionDate)
  // More than one tick every five minutes in the last hour.
  const lastHour = ticks.filter(({ createTime }) => Date.parse(createTime) >= off - 3_600_000)
  expect(new Set(lastHour.map(({ createTime }) => createTime)).size).toBeGreaterThan(12)
  for (const row of await table.locator('tbody tr').all()) {
    const number = Number(await row.getAttribute('data-number'))
    const own = ticks.filter(({ horseNumber }) => horseNumber === number)
    const before = (instant: number): number =>
      own.findLast(({ createTime }) => Date.parse(createTime) <= instant)!.odds
    const shown = (await row.locator('td').allTextContents()).map(numberIn)
    expect(shown.slice(0, 5)).toEqual([
      own[0]!.odds,
      ...MARKS_MIN.map((minutes) => before(off - minutes * 60_000)),
      own.at(-1)!.odds,
    ])
    // The change is shown in whole percent.
    expect(Math.abs(shown[6]! - (own.at(-1)!.odds / own[0]!.odds - 1))).toBeLessThan(0.0051)
  }

  // The slider selects a moment of the market, by keyboard too.
  const slider = page.getByRole('slider', { name: 'Moment' })
  await page.getByText('Last hour', { exact: true }).click()
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', /^−?\d+ min/)
  const minutes = numberIn((await slider.getAttribute('aria-valuetext'))!.split(' min')[0]!)
  for (const row of await table.locator('tbody tr').all()) {
    const number = Number(await row.getAttribute('data-number'))
    const there = ticks.findLast(
      ({ horseNumber, createTime }) =>
        horseNumber === number && Date.parse(createTime) <= off + minutes * 60_000 + 500,
    )
    expect(numberIn(await row.locator('td').nth(5).textContent())).toBe(there!.odds)
  }
  // A replay runs to post time and stops there.
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replay' })).toBeVisible()
  await expect(slider).toHaveAttribute('aria-valuetext', /^Off/)
  const first = table.locator('tbody tr').first().getByRole('button')
  const pressed = await first.getAttribute('aria-pressed')
  await first.click()
  await expect(first).toHaveAttribute('aria-pressed', pressed === 'true' ? 'false' : 'true')

  // The day's market, one table of all its races, says the same of this one.
  await page.getByRole('link', { name: 'All movers of the day' }).click()
  const board = page.getByTestId('market-board')
  await page.getByRole('radio', { name: /^All \(/ }).check()
  const line = board.locator(`tr[data-race="${raceId}"]`).first()
  const number = Number(await line.getAttribute('data-number'))
  const own = ticks.filter(({ horseNumber }) => horseNumber === number)
  const before = (minutesBefore: number): number =>
    own.findLast(({ createTime }) => Date.parse(createTime) <= off - minutesBefore * 60_000)!.odds
  const told = async (column: string): Promise<number> =>
    numberIn(await line.locator(`[data-column=${column}]`).textContent())
  expect([await told('opening'), await told('thirty'), await told('ten'), await told('odds')]).toEqual([
    own[0]!.odds,
    before(EARLY_MIN),
    before(LATE_MIN),
    own.at(-1)!.odds,
  ])
  await line.getByRole('link').click()
  await expect(table).toBeVisible()
  expect(watch.problems).toEqual([])
  await context.close()
})
