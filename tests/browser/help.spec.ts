import { expect, test, type Page } from '@playwright/test'
import { goTo } from './settled.ts'
import { BASE, Watch, openMore, signIn, vipToken } from './site.ts'

const FIGURES = 'How these figures are made'

/** Opens the link to a help page, checks the page's heading, and goes back. */
async function expectHelp(page: Page, name: string, heading: string, within = page.locator('main')) {
  await within.getByRole('link', { name }).click()
  const title = page.getByRole('heading', { level: 1, name: heading })
  await expect(title).toBeVisible()
  await expect(title).toBeFocused()
  await expect(page).toHaveTitle(`${heading} · Help · Furlong`)
  await page.goBack()
}

test('each help link leads to the page of its place', async ({ browser }) => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const answer = await fetch(
    new URL(`race/api/queryRacePageDesc?countryRegionId=100000&today=${yesterday}`, BASE()),
  )
  const { result } = (await answer.json()) as { result: { id: string }[] }
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())

  await goTo(page, '/pages/race/WinLossRecord')
  await openMore(page)
  await page.getByRole('button', { name: 'About these figures' }).click()
  await expectHelp(page, FIGURES, 'Record', page.getByRole('dialog'))
  await goTo(page, '/pages/race/WinLossRecord?tab=lab')
  await expectHelp(page, FIGURES, 'Strategy lab')
  await goTo(page, '/pages/race/WinLossRecord?tab=console')
  await expectHelp(page, 'How the console works', 'SQL console')
  await goTo(page, '/pages/race/WinLossRecord?tab=own')
  await expectHelp(page, FIGURES, 'Your own data')
  await goTo(page, '/pages/user/notes')
  await expectHelp(page, 'How notes work', 'Notes')

  const race = `/pages/race/HorseRace?id=${result[0]!.id}`
  const panel = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
  await goTo(page, `${race}&tab=market`)
  await expectHelp(page, FIGURES, 'Market over time', panel('Market over time'))
  await goTo(page, `${race}&tab=chances`)
  await expectHelp(page, FIGURES, 'Own chances and all pools', panel('Your own chances'))
  await goTo(page, `${race}&tab=notes`)
  await expectHelp(page, 'How notes work', 'Notes', panel('Your notes'))
  expect(watch.problems).toEqual([])
  await context.close()
})

test('the list and, on a phone, the selection lead to every page, with the focus on its heading', async ({
  browser,
}) => {
  for (const width of [1280, 390]) {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width, height: 844 } })
    const page = await context.newPage()
    await page.goto(`${BASE()}#/pages/help/no-such-topic`)
    await expect(page.getByRole('heading', { level: 1, name: 'Record' })).toBeVisible()
    if (width > 1000)
      await page.getByRole('navigation', { name: 'Help pages' }).getByRole('link', { name: 'Notes' }).click()
    else await page.getByRole('combobox', { name: 'Help pages' }).selectOption('Notes')
    await expect(page.getByRole('heading', { level: 1, name: 'Notes' })).toBeFocused()
    await context.close()
  }
})
