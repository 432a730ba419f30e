import { resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { buildDataset } from '../../server/dataset/build.ts'
import { ViewAlerts } from '../../server/dataset/view-alerts.ts'
import { deliverWaiting } from '../../server/alerts/alert-delivery.ts'
import { lastRaceDayOf } from '../../server/routes/context.ts'
import { startMailServer, textOf } from '../support/alert-receivers.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { settled } from './settled.ts'
import { tilesReady, Watch } from './site.ts'
import { MODEL, tile } from './workspace-page.ts'

let server: TestServer
let mail: Awaited<ReturnType<typeof startMailServer>>

test.beforeAll(async () => {
  mail = await startMailServer()
  const started = Date.now()
  const time = (): Date => new Date(DEMO_DAY.getTime() + Date.now() - started)
  const place = await newSmallSeason('pglite', DEMO_DAY)
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, {
    siteFolder: resolve('dist/site'),
    time,
    settings: {
      FURLONG_SMTP_URL: mail.url,
      FURLONG_MAIL_FROM: 'alerts@furlong.example',
      FURLONG_SITE_URL: 'https://furlong.example',
    },
  })
})
test.afterAll(async () => {
  await server.close()
  await server.place.close()
  await mail.close()
})

/** The link in a message that has `part`, as the path, query and fragment that lead there on the server of the test. */
function linkIn(text: string, part: string): string {
  const found = text.match(/https?:\/\/\S+/g)?.find((link) => link.includes(part))
  if (found === undefined) throw new Error(`no link with ${part} in ${text}`)
  const { pathname, search, hash } = new URL(found)
  return pathname + search + hash
}

for (const [name, viewport] of [
  ['Phone picks', { width: 390, height: 844 }],
  ['Desk picks', { width: 1280, height: 800 }],
] as const)
  test(`a view sends its figures by e-mail, which are those of the screen it leads to, ${viewport.width} pixels wide`, async ({
    browser,
  }) => {
    const { token } = await seedCustomer(server.database, { at: DEMO_DAY })
    await server.buy(token)
    const context = await browser.newContext({ locale: 'en-GB', viewport, reducedMotion: 'reduce' })
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    await context.clock.setFixedTime(DEMO_DAY)
    const page = await context.newPage()
    const watch = new Watch(page, server.base)

    // The address, confirmed by the link that it gets.
    const address = `reader${viewport.width}@example.com`
    await page.goto(`${server.base}#/pages/user/alertSettings`)
    await page.getByRole('textbox', { name: 'Address' }).fill(address)
    await page.getByRole('checkbox', { name: /^I agree/ }).check()
    await page.getByRole('button', { name: 'Send the confirmation' }).click()
    await expect(page.getByText(`A message is on its way to ${address}.`)).toBeVisible()
    await server.context.settled()
    const confirmation = linkIn(textOf(mail.mails.find(({ to }) => to === address)!), '/confirm')
    const opened = await context.newPage()
    await opened.goto(new URL(confirmation, server.base).href)
    await opened.getByRole('button').click()
    await expect(opened.getByText('Alerts now come to this address')).toBeVisible()
    await opened.close()
    mail.mails.length = 0

    // The view, and what it tells.
    await page.goto(`${server.base}#/pages/race/WinLossRecord?model=${MODEL}&origin=backtest`)
    await tilesReady(page)
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('button', { name: 'Save this view' }).click()
    await dialog.getByRole('button', { name: `Tell me about ${name}` }).click()
    await dialog.getByLabel('Send its figures').selectOption('After each meeting')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()

    // What the jobs of the server do.
    const { context: assembled } = server
    const alerts = new ViewAlerts(
      { ...assembled, lastRaceDayOf: (regionId) => lastRaceDayOf(assembled, regionId) },
      server.time,
    )
    await alerts.tell((error) => {
      throw error
    })
    await deliverWaiting(server.database, assembled.settings.alerts, server.time)
    const [message, ...others] = mail.mails.filter(({ to }) => to === address)
    expect(others).toEqual([])
    const text = textOf(message!)
    const figures =
      /(?<rows>[\d,]+) rows, (?<hits>[\d,]+) hits \((?<hitRate>[^)]+)\), profit (?<profit>\S+), return (?<returned>\S+)/.exec(
        text.replaceAll(/\s+/g, ' '),
      )?.groups
    expect(figures, text).toBeDefined()

    // The alert in the list, and the link in the message, lead to a screen with the same figures.
    await page.goto(`${server.base}#/pages/user/alerts`)
    await expect(page.getByText('New', { exact: true })).toHaveCount(1)
    await page.getByRole('link', { name: `${name}: return ${figures!['returned']}` }).click()
    await expect(page).toHaveURL(/WinLossRecord/)
    const sameAsMessage = async (record: Page): Promise<void> => {
      await settled(record)
      await tilesReady(record)
      const shown = async (label: string): Promise<string> => (await tile(record, label)).value
      expect(await shown('Predictions')).toBe(figures!['rows'])
      expect(await shown('Hit rate')).toBe(figures!['hitRate'])
      expect(await shown('Profit')).toBe(figures!['profit'])
      expect(await shown('Return')).toBe(figures!['returned'])
    }
    await sameAsMessage(page)
    const fromMessage = await context.newPage()
    await fromMessage.goto(new URL(linkIn(text, 'WinLossRecord'), server.base).href)
    await sameAsMessage(fromMessage)
    expect(watch.problems).toEqual([])
    await context.close()
  })
