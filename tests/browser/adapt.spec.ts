import { expect, test, type BrowserContextOptions, type Page, type ViewportSize } from '@playwright/test'
import { axeFindings, expectNoSidewaysScroll, goTo, overflowingControls } from './settled.ts'
import { BASE, signIn, vipToken, Watch } from './site.ts'

/** One screen of each kind: lists, tables, charts, forms, the workspace. */
const ROUTES = [
  '/',
  '/pages/race/racehome',
  '/pages/race/PredictionResults',
  '/pages/race/HorseRace?id={race}&source=pr',
  '/pages/race/HorseDetail?id={horse}',
  '/pages/race/WinLossRecord',
  '/pages/race/ModelCard',
  '/pages/race/viplist',
  '/pages/user/fypeople',
  '/pages/user/fyuseredit',
  '/pages/no/such/page',
] as const

const ask = async <Result>(path: string): Promise<Result> =>
  ((await (await fetch(new URL(path, BASE()))).json()) as { result: Result }).result

const HK = 'countryRegionId=100000'

async function places(): Promise<readonly string[]> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const [race] = await ask<{ id: string }[]>(`race/api/queryRacePageDesc?${HK}&today=${yesterday}`)
  const { records } = await ask<{ records: { id: string }[] }>(`race/api/queryRaceHorse?${HK}`)
  return ROUTES.map((route) => route.replace('{race}', race!.id).replace('{horse}', records[0]!.id))
}

/** Applies the text spacing of WCAG 2.2, 1.4.12. The page's own policy blocks other ways of adding styles. */
const spaceOut = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-bottom: 2em !important }`,
    )
    document.adoptedStyleSheets.push(sheet)
  })

interface Setting {
  name: string
  viewport: ViewportSize
  prepare?: (page: Page) => Promise<void>
}

/** Settings of one kind of device, which share a page; text spacing is last, because it stays. */
const DEVICES: readonly { name: string; context: BrowserContextOptions; settings: readonly Setting[] }[] = [
  {
    name: 'phone',
    context: { isMobile: true, hasTouch: true },
    settings: [
      { name: '320 px', viewport: { width: 320, height: 640 } },
      // A phone in landscape.
      { name: 'low window', viewport: { width: 844, height: 390 } },
      { name: 'text spacing on a phone', viewport: { width: 390, height: 844 }, prepare: spaceOut },
    ],
  },
  {
    name: 'desktop',
    context: { deviceScaleFactor: 2 },
    settings: [
      // A 1280 px window zoomed to 200% has half as many CSS pixels.
      { name: '200% zoom', viewport: { width: 640, height: 400 } },
      {
        name: 'forced colours',
        viewport: { width: 1280, height: 800 },
        prepare: (page) => page.emulateMedia({ forcedColors: 'active' }),
      },
      {
        name: 'text spacing',
        viewport: { width: 1280, height: 800 },
        prepare: async (page) => {
          await page.emulateMedia({ forcedColors: null })
          await spaceOut(page)
        },
      },
    ],
  },
]

test.describe.configure({ mode: 'parallel' })

for (const { name: device, context: options, settings } of DEVICES)
  test(`every kind of screen adapts: ${device}`, async ({ browser }) => {
    const context = await browser.newContext({
      ...options,
      viewport: settings[0]!.viewport,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    await signIn(context, vipToken())
    const page = await context.newPage()
    const watch = new Watch(page)
    await page.goto(BASE())
    for (const { name, viewport, prepare } of settings) {
      await page.setViewportSize(viewport)
      await prepare?.(page)
      for (const route of await places()) {
        const where = `${name}: ${route}`
        await test.step(where, async () => {
          await goTo(page, route)
          await expectNoSidewaysScroll(page)
          expect.soft(await overflowingControls(page), where).toEqual([])
          if (name === 'low window') expect.soft(await fixedParts(page), where).toEqual([])
          // In forced colours the user's own colours determine the contrast.
          const leftOut = name === 'forced colours' ? ['color-contrast'] : []
          if (!name.startsWith('text spacing'))
            expect.soft(await axeFindings(page, leftOut), where).toEqual([])
          expect.soft(await coveredFocus(page), where).toEqual([])
          expect(watch.problems, where).toEqual([])
        })
      }
    }
    await context.close()
  })

/** Elements that stay over the text while it scrolls. */
const fixedParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const { position, top } = getComputedStyle(element)
      const isOwn = element.closest('[class*="scroll"], [class*="tall"], table, dialog, .ag-root') !== null
      const stands = position === 'fixed' || (position === 'sticky' && top !== 'auto')
      return stands &&
        !isOwn &&
        element.checkVisibility() &&
        element.offsetHeight > 0 &&
        !element.matches(':empty')
        ? [`${element.tagName}.${element.className}`]
        : []
    }),
  )

const TABS = 25

/** Controls that have keyboard focus without showing it, or are covered by a bar of the frame. */
async function coveredFocus(page: Page): Promise<string[]> {
  const found: string[] = []
  for (let tab = 0; tab < TABS; tab += 1) {
    await page.keyboard.press('Tab')
    const problems = await page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body) return null
      const drawn = element.closest<HTMLElement>('label') ?? element
      const { left, top, width, height } = drawn.getBoundingClientRect()
      // Visually hidden inputs, such as a slider's: a separate element is drawn for them.
      if (width <= 1 || height <= 1 || getComputedStyle(element).opacity === '0') return null
      // Of what is taller than the space between the bars, such as a table that scrolls, the beginning is seen.
      const [x, y] = [left + width / 2, top + Math.min(height, innerHeight / 2) / 2]
      const over = document.elementFromPoint(x, y)
      const bar = over?.closest('header, nav')
      const name = `${element.tagName} ${element.textContent?.trim().slice(0, 30) || element.getAttribute('aria-label')}`
      if (bar && !bar.contains(element) && !element.contains(over)) return `${name}: below ${bar.className}`
      // A field inside a wrapper shows the focus on the wrapper.
      const isShown = [element, drawn, element.parentElement!].some((each) => {
        const { outlineStyle, boxShadow } = getComputedStyle(each)
        return outlineStyle !== 'none' || boxShadow !== 'none'
      })
      return isShown ? null : `${name}: nothing shows the focus`
    })
    if (problems !== null) found.push(problems)
  }
  return found
}
