import { expect, test, type Browser, type Page } from '@playwright/test'
import { RECORD, signIn, tilesReady, vipToken } from './site.ts'
import { filter, MODEL, numberIn, sharedWorkspace, tile } from './workspace-page.ts'
import { boxOf } from './box-of.ts'

/** The list of predictions: its keys, its columns, and what it asks while it is scrolled. */

let page: Page

const { show } = sharedWorkspace((opened) => {
  ;({ page } = opened)
})
const cellAt = (row: number, column: string) =>
  page.locator(`[role=row][row-index="${row}"] [col-id=${column}]`)

/** Waits until the list has its first row, in view. */
async function listReady(): Promise<void> {
  await page.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(cellAt(0, 'race_id')).toHaveText(/^[A-Z]{5}\d/)
}

test('Space shows the race beside the list, J and K step through it, Enter opens the race', async () => {
  await show('cols=day,race_no,race_id,combination')
  await listReady()
  const races = await Promise.all([0, 1].map((row) => cellAt(row, 'race_id').textContent()))
  const heading = page.locator('[role=columnheader][col-id=day]')
  await heading.focus()
  await page.keyboard.press('ArrowDown')
  await expect(cellAt(0, 'day')).toBeFocused()
  await page.keyboard.press(' ')
  await expect(page).toHaveURL(new RegExp(`race=${races[0]!}`))
  const inspector = page.getByRole('complementary', { name: 'Race of the selected row' })
  await expect(inspector.getByRole('table').first()).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`race=${races[1]!}`))
  await page.keyboard.press('k')
  await expect(page).toHaveURL(new RegExp(`race=${races[0]!}`))
  // The focus stays in the list, where Enter opens the row that has it.
  await expect(cellAt(0, 'day')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`HorseRace\\?id=${races[1]!}`))
})

test('no row is blank in any frame of a fast scroll', async () => {
  await show(`${filter('bet_type:1')}&cols=day,race_no,race_id,combination`)
  await listReady()
  const viewport = page.locator('.ag-grid-viewport').first()
  // Looks at every frame until the list is at its end and its last rows are loaded.
  const measured = viewport.evaluate(
    (list) =>
      new Promise<{ frames: number; waiting: number; blank: string[] }>((resolve) => {
        const found = { frames: 0, waiting: 0, blank: [] as string[] }
        const look = (): void => {
          const { top, bottom } = list.getBoundingClientRect()
          const rows = [...list.querySelectorAll<HTMLElement>('[role=row][row-index]')].filter((row) => {
            const place = row.getBoundingClientRect()
            return place.bottom > top && place.top < bottom
          })
          const texts = rows.map((row) => row.textContent)
          found.frames += 1
          if (rows.length < 8) found.blank.push(`${rows.length} rows`)
          if (texts.includes('')) found.blank.push(rows[texts.indexOf('')]!.getAttribute('row-index')!)
          const waits = texts.some((text) => text.includes('…'))
          if (waits) found.waiting += 1
          const ended = list.scrollTop + list.clientHeight >= list.scrollHeight - 1
          if (ended && !waits) resolve(found)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  const rows = numberIn((await tile(page, 'Predictions')).value)
  const atEnd = (list: Element): boolean => list.scrollTop + list.clientHeight >= list.scrollHeight - 1
  // Twenty turns of the wheel are the whole list; some may move the page instead, while parts above the list still load.
  for (let turn = 0; turn < 60 && !(await viewport.evaluate(atEnd)); turn += 1) {
    const { x, y, width, height } = await boxOf(viewport)
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.wheel(0, (rows * 32) / 20)
  }
  const { frames, waiting, blank } = await measured
  expect(blank).toEqual([])
  expect(frames).toBeGreaterThan(20)
  // Some rows were not loaded yet, and said so.
  expect(waiting).toBeGreaterThan(0)
})

/** A request to the server, as far as it matters here; the matches of coming races have their own scope. */
interface PageRequest {
  scope?: string
  request: {
    rows?: { offset: number }
    aggregate?: { by: string[]; measures: string[] }
    linked?: { panels: { by: string[] }[]; measures: string[] }
  }
}

/** A VIP's page without the engine: every query is a request to the server. */
async function openWithoutEngine(browser: Browser, width: number): Promise<Page> {
  const own = await browser.newContext({ locale: 'en', viewport: { width, height: 1000 } })
  await signIn(own, vipToken())
  const theirs = await own.newPage()
  await theirs.route('**/dataset/*.duckdb', (route) => route.abort())
  return theirs
}

test('the number of rows is asked once a filter, not once a block', async ({ browser }) => {
  const theirs = await openWithoutEngine(browser, 1280)
  const pageRequests: PageRequest[] = []
  theirs.on('request', (request) => {
    if (request.url().endsWith('/analytics/query')) pageRequests.push(request.postDataJSON() as PageRequest)
  })
  const counts = (): number =>
    pageRequests.filter(({ scope, request: { aggregate, linked } }) => {
      const { measures = [] } = aggregate ?? linked ?? {}
      const groups = aggregate ? [aggregate] : (linked?.panels ?? [])
      return (
        scope === undefined && measures.includes('predictions') && groups.some(({ by }) => by.length === 0)
      )
    }).length
  const pages = (): number[] => pageRequests.flatMap(({ request: { rows } }) => (rows ? [rows.offset] : []))
  await theirs.goto(`${RECORD()}?model=${MODEL}&origin=backtest&${filter('bet_type:1')}&p=bars:going`)
  await tilesReady(theirs)
  await theirs.locator('#rows-heading').scrollIntoViewIfNeeded()
  await expect(theirs.locator('[role=row][row-index="0"] [col-id=day]')).toHaveText(/\d{4}/)
  expect(counts()).toBe(1)
  const list = theirs.locator('.ag-grid-viewport').first()
  for (const block of [1, 2, 3, 4]) {
    await list.evaluate((element, top) => element.scrollTo(0, top), block * 100 * 32 + 320)
    await expect(theirs.locator(`[role=row][row-index="${block * 100 + 12}"] [col-id=day]`)).toHaveText(
      /\d{4}/,
    )
  }
  expect(new Set(pages())).toEqual(new Set([0, 100, 200, 300, 400]))
  expect(counts()).toBe(1)
  // Another filter: once more, whichever block is on screen.
  await theirs
    .locator('label')
    .filter({ hasText: /^Place$/ })
    .click()
  await expect(theirs).toHaveURL(/bet_type%3A1%2C2/)
  await tilesReady(theirs)
  await theirs.locator('#rows-heading').scrollIntoViewIfNeeded()
  // The list goes to its top when the new filter reaches it, which may be after the first scroll.
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, 150 * 32))
    await expect(theirs.locator('[role=row][row-index="155"] [col-id=day]')).toHaveText(/\d{4}/, {
      timeout: 3000,
    })
  }).toPass({ timeout: 30_000 })
  expect(counts()).toBe(2)
  await theirs.context().close()
})
