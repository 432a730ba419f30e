import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { newSmallSeason } from '../support/api.ts'
import { startServerProcess } from '../support/server-process.ts'
import { EN, LANGUAGES, switchTo } from './reader.ts'
import { settled } from './settled.ts'

test('a started server has a race within minutes, whose odds move and whose tip is renewed without a command', async ({
  browser,
}) => {
  const place = await newSmallSeason('pglite', new Date())
  await place.database.close()
  const server = await startServerProcess(
    { FURLONG_DATA: place.dataFolder, DATABASE_URL: '', FURLONG_DEMONSTRATION: 'live' },
    /\nready\n/,
    ['--site', resolve('dist/site')],
  )
  try {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(/as its VIP: (\S+)/.exec(server.printed())![1]!)
    await expect(page.getByText('You are signed in as demo-vip.')).toBeVisible()
    await page.goto(`${server.base}#/`)
    await settled(page)
    const next = page.getByRole('region', { name: EN('home.next') })
    await expect(next.getByText(/^in \d min$/)).toBeVisible()
    let from = EN
    for (const [language, word] of LANGUAGES) {
      await switchTo(page, language, from)
      await expect(page.getByText(word('home.simulated'))).toBeVisible()
      from = word
    }
    await switchTo(page, 'en', from)

    await next.getByRole('button').first().click()
    await settled(page)
    const card = page.getByTestId('racecard')
    const shown = await card.innerText()
    await expect(page.getByText(/^Live: updated at/)).toBeVisible({ timeout: 90_000 })
    await expect.poll(() => card.innerText(), { timeout: 90_000 }).not.toBe(shown)
    await context.close()
  } finally {
    await server.stop()
  }
})
