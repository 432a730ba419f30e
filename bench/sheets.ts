import { mkdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { LANGUAGES, type Language } from '../domain/languages.ts'
import { pageLabel } from '../src/data/pages.ts'
import { goTo } from '../tests/browser/settled.ts'
import { ROOT } from '../tests/support/server-process.ts'
import { launch } from './browser.ts'
import { ROLE_SCREENS, type Role } from './screens.ts'
import { shown } from './shown.ts'
import { addressWith, placesOf, startSite, type Places } from './site.ts'

const VIEWS = {
  phone: { width: 390, height: 844, columns: 10, tileWidth: 260 },
  desk: { width: 1280, height: 800, columns: 5, tileWidth: 520 },
  wide: { width: 1920, height: 1080, columns: 4, tileWidth: 660 },
} as const
const THEMES = ['light', 'dark'] as const
/** A sheet mostly waits for its pages to settle, so three share two cores well. */
const AT_ONCE = 3
const GAP = 8

/**
 * Takes one sheet of every screen of a role, for one size, theme and language: of a demonstration, or of the seasons in the
 * folder `data`. With `pages` each screen is written besides, unscaled and to its end, into a folder with the sheet's name.
 * Returns the sheets that it wrote.
 */
export async function takeSheets(
  folder: string,
  only: RegExp,
  { data, pages }: { data: string | null; pages: boolean },
): Promise<string[]> {
  if (data !== null && !relative(ROOT, resolve(folder)).startsWith('..'))
    throw new Error('pictures of an operator’s own seasons are written outside the repository')
  mkdirSync(folder, { recursive: true })
  const served = await startSite(data)
  const browser = await launch()
  try {
    const { baseUrl, tokens } = served
    const places = await placesOf(baseUrl)
    const sheets = Object.keys(ROLE_SCREENS).flatMap((role) =>
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
        const token = next.sheet.role === 'visitor' ? undefined : tokens[next.sheet.role]
        const pagesTo = pages ? join(folder, next.name) : null
        await takeSheet(browser, next.sheet, { baseUrl, token, places }, { path, pagesTo })
        taken.push(path)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeOneAfterAnother))
    return taken
  } finally {
    await browser.close()
    await served.close()
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
  places: Places
}

async function takeSheet(
  browser: Browser,
  { role, view, theme, language }: Sheet,
  { baseUrl, token, places }: Site,
  { path, pagesTo }: { path: string; pagesTo: string | null },
): Promise<void> {
  if (pagesTo !== null) mkdirSync(pagesTo, { recursive: true })
  const { width, height, columns, tileWidth } = VIEWS[view]
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
  const tileHeight = Math.round((tileWidth * height) / width)
  const tiles: Buffer[] = []
  for (const route of ROLE_SCREENS[role]) {
    const to = addressWith(route, places)
    if (to === null) continue
    // What is not drawn within a minute is on the sheet as it is.
    await goTo(page, to)
      .then(() => shown(page))
      .catch(() =>
        process.stderr.write(`${nameOf({ role, view, theme, language })}: ${route} is unfinished\n`),
      )
    tiles.push(
      await sharp(await page.screenshot())
        .resize({ width: tileWidth })
        .toBuffer(),
    )
    if (pagesTo !== null) {
      const number = String(tiles.length).padStart(2, '0')
      await page.screenshot({
        path: join(pagesTo, `${number}-${pageLabel(to.replace(/\?.*/, ''))}.png`),
        fullPage: true,
      })
    }
  }
  await context.close()
  const rows = Math.ceil(tiles.length / columns)
  await sharp({
    create: {
      width: columns * (tileWidth + GAP),
      height: rows * (tileHeight + GAP),
      channels: 3,
      background: '#808080',
    },
  })
    .composite(
      tiles.map((input, index) => ({
        input,
        left: (index % columns) * (tileWidth + GAP),
        top: Math.floor(index / columns) * (tileHeight + GAP),
      })),
    )
    .png({ compressionLevel: 9, palette: true })
    .toFile(path)
}
