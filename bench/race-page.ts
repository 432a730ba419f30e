import type { Browser, Page } from '@playwright/test'
import { settled } from '../tests/browser/settled.ts'
import { launch } from './browser.ts'
import { median, quantile } from './engine.ts'
import { REGION, startSite } from './site.ts'

/** Parts of a race by the name of their tab, and what is there once they are drawn. */
const PARTS = {
  pace: { tab: 'Pace', selector: '[data-testid=pace-map]' },
  form: { tab: 'Form', selector: '[data-testid=form-matrix]' },
} as const

const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 } },
} as const

/** Finished races, the newest first. */
async function finishedRaces(baseUrl: string, count: number): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10)
  const path = `race/api/queryRacePageDesc?countryRegionId=${REGION}&today=${today}&pageNo=1&pageSize=100`
  const answer = (await (await fetch(new URL(path, baseUrl))).json()) as {
    result: { id: string; status: string }[]
  }
  return answer.result.flatMap(({ id, status }) => (status === 'final' ? [id] : [])).slice(0, count)
}

/**
 * From the tap on a part of a race's page to its painted content, and from the choice of another jockey of a race to come
 * to the chances of all its runners, by a VIP: of the demonstration, or of the seasons in the folder
 * `data`. Each race is opened in a page of its own; the first has nothing of the part cached.
 */
export async function benchRacePage(data: string | null, races: number) {
  const served = await startSite(data)
  const browser = await launch()
  try {
    const ids = await finishedRaces(served.baseUrl, races)
    const report: Record<string, { firstMs: number; medianMs: number; p95Ms: number }> = {}
    for (const [size, options] of Object.entries(SIZES))
      for (const [part, of] of Object.entries(PARTS)) {
        const times = await tapsOf(browser, {
          baseUrl: served.baseUrl,
          token: served.tokens.VIP,
          ids,
          options,
          of,
        })
        report[`${part}, ${size}`] = {
          firstMs: times[0]!,
          medianMs: median(times),
          p95Ms: quantile(times, 0.95),
        }
      }
    const coming = await largestComing(served.baseUrl)
    if (coming !== null)
      for (const [size, options] of Object.entries(SIZES)) {
        const times = await trialsOf(browser, {
          baseUrl: served.baseUrl,
          token: served.tokens.VIP,
          id: coming.id,
          options,
        })
        report[`another jockey among ${coming.starters}, ${size}`] = {
          firstMs: times[0]!,
          medianMs: median(times),
          p95Ms: quantile(times, 0.95),
        }
      }
    return report
  } finally {
    await browser.close()
    await served.close()
  }
}

/** How long a race must be ahead, so that its trials end before it starts; milliseconds. */
const AHEAD_MS = 120_000

/** The race to come with the most starters; `null` between meetings. */
async function largestComing(baseUrl: string): Promise<{ id: string; starters: number } | null> {
  const today = new Date().toISOString().slice(0, 10)
  const path = `race/api/queryRace?countryRegionId=${REGION}&today=${today}`
  const { result } = (await (await fetch(new URL(path, baseUrl))).json()) as {
    result: { id: string; starters: number; status: string; competitionDate: string | null }[]
  }
  const soon = Date.now() + AHEAD_MS
  const coming = result.filter(
    ({ status, competitionDate: at }) => status === 'scheduled' && at !== null && Date.parse(at) > soon,
  )
  return coming.toSorted((a, b) => b.starters - a.starters)[0] ?? null
}

/** Jockeys that are tried on one runner, each for the first time. */
const TRIALS = 20

interface Trials {
  baseUrl: string
  token: string
  id: string
  options: (typeof SIZES)[keyof typeof SIZES]
}

/** Milliseconds from the choice of another jockey until the chances of all runners have been painted. */
async function trialsOf(browser: Browser, { baseUrl, token, id, options }: Trials): Promise<number[]> {
  const page = await readersPage(browser, token, options)
  await page.goto(`${baseUrl}#/pages/race/HorseRace?id=${id}&tab=chances&by=card`)
  await page.locator('[data-testid=trial][data-settled]').waitFor()
  await settled(page)
  const times = await page.evaluate(async (most) => {
    const board = document.querySelector('[data-testid=trial]')!
    // The going and the runner come before it.
    const jockeys = board.parentElement!.querySelectorAll('select')[2]!
    const others = [...jockeys.options].map(({ value }) => value).filter((value) => value !== jockeys.value)
    const found: number[] = []
    for (const value of others.slice(0, most)) {
      found.push(
        await new Promise<number>((resolve) => {
          const started = performance.now()
          const look = (): void => {
            if (jockeys.value !== value || board.getAttribute('data-settled') === null) return
            observer.disconnect()
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
          }
          const observer = new MutationObserver(look)
          observer.observe(board, { subtree: true, childList: true, characterData: true, attributes: true })
          jockeys.value = value
          jockeys.dispatchEvent(new Event('change', { bubbles: true }))
        }),
      )
    }
    return found
  }, TRIALS)
  await page.context().close()
  return times
}

interface Taps {
  baseUrl: string
  token: string
  ids: readonly string[]
  options: (typeof SIZES)[keyof typeof SIZES]
  of: (typeof PARTS)[keyof typeof PARTS]
}

/** A reader looks at a race before one of its parts; the code of the parts is loaded meanwhile. */
const LOOK_MS = 4000

async function tapsOf(browser: Browser, { baseUrl, token, ids, options, of }: Taps): Promise<number[]> {
  const first = await readersPage(browser, token, options)
  const times: number[] = []
  for (const id of ids) {
    const page = await first.context().newPage()
    await page.goto(`${baseUrl}#/pages/race/HorseRace?id=${id}&tab=0`)
    await settled(page)
    await page.waitForTimeout(LOOK_MS)
    times.push(await timeTap(page, of, 'hasTouch' in options))
    await page.close()
  }
  await first.context().close()
  return times
}

/** A page of a signed-in reader, in a context of its own. */
async function readersPage(browser: Browser, token: string, options: Taps['options']): Promise<Page> {
  const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  // The compiler of the bench names functions, also those that run in the page.
  await context.addInitScript('globalThis.__name = (of) => of')
  return context.newPage()
}

/**
 * Milliseconds from a short tap, of a finger or of a mouse, on a tab until an element of its part has been painted: from its
 * beginning, since a part may be asked for before the finger has left the tab.
 */
async function timeTap(page: Page, { tab, selector }: Taps['of'], isTouched: boolean): Promise<number> {
  const watching = await page.evaluateHandle((wanted) => {
    const painted = new Promise<number>((resolve, reject) => {
      let began = 0
      addEventListener('pointerdown', () => (began = performance.now()), { capture: true, once: true })
      const look = (): void => {
        if (document.querySelector(wanted) === null) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
      }
      const observer = new MutationObserver(look)
      observer.observe(document.body, { subtree: true, childList: true })
      setTimeout(() => reject(new Error(`no ${wanted} after 30 s`)), 30_000)
    })
    return { painted }
  }, selector)
  const control = page.getByRole('tab', { name: tab, exact: true })
  await (isTouched ? control.tap() : control.click())
  return watching.evaluate(({ painted }) => painted)
}
