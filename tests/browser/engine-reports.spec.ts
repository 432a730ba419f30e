import { expect, test, type Page } from '@playwright/test'
import { ENGINE_VERSION } from '../../contract/engine-errors.ts'
import { BASE, gesture, RECORD, tilesReady } from './site.ts'

/** The bodies and headers of the reports that a page sends. */
function reportsOf(page: Page): { body: unknown; headers: Record<string, string> }[] {
  const reports: { body: unknown; headers: Record<string, string> }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/sys/api/engineError'))
      reports.push({ body: request.postDataJSON(), headers: request.headers() })
  })
  return reports
}

test('an engine error is reported only after the reader agreed, as a code without any personal data', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'en' })
  // Every dataset file is damaged on its way, so the engine cannot open any.
  await context.route('**/dataset/*.duckdb', (route) =>
    route.fulfill({ status: 200, contentType: 'application/octet-stream', body: 'damaged' }),
  )
  const page = await context.newPage()
  const reports = reportsOf(page)
  const failed = page.locator('[data-testid="computed"][data-engine="failed"]')
  await page.goto(RECORD())
  await tilesReady(page)
  await gesture(page)
  await expect(failed).toBeVisible({ timeout: 30_000 })
  expect(reports).toEqual([])

  await page.goto(`${BASE()}#/pages/user/fypeople`)
  const tick = page.getByRole('checkbox', { name: /Report errors of the data engine/ })
  await expect(tick).not.toBeChecked()
  await tick.check()
  const reported = page.waitForResponse((response) => response.url().endsWith('/sys/api/engineError'))
  await page.goto(RECORD())
  await page.reload()
  await tilesReady(page)
  await gesture(page)
  expect((await reported).status()).toBe(200)
  await expect.poll(() => reports.length).toBeGreaterThan(0)
  for (const { body, headers } of reports) {
    expect(body).toEqual({ code: expect.stringMatching(/^(dataset|engine)-/), version: ENGINE_VERSION })
    for (const name of ['x-access-token', 'cookie', 'referer', 'authorization'])
      expect(headers[name]).toBeUndefined()
  }

  await page.goto(`${BASE()}#/pages/user/fypeople`)
  await expect(tick).toBeChecked()
  await tick.uncheck()
  const before = reports.length
  await page.goto(RECORD())
  await page.reload()
  await tilesReady(page)
  await gesture(page)
  await expect(failed).toBeVisible({ timeout: 30_000 })
  expect(reports).toHaveLength(before)
  await context.close()
})
