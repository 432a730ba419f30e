import type { Page } from '@playwright/test'

/** The layout shifts of a page: their sum, and what moved by how much. */
export interface Shifts {
  sum: number
  moved: string[]
}

const REAL_CALL = /\/(race|sys|trade)\/api\//

/** The longest wait for an answer: on a busy machine the first ones of a server take long. */
const ANSWER_MS = 120_000

/** Milliseconds by which a call is answered later: another for each, so that the parts come one after another. */
const delayOf = (url: URL): number => 100 + (url.pathname.length % 7) * 90

/**
 * Delays the answers of a page's calls, and watches from its next address on what moves without a gesture. `change` may
 * replace an answer.
 */
export async function watchShifts(
  page: Page,
  change: (url: string, answer: object) => object = (_url, answer) => answer,
): Promise<void> {
  await page.route(REAL_CALL, async (call) => {
    const url = call.request().url()
    const response = await call.fetch({ timeout: ANSWER_MS })
    await new Promise((resolve) => setTimeout(resolve, delayOf(new URL(url))))
    if (!response.headers()['content-type']?.includes('json')) return call.fulfill({ response })
    return call.fulfill({ response, json: change(url, (await response.json()) as object) })
  })
  await page.addInitScript(keepShifts)
}

/** Runs in the page: keeps every shift that no gesture caused. */
function keepShifts(): void {
  const seen = { sum: 0, moved: [] as string[] }
  Object.assign(globalThis, { shiftsSeen: seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    })[]) {
      if (entry.hadRecentInput) continue
      seen.sum += entry.value
      const names = entry.sources.map(({ node }) =>
        node instanceof Element ? node.className || node.tagName : 'text',
      )
      seen.moved.push(`${entry.value.toFixed(3)} ${names.join(' ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

export async function shiftsSeen(page: Page): Promise<Shifts> {
  const seen = await page.evaluate(() => (globalThis as unknown as { shiftsSeen: Shifts }).shiftsSeen)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return seen
}
