import { expect, test, type Browser } from '@playwright/test'
import { addDays, dayIn } from '../../domain/region.ts'
import { EN, LANGUAGES, switchTo } from './reader.ts'
import { FACTORS, FIRST_VISITS, FURTHER_VISITS, type RouteVisit } from './route-plan.ts'
import {
  axeFindings,
  expectNoSidewaysScroll,
  goTo,
  overflowingControls,
  settled,
  smallTargets,
  strangeType,
} from './settled.ts'
import { BASE, memberToken, signIn, vipToken, Watch } from './site.ts'

const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false },
} as const satisfies Record<RouteVisit['size'], object>
/** A text that looks like a message key: a message is missing. */
const KEY =
  /(?:^|\s)(?:title|common|nav|race|form|error|home|record|vip|pay|order|tips)\.[a-z]+[A-Za-z]*(?:\s|$)/

const ask = async <Result>(path: string): Promise<Result> =>
  ((await (await fetch(new URL(path, BASE()))).json()) as { result: Result }).result

/** Where the focus is: the tag of the focused element within the screen (its heading or a field), or `elsewhere`. */
const focusedPlace = (): string => {
  const [main, active] = [document.querySelector('main'), document.activeElement]
  return active !== null && active !== main && main?.contains(active) ? active.tagName : 'elsewhere'
}

test.describe.configure({ mode: 'parallel' })

/** The ids that routes need, of a race with results and of two horses. */
async function ids(): Promise<{ race: string; horse: string; other: string }> {
  const yesterday = addDays(dayIn('Asia/Hong_Kong', new Date()), -1)
  const [race] = await ask<{ id: string }[]>(
    `race/api/queryRacePageDesc?countryRegionId=100000&today=${yesterday}`,
  )
  const { records } = await ask<{ records: { id: string }[] }>(
    'race/api/queryRaceHorse?countryRegionId=100000',
  )
  return { race: race!.id, horse: records[0]!.id, other: records[1]!.id }
}

/** Opens routes one after another in one page, and examines each. */
async function examine(
  browser: Browser,
  { size, role }: Pick<RouteVisit, 'size' | 'role'>,
  visits: readonly RouteVisit[],
): Promise<void> {
  const { race, horse, other } = await ids()
  const view = SIZES[size]
  const context = await browser.newContext({
    ...view,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  if (role === 'member') await signIn(context, memberToken())
  if (role === 'provider') await signIn(context, process.env['FURLONG_E2E_PROVIDER']!)
  if (role === 'VIP') await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await page.goto(BASE())
  await settled(page)
  let words = EN
  // One page for all languages: starting the page and its engine takes as long as a third of the routes.
  for (const [language, itsWords] of LANGUAGES) {
    const ofLanguage = visits.filter((each) => each.language === language)
    if (ofLanguage.length === 0) continue
    await switchTo(page, language, words)
    words = itsWords
    const seen = new Set<string>()
    for (const { route, colours } of ofLanguage) {
      const to = route.replace('{race}', race).replace('{horse}', horse).replace('{other}', other)
      const where = `${route}, ${language}, ${colours}`
      await test.step(where, async () => {
        await page.emulateMedia({ colorScheme: colours })
        await goTo(page, to)
        await expect(page.locator('main')).not.toBeEmpty()
        if (route !== '/') await expect.poll(() => page.evaluate(focusedPlace), where).not.toBe('elsewhere')
        await expectNoSidewaysScroll(page)
        expect.soft(await strangeType(page), where).toEqual([])
        expect.soft(await overflowingControls(page), where).toEqual([])
        if (view.hasTouch) expect.soft(await smallTargets(page), where).toEqual([])
        expect(await page.locator('main').innerText()).not.toMatch(KEY)
        // Many routes redirect a visitor to sign-in, which is checked once.
        const place = new URL(page.url()).hash.split('?')[0]!
        const led = place !== `#${to.split('?')[0]}` && to !== '/'
        if (!led || !seen.has(place)) expect.soft(await axeFindings(page), where).toEqual([])
        if (led) seen.add(place)
        expect(watch.problems, where).toEqual([])
      })
    }
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
  }
  await context.close()
}

for (const size of FACTORS.size) {
  const first = FIRST_VISITS.filter((each) => each.size === size)
  test(`every second route once, VIP, ${size}`, ({ browser }) =>
    examine(browser, { size, role: 'VIP' }, first))
  for (const role of FACTORS.role) {
    const further = FURTHER_VISITS.filter((each) => each.size === size && each.role === role)
    if (further.length === 0) continue
    test(`every pair of route and language, size, role or colours: ${role}, ${size}`, ({ browser }) =>
      examine(browser, { size, role }, further))
  }
}
