import type { Browser, Page } from '@playwright/test'
import { launch } from './browser.ts'
import { median } from './engine.ts'
import { serveData, type ServedData } from './serve-data.ts'

const RECORD = '#/pages/race/WinLossRecord?model=fundamental&origin=backtest&tuning=1'
const OPENINGS = 3
const STOPS = 5
/** How long a statement runs before it is stopped. */
const RUNS_MS = 1000
/** Statements that would run for hours. */
const ENDLESS = {
  crossJoin: 'SELECT sum(a.probability * b.probability * c.probability) FROM starter a, starter b, starter c',
  recursion:
    'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) AS numbers FROM t',
}

/**
 * The SQL console in Chromium, over the data of one model. Times are read in the page, because the driver shares its
 * process with the server.
 */
export async function benchConsole(dataFolder: string) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const cold: Opening[] = []
    const warm: Opening[] = []
    for (let round = 0; round < OPENINGS; round += 1) {
      // A new context has neither the files of the console nor its script.
      const page = await newPage(browser, served)
      await openRecord(page, served)
      cold.push(await page.evaluate(timeOpening))
      await openRecord(page, served)
      warm.push(await page.evaluate(timeOpening))
      await page.context().close()
    }
    const page = await newPage(browser, served)
    await openRecord(page, served)
    await page.evaluate(timeOpening)
    const examples = await page.evaluate(timeExamples)
    const stops: Record<string, unknown> = {}
    for (const [name, sql] of Object.entries(ENDLESS)) stops[name] = await timeStops(page, sql)
    return { opening: { cold: summary(cold), warm: summary(warm) }, examples, stops }
  } finally {
    await browser.close()
    await served.close()
  }
}

async function newPage(browser: Browser, { token }: ServedData): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 1000 } })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), token)
  // The loader wraps functions of this file with a helper that a page lacks.
  await context.addInitScript('globalThis.__name = (of) => of')
  return context.newPage()
}

/** Loads the overview anew; waits until the panels' engine is open and has prepared what it prepares afterwards. */
async function openRecord(page: Page, { baseUrl }: ServedData): Promise<void> {
  // From the same site a change of the hash alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(`${baseUrl}${RECORD}`)
  await page.locator('[data-engine=ready]').waitFor({ timeout: 300_000 })
  await page.waitForTimeout(5000)
}

interface Opening {
  editorMs: number
  answerMs: number
  /** In the engine. */
  statementMs: number
}

const summary = (openings: readonly Opening[]) => ({
  openings,
  answerMedianMs: median(openings.map(({ answerMs }) => answerMs)),
})

/** Runs in the page: clicks the tab, then Run as soon as the editor is there, and waits for the first painted row. */
async function timeOpening(): Promise<Opening> {
  const until = <Value>(look: () => Value | null | undefined): Promise<Value> =>
    new Promise((resolve) => {
      const again = (): void => {
        const value = look()
        if (value === null || value === undefined) requestAnimationFrame(again)
        else resolve(value)
      }
      again()
    })
  const named = (selector: string, name: string): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.textContent?.trim() === name)
  const started = performance.now()
  if (document.querySelector('[data-testid=console]')) throw new Error('the console is open already')
  named('[role=tab]', 'SQL')!.click()
  await until(() => document.querySelector('[data-testid=console] .cm-content'))
  const editorMs = performance.now() - started
  named('[data-testid=console] button', 'Run')!.click()
  await until(() => document.querySelector('[data-testid=console-result] .ag-row [role=gridcell]'))
  const answerMs = performance.now() - started
  const status = document.querySelector('[data-testid=console-result] [role=status]')!.textContent ?? ''
  const statementMs = Number(/in ([\d,]+) ms/.exec(status)![1]!.replaceAll(',', ''))
  return { editorMs: Math.round(editorMs), answerMs: Math.round(answerMs), statementMs }
}

/** Runs in the page: each example from the click on Run to its first painted row, and in the engine. */
async function timeExamples() {
  const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
  const root = document.querySelector<HTMLElement>('[data-testid=console]')!
  const list = root.querySelector<HTMLSelectElement>('select[aria-label=Examples]')!
  const result = (): Element | null => root.querySelector('[data-testid=console-result]')
  const keys = [...list.options].map(({ value }) => value).filter(Boolean)
  const found: { example: string; rows: number; engineMs: number; paintedMs: number }[] = []
  for (const example of keys) {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')!.set!.call(list, example)
    list.dispatchEvent(new Event('change', { bubbles: true }))
    // The new tab has its editor.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const before = result()
    const started = performance.now()
    const run = [...root.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Run')!
    run.click()
    // Each answer has an element of its own.
    while (result() === null || result() === before) {
      if (root.dataset['state'] === 'failed') throw new Error(`${example}: failed`)
      await frame()
    }
    const status = result()?.querySelector('[role=status]')?.textContent ?? ''
    const [, rows = '', ms = ''] = /([\d,]+) rows? in ([\d,]+) ms/.exec(status) ?? []
    const numberOf = (text: string): number => Number(text.replaceAll(',', ''))
    // The data may have no rows for an example: no odds over time, for one.
    const isPainted = (): boolean =>
      Boolean(result()?.querySelector(numberOf(rows) === 0 ? '.ag-root' : '.ag-row [role=gridcell]'))
    while (!isPainted()) await frame()
    const paintedMs = Math.round(performance.now() - started)
    found.push({ example, rows: numberOf(rows), engineMs: numberOf(ms), paintedMs })
  }
  return found
}

/**
 * Stops a statement several times. `endMs`: from the click on Stop to the message on screen. `nextMs`: from the click
 * on Run to the answer of the next statement, which starts a new engine if the old one had to be ended.
 */
async function timeStops(page: Page, sql: string) {
  const stops: Awaited<ReturnType<typeof timeStop>>[] = []
  for (let round = 0; round < STOPS; round += 1) {
    await page.locator('.cm-content').fill(sql)
    const ended = await page.evaluate(timeStop, RUNS_MS)
    await page.locator('.cm-content').fill('SELECT 7 AS seven')
    stops.push({ ...ended, ...(await page.evaluate(timeNext)) })
  }
  const ends = stops.map(({ endMs }) => endMs)
  return { stops, endMedianMs: median(ends), endMaxMs: Math.max(...ends) }
}

/** Runs in the page. */
async function timeStop(runsMs: number): Promise<{ endMs: number; nextMs?: number }> {
  const root = document.querySelector<HTMLElement>('[data-testid=console]')!
  const click = (name: string): void =>
    [...root.querySelectorAll('button')].find((each) => each.textContent?.trim() === name)!.click()
  click('Run')
  await new Promise((resolve) => setTimeout(resolve, runsMs))
  if (root.dataset['state'] !== 'running') throw new Error(`not running: ${root.dataset['state']}`)
  const started = performance.now()
  click('Stop')
  while (root.dataset['state'] === 'running') await new Promise((resolve) => requestAnimationFrame(resolve))
  if (!root.querySelector('[role=alert]')) throw new Error('ended before it was stopped')
  return { endMs: Math.round(performance.now() - started) }
}

/** Runs in the page. */
async function timeNext(): Promise<{ nextMs: number }> {
  const root = document.querySelector<HTMLElement>('[data-testid=console]')!
  const started = performance.now()
  ;[...root.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Run')!.click()
  while (root.dataset['state'] !== 'rows') {
    if (performance.now() - started > 60_000) throw new Error(`no answer: ${root.dataset['state']}`)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return { nextMs: Math.round(performance.now() - started) }
}
