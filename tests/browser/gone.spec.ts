import { expect, test, type Page } from '@playwright/test'
import { engineReady, RECORD, signIn, tilesReady, vipToken } from './site.ts'
import { MODEL, sharedWorkspace } from './workspace-page.ts'

/** Defects of the first record screen that must not come back. */

let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ page } = opened)
})

/** Dimensions whose values have texts that are not their keys. */
const CHANGES = [
  'track',
  'season',
  'going',
  'racecourse',
  'jockey',
  'month',
  'odds',
  'weekday',
  'going',
] as const
/** `2017`, `awt_fast`, `2026-04`, `null`. */
const RAW = /^[a-z0-9_.-]+$/

/** Changes the breakdown again and again; returns every text that its first column showed, and those it came to rest at. */
async function textsOfChanges(of: Page): Promise<{ seen: string[]; settled: string[] }> {
  const panel = of.locator('[data-panel=bars]')
  // The panel of another dimension is another element, so that the whole page is observed.
  await of.evaluate(() => {
    const seen = new Set<string>()
    const look = (): void => {
      for (const cell of document.querySelectorAll('[data-panel=bars] tbody th')) seen.add(cell.textContent)
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    Object.assign(globalThis, {
      seenTexts: (): string[] => {
        observer.disconnect()
        return [...seen]
      },
    })
  })
  const settled: string[] = []
  for (const dim of CHANGES) {
    await panel.getByLabel('By', { exact: true }).selectOption(dim)
    const rows = panel.locator(`[data-testid=breakdown][data-by="${dim}"] tbody th`)
    await expect(rows.first()).toBeVisible()
    // Returns of groups follow; then nothing of the change is outstanding.
    await expect(of.getByTestId('record-tiles')).toHaveAttribute('aria-busy', 'false')
    settled.push(...(await rows.allTextContents()))
  }
  const seen = await of.evaluate(() => (globalThis as unknown as { seenTexts: () => string[] }).seenTexts())
  return { seen, settled }
}

test('no raw key is shown while a breakdown changes, by the engine or by the server', async ({ browser }) => {
  await show('p=bars:season')
  await engineReady(page)
  const own = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 1000 } })
  await signIn(own, vipToken())
  const remote = await own.newPage()
  await remote.route('**/dataset/*.duckdb', (route) => route.abort())
  await remote.goto(`${RECORD()}?model=${MODEL}&origin=backtest&p=bars:season`)
  await tilesReady(remote)
  for (const each of [page, remote]) {
    const { seen, settled } = await textsOfChanges(each)
    expect(settled.filter((text) => RAW.test(text))).toEqual([])
    expect(new Set(seen).size).toBeGreaterThan(20)
    // Nothing was shown on the way that is not a text of one of the breakdowns.
    expect(seen.filter((text) => RAW.test(text) || !settled.includes(text))).toEqual([])
  }
  await expect(remote.getByTestId('record-tiles')).toHaveAttribute('data-computed', 'remote')
  await own.close()
})
