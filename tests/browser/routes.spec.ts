import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { addDays, dayIn } from '../../domain/region.ts'
import { pagePathOf } from '../../src/data/page-paths.ts'
import { EN, LANGUAGES, switchTo } from './reader.ts'
import {
  axeFindings,
  expectNoSidewaysScroll,
  goTo,
  overflowingControls,
  settled,
  smallTargets,
  strangeType,
} from './settled.ts'
import { BASE, registerMember, signIn, vipToken, Watch } from './site.ts'

/** The specification's route table (section 2) with decisions section 9; `{race}` and `{horse}` are replaced by ids. */
const ROUTES = [
  '/',
  '/pages/index/index',
  '/pages/race/racehome',
  '/pages/login/login',
  '/pages/login/fylogin',
  '/pages/login/loginResult',
  '/pages/login/fyregister',
  '/pages/login/fyregisterResult',
  '/pages/login/register',
  '/pages/login/forgot',
  '/pages/login/protocal',
  '/pages/login/protocal2',
  '/pages/common/exit',
  '/pages/common/success',
  '/pages/common/webviewPage?url=.%2Flegal%2Fterms.en.html&title=Terms',
  '/pages/user/userexit',
  '/pages/race/PredictionResults',
  '/pages/race/Subscribe',
  '/pages/race/HorseRace?id={race}',
  '/pages/race/HorseRace?id={race}&source=pr&tab=1',
  '/pages/race/HorseDetail?id={horse}',
  '/pages/race/WinLossRecord',
  '/pages/race/WinLossRecord?tab=lab',
  '/pages/race/ReportView?id={race}',
  '/pages/race/ModelCard',
  '/pages/race/viplist',
  '/pages/race/vippay?id=4',
  '/pages/race/vippayresult',
  '/pages/race/viporderlist',
  '/pages/race/vipactivationlog',
  '/pages/user/fypeople',
  '/pages/user/fychpwd',
  '/pages/user/fyuseredit',
  '/pages/user/fyuserdetail',
  '/pages/user/share',
  '/pages/user/shareLog',
  '/pages/user/notes',
  '/pages/user/vouchers',
  '/pages/user/contactUs',
  '/pages/user/apply',
  '/pages/user/bankCard',
  '/pages/user/withdrawal',
  '/pages/user/promotionServiceProvider',
  '/pages/user/delete',
  '/pages/foot/foothome',
  '/pages/user/fyorder?detail=%7B%22tag%22%3A%22obligation%22%7D',
  '/pages/foot/vipactivationlog',
  '/pages/common/preview-image?urls=.%2Ficon-512.png',
  '/pages/common/choose-location',
  '/pages/common/open-location?id=HKSHT',
  '/pages/help/record',
  '/pages/help/lab',
  '/pages/help/chances',
  '/pages/no/such/page',
] as const

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false },
] as const
const ROLES = ['visitor', 'member', 'VIP', 'provider'] as const
/** Routes that a provider sees differently from other users; the rest is as for a member. */
const PROVIDER_ROUTES: readonly string[] = [
  '/pages/user/fypeople',
  '/pages/user/share',
  '/pages/user/apply',
  '/pages/user/bankCard',
  '/pages/user/withdrawal',
  '/pages/user/promotionServiceProvider',
]
/** The record's other tabs, which a VIP has filled; their layout is the same in every language. */
const VIP_ROUTES = ['calibration', 'models', 'seasons', 'console', 'own', 'verify'].map(
  (tab) => `/pages/race/WinLossRecord?tab=${tab}`,
)
/** Combinations in dark mode, so that every size is tested in light and dark. */
const DARK = new Set(['phone member', 'phone VIP', 'desktop VIP'])
/** A text that looks like a message key: a message is missing. */
const KEY =
  /(?:^|\s)(?:title|common|nav|race|form|error|home|record|vip|pay|order|tips)\.[a-z]+[A-Za-z]*(?:\s|$)/

const ask = async <Result>(path: string): Promise<Result> =>
  ((await (await fetch(new URL(path, BASE()))).json()) as { result: Result }).result

test('the table here is the specification’s', () => {
  const pages = readFileSync('src/app/pages.ts', 'utf8')
  const built = [...pages.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!)
  const tested = new Set(ROUTES.map((route) => pagePathOf(route.split('?')[0]!)))
  expect(built.filter((path) => !tested.has(path))).toEqual([])
  expect(built.length).toBeGreaterThan(38)
})

/** Where the focus is: the tag of the focused element within the screen (its heading or a field), or `elsewhere`. */
const focusedPlace = (): string => {
  const [main, active] = [document.querySelector('main'), document.activeElement]
  return active !== null && active !== main && main?.contains(active) ? active.tagName : 'elsewhere'
}

test.describe.configure({ mode: 'parallel' })

let member: Promise<string> | null = null

/** The ids that routes need, of a race with results and of a horse. */
async function ids(): Promise<{ race: string; horse: string }> {
  const yesterday = addDays(dayIn('Asia/Hong_Kong', new Date()), -1)
  const [race] = await ask<{ id: string }[]>(
    `race/api/queryRacePageDesc?countryRegionId=100000&today=${yesterday}`,
  )
  const { records } = await ask<{ records: { id: string }[] }>(
    'race/api/queryRaceHorse?countryRegionId=100000',
  )
  return { race: race!.id, horse: records[0]!.id }
}

for (const { name: size, ...view } of SIZES) {
  for (const role of ROLES) {
    test(`every route in every language, ${role}, ${size}`, async ({ browser }) => {
      const { race, horse } = await ids()
      const context = await browser.newContext({
        ...view,
        locale: 'en-GB',
        colorScheme: DARK.has(`${size} ${role}`) ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      if (role === 'member') await signIn(context, await (member ??= registerMember()))
      if (role === 'provider') await signIn(context, process.env['FURLONG_E2E_PROVIDER']!)
      if (role === 'VIP') await signIn(context, await vipToken())
      const page = await context.newPage()
      const watch = new Watch(page)
      await page.goto(BASE())
      await settled(page)
      let words = EN
      // One page for all languages: starting the page and its engine takes as long as a third of the routes.
      for (const [language, itsWords] of LANGUAGES) {
        await switchTo(page, language, words)
        words = itsWords
        const seen = new Set<string>()
        // Colours are the same in every language, and measuring them is most of the work; all other axe checks give the
        // same results in both Chinese scripts.
        const leftOut = language === 'en' ? [] : ['color-contrast']
        const more = role === 'VIP' && language === 'en' ? VIP_ROUTES : []
        for (const route of role === 'provider' ? PROVIDER_ROUTES : [...ROUTES, ...more]) {
          const to = route.replace('{race}', race).replace('{horse}', horse)
          const where = `${route}, ${language}`
          await test.step(where, async () => {
            await goTo(page, to)
            await expect(page.locator('main')).not.toBeEmpty()
            if (route !== '/')
              await expect.poll(() => page.evaluate(focusedPlace), where).not.toBe('elsewhere')
            await expectNoSidewaysScroll(page)
            expect.soft(await strangeType(page), where).toEqual([])
            expect.soft(await overflowingControls(page), where).toEqual([])
            if (view.hasTouch) expect.soft(await smallTargets(page), where).toEqual([])
            expect(await page.locator('main').innerText()).not.toMatch(KEY)
            // Many routes redirect a visitor to sign-in, which is checked once.
            const place = new URL(page.url()).hash.split('?')[0]!
            const led = place !== `#${to.split('?')[0]}` && to !== '/'
            const looked = language === 'zh-Hans' || (led && seen.has(place))
            if (!looked) expect.soft(await axeFindings(page, leftOut), where).toEqual([])
            if (led) seen.add(place)
            expect(watch.problems, where).toEqual([])
          })
        }
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
      }
      await context.close()
    })
  }
}
