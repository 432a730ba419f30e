import type { Page } from '@playwright/test'
import { median, quantile } from './engine.ts'

/** A control of the workspace; of several that match, the one with this text. */
export interface Click {
  label: string
  selector: string
  text?: string
  figuresOnly?: boolean
}

/** Back to a view without filters. */
export const CLEAR: Click = { label: 'clear', selector: 'button', text: 'Clear filters' }

/** The workspace's controls; those of a popover are clicked after it has been opened. */
export const CLICKS: readonly Click[] = [
  ...['Place', 'Win', 'With the favourite', 'Main pick', 'All ten picks', 'Main pick'].map((text) => ({
    label: text,
    selector: 'label',
    text,
  })),
  ...['Last 12 months', 'All dates'].map((text) => ({ label: text, selector: '[popover] button', text })),
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
  CLEAR,
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
  { ...CLEAR, label: 'clear again' },
]

const inTable = (view: string, at: number): Click => ({
  label: `${view} ${at}`,
  selector: `[data-by=${view}] tbody tr:nth-child(${at}) button`,
})
const inFacet = (facet: string, at: number): Click => ({
  label: `${facet} ${at}`,
  selector: `[data-facet=${facet}] li:nth-child(${at}) input`,
})
/** The cell of a pivot's line and column; of each column the first figure, after those of the totals. */
const inPivot = (line: number, column: number, figures: number): Click => ({
  label: `cell ${line}, ${column}`,
  selector: `[data-testid=pivot] tbody tr:nth-child(${line}) td:nth-of-type(${1 + column * figures})`,
})
const PIVOT_CELLS = [1, 2, 3, 4, 5].map((at) => inPivot(at, at === 5 ? 1 : at, 4))

export interface OtherPage {
  address: string
  clicks: readonly Click[]
  /** Whether the months are dragged over after the clicks. */
  brushed?: true
}

/** Pages of the other subjects and of pivots, with clicks on each. */
export const OTHER_PAGES: Readonly<Record<string, OtherPage>> = {
  runners: {
    address: 's=runners&p=profit!~bars:jockey~bars:draw~bars:going~columns:odds~heat:draw.distance',
    clicks: [
      ...[1, 2, 3].flatMap((at) => ['jockey', 'draw', 'going'].map((view) => inTable(view, at))),
      ...[1, 2].map((at) => inFacet('distance', at)),
      ...[4, 6, 7].flatMap((at) => ['draw', 'jockey'].map((view) => inTable(view, at))),
    ],
    brushed: true,
  },
  races: {
    address: 's=races&p=profit!~bars:season~bars:racecourse~bars:going~heat:field_size.distance',
    clicks: [1, 2].flatMap((at) => ['season', 'going', 'racecourse'].map((view) => inTable(view, at))),
  },
  'pivot of draw × distance': {
    address: 's=runners&p=pivot:draw.distance.count.hit_rate.return.ae_market!',
    clicks: PIVOT_CELLS,
  },
  'pivot of jockey × going': {
    address: 's=runners&p=pivot:jockey.going.count.hit_rate.return.ae_market!',
    clicks: PIVOT_CELLS,
  },
}

/**
 * Clicks one after another, with a pause after each. Those back to a slice that was shown before are left out: they are answered from memory
 * without a question.
 */
export async function clicksOn(page: Page, clicks: readonly Click[], pauseMs: number) {
  const each: (Awaited<ReturnType<typeof timeClick>> & { label: string })[] = []
  const shown = new Set([page.url()])
  for (const click of clicks) {
    const times = await page.evaluate(timeClick, click)
    await page.waitForTimeout(pauseMs)
    if (!shown.has(page.url()) && Number.isFinite(times.figuresMs))
      each.push({ label: click.label, ...times })
    shown.add(page.url())
  }
  const [figures, all] = [each.map(({ figuresMs }) => figuresMs), each.map(({ allMs }) => allMs)]
  return {
    clicks: each.length,
    figuresMedianMs: median(figures),
    figuresP95Ms: quantile(figures, 0.95),
    allMedianMs: median(all),
    allP95Ms: quantile(all, 0.95),
    each,
  }
}

/** The pointer rests this long before a click: long enough for what a rest builds. */
const REST_MS = 200

const bar = (view: string, at: number): Click => ({ ...inTable(view, at), figuresOnly: true })
/** Bars of three views in turn. */
const BARS: readonly Click[] = [1, 2].flatMap((at) =>
  ['season', 'going', 'racecourse'].map((view) => bar(view, at)),
)

/** Clicks after the pointer has rested: until the figures are painted. */
export async function hoveredClicks(page: Page, pauseMs: number) {
  const times: number[] = []
  // With these predictions, no other click of the bench shows a single bar's slice.
  await page.evaluate(timeClick, { label: 'Win', selector: 'label', text: 'Win' })
  for (const click of BARS) {
    await page.locator(click.selector).first().hover()
    await page.waitForTimeout(REST_MS)
    const { figuresMs } = await page.evaluate(timeClick, click)
    if (Number.isFinite(figuresMs)) times.push(figuresMs)
    await page.waitForTimeout(pauseMs)
  }
  return { count: times.length, medianMs: median(times) }
}

/**
 * Clicks one after another from the first figures on: the medians of windows of two seconds. Just after the opening, views out
 * of sight are drawn later: until then it clicks the bars that are there, as a reader does, instead of waiting for the others.
 */
export async function continuousClicks(page: Page, seconds: number) {
  await page.locator(BARS.at(-1)!.selector).waitFor({ timeout: 60_000 })
  const windows = new Map<number, number[]>()
  const started = performance.now()
  let at = -1
  while (performance.now() - started < seconds * 1000) {
    const window = Math.floor((performance.now() - started) / 2000)
    const there = await page.evaluate(
      (selectors) => selectors.map((selector) => document.querySelector(selector) !== null),
      BARS.map(({ selector }) => selector),
    )
    do at = (at + 1) % BARS.length
    while (!there[at])
    const { figuresMs } = await page.evaluate(timeClick, BARS[at]!)
    if (Number.isFinite(figuresMs)) windows.set(window, [...(windows.get(window) ?? []), figuresMs])
  }
  return [...windows.values()].map((times) => ({
    clicks: times.length,
    medianMs: median(times),
    maxMs: Math.max(...times),
  }))
}

/**
 * Runs in the page: clicks the control, then waits for tiles that differ from the previous ones and for the moment when
 * no query is pending, each including the next frame; `figuresOnly` waits for the former alone. A popover with the
 * control is opened before, and the time counts from the click in it.
 */
export async function timeClick({ label, selector, text, figuresOnly = false }: Click) {
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
  const popover = control.closest<HTMLElement>('[popover]')
  if (popover) {
    popover.showPopover()
    await painted(0)
  }
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
      if (figures && figuresOnly) {
        observer.disconnect()
        void figures.then((figuresMs) => resolve({ figuresMs, allMs: Number.NaN }))
        return
      }
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
    control.click()
  })
  popover?.hidePopover()
  return { ...times, engineMs: Number(tiles().dataset['engineMs']), source: tiles().dataset['source'] ?? '' }
}
