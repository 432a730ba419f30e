import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { LANGUAGES, type Language } from '../domain/languages.ts'
import { PAGES, type Page } from '../src/data/pages.ts'
import { addressesOf } from '../tests/support/page-routes.ts'
import { launch } from './browser.ts'
import { startDemonstration } from './demonstration.ts'
import { lastRace, REGION } from './pictures.ts'

/** Screens without content of their own: results of an action, others' addresses, and texts in a frame. */
const LEFT_OUT = new Set<string>([
  '/pages/login/fylogin',
  '/pages/login/loginResult',
  '/pages/login/fyregisterResult',
  '/pages/login/protocal',
  '/pages/login/protocal2',
  '/pages/race/vippayresult',
  '/pages/user/fyorder',
  '/pages/user/userexit',
  '/pages/help/:topic',
])
/** Screens of one role; the others are everybody's, or of all that are signed in. */
const OF_ROLE: Readonly<Record<string, Role>> = {
  '/pages/user/apply': 'member',
  '/pages/user/promotionServiceProvider': 'provider',
  '/pages/user/bankCard': 'provider',
  '/pages/user/withdrawal': 'provider',
}

const roleOf = ({ path, signedIn }: Page): Role | 'everybody' | 'signed in' =>
  OF_ROLE[path] ?? (path.startsWith('/pages/login/') ? 'visitor' : signedIn ? 'signed in' : 'everybody')

/** Addresses of the screens of a role; `{race}`, `{coming}` and `{horse}` are ids. */
const screensOf = (role: ReturnType<typeof roleOf>): string[] =>
  PAGES.filter(
    (page) => !LEFT_OUT.has(page.path) && !page.path.startsWith('/pages/common/') && roleOf(page) === role,
  ).flatMap(({ path }) => (path === '/pages/race/HorseRace' ? RACES : addressesOf(path).slice(0, 1)))

const RACES = ['race', 'coming'].map((which) => `/pages/race/HorseRace?id={${which}}&source=pr`)
const EVERYBODY = ['/', ...screensOf('everybody'), '/no/such/page']
const MEMBER = screensOf('signed in')
const VIP = ['lab', 'calibration', 'models', 'seasons', 'console', 'own'].map(
  (tab) => `/pages/race/WinLossRecord?model=market-baseline&tab=${tab}`,
)

const ROLES: Readonly<Record<Role, readonly string[]>> = {
  visitor: [...EVERYBODY, ...screensOf('visitor')],
  member: [...EVERYBODY, ...MEMBER, ...screensOf('member')],
  VIP: [...EVERYBODY, ...MEMBER, ...VIP],
  provider: [...EVERYBODY, ...MEMBER, ...screensOf('provider')],
}
type Role = 'visitor' | 'member' | 'VIP' | 'provider'
const VIEWS = {
  phone: { width: 390, height: 844, columns: 10, shown: 260 },
  desk: { width: 1280, height: 800, columns: 5, shown: 520 },
  wide: { width: 1920, height: 1080, columns: 4, shown: 660 },
} as const
const THEMES = ['light', 'dark'] as const
/** Wait for charts and intervals, which appear after the figures. */
const FOLLOWS_MS = 900
/** A sheet mostly waits for its pages to settle, so three share two cores well. */
const AT_ONCE = 3
const GAP = 8

/** Takes one sheet of every screen of a role, for one size, theme and language. Returns the files that it wrote. */
export async function takeSheets(folder: string, only: RegExp): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const demonstration = await startDemonstration()
  const browser = await launch()
  try {
    const { baseUrl, links } = demonstration
    const tokens = new Map<Role, string>()
    for (const role of ['VIP', 'member', 'provider'] as const)
      tokens.set(role, await tokenOf(browser, links[role]!))
    const places = { race: await lastRace(baseUrl), ...(await comingAndHorse(baseUrl)) }
    const sheets = Object.keys(ROLES).flatMap((role) =>
      Object.keys(VIEWS).flatMap((view) =>
        THEMES.flatMap((theme) => LANGUAGES.map((language) => ({ role, view, theme, language }) as Sheet)),
      ),
    )
    const wanted = sheets
      .map((sheet) => ({ sheet, name: nameOf(sheet) }))
      .filter(({ name }) => only.test(name))
    const taken: string[] = []
    const takeOneAfterAnother = async () => {
      for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
        const path = join(folder, `${next.name}.png`)
        const token = tokens.get(next.sheet.role)
        await takeSheet(browser, next.sheet, { baseUrl, token, places }, path)
        taken.push(path)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeOneAfterAnother))
    return taken
  } finally {
    await browser.close()
    await demonstration.close()
  }
}

interface Sheet {
  role: Role
  view: keyof typeof VIEWS
  theme: (typeof THEMES)[number]
  language: Language
}

const nameOf = ({ role, view, theme, language }: Sheet) => `${role}-${view}-${theme}-${language}`

interface Site {
  baseUrl: string
  token: string | undefined
  places: Record<'race' | 'coming' | 'horse', string>
}

async function takeSheet(
  browser: Browser,
  { role, view, theme, language }: Sheet,
  { baseUrl, token, places }: Site,
  path: string,
): Promise<void> {
  const { width, height, columns, shown } = VIEWS[view]
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language,
    colorScheme: theme,
    reducedMotion: 'reduce',
    isMobile: view === 'phone',
    hasTouch: view === 'phone',
  })
  if (token !== undefined)
    await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  const page = await context.newPage()
  await page.goto(baseUrl)
  const tileHeight = Math.round((shown * height) / width)
  const tiles: Buffer[] = []
  for (const route of ROLES[role]) {
    const to = route.replace(/\{(race|coming|horse)\}/, (_, name: keyof Site['places']) => places[name])
    await page.goto(`${baseUrl}#${to}`)
    await page
      .locator('main h1, main h2')
      .first()
      .waitFor({ timeout: 30_000 })
      .catch(() => {})
    await page.waitForLoadState('networkidle').catch(() => {})
    await page.waitForTimeout(FOLLOWS_MS)
    tiles.push(
      await sharp(await page.screenshot())
        .resize({ width: shown })
        .toBuffer(),
    )
  }
  await context.close()
  const rows = Math.ceil(tiles.length / columns)
  await sharp({
    create: {
      width: columns * (shown + GAP),
      height: rows * (tileHeight + GAP),
      channels: 3,
      background: '#808080',
    },
  })
    .composite(
      tiles.map((input, index) => ({
        input,
        left: (index % columns) * (shown + GAP),
        top: Math.floor(index / columns) * (tileHeight + GAP),
      })),
    )
    .png({ compressionLevel: 9, palette: true })
    .toFile(path)
}

async function tokenOf(browser: Browser, link: string): Promise<string> {
  const page = await browser.newPage()
  await page.goto(link)
  await page.waitForFunction(() => localStorage.getItem('Access-Token'))
  const token = await page.evaluate(() => localStorage.getItem('Access-Token'))
  await page.close()
  return token!
}

async function comingAndHorse(baseUrl: string): Promise<{ coming: string; horse: string }> {
  const today = new Date().toISOString().slice(0, 10)
  const ask = async <Result>(path: string): Promise<Result> =>
    ((await (await fetch(new URL(path, baseUrl))).json()) as { result: Result }).result
  const [coming] = await ask<{ id: string }[]>(`race/api/queryRace?countryRegionId=${REGION}&today=${today}`)
  const { records } = await ask<{ records: { id: string }[] }>(
    `race/api/queryRaceHorse?countryRegionId=${REGION}`,
  )
  return { coming: coming!.id, horse: records[0]!.id }
}
