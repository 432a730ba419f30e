import { expect, test } from '@playwright/test'
import { BASE, newVip, RECORD, registerMember, signIn, tilesReady, Watch } from './site.ts'
import { filter, MODEL } from './workspace-page.ts'

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`a horse is followed on a race, by keyboard, and found in My stable, ${size.width} pixels wide`, async ({
    browser,
  }) => {
    const schedule = (await (
      await fetch(
        new URL(
          `race/api/queryRace?countryRegionId=100000&today=${new Date().toISOString().slice(0, 10)}`,
          BASE(),
        ),
      )
    ).json()) as { result: { id: string; status: string }[] }
    const race = schedule.result.findLast(({ status }) => status === 'scheduled')!
    const context = await browser.newContext({ locale: 'en-GB', viewport: size })
    await signIn(context, await registerMember())
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(`${BASE()}#/pages/user/stable`)
    await expect(page.getByText('You follow nothing yet.')).toBeVisible()

    await page.goto(`${BASE()}#/pages/race/HorseRace?id=${race.id}&tab=0`)
    const runner = page.getByTestId('racecard').locator('[data-number]').nth(1)
    const toggle = runner.locator('button[aria-expanded]')
    await toggle.focus()
    await page.keyboard.press('Enter')
    const star = runner.getByRole('button', { name: /^Follow / }).first()
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    const horse = (await star.textContent())!
    await star.focus()
    await page.keyboard.press('Space')
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    await expect(runner.getByText('Followed', { exact: true })).toHaveCount(1)

    // Without a connection nothing is claimed.
    await context.setOffline(true)
    const meeting = page.locator('nav + span').getByRole('button', { name: /^Follow / })
    await meeting.click()
    await expect(meeting).toHaveAttribute('aria-pressed', 'false')
    await context.setOffline(false)
    await meeting.click()
    await expect(meeting).toHaveAttribute('aria-pressed', 'true')

    await page.goto(`${BASE()}#/pages/user/stable`)
    await expect(page.getByTestId('stable-horse')).toContainText(horse)
    await expect(page.getByTestId('coming-race').first()).toContainText(horse)
    await expect(page.getByText(/of \d+ races run/)).toBeVisible()
    await page
      .getByTestId('stable-horse')
      .getByRole('button', { name: `Follow ${horse}` })
      .click()
    await page.reload()
    await expect(page.getByText('No horses yet.')).toBeVisible()
    await page
      .getByRole('link', { name: /Sha Tin|Happy Valley/ })
      .first()
      .click()
    await expect(page).toHaveURL(/HorseRace\?id=/)
    expect(watch.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    await context.close()
  })

for (const size of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`a jockey is followed from the record, by keyboard, and found in My stable, ${size.width} pixels wide`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: size })
    await signIn(context, await newVip())
    const page = await context.newPage()
    const watch = new Watch(page)
    const view = { model: MODEL, origin: 'backtest', p: 'bars:jockey' }
    await page.goto(
      `${RECORD()}?${new URLSearchParams(view).toString()}&${filter('bet_type:1~prediction_type:1')}`,
    )
    await tilesReady(page)
    const table = page.locator('[data-testid=breakdown][data-by=jockey]')
    await table.scrollIntoViewIfNeeded()
    const row = table.locator('tbody tr').first()
    const name = row.locator('th').getByRole('button').first()
    const jockey = (await name.textContent())!
    const { height } = (await row.boundingBox())!
    await expect(table.getByRole('button', { name: /^Follow / })).toHaveCount(0)
    await name.focus()
    await page.keyboard.press('Enter')
    // The chosen row has a star, which takes no room, and so has the chosen filter.
    const star = table.getByRole('button', { name: `Follow ${jockey}` })
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    expect((await row.boundingBox())!.height).toBe(height)
    await page.keyboard.press('Tab')
    await expect(star).toBeFocused()
    await page.keyboard.press('Space')
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    const chips = page.getByRole('list', { name: 'Filters in use' })
    await expect(chips.getByRole('button', { name: `Follow ${jockey}` })).toHaveAttribute(
      'aria-pressed',
      'true',
    )

    await page.goto(`${BASE()}#/pages/user/stable`)
    await expect(
      page.getByTestId('stable-person').getByRole('button', { name: `Follow ${jockey}` }),
    ).toHaveAttribute('aria-pressed', 'true')
    expect(watch.problems).toEqual([])
    await context.close()
  })
