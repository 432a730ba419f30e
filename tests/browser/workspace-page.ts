import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { Reference } from './reference.ts'
import { goTo } from './settled.ts'
import { BASE, RECORD, signIn, tilesReady, vipToken, Watch } from './site.ts'

/** The slice that the tests use: the market line's main win picks, backtested. */
export const MODEL = 'market-baseline'
export const PICKS = `model = '${MODEL}' AND origin = 'backtest' AND bet_type = 1 AND selected`
export const SUMS = `count(*) AS n, count(*) FILTER (WHERE outcome = 'hit') / count(*) FILTER (WHERE outcome <> 'void') AS rate,
  sum(profit_cents) / (1000 * count(*) FILTER (WHERE outcome <> 'void' AND profit_cents IS NOT NULL)) AS returned`

export const filter = (clauses: string): string => `v=2&f=${encodeURIComponent(clauses)}`
export const WIN = 'bet_type:1~prediction_type:1'
/** Parses a displayed figure: `−12.3%`, `1,234`, `−HK$56.00`. */
export const numberIn = (text: string | null): number =>
  Number((text ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, '')) /
  ((text ?? '').includes('%') ? 100 : 1)

/** Compares with the displayed precision: percent with one decimal. */
function expectFigures(
  shown: { n: number; rate: number; returned: number },
  expected: Record<string, number>,
): void {
  expect(shown.n).toBe(expected['n'])
  expect(Math.abs(shown.rate - expected['rate']!)).toBeLessThan(0.00051)
  expect(Math.abs(shown.returned - expected['returned']!)).toBeLessThan(0.00051)
}

/** Return of each group (`key`) with half the width of its 95% interval: the linearised ratio estimator by meeting. */
export const returnsSql = (key: string, condition: string): string => `
  WITH meeting AS (
    SELECT ${key} AS key, meeting_key, sum(coalesce(profit_cents, 0))::DOUBLE AS profit,
      1000.0 * count(*) FILTER (WHERE outcome <> 'void' AND profit_cents IS NOT NULL) AS staked
    FROM prediction WHERE ${condition} GROUP BY ALL),
  whole AS (
    SELECT key, sum(profit) / sum(staked) AS ratio, sum(staked) AS stake, count(*) AS meetings FROM meeting GROUP BY key)
  SELECT key, ratio, stake / 1000 AS bets,
    1.959964 * sqrt(sum((profit - ratio * staked) ** 2) * meetings / (meetings - 1)) / stake AS reach
  FROM meeting JOIN whole USING (key) GROUP BY key, ratio, stake, meetings ORDER BY key`

/** Compares a displayed interval, `−12.3% to 4.5%`, with its middle and half its width. */
export function expectInterval(text: string, ratio: number, reach: number): void {
  const bounds = /(\S+%) to (\S+%)/.exec(text)?.slice(1).map(numberIn)
  expect(bounds, text).toBeDefined()
  const [low, high] = bounds!
  expect(Math.abs(low! - (ratio - reach))).toBeLessThan(0.00051)
  expect(Math.abs(high! - (ratio + reach))).toBeLessThan(0.00051)
}

/** Figures of the strip above the tabs: the value, and the note below it. */
export async function tile(page: Page, label: string): Promise<{ value: string; note: string }> {
  const [value, note] = await page
    .getByTestId('record-tiles')
    .locator('div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .allTextContents()
  return { value: value!, note: note! }
}

/** What the strip calls the number of rows of a subject, and how often they hit. */
const TILES = {
  predictions: ['Predictions', 'Hit rate'],
  runners: ['Runs', 'Win rate'],
  races: ['Races', 'First choice won'],
} as const

/** Waits until the strip shows the figures of a slice. */
export const expectTiles = (
  page: Page,
  expected: Record<string, number>,
  subject: keyof typeof TILES = 'predictions',
): Promise<void> =>
  expect(async () => {
    const [n, rate, returned] = await Promise.all(
      [...TILES[subject], 'Return'].map(async (label) => numberIn((await tile(page, label)).value)),
    )
    expectFigures({ n: n!, rate: rate!, returned: returned! }, expected)
  }).toPass({ intervals: [20], timeout: 30_000 })

/** Compares the shown groups of a breakdown with rows of `key` and `SUMS`. */
export function expectGroups(
  shown: ReadonlyMap<string, readonly string[]>,
  expected: readonly Record<string, unknown>[],
): void {
  expect([...shown.keys()].toSorted()).toEqual(expected.map(({ key }) => String(key)).toSorted())
  for (const row of expected) {
    const cells = shown.get(String(row['key']))!
    expectFigures(
      { n: numberIn(cells[0]!), rate: numberIn(cells[1]!), returned: numberIn(cells[4]!) },
      { n: Number(row['n']), rate: Number(row['rate']), returned: Number(row['returned']) },
    )
  }
}

const VIEWPORT = { width: 1280, height: 1000 }

const openReference = (): Promise<Reference> => Reference.open('100000', [MODEL, 'fundamental'])

/** A VIP's page in a new profile, and a watch over it. */
async function newVipPage(browser: Browser) {
  const context = await browser.newContext({ locale: 'en', viewport: VIEWPORT })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(context, vipToken())
  const page = await context.newPage()
  return { context, page, watch: new Watch(page) }
}

type OpenedWorkspace = Awaited<ReturnType<typeof newWorkspace>>

/** A VIP's page in a new profile, a watch over it, and the tables against which its figures are checked. */
export async function newWorkspace(browser: Browser) {
  return { reference: await openReference(), ...(await newVipPage(browser)) }
}

let shared: ReturnType<typeof newVipPage> | null = null

/**
 * The workspace that tests of a process share, as they share the VIP's account: in a new profile the engine takes eight
 * seconds of processor time until it answers. The page is away from the record and its storage is cleared, but it remembers
 * its answers, its counts of what was looked at, and revealed seasons. Tests for which these matter, and those of
 * stored files, take `newWorkspace`.
 */
export async function openWorkspace(browser: Browser): Promise<OpenedWorkspace> {
  const opened = await (shared ??= newVipPage(browser))
  const { page, watch } = opened
  // The first file that opens it may not have shown anything in it.
  if (page.url() === 'about:blank') await page.goto(`${BASE()}#/pages/help/record`)
  await page.mouse.move(0, 0)
  await page.setViewportSize(VIEWPORT)
  await goTo(page, '/pages/help/record')
  await expect(page.getByTestId('record-tiles')).toHaveCount(0)
  await page.evaluate((token) => {
    sessionStorage.clear()
    localStorage.clear()
    localStorage.setItem('Access-Token', token)
  }, vipToken())
  watch.problems.length = 0
  watch.requests.length = 0
  // The server may have built the dataset again.
  return { ...opened, reference: await openReference() }
}

/**
 * The shared workspace for all tests of a file: passed to `take` before the first. No test may leave a problem behind.
 * Returns the actions on its page.
 */
export function sharedWorkspace(take: (opened: OpenedWorkspace) => void): ReturnType<typeof workspaceOf> {
  let opened: OpenedWorkspace
  test.beforeAll(async ({ browser }) => {
    opened = await openWorkspace(browser)
    take(opened)
  })
  test.afterEach(() => expect(opened.watch.problems).toEqual([]))
  return workspaceOf(() => opened.page)
}

/** Saves the view on screen under a name, and returns its short link from the clipboard. */
export async function saveView(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Views' }).click()
  const dialog = page.getByRole('dialog')
  // Existing views have rename buttons, so the role is given.
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save this view' }).click()
  await dialog.getByRole('button', { name: `Copy the short link of ${name}` }).click()
  await expect(dialog.getByText('Link copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await dialog.getByRole('button', { name: 'Close' }).click()
  return link
}

/** Actions that tests perform on one page of the workspace. */
export function workspaceOf(page: () => Page) {
  const breakdown = (by: string): Locator => page().locator(`[data-testid=breakdown][data-by="${by}"]`)
  return {
    breakdown,
    show: async (words = ''): Promise<void> => {
      await page().goto(`${RECORD()}?model=${MODEL}&origin=backtest${words === '' ? '' : `&${words}`}`)
      await tilesReady(page())
    },
    /** The texts of every group's figures, by its key. */
    groups: async (by: string): Promise<Map<string, string[]>> => {
      const rows = breakdown(by).locator('tbody tr')
      await expect(rows.first()).toBeVisible()
      const others = breakdown(by).locator('xpath=following-sibling::button')
      if ((await others.count()) > 0) await others.click()
      return new Map(
        await rows.evaluateAll((all) =>
          all.map((row): [string, string[]] => [
            row.dataset['key']!,
            [...row.querySelectorAll('td')].map((cell) => cell.textContent),
          ]),
        ),
      )
    },
    /** Predictions, hit rate and return of a group. */
    group: async (
      by: string,
      key: string | number,
    ): Promise<{ n: number; rate: number; returned: number }> => {
      const row = breakdown(by).locator(`tr[data-key="${key}"]`)
      await expect(row).toBeVisible()
      const cells = await row.locator('td').allTextContents()
      return { n: numberIn(cells[0]!), rate: numberIn(cells[1]!), returned: numberIn(cells.at(-1)!) }
    },
  }
}
