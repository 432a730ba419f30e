import { expect, test } from '@playwright/test'
import { Reference } from './reference.ts'
import { BASE, signIn, vipToken, Watch } from './site.ts'
import { tabTo } from './tab-to.ts'
import { numberIn } from './workspace-page.ts'

const RESULTS = (): string => `${BASE()}#/pages/race/PredictionResults`
const MODEL = 'fundamental'
const numbersOf = (text: unknown): string[] => String(text).split(', ')

test('a VIP reads of each race what was picked, what won and what it paid', async ({ browser }) => {
  const reference = await Reference.open('100000', [MODEL])
  const [month] = await reference.rows(
    `SELECT strftime(max(race_date) - INTERVAL 1 MONTH, '%Y-%m') AS month FROM race WHERE status <> 'scheduled'`,
  )
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(`${RESULTS()}?model=${MODEL}`)
  const months = page.getByRole('group', { name: 'Month' }).getByRole('button')
  await months.nth(1).click()
  await expect(page).toHaveURL(new RegExp(`month=${String(month!['month'])}`))

  const meetings = await reference.rows(
    `SELECT race_date::VARCHAR AS day, stadium_key, count(*)::INTEGER AS races,
       count(*) FILTER (WHERE outcome = 'hit')::INTEGER AS hits, count(*) FILTER (WHERE outcome <> 'void')::INTEGER AS bets,
       (sum(profit_cents) / 100)::DOUBLE AS profit
     FROM prediction WHERE model = '${MODEL}' AND bet_type = 1 AND selected
       AND strftime(race_date, '%Y-%m') = '${String(month!['month'])}'
     GROUP BY ALL ORDER BY day DESC, stadium_key`,
  )
  const shown = page.getByTestId('meeting')
  await expect(shown).toHaveCount(meetings.length)
  for (const [at, meeting] of meetings.entries()) {
    const head = shown.nth(at).locator('header')
    await expect(head).toContainText(`Win picks: ${String(meeting['hits'])} of ${String(meeting['bets'])}`)
    expect(numberIn(await head.locator('strong').textContent())).toBeCloseTo(Number(meeting['profit']), 2)
    // One meeting is open at a time, the first one at first.
    if (at > 0) await shown.nth(at).getByRole('button').click()
    await expect(shown.getByRole('link')).toHaveCount(Number(meeting['races']))
    await expect(shown.nth(at).getByRole('link')).toHaveCount(Number(meeting['races']))
  }
  await shown.first().getByRole('button').click()

  const [race] = await reference.rows(
    `SELECT race_id, race_no::INTEGER AS number,
       (SELECT string_agg(horse_no::VARCHAR, ', ' ORDER BY model_rank) FROM starter
         WHERE starter.race_key = race.race_key AND model = '${MODEL}' AND model_rank <= 4) AS picked,
       (SELECT string_agg(horse_no::VARCHAR, ', ' ORDER BY place, horse_no) FROM runner
         WHERE runner.race_key = race.race_key AND place <= 4) AS won
     FROM race WHERE race_date = '${String(meetings[0]!['day'])}' AND stadium_key = ${Number(meetings[0]!['stadium_key'])}
     ORDER BY race_no LIMIT 1`,
  )
  const first = shown.first().getByRole('link').first()
  await expect(first).toContainText(`R${String(race!['number'])}`)
  await expect(first).toContainText(`Picked: ${String(race!['picked'])}`)
  await expect(first).toContainText(`Finish order: ${String(race!['won'])}`)
  const [names] = await reference.rows(
    `SELECT
       (SELECT string_agg(name_en, ' / ' ORDER BY horse_no) FROM runner JOIN horse USING (horse_key)
         WHERE runner.race_key = race.race_key AND place = 1) AS winner,
       (SELECT name_en FROM starter JOIN horse USING (horse_key)
         WHERE starter.race_key = race.race_key AND model = '${MODEL}' AND model_rank = 1) AS pick
     FROM race WHERE race_id = '${String(race!['race_id'])}'`,
  )
  await expect(first).toContainText(`First pick${numbersOf(race!['picked'])[0]}${String(names!['pick'])}`)
  await expect(first).toContainText(`Winner${numbersOf(race!['won'])[0]}${String(names!['winner'])}`)
  // Opens the race with one tap and returns to the same month.
  await first.click()
  await expect(page).toHaveURL(new RegExp(String(race!['race_id'])))
  await page.goBack()
  await expect(months.nth(1)).toHaveAttribute('aria-pressed', 'true')
  // Only one racecourse.
  await page.locator('label').filter({ hasText: 'Happy Valley' }).click()
  await expect(shown.filter({ hasText: 'Sha Tin' })).toHaveCount(0)
  expect(await shown.count()).toBeGreaterThan(0)
  expect(watch.problems).toEqual([])
  await context.close()
})

test('a visitor reads results and runners of every race, and picks of the last seven days', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(RESULTS())
  await expect(page.getByText('Results are open to everybody.')).toBeVisible()
  await expect(page.getByTestId('meeting').first().locator('header')).toContainText('Win picks')
  const months = page.getByRole('group', { name: 'Month' }).getByRole('button')
  await months.nth(2).click()
  const race = page.getByTestId('meeting').first().getByRole('link').first()
  await expect(race).toContainText('not open to you')
  await expect(race).toContainText(/Finish order: \d/)
  await race.click()
  await expect(page).toHaveURL(/HorseRace\?id=/)
  // The order of finish, on a phone its first four at first, and every pool's dividend, as in the tables.
  const raceId = new URL(page.url().replace('#', '')).searchParams.get('id')!
  const reference = await Reference.open('100000', [MODEL])
  const placed = await reference.rows(
    `SELECT horse_no::INTEGER AS horse FROM runner JOIN race USING (race_key) WHERE race_id = '${raceId}' AND place <= 4
     ORDER BY place, horse_no`,
  )
  const first = page.getByTestId('finishers').locator('tbody tr')
  await expect(first).toHaveCount(placed.length)
  await expect(first.first().locator('th')).toContainText(String(placed[0]!['horse']))
  const [field] = await reference.rows(
    `SELECT count(*)::INTEGER AS runners FROM runner JOIN race USING (race_key) WHERE race_id = '${raceId}'`,
  )
  const whole = page.getByRole('button', { name: /^All \d+ runners$/ })
  await whole.click()
  await expect(first).toHaveCount(Number(field!['runners']))
  await expect(whole).toBeFocused()
  await whole.click()
  await expect(first).toHaveCount(placed.length)
  const paid = await reference.rows(
    `SELECT dividend_cents::DOUBLE / 100 AS paid FROM dividend JOIN race USING (race_key)
     WHERE race_id = '${raceId}' AND bet_type = 1 AND dividend.status = 'paid' ORDER BY combination`,
  )
  const win = page.getByTestId('dividends').getByRole('row').filter({ hasText: 'Win' }).first()
  await expect.poll(async () => numberIn(await win.locator('td').last().textContent())).toBe(paid[0]!['paid'])
  await page.getByRole('tab', { name: 'Predictions', exact: true }).click()
  await page.getByRole('tabpanel').last().getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/pages\/login/)
  expect(watch.problems).toEqual([])
  await context.close()
})

test('own chances: one horse by hand moves the others and every pool, and they are kept on the device', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await page.goto(RESULTS())
  await page.getByTestId('meeting').getByRole('link').first().click()
  await page.getByRole('tab', { name: 'Own chances' }).click()
  const table = page.getByTestId('own-chances')
  const row = table.locator('tbody tr').nth(2)
  const own = async (): Promise<number[]> =>
    (await table.locator('tbody output').allTextContents()).map(numberIn)
  await expect(table).toBeVisible()
  const before = await own()
  const pool = page.getByTestId('own-pool')
  await page.getByRole('combobox', { name: 'Bet type' }).selectOption('9')
  const quartet = await pool.locator('tbody th').first().textContent()
  const slider = row.locator('input[type=range]')
  await slider.fill('0.6')
  await expect(row.locator('output')).toHaveText('60.0%')
  const after = await own()
  expect(after.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 2)
  // The other horses keep their proportions.
  expect(after[0]! / after[1]!).toBeCloseTo(before[0]! / before[1]!, 0)
  await expect(pool.locator('tbody th').first()).not.toHaveText(quartet!)
  const number = await row.getAttribute('data-number')
  await expect(pool.locator('tbody th').first()).toHaveText(new RegExp(`^${number}-`))
  // Fair odds are 1 ÷ chance; value is chance × odds.
  const cells = (await row.locator('td').allTextContents()).map(numberIn)
  expect(cells[2]).toBeCloseTo(1 / 0.6, 1)
  expect(cells[4]).toBeCloseTo(0.6 * cells[3]!, 1)

  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByText('Kept on this device.')).toBeVisible()
  await page.reload()
  await expect(row.locator('output')).toHaveText('60.0%')
  await expect(page.getByTestId('chances-result')).toContainText(
    /You gave the winner [\d.]+%, the model [\d.]+%/,
  )
  // Over many races the chances are evaluated like a model.
  const race = page.url()
  await page.goto(`${BASE()}#/pages/race/WinLossRecord?model=${MODEL}&origin=backtest&tab=own`)
  await page.getByRole('button', { name: 'Use the chances that you kept (1 race)' }).click()
  const horses = after.length
  await expect(page.getByTestId('own-matched')).toContainText(`${horses} of ${horses} rows`, {
    timeout: 60_000,
  })
  await page.goto(race)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(own).toEqual(before)
  expect(sent.filter((request) => request.includes('byHand'))).toEqual([])
  expect(watch.problems).toEqual([])
  await context.close()
})

test('what if, by the keyboard alone: a withdrawal and another jockey move all chances, and reset takes them back', async ({
  browser,
}) => {
  const today = new Date().toISOString().slice(0, 10)
  const schedule = (await (
    await fetch(new URL(`race/api/queryRace?countryRegionId=100000&today=${today}`, BASE()))
  ).json()) as { result: { id: string; status: string }[] }
  const race = schedule.result.findLast(({ status }) => status === 'scheduled')!
  const context = await browser.newContext({ locale: 'en', viewport: { width: 390, height: 844 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  await page.goto(`${BASE()}#/pages/race/HorseRace?id=${race.id}&tab=0`)
  await tabTo(page, page.getByRole('tab', { selected: true }))
  await tabTo(page, page.getByRole('tab', { name: 'Own chances' }), 'ArrowRight')
  await tabTo(page, page.getByRole('radio', { name: 'Set by hand' }))
  await page.keyboard.press('ArrowRight')
  const board = page.getByTestId('trial')
  await expect(board).toHaveAttribute('data-settled', '')
  await expect(page.getByText('it is not stored and is no prediction')).toBeVisible()
  const column = async (at: number): Promise<string[]> =>
    board.locator(`tbody tr td:nth-child(${at})`).allTextContents()
  const [predicted, alike] = [await column(2), await column(3)]
  expect(alike).toEqual(predicted)
  expect(predicted.map(numberIn).reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 1)

  const withdrawn = page.getByRole('checkbox', { name: 'Withdrawn' })
  await tabTo(page, withdrawn)
  await page.keyboard.press('Space')
  await expect(board.getByText('Withdrawn')).toHaveCount(1)
  const others = (await column(3)).filter((text) => text !== 'Withdrawn').map(numberIn)
  expect(others).toHaveLength(predicted.length - 1)
  expect(others.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 1)
  await page.keyboard.press('Space')
  await expect.poll(() => column(3)).toEqual(predicted)

  const jockey = page.getByRole('combobox', { name: 'Jockey' })
  await tabTo(page, jockey, 'Shift+Tab')
  const before = await jockey.inputValue()
  await page.keyboard.press(
    (await jockey.locator('option').last().getAttribute('value')) === before ? 'Home' : 'End',
  )
  await expect(jockey).not.toHaveValue(before)
  const why = page.getByTestId('trial-why')
  await expect(why.locator('[data-feature=jockey]')).toContainText('Jockey: × ')
  await expect(page.getByRole('button', { name: /^Take back: / })).toHaveCount(1)
  await tabTo(page, page.getByRole('button', { name: 'Reset', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => column(3)).toEqual(predicted)
  await expect(jockey).toHaveValue(before)
  // Nothing but trials was sent.
  expect(new Set(sent.filter((path) => path.startsWith('/race/')))).toEqual(new Set(['/race/api/queryTrial']))
  expect(watch.problems).toEqual([])
  await context.close()
})
