import { resolve } from 'node:path'
import { expect, test, type Locator } from '@playwright/test'
import { SEED_PASSWORD, seedCustomer } from '../support/seed-customer.ts'
import { userInfo } from '../../contract/api/account.ts'
import { applyStatus } from '../../contract/api/trade.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { decideProvider } from '../../server/services/promotion.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { EN, fillRegistration, HANS, newPhone, PHONE, switchTo } from './reader.ts'
import { goTo, axeFindings, settled } from './settled.ts'
import { signIn, Watch } from './site.ts'

const DAY_MS = 86_400_000

/** A separate server, whose clock these tests move. */
let server: TestServer
test.beforeAll(async () => {
  const place = await newSmallSeason('pglite', new Date())
  await buildDataset(place.database, place.dataFolder)
  server = await TestServer.start(place, {
    siteFolder: resolve('dist/site'),
  })
})
test.afterAll(async () => {
  await server.close()
  await server.place.close()
})

const codeSent = async (phone: string): Promise<string> => {
  await server.context.settled()
  return server.texts.findLast((text) => text.phone.endsWith(phone))!.code
}

test('sets a forgotten password, signs in, and deletes the account, which says so', async ({ browser }) => {
  const mobile = newPhone()
  await server.register({ phone: mobile })
  // A phone number gets one code per minute.
  const now = server.time()
  server.time = () => new Date(now.getTime() + 120_000)
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${server.base}#/pages/login/login?back=%2Fpages%2Frace%2Fviplist`)
  await settled(page)
  await page.getByRole('link', { name: EN('title.forgot') }).click()
  await page.getByLabel(EN('form.phone'), { exact: true }).fill('123')
  await page.getByRole('button', { name: EN('code.send') }).click()
  // Shown at the field, not only as a temporary message.
  await expect(page.locator('form').getByText(EN('field.phone'))).toBeVisible()
  await page.getByLabel(EN('form.phone'), { exact: true }).fill(mobile)
  await page.getByRole('button', { name: EN('code.send') }).click()
  await expect(page.getByText(EN('code.sent'))).toBeVisible()
  await page.getByLabel(EN('form.captcha'), { exact: true }).fill(await codeSent(mobile))
  await page.getByLabel(EN('form.newPassword'), { exact: true }).fill('fresh4course')
  await page.getByLabel(EN('form.confirmPassword'), { exact: true }).fill('fresh4course')
  await page.getByRole('button', { name: EN('password.set') }).click()
  await expect(page).toHaveURL(/login\/login\?back=/)

  await page.getByRole('textbox', { name: EN('form.username') }).fill(mobile)
  await page.getByRole('textbox', { name: EN('form.password') }).fill('fresh4course')
  await page
    .getByRole('main')
    .getByRole('button', { name: EN('session.signIn') })
    .click()
  await expect(page).toHaveURL(/#\/pages\/race\/viplist/)
  await goTo(page, '/pages/user/delete')
  await page.getByRole('textbox', { name: EN('form.password') }).fill('fresh4course')
  await page.getByRole('button', { name: EN('title.deleteAccount') }).click()
  await expect(page.getByText(EN('delete.sureNeeded'))).toBeVisible()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: EN('title.deleteAccount') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('exit.deleted'))
  expect(await page.evaluate(() => localStorage.getItem('Access-Token'))).toBeNull()
  await context.close()
})

test('provider: applies, is approved, has customers, instalments that settle, a bank card, a withdrawal', async ({
  browser,
}) => {
  const { token } = await seedCustomer(server.database)
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  await signIn(context, token)
  const page = await context.newPage()
  const watch = new Watch(page, server.base)
  await page.goto(`${server.base}#/pages/user/apply`)
  await settled(page)
  await page.getByLabel(EN('form.name'), { exact: true }).fill('Chan Tai Man')
  await page.getByLabel(EN('form.phone'), { exact: true }).fill('61234567')
  await page.getByRole('button', { name: EN('apply.send'), exact: true }).click()
  await expect(page.getByRole('heading', { name: EN('application.pending') })).toBeVisible()
  await goTo(page, '/pages/user/promotionServiceProvider')
  await expect(page.getByText(EN('error.not-provider'))).toBeVisible()

  // The same as `npm run admin -- applications approve`.
  const application = await server.ask(applyStatus, { token })
  await decideProvider(server.context.service, application!.id, 'approved')
  await page.reload()
  await settled(page)
  await expect(page.getByText(EN('promotion.noFees'))).toBeVisible()
  const link = await page.getByText(/foothome\?shareby=/).innerText()

  // Somebody registers through the link and buys a plan: the fee appears, in instalments.
  const customer = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  const buying = await customer.newPage()
  await buying.goto(link)
  await settled(buying)
  await goTo(buying, '/pages/login/fyregister')
  await fillRegistration(buying, newPhone(), EN, codeSent)
  await buying.getByRole('checkbox').check()
  await buying.getByRole('button', { name: EN('session.register'), exact: true }).click()
  await expect(buying.getByRole('heading', { level: 1 })).toHaveText(EN('title.registered'))
  await goTo(buying, '/pages/race/vippay?id=2')
  await buying.getByRole('button', { name: /^Pay HK\$/ }).click()
  await buying.getByRole('button', { name: 'Approve' }).click()
  await expect(buying.getByRole('heading', { level: 1 })).toHaveText(/^You’re VIP until /)
  await customer.close()

  await page.reload()
  await settled(page)
  await switchTo(page, 'zh-Hans')
  await expect(page.getByRole('cell', { name: 'HK$80.40' }).first()).toBeVisible()
  // The month of the first instalment is open.
  await expect(page.locator('li strong').filter({ hasText: 'HK$26.80' }).first()).toBeVisible()
  await expect(page.getByText('第 1／3 期').first()).toBeVisible()

  // Two months later two of three instalments are settled; a session lasts that long only if it is used.
  for (const days of [25, 50, 70]) {
    server.time = () => new Date(Date.now() + days * DAY_MS)
    await server.ask(userInfo, { token })
  }
  // A wrong card number is reported at its field; a valid one is shown as its last four digits.
  await switchTo(page, 'en', HANS)
  await goTo(page, '/pages/user/bankCard')
  await page.getByLabel(EN('card.holder')).fill('Demo Provider')
  await page.getByLabel(EN('card.bank'), { exact: true }).fill('Harbour Bank')
  await page.getByLabel(EN('card.number')).fill('5555 5555 5555 4445')
  await page.getByRole('textbox', { name: EN('form.password'), exact: true }).fill(SEED_PASSWORD)
  await page.getByRole('button', { name: EN('common.save'), exact: true }).click()
  await expect(page.getByText(EN('field.card'))).toBeVisible()
  await page.getByLabel(EN('card.number')).fill('5555 5555 5555 4444')
  await page.getByRole('button', { name: EN('common.save'), exact: true }).click()
  await expect(page.getByText('•••• 4444')).toBeVisible()

  await goTo(page, '/pages/user/withdrawal')
  await expect(page.getByText('HK$53.60', { exact: true })).toBeVisible()
  await page.getByLabel(EN('withdrawal.amount')).fill('999999')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText(EN('withdrawal.tooMuch'))).toBeVisible()
  await page.getByLabel(EN('withdrawal.amount')).fill('12.50')
  await page.getByRole('button', { name: /^Withdraw HK.+ to .*4444$/ }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByRole('heading')).toHaveText('Withdraw HK$12.50 to •••• 4444?')
  await review.getByRole('textbox', { name: EN('form.password'), exact: true }).fill('not4course')
  await review.getByRole('button', { name: EN('withdrawal.confirm') }).click()
  await expect(review.getByRole('textbox', { name: EN('form.password'), exact: true })).toBeFocused()
  await expect(review.getByText(EN('error.wrong-password'))).toBeVisible()
  await review.getByRole('textbox', { name: EN('form.password'), exact: true }).fill(SEED_PASSWORD)
  await review.getByRole('button', { name: EN('withdrawal.confirm') }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('HK$12.50').first()).toBeVisible()
  await expect(page.getByText(EN('withdrawalState.waiting'), { exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // The rest, from the personal centre: five gestures at most, the typed password aside.
  await goTo(page, '/pages/user/fypeople')
  let gestures = 0
  const press = async (target: Locator): Promise<void> => {
    gestures += 1
    await target.click()
  }
  await press(page.getByRole('link', { name: new RegExp(`^${EN('person.income')} HK`) }))
  await press(page.getByRole('button', { name: 'Withdraw HK$41.10 to •••• 4444' }))
  const password = page.getByRole('dialog').getByRole('textbox', { name: EN('form.password'), exact: true })
  await expect(password).toBeFocused()
  await page.keyboard.type(SEED_PASSWORD)
  await press(page.getByRole('button', { name: EN('withdrawal.confirm') }))
  await expect(page.getByText(EN('withdrawal.nothing'))).toBeVisible()
  expect(gestures).toBeLessThanOrEqual(5)
  expect(watch.problems).toEqual([])
  await context.close()
})
