import { expect, test, type Locator } from '@playwright/test'
import { queryOddsTrack } from '../../contract/api/racing.ts'
import { EN, fillRegistration, HANS, HANT, newPhone, PASSWORD, PHONE, switchTo } from './reader.ts'
import { goTo, axeFindings, settled } from './settled.ts'
import { accountOf, BASE, registerMember, signIn, spendVouchers, Watch } from './site.ts'

test.describe.configure({ mode: 'parallel' })

test(
  'visitor: invited, registers, has vouchers, subscribes, opens a race and its odds chart',
  { tag: '@smoke' },
  async ({ browser }) => {
    const inviterToken = await registerMember()
    const inviter = await accountOf(inviterToken)
    const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(`${BASE()}#/pages/foot/foothome?shareby=${inviter.id}`)
    await settled(page)
    expect(await page.evaluate(() => localStorage.getItem('shareby'))).toBe(inviter.id)

    // A visitor opens a race's runners from the list; its predictions require sign-in.
    await page
      .getByRole('button', { name: /Race 1/ })
      .first()
      .click()
    await expect(page).toHaveURL(/HorseRace/)
    await expect(page.getByRole('tabpanel')).toContainText(EN('race.modelLocked'))
    await page
      .getByRole('tabpanel')
      .getByRole('link', { name: EN('session.signIn'), exact: true })
      .click()
    await expect(page).toHaveURL(/login\/login\?back=/)
    await page.getByRole('link', { name: EN('login.register') }).click()
    await expect(page.getByTestId('inviter')).toContainText('Invited by Reader')

    // Every error is shown at its field, and the first invalid field has the focus.
    await page.getByRole('button', { name: EN('session.register'), exact: true }).click()
    for (const rule of ['field.phone', 'field.code', 'field.password', 'field.agreement'])
      await expect(page.locator('form').getByText(EN(rule))).toBeVisible()
    await expect(page.getByLabel(EN('form.phone'), { exact: true })).toBeFocused()
    expect(await axeFindings(page)).toEqual([])

    await switchTo(page, 'zh-Hant')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(HANT('title.register'))
    await fillRegistration(page, newPhone(), HANT)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: HANT('session.register'), exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(HANT('title.registered'))
    await expect(page.getByText('您今日有 1 張解鎖券，另有 3 張無限期解鎖券。')).toBeVisible()
    expect((await accountOf(inviterToken)).subscribeFreeNum).toBe(23)
    expect(await page.evaluate(() => localStorage.getItem('shareby'))).toBeNull()
    await page.getByLabel(HANT('form.nickname'), { exact: true }).fill('Wing')
    await page.getByRole('button', { name: HANT('common.save'), exact: true }).click()
    await expect(page.getByLabel(HANT('form.nickname'), { exact: true })).toHaveCount(0)

    // Continues to the chosen race: its field is public, its predictions need a voucher.
    await page.getByRole('link', { name: HANT('common.goOn') }).click()
    await settled(page)
    await page.getByRole('tab', { name: HANT('race.section.picks'), exact: true }).click()
    await page
      .getByRole('button', { name: HANT('subscribe.confirm') })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(HANT('voucher.daily'))).toBeVisible()
    await dialog.getByRole('button', { name: '使用 1 張解鎖券（共 4 張）' }).click()
    const first = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: '%' }).first()
    await expect(first).toBeVisible()
    await switchTo(page, 'zh-Hans', HANT)
    const answered = page.waitForResponse((response) => response.url().includes(queryOddsTrack.path))
    await first.getByRole('button', { name: HANS('race.showOdds') }).click()
    const track = queryOddsTrack.result.parse(((await (await answered).json()) as { result: unknown }).result)
    // Days before the race its odds are known once, where a chart would be a dot; on its day they move.
    if (new Set(track.map(({ createTime }) => createTime)).size === 1)
      await expect(first).toContainText('至今只记录了一次')
    else await expect(first.getByRole('img', { name: HANS('race.oddsTrend') })).toBeVisible()
    await expect(page.getByRole('link', { name: HANS('race.viewReport') })).toBeVisible()

    // The voucher is spent, and the race is among the member's races.
    await goTo(page, '/pages/user/fypeople')
    await expect(page.locator('dl').first()).toContainText(`${HANS('voucher.daily')}0`)
    await goTo(page, '/pages/race/Subscribe')
    await expect(page.locator('main ul a')).toHaveCount(1)
    expect(watch.problems).toEqual([])
    await context.close()
  },
)

test('member without vouchers: VIP list, declined, timed out, approved; then sees all', async ({
  browser,
}) => {
  const token = await registerMember()
  await spendVouchers(token)
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  await signIn(context, token)
  const page = await context.newPage()
  const watch = new Watch(page)
  // Opened from a list as well, runners need no voucher.
  await page.goto(`${BASE()}#/pages/foot/foothome`)
  await settled(page)
  await page
    .getByRole('button', { name: /Race 1/ })
    .first()
    .click()
  const question = page.getByRole('dialog')
  await expect(question.getByRole('button', { name: EN('subscribe.confirm') })).toBeDisabled()
  await question.getByRole('button', { name: EN('subscribe.without') }).click()
  await expect(page.getByRole('tabpanel')).toContainText(EN('race.modelLocked'))
  await goTo(page, '/pages/race/PredictionResults')
  // Runners and results need no voucher; predictions do.
  await page.getByTestId('meeting').last().getByRole('button').click()
  await page.getByTestId('meeting').getByRole('link').last().click()
  await expect(page.getByRole('tabpanel')).toContainText('1')
  await page.getByRole('tab', { name: EN('race.section.picks'), exact: true }).click()
  await page
    .getByRole('button', { name: EN('subscribe.confirm') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(EN('subscribe.none'))).toBeVisible()
  await expect(dialog.getByRole('button', { name: EN('subscribe.confirm') })).toBeDisabled()
  await dialog.getByRole('link', { name: EN('subscribe.toVip') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('title.vipList'))

  await switchTo(page, 'zh-Hant')
  await expect(page.getByText('7.7 折')).toBeVisible()
  await switchTo(page, 'en', HANT)
  await expect(page.getByText('23% off')).toBeVisible()
  await page.getByRole('radio', { name: /^Yearly/ }).click()
  await page.getByRole('button', { name: EN('common.goOn'), exact: true }).click()
  await expect(page).toHaveURL(/vippay\?id=4/)
  const payButton = page.getByRole('button', { name: 'Pay HK$898.00', exact: true })

  await payButton.click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('pay.failed'))
  await page.getByRole('link', { name: EN('pay.payAgain') }).click()

  await payButton.click()
  await page.getByRole('button', { name: 'Let it time out' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(EN('pay.timeout'))
  await page.getByRole('link', { name: EN('pay.payAgain') }).click()

  await payButton.click()
  await expect(page.getByText('To pay: HK$898.00')).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^You’re VIP until \d{1,2} [A-Z][a-z]+ \d{4}$/,
  )
  await expect(page.getByText(/Valid from \d{1,2} [A-Z][a-z]+ \d{4} to/)).toBeVisible()

  await page.getByRole('link', { name: EN('pay.toTips') }).click()
  await settled(page)
  // A VIP sees all four numbers of every race, and on a wide screen the day as a table.
  await expect(page.getByText('?', { exact: true })).toHaveCount(0)
  const races = await page.getByRole('button', { name: /^Details of race/ }).count()
  expect(races).toBeGreaterThan(5)
  await page.setViewportSize({ width: 1280, height: 800 })
  const day = page.getByTestId('glance')
  await expect(day.locator('tbody tr')).toHaveCount(races)
  await expect(day.locator('td').filter({ hasText: /\d%/ })).toHaveCount(4 * races)
  await page.setViewportSize(PHONE.viewport)
  await goTo(page, '/pages/race/PredictionResults')
  await page.getByTestId('meeting').getByRole('link').first().click()
  await page.getByRole('tab', { name: EN('race.section.picks'), exact: true }).click()
  // The number of horses, then the bet type.
  await page.getByRole('radio', { name: '4 horses' }).check()
  await page.getByRole('tab', { name: EN('gameplay.9') }).click()
  await expect(
    page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: '%' }).first(),
  ).toBeVisible()
  await page.getByRole('link', { name: EN('race.viewReport') }).click()
  await expect(page.getByRole('heading', { name: EN('report.why') })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await goTo(page, '/pages/race/viporderlist')
  await expect(page.getByText(EN('orderState.accountPaid'), { exact: true }).first()).toBeVisible()
  await expect(page.getByText(EN('orderState.closed'), { exact: true }).first()).toBeVisible()
  await goTo(page, '/pages/race/vipactivationlog')
  await expect(page.getByText(EN('customerType.5'))).toBeVisible()
  expect(watch.problems).toEqual([])
  await context.close()
})

test('from the plans to the payment and back to the race that asked for it: four gestures', async ({
  browser,
}) => {
  const token = await registerMember()
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', reducedMotion: 'reduce' })
  await signIn(context, token)
  const page = await context.newPage()
  await page.goto(`${BASE()}#/pages/foot/foothome`)
  await settled(page)
  await page
    .getByRole('button', { name: /Race 1/ })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: EN('subscribe.without') })
    .click()
  await expect(page).toHaveURL(/HorseRace/)
  const race = new URLSearchParams(page.url().split('?')[1]).get('id')!
  await page
    .getByRole('tabpanel')
    .getByRole('link', { name: EN('subscribe.toVip') })
    .click()
  let gestures = 0
  const press = async (target: Locator): Promise<void> => {
    gestures += 1
    await target.click()
  }
  await press(page.getByRole('button', { name: EN('common.goOn'), exact: true }))
  await press(page.getByRole('button', { name: /^Pay HK\$/ }))
  await press(page.getByRole('button', { name: 'Approve' }))
  await press(page.getByRole('link', { name: EN('pay.toRace') }))
  expect(gestures).toBeLessThanOrEqual(4)
  await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=${race}`))
  await expect(page.getByRole('tabpanel')).not.toContainText(EN('race.modelLocked'))
  await context.close()
})

test('a changed password ends the other session, which is told and led to sign-in', async ({ browser }) => {
  const token = await registerMember()
  const { account } = await accountOf(token)
  const here = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  await signIn(here, token)
  const page = await here.newPage()
  await page.goto(`${BASE()}#/pages/user/fychpwd`)
  await settled(page)

  const there = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const other = await there.newPage()
  await other.goto(`${BASE()}#/pages/login/login`)
  await other.getByLabel(EN('form.username')).fill(account)
  await other.getByRole('textbox', { name: EN('form.password') }).fill('not it')
  await other
    .getByRole('main')
    .getByRole('button', { name: EN('session.signIn') })
    .click()
  await expect(other.getByRole('alert')).toContainText(EN('error.wrong-credentials'))
  await other.getByRole('textbox', { name: EN('form.password') }).fill(PASSWORD)
  await other
    .getByRole('main')
    .getByRole('button', { name: EN('session.signIn') })
    .click()
  await expect(other).toHaveURL(/fypeople/)
  await settled(other)

  await switchTo(page, 'zh-Hant')
  await page.getByLabel(HANT('form.oldPassword')).fill('wrong')
  await page.getByLabel(HANT('form.newPassword')).fill('another4course')
  await page.getByLabel(HANT('form.confirmPassword')).fill('another4course')
  await page.getByRole('button', { name: HANT('title.changePassword') }).click()
  await expect(page.locator('form').getByText(HANT('error.wrong-old-password'))).toBeVisible()
  await page.getByLabel(HANT('form.oldPassword')).fill(PASSWORD)
  await page.getByRole('button', { name: HANT('title.changePassword') }).click()
  await expect(page).toHaveURL(/fypeople/)

  await other.evaluate(() => (location.hash = '#/pages/user/shareLog'))
  await expect(other.getByRole('dialog').getByText(EN('session.expired'), { exact: true })).toBeVisible()
  expect(await other.evaluate(() => localStorage.getItem('Access-Token'))).toBeNull()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: EN('session.signIn') })
    .click()
  await expect(other).toHaveURL(/login\/login/)
  // The session that changed the password stays signed in.
  await goTo(page, '/pages/user/fyuserdetail')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HANT('title.personalInfo'))
  await here.close()
  await there.close()
})
