import type { Page } from '@playwright/test'
import { settled } from '../tests/browser/settled.ts'

const LONGEST_MS = 60_000
/** Content that follows the last answer: intervals, labels beside a chart’s lines. */
const FOLLOWS_MS = 600

const PENDING = [
  'main [aria-busy=true]',
  '[data-settled=false]',
  '[data-engine=opening]',
  '[data-fetching]:not([data-fetching="0"])',
  '.ag-row-loading',
].join()
/** What is drawn after it was mounted, what it has then, and how much of it is in view before it is drawn. */
const DRAWN_LATER = [
  { selector: 'main div[role=img]', content: 'svg, img, canvas', share: 0.5 },
  { selector: '.ag-root', content: '.ag-row', share: 0 },
]

/**
 * Waits until what the window shows of a screen is drawn: nothing is loading, the engine on the device is open, each chart of
 * which half is above a phone’s bar has its lines, and each table in view has its rows.
 */
export async function shown(page: Page): Promise<void> {
  await settled(page)
  await page.waitForFunction(
    ({ pending, drawnLater }) =>
      document.querySelector(pending) === null &&
      drawnLater.every(({ selector, content, share }) =>
        [...document.querySelectorAll(selector)].every((element) => {
          const { top, bottom, height } = element.getBoundingClientRect()
          const inView = height === 0 ? 0 : (Math.min(bottom, innerHeight - 64) - Math.max(top, 0)) / height
          return inView <= share || element.querySelector(content) !== null
        }),
      ),
    { pending: PENDING, drawnLater: DRAWN_LATER },
    { timeout: LONGEST_MS, polling: 100 },
  )
  await page.waitForTimeout(FOLLOWS_MS)
}
