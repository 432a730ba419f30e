import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { LANGUAGES, type Language } from '../domain/languages.ts'
import { launch } from './browser.ts'
import { startDemonstration } from './demonstration.ts'
import { lastRace, REGION } from './pictures.ts'

/**
 * Every screen with content of its own, by the role that can reach it; `{race}`, `{coming}` and `{horse}` are replaced
 * by ids.
 */
const EVERYBODY = [
  '/',
  '/pages/race/racehome',
  '/pages/race/Subscribe',
  '/pages/race/PredictionResults',
  '/pages/race/HorseRace?id={race}&source=pr',
  '/pages/race/HorseRace?id={coming}&source=pr',
  '/pages/race/HorseDetail?id={horse}',
  '/pages/race/ReportView?id={race}',
  '/pages/race/WinLossRecord',
  '/pages/race/ModelCard',
  '/pages/foot/foothome',
  '/pages/race/viplist',
  '/pages/user/contactUs',
  '/no/such/page',
]
const VISITOR = [
  '/pages/login/login',
  '/pages/login/register',
  '/pages/login/fyregister',
  '/pages/login/forgot',
]
const MEMBER = [
  '/pages/race/vippay?id=4',
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
  '/pages/user/delete',
]
const PROVIDER = ['/pages/user/promotionServiceProvider', '/pages/user/bankCard', '/pages/user/withdrawal']
const VIP = ['lab', 'calibration', 'models', 'seasons', 'console', 'own'].map(
  (tab) => `/pages/race/WinLossRecord?model=market-baseline&tab=${tab}`,
)

const ROLES = {
  visitor: [...EVERYBODY, ...VISITOR],
  member: [...EVERYBODY, ...MEMBER, '/pages/user/apply'],
  VIP: [...EVERYBODY, ...MEMBER, ...VIP],
  provider: [...EVERYBODY, ...MEMBER, ...PROVIDER],
} as const
type Role = keyof typeof ROLES
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
