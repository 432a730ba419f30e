import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { launch } from './browser.ts'
import { shown } from './shown.ts'
import { placesOf, startSite } from './site.ts'

const RECORD = '/pages/race/WinLossRecord'

interface Picture {
  name: string
  /** The address after `#`; `{race}` is replaced by the last finished race. */
  route: string
  locale: string
  dark: boolean
  width: number
  height: number
  /** What is visible when the screen is ready, besides what `shown` waits for. */
  ready: readonly string[]
}

export const desk = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
const engine = '[data-engine=ready]'
const lab = '[data-testid=lab][data-settled=true]'

/** The README's pictures, as a VIP sees the screens, by language, theme and width. */
const PICTURES: readonly Picture[] = [
  {
    name: 'workspace',
    route: `${RECORD}?p=profit!~bars:going~heat:draw.distance&model=market-baseline`,
    locale: 'en',
    dark: false,
    ready: [engine],
    ...desk,
  },
  {
    name: 'race',
    route: '/pages/race/HorseRace?id={race}&source=pr',
    locale: 'en',
    dark: false,
    ready: ['[data-testid=dividends]'],
    ...desk,
  },
  {
    name: 'compare',
    route: `${RECORD}?p=profit!&model=market-baseline&a=model%3Dfundamental%26origin%3Dbacktest`,
    locale: 'zh-HK',
    dark: true,
    ready: [engine],
    ...desk,
  },
  {
    name: 'lab',
    route: `${RECORD}?model=fundamental&tab=lab&lab=${encodeURIComponent('starters~value-from:1.1~odds-to:20~kelly:0.25~bank:1000000')}`,
    locale: 'en',
    dark: false,
    ready: [lab],
    ...desk,
    // So high that the chart, which is drawn once half of it is in view, is.
    height: 1060,
  },
  {
    name: 'console',
    route: `${RECORD}?model=market-baseline&tab=console`,
    locale: 'zh-CN',
    dark: true,
    ready: [engine],
    ...desk,
  },
  { name: 'home', route: '/', locale: 'zh-HK', dark: false, ready: ['h2'], ...phone },
  {
    name: 'phone',
    route: `${RECORD}?model=market-baseline`,
    locale: 'zh-CN',
    dark: true,
    ready: [engine],
    ...phone,
  },
]

/** Wait for what a gesture of the tour changes, and for what an opening draws later. */
export const FOLLOWS_MS = 3000

const FRAME_MS = 400
const TOUR = { width: 960, height: 600 }

/** Takes the README's pictures and animation from its own demonstration; returns the files that it wrote. */
export async function takePictures(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const served = await startSite(null)
  const browser = await launch()
  try {
    const {
      baseUrl,
      tokens: { VIP: token },
    } = served
    const { race } = await placesOf(baseUrl)
    const taken: string[] = []
    for (const picture of PICTURES) {
      const { name, route, ready } = picture
      const page = await open(browser, picture, token)
      await page.goto(`${baseUrl}#${route.replace('{race}', race)}`)
      for (const each of ready) await page.locator(each).first().waitFor({ timeout: 60_000 })
      if (name === 'console') {
        await page.locator('[data-testid=console] .cm-content').press('Control+Enter')
        await page.locator('[data-testid=console] .ag-row').first().waitFor()
      }
      await shown(page)
      await page.waitForTimeout(FOLLOWS_MS)
      const path = join(folder, `${name}.png`)
      await page.screenshot({ path })
      taken.push(path)
      await page.context().close()
    }
    const tour = join(folder, 'tour.webp')
    await takeTour(browser, { baseUrl, token, race }, tour)
    return [...taken, tour]
  } finally {
    await browser.close()
    await served.close()
  }
}

export async function open(
  browser: Browser,
  { locale, dark, width, height }: Pick<Picture, 'locale' | 'dark' | 'width' | 'height'>,
  token: string,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  return context.newPage()
}

/** An animation of about twenty seconds: from home to a race, to the record, a filter, and the lab. */
async function takeTour(
  browser: Browser,
  { baseUrl, token, race }: { baseUrl: string; token: string; race: string },
  path: string,
): Promise<void> {
  const page = await open(browser, { locale: 'en', dark: false, ...TOUR }, token)
  const frames: { picture: Buffer; ms: number }[] = []
  const hold = async (ms: number): Promise<void> => {
    frames.push({ picture: await page.screenshot(), ms })
  }
  /** Captures moving content in frames of equal length. */
  const watch = async (count: number): Promise<void> => {
    for (let frame = 0; frame < count; frame += 1) {
      await page.waitForTimeout(FRAME_MS / 2)
      await hold(FRAME_MS)
    }
  }
  const go = async (route: string, ready: string): Promise<void> => {
    await page.goto(`${baseUrl}#${route}`)
    await page.locator(ready).first().waitFor({ timeout: 60_000 })
    await shown(page)
    await page.waitForTimeout(FOLLOWS_MS)
  }
  await go('/', 'h2')
  await hold(2500)
  await go(`/pages/race/HorseRace?id=${race}&source=pr&tab=card`, '[data-testid=racecard]')
  await hold(1500)
  await page.locator('[data-testid=racecard]').scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 420)
  await watch(4)
  await go(`${RECORD}?p=profit!~bars:going&model=market-baseline`, engine)
  await hold(2500)
  const area = page.locator('[data-panel=profit] [data-testid=brush]')
  await area.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await page.mouse.wheel(0, 40)
  await page.waitForTimeout(FOLLOWS_MS)
  await hold(1200)
  const brush = (await area.boundingBox())!
  const middle = brush.y + brush.height / 2
  await page.mouse.move(brush.x + brush.width * 0.3, middle)
  // The brush's index is built when the pointer comes near.
  await page.waitForTimeout(FOLLOWS_MS)
  await page.mouse.down()
  for (let step = 1; step <= 8; step += 1) {
    await page.mouse.move(brush.x + brush.width * (0.3 + step * 0.05), middle)
    await watch(1)
  }
  await page.mouse.up()
  await page.waitForTimeout(FOLLOWS_MS)
  await hold(2500)
  await go(
    `${RECORD}?model=fundamental&tab=lab&lab=${encodeURIComponent('starters~value-from:1.1~odds-to:20~kelly:0.25~bank:1000000')}`,
    lab,
  )
  await hold(3500)
  await page.context().close()
  await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } },
  )
    .webp({ delay: frames.map(({ ms }) => ms), loop: 0, quality: 60, effort: 6 })
    .toFile(path)
}
