import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type BrowserContext, type Page } from '@playwright/test'

export const BASE = (): string => process.env['FURLONG_E2E_URL']!
export const RECORD = (): string => `${BASE()}#/pages/race/WinLossRecord`

/** A VIP's token from the operator's command, signed with the running server's key. */
export function vipToken(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const args = ['--import', 'tsx', 'server/cli.ts', 'token', '--role', 'vip', '--days', '1']
  const env = { ...process.env, FURLONG_DATA: process.env['FURLONG_E2E_DATA']!, DATABASE_URL: '' }
  return execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' }).trim()
}

export async function signIn(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript((value) => {
    if (sessionStorage.getItem('signed-in-once')) return
    sessionStorage.setItem('signed-in-once', 'yes')
    localStorage.setItem('Access-Token', value)
  }, token)
}

/** What must not happen on any page: errors, failed requests, another origin. */
export class Watch {
  readonly problems: string[] = []
  readonly requests: string[] = []

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`))
    page.context().on('request', (request) => {
      this.requests.push(request.url())
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== new URL(BASE()).origin)
        this.problems.push(`other origin: ${request.url()}`)
    })
    page.context().on('response', (response) => {
      if (response.status() >= 400) this.problems.push(`${response.status()}: ${response.url()}`)
    })
  }

  datasetRequests(): string[] {
    return this.requests.filter((url) => url.endsWith('.duckdb'))
  }
}

export async function tilesReady(page: Page): Promise<void> {
  const tiles = page.getByTestId('record-tiles')
  await expect(tiles).toBeVisible({ timeout: 60_000 })
  await expect(tiles).toHaveAttribute('aria-busy', 'false')
}

/** The four figures of the tiles, without what is told below them. */
export const figuresShown = (page: Page): Promise<string[]> =>
  page.getByTestId('record-tiles').locator('dt + dd').allTextContents()

/** A cell of the list's first row. */
export const firstCell = (page: Page, column: string) =>
  page.locator(`[role=row][row-index="0"] [col-id=${column}]`)

/** The number of predictions that the first tile tells. */
export async function predictionsShown(page: Page): Promise<number> {
  const text = await page.getByTestId('record-tiles').locator('dd').first().textContent()
  return Number(text!.replaceAll(/\D/g, ''))
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(content).toBeLessThanOrEqual(window)
}

/** No finding of axe that is serious or worse. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .slice(0, 3)
          .join(' | ')}`,
    ),
  ).toEqual([])
}
