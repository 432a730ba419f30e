import type { Browser, BrowserContext, Page } from '@playwright/test'
import { launch, machineSpeed } from './browser.ts'
import { median, quantile, tabMb } from './engine.ts'
import {
  CLEAR,
  CLICKS,
  clicksOn,
  continuousClicks,
  hoveredClicks,
  OTHER_PAGES,
  timeClick,
  type OtherPage,
} from './screen-clicks.ts'
import { serveData, type ServedData } from './serve-data.ts'

/** Eight views: the figures, the curve with its months, five groups and the list. */
const VIEWS = 'p=profit!~bars:season~bars:racecourse~bars:going~columns:odds~heat:draw.distance'
const PAUSE_MS = 900
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** The record screen of a VIP: time to the first figures, and time until a click has painted everything. */
export async function benchScreen(dataFolder: string) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const references = [await machineSpeed(browser)]
    const openings = {
      cold: await cold(browser, served),
      warm: await warm(browser, served),
      slow: await slow(browser, served),
    }
    references.push(await machineSpeed(browser))
    const context = await newContext(browser, served)
    const page = await context.newPage()
    await page.goto(`${record(served)}?${VIEWS}`)
    await page.locator('[data-engine=ready]').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(3000)
    // The loader wraps functions of this file with a helper that a page lacks.
    await page.evaluate('globalThis.__name = (of) => of')
    const measured = await clicksOn(page, CLICKS, PAUSE_MS)
    const hovered = await hoveredClicks(page, PAUSE_MS)
    const session = await context.newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const memoryMb = await tabMb(browser)
    const brush = await brushAll(page)
    await context.close()
    const continuous = {
      whole: await fromOpening(browser, served, 1),
      quarter: await fromOpening(browser, served, 4),
    }
    const others: Record<string, unknown> = {}
    for (const [name, other] of Object.entries(OTHER_PAGES))
      others[name] = await onPage(browser, served, other)
    references.push(await machineSpeed(browser))
    return {
      /** Before the openings, before the clicks, and at the end. */
      machine: references,
      openings,
      brush,
      hovered,
      continuous,
      tabMb: memoryMb,
      others,
      ...measured,
    }
  } finally {
    await browser.close()
    await served.close()
  }
}

/** Long enough after the engine is ready for the tables of starters to be in memory. */
const TABLES_MS = 8000

/** Clicks on a page of its own: when its first figures were painted, each click’s, and a drag over the months. */
async function onPage(browser: Browser, served: ServedData, { address, clicks, brushed }: OtherPage) {
  const context = await newContext(browser, served)
  const page = await context.newPage()
  const { figuresMs } = await open(page, () => page.goto(`${record(served)}?${address}`))
  await page.waitForTimeout(TABLES_MS)
  const measured = await clicksOn(page, clicks, PAUSE_MS)
  const brush = brushed ? { brush: await brushAll(page) } : {}
  await context.close()
  return { openedMs: figuresMs, ...measured, ...brush }
}

const record = ({ baseUrl }: ServedData): string => `${baseUrl}#/pages/race/WinLossRecord`

async function newContext(browser: Browser, { token }: ServedData): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  // The loader wraps functions of this file with a helper that a page does not have.
  await context.addInitScript('globalThis.__name = (of) => of')
  await context.addInitScript(noteOpening)
  return context
}

/** Runs in the page: the layout shift since it was opened, excluding shifts caused by user input. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!entry.hadRecentInput) sum += entry.value
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(Math.round(sum * 1000) / 1000), 100)
  })
}

/** Drags over the months of everything, whatever was clicked before. */
async function brushAll(page: Page) {
  await page.evaluate(timeClick, CLEAR)
  await page.waitForTimeout(PAUSE_MS)
  return dragMonths(page)
}

/** Drags over the months for three seconds: counts frames, and positions at which the other views were painted. */
async function dragMonths(page: Page) {
  const area = page.locator('[data-panel=profit] [data-testid=brush]')
  await area.scrollIntoViewIfNeeded()
  const box = (await area.boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.1, y)
  // The index is built when the pointer comes near.
  await page.waitForTimeout(1500)
  await page.evaluate(watchFrames)
  await page.mouse.down()
  const started = performance.now()
  for (let at = 0; performance.now() - started < 3000; at += 1) {
    await page.mouse.move(box.x + box.width * (0.1 + 0.8 * Math.abs(Math.sin(at / 40))), y)
    await page.waitForTimeout(8)
  }
  const seen = await page.evaluate(() => (globalThis as unknown as { frames: Frames }).frames)
  await page.mouse.up()
  await page.waitForTimeout(1500)
  return {
    frames: seen.gaps.length,
    positionsPainted: seen.changes,
    frameMedianMs: median(seen.gaps),
    frameP95Ms: quantile(seen.gaps, 0.95),
    frameMaxMs: Math.max(...seen.gaps),
  }
}

interface Frames {
  gaps: number[]
  changes: number
}

/** Runs in the page: records the gaps between frames, and how often the first figure changed. */
function watchFrames(): void {
  const frames: Frames = { gaps: [], changes: 0 }
  Object.assign(globalThis, { frames })
  let last = performance.now()
  let text = ''
  const look = (): void => {
    const now = performance.now()
    frames.gaps.push(now - last)
    last = now
    const shown = document.querySelector('[data-testid=record-tiles] dd')?.textContent ?? ''
    if (shown !== text) frames.changes += 1
    text = shown
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

interface Opened {
  figuresMs?: number
  engineMs?: number
}

/**
 * Runs in the page before its own scripts: notes when the first figures have been painted and when the engine has
 * everything open, in milliseconds since the navigation began. A driver outside the page sees both later, for its
 * polling competes with the page for two cores.
 */
function noteOpening(): void {
  const opened: Opened = {}
  Object.assign(globalThis, { opened })
  const look = (): void => {
    if (opened.figuresMs === undefined && document.querySelector('[data-testid=record-tiles]')) {
      opened.figuresMs = Number.NaN
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => (opened.figuresMs = Math.round(performance.now())))
        channel.port1.start()
        channel.port2.postMessage(null)
      })
    }
    if (opened.engineMs === undefined && document.querySelector('[data-engine=ready]')) {
      opened.engineMs = Math.round(performance.now())
      observer.disconnect()
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
}

const openedIn = (page: Page): Promise<Opened> =>
  page.evaluate(() => (globalThis as unknown as { opened: Opened }).opened)

/** Opens the record screen: when its first figures were painted, and when the engine had everything open. */
async function open(page: Page, go: () => Promise<unknown>) {
  await go()
  await page.locator('[data-engine=ready]').waitFor({ timeout: 300_000 })
  await page.waitForTimeout(1500)
  return { ...(await openedIn(page)), layoutShift: await page.evaluate(layoutShift) }
}

async function cold(browser: Browser, served: ServedData) {
  const runs = []
  for (let run = 0; run < 3; run += 1) {
    const context = await newContext(browser, served)
    const page = await context.newPage()
    runs.push(await open(page, () => page.goto(record(served))))
    await context.close()
  }
  return runs
}

/** The same user again, with the service worker and the cached files of the previous visit. */
async function warm(browser: Browser, served: ServedData) {
  const context = await newContext(browser, served)
  const page = await context.newPage()
  await open(page, () => page.goto(record(served)))
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await page.waitForTimeout(4000)
  const runs = []
  for (let run = 0; run < 3; run += 1) {
    runs.push(await open(page, () => page.reload()))
    await page.waitForTimeout(1000)
  }
  await context.close()
  return runs
}

/** Clicks without a pause from the first figures on, with the page's thread slowed down `rate` times. */
async function fromOpening(browser: Browser, served: ServedData, rate: number) {
  const context = await newContext(browser, served)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`${record(served)}?${VIEWS}`)
  const windows = await continuousClicks(page, 12)
  await context.close()
  return windows
}

/** 1.6 Mbit/s, 150 ms latency and a quarter of the processor speed: measures the first figures only. */
async function slow(browser: Browser, served: ServedData) {
  const context = await newContext(browser, served)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(record(served), { waitUntil: 'commit' })
  await page.getByTestId('record-tiles').waitFor({ timeout: 120_000 })
  await page.waitForTimeout(2000)
  const { figuresMs } = await openedIn(page)
  await context.close()
  return { figuresMs }
}
