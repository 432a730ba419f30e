import type { Browser } from '@playwright/test'
import { settled } from '../tests/browser/settled.ts'
import { shiftsSeen, watchShifts } from '../tests/support/layout-shifts.ts'
import { launch } from './browser.ts'
import { EVERY_SCREEN, type Role } from './screens.ts'
import { addressWith, placesOf, startSite } from './site.ts'

const WINDOWS = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 } },
} as const
/** Wait for what comes later than the last placeholder. */
const FOLLOWS_MS = 1000
/** Two screens load at a time: an answer that comes late shows more, not less. */
const AT_ONCE = 2
/** Shifts below are not explained. */
const WORTH_TELLING = 0.01

interface ScreenShifts {
  route: string
  role: Role
  window: keyof typeof WINDOWS
  /** Cumulative Layout Shift. */
  shift: number
  /** What moved, with its share. */
  moved?: string[]
}

/**
 * How far what is in view moves while each screen of the site loads, with calls that are answered one after another:
 * largest first. Of the demonstration, or of the seasons in the folder `data`.
 */
export async function benchShifts(data: string | null, only: RegExp) {
  const served = await startSite(data)
  const browser = await launch()
  try {
    const { baseUrl, tokens } = served
    const places = await placesOf(baseUrl)
    const visits = (Object.keys(WINDOWS) as (keyof typeof WINDOWS)[]).flatMap((window) =>
      EVERY_SCREEN.flatMap(({ route, role }) => {
        const address = addressWith(route, places)
        return address === null || !only.test(`${window} ${role} ${route}`)
          ? []
          : [{ route, role, window, url: `${baseUrl}#${address}` }]
      }),
    )
    const found: ScreenShifts[] = []
    const failed: string[] = []
    const visitOneAfterAnother = async () => {
      for (let next = visits.shift(); next !== undefined; next = visits.shift()) {
        const { route, role, window, url } = next
        try {
          const { sum, moved } = await shiftsAt(browser, {
            url,
            window,
            token: role === 'visitor' ? undefined : tokens[role],
          })
          found.push({
            route,
            role,
            window,
            shift: Math.round(sum * 1000) / 1000,
            ...(sum >= WORTH_TELLING && { moved }),
          })
        } catch (error) {
          failed.push(`${window} ${role} ${route}: ${String(error)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visitOneAfterAnother))
    const screens = found.toSorted((a, b) => b.shift - a.shift)
    return { screens: screens.length, largest: screens[0]?.shift ?? null, failed, found: screens }
  } finally {
    await browser.close()
    await served.close()
  }
}

async function shiftsAt(
  browser: Browser,
  { url, window, token }: { url: string; window: keyof typeof WINDOWS; token: string | undefined },
) {
  const context = await browser.newContext({
    ...WINDOWS[window],
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  try {
    if (token !== undefined)
      await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
    const page = await context.newPage()
    await watchShifts(page)
    await page.goto(url)
    await settled(page)
    await page.waitForTimeout(FOLLOWS_MS)
    return await shiftsSeen(page)
  } finally {
    // A call that is still answered would fail with the context, outside of any promise that is awaited.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
}
