import { expect, test, type Browser } from '@playwright/test'
import { shiftsSeen, watchShifts } from '../support/layout-shifts.ts'
import { PHONE } from './reader.ts'
import { settled } from './settled.ts'
import { BASE, memberToken, signIn, vipToken } from './site.ts'

/**
 * How far what is in view moves while a screen loads: the sum of the browser's layout shifts, as Cumulative Layout Shift
 * (https://web.dev/articles/cls), which counts as good up to 0.1; the project's own bound is half of that.
 */
const MOST = 0.05

const DESKTOP = { viewport: { width: 1280, height: 800 } }

/** The calls that tell of coming races: an operator's own data have none between two meetings. */
const COMING = /\/race\/api\/(queryRace|queryRacePage|queryRaceTips)\?/

interface Visit {
  route: string
  token?: () => string
  /** Without any coming meeting. */
  between?: true
}

async function shiftsOf(
  browser: Browser,
  window: object,
  { route, token, between }: Visit,
): Promise<string[]> {
  const context = await browser.newContext({ ...window, locale: 'en-GB', reducedMotion: 'reduce' })
  if (token) await signIn(context, token())
  const page = await context.newPage()
  await watchShifts(page, (url, answer) => (between && COMING.test(url) ? { ...answer, result: [] } : answer))
  await page.goto(`${BASE()}#${route}`)
  await settled(page)
  // What comes later than the last placeholder.
  await page.waitForTimeout(1000)
  const found = await shiftsSeen(page)
  await context.close()
  return found.sum <= MOST
    ? []
    : [`${route} ${between ? 'between meetings ' : ''}${found.sum.toFixed(3)}: ${found.moved.join(', ')}`]
}

const provider = (): string => process.env['FURLONG_E2E_PROVIDER']!

const VISITS: readonly Visit[] = [
  { route: '/', between: true },
  { route: '/', between: true, token: memberToken },
  { route: '/', between: true, token: vipToken },
  { route: '/' },
  { route: '/', token: vipToken },
  { route: '/pages/foot/foothome', between: true },
  { route: '/pages/race/racehome', token: vipToken },
  { route: '/pages/race/racehome', between: true },
  { route: '/pages/race/viplist' },
  { route: '/pages/race/viplist', token: memberToken },
  { route: '/pages/race/viplist', token: vipToken },
  { route: '/pages/race/Subscribe', token: memberToken },
  { route: '/pages/race/vipactivationlog', token: vipToken },
  { route: '/pages/race/viporderlist', token: vipToken },
  { route: '/pages/user/vouchers', token: memberToken },
  { route: '/pages/user/shareLog', token: memberToken },
  { route: '/pages/user/fypeople', token: vipToken },
  { route: '/pages/user/withdrawal', token: provider },
  { route: '/pages/user/promotionServiceProvider', token: provider },
  { route: '/pages/user/bankCard', token: provider },
]

for (const [name, window] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const)
  test(`what is in view stays in place while a screen loads, on ${name}`, async ({ browser }) => {
    const found: string[] = []
    for (const visit of VISITS) found.push(...(await shiftsOf(browser, window, visit)))
    expect(found).toEqual([])
  })
