import type { Browser, BrowserContext, Page } from '@playwright/test'
import { launch } from './browser.ts'
import { median, quantile } from './engine.ts'
import { serveData, type ServedData } from './serve-data.ts'

/** Eight views: the figures, the curve with its months, five groups and the list. */
const VIEWS = 'p=profit!~bars:season~bars:racecourse~bars:going~columns:odds~heat:draw.distance'
/** Selectors of the workspace's controls, and the value to choose for selects. */
const CLICKS: readonly { label: string; selector: string; text?: string; value?: string }[] = [
  ...['Place', 'Win', 'Cautious', 'Main pick', 'Top ten', 'Main pick'].map((text) => ({
    label: text,
    selector: 'label',
    text,
  })),
  ...['Last 12 months', 'All'].map((text) => ({
    label: text,
    selector: '[aria-label=Period]',
    value: text === 'All' ? 'all' : 'year',
  })),
  ...[0, 1].map((at) => ({
    label: `racecourse ${at}`,
    selector: `[data-facet=racecourse] li:nth-child(${at + 1}) input`,
  })),
  { label: 'racecourse 1 again', selector: '[data-facet=racecourse] li:nth-child(2) input' },
  { label: 'racecourse 0 again', selector: '[data-facet=racecourse] li:nth-child(1) input' },
  ...[1, 2, 2].map((at) => ({
    label: `season ${at}`,
    selector: `[data-by=season] tbody tr:nth-child(${at}) button`,
  })),
  ...[1, 2, 2].map((at) => ({
    label: `going ${at}`,
    selector: `[data-by=going] tbody tr:nth-child(${at}) button`,
  })),
  { label: 'heat', selector: '[data-by="draw.distance"] tbody tr:nth-child(2) td:nth-child(3) button' },
  { label: 'clear', selector: 'button', text: 'Clear filters' },
  // Slices that were not shown before: their answers are not in memory yet.
  { label: 'Place', selector: 'label', text: 'Place' },
  ...[1, 2, 3, 4, 5].map((at) => ({
    label: `Place, season ${at}`,
    selector: `[data-by=season] tbody tr:nth-child(${at}) button`,
  })),
  ...[1, 2].map((at) => ({
    label: `Place, going ${at}`,
    selector: `[data-by=going] tbody tr:nth-child(${at}) button`,
  })),
  ...[1, 2, 3].map((at) => ({
    label: `Place, distance ${at}`,
    selector: `[data-facet=distance] li:nth-child(${at}) input`,
  })),
  // The drag that follows is over the whole history.
  { label: 'clear again', selector: 'button', text: 'Clear filters' },
]
const PAUSE_MS = 900
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** The record screen of a VIP: time to the first figures, and time until a click has painted everything. */
export async function benchScreen(dataFolder: string) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const openings = {
      cold: await cold(browser, served),
      warm: await warm(browser, served),
      slow: await slow(browser, served),
    }
    const context = await newContext(browser, served)
    const page = await context.newPage()
    await page.goto(`${record(served)}?${VIEWS}`)
    await page.locator('[data-engine=ready]').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(3000)
    // The loader wraps functions of this file with a helper that a page lacks.
    await page.evaluate('globalThis.__name = (of) => of')
    const clicks: (Awaited<ReturnType<typeof timeClick>> & { label: string })[] = []
    for (const click of CLICKS) {
      clicks.push({ label: click.label, ...(await page.evaluate(timeClick, click)) })
      await page.waitForTimeout(PAUSE_MS)
    }
    const brush = await dragMonths(page)
    // A click back to an earlier view is answered from memory without a fetch, so it is not counted.
    const measured = clicks.filter(({ figuresMs }) => Number.isFinite(figuresMs))
    return {
      openings,
      brush,
      clicks: measured.length,
      figuresMedianMs: median(measured.map(({ figuresMs }) => figuresMs)),
      figuresP95Ms: quantile(
        measured.map(({ figuresMs }) => figuresMs),
        0.95,
      ),
      allMedianMs: median(measured.map(({ allMs }) => allMs)),
      allP95Ms: quantile(
        measured.map(({ allMs }) => allMs),
        0.95,
      ),
      each: measured,
    }
  } finally {
    await browser.close()
    await served.close()
  }
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

/**
 * Runs in the page: uses the control, then waits for tiles that differ from the previous ones and for the moment when
 * no query is pending, each including the next frame.
 */
async function timeClick({ label, selector, text, value }: (typeof CLICKS)[number]) {
  const control = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (each) => text === undefined || each.textContent?.trim() === text,
  )
  if (!control) throw new Error(`no control ${label}`)
  const tiles = () => document.querySelector<HTMLElement>('[data-testid=record-tiles]')!
  const fetching = () =>
    Number(document.querySelector<HTMLElement>('[data-testid=computed]')!.dataset['fetching'])
  const painted = (started: number) =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => resolve(performance.now() - started))
        channel.port1.start()
        channel.port2.postMessage(null)
      })
    })
  const started = performance.now()
  const times = await new Promise<{ figuresMs: number; allMs: number }>((resolve) => {
    const before = tiles().textContent
    let stale = false
    let figures: Promise<number> | null = null
    let quiet: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      const busy = tiles().getAttribute('aria-busy') === 'true'
      // Figures that come soon are drawn at once, without being marked as those of the slice before.
      if (busy || tiles().textContent !== before) stale = true
      if (stale && !busy) figures ??= painted(started)
      clearTimeout(quiet)
      if (figures && fetching() === 0 && document.querySelector('[data-drawing=true]') === null) {
        // Follow-up queries start within a frame or two of a response.
        const all = painted(started)
        quiet = setTimeout(() => {
          observer.disconnect()
          void Promise.all([figures!, all]).then(([figuresMs, allMs]) => resolve({ figuresMs, allMs }))
        }, 120)
      }
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, attributes: true, childList: true, characterData: true })
    setTimeout(() => {
      if (!stale) resolve({ figuresMs: Number.NaN, allMs: Number.NaN })
    }, 600)
    if (value === undefined) control.click()
    else {
      // React overrides the element's `value` property, so the prototype's setter is called.
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')!.set!.call(control, value)
      control.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  return { ...times, engineMs: Number(tiles().dataset['engineMs']), source: tiles().dataset['source'] ?? '' }
}
