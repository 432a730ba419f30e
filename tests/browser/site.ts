import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'

export const BASE = (): string => process.env['FURLONG_E2E_URL']!
export const RECORD = (): string => `${BASE()}#/pages/race/WinLossRecord`

const post = async (path: string, body: object, token?: string): Promise<unknown> => {
  const response = await fetch(new URL(path, BASE()), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'x-access-token': token }),
    },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { success: boolean; message: string; result: unknown }
  if (!answer.success) throw new Error(`${path}: ${answer.message}`)
  return answer.result
}

/** The last code that the server sent to a phone, from its output. */
export async function codeSentTo(phone: string): Promise<string> {
  const sent = (): string | undefined =>
    new RegExp(`text to \\+\\d*${phone}: .*?(\\d{6})`).exec(
      readFileSync(process.env['FURLONG_E2E_LOG']!, 'utf8'),
    )?.[1]
  await expect.poll(sent, `a code is sent to ${phone}`).toBeDefined()
  return sent()!
}

/** Registers a member through the regular calls. */
export async function registerMember(): Promise<string> {
  const phone = `6${String(randomInt(10_000_000)).padStart(7, '0')}`
  await post('sys/sms', { mobile: phone, purpose: 'register' })
  const password = 'horse4course'
  const { token } = (await post('sys/register', {
    phone,
    captcha: await codeSentTo(phone),
    nickname: 'Reader',
    gender: 0,
    password,
    confirmPassword: password,
    agreement: true,
  })) as { token: string }
  return token
}

const ask = async <Result>(path: string, token: string): Promise<Result> => {
  const response = await fetch(new URL(path, BASE()), { headers: { 'x-access-token': token } })
  return ((await response.json()) as { result: Result }).result
}

export const accountOf = (
  token: string,
): Promise<{ id: string; account: string; subscribeFreeNum: number }> =>
  ask('sys/api/customer/userInfo', token)

/** Subscribes to coming races until no voucher is left. */
export async function spendVouchers(token: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const races = await ask<{ id: string }[]>(`race/api/queryRace?countryRegionId=100000&today=${today}`, token)
  // The last races of the coming week: lists begin with others.
  for (const { id } of races.slice(-4)) await ask(`race/api/raceSubscribe?raceId=${id}`, token)
}

/** Opens a race with a voucher. */
export const subscribe = (token: string, raceId: string): Promise<unknown> =>
  ask(`race/api/raceSubscribe?raceId=${raceId}`, token)

export const openOrder = (token: string): Promise<{ payUrl: string; orderId: string }> =>
  post('trade/api/createOrder', { planId: '1' }, token) as Promise<{ payUrl: string; orderId: string }>

/** Registers a VIP: orders a plan and approves the sandbox payment. Returns the token. */
export async function newVip(): Promise<string> {
  const token = await registerMember()
  const { payUrl } = await openOrder(token)
  const body = new URLSearchParams({ decision: 'approve' })
  await fetch(new URL(payUrl, BASE()), { method: 'POST', redirect: 'manual', body })
  return token
}

const tokensOf = (role: 'VIP' | 'MEMBER'): string[] => process.env[`FURLONG_E2E_${role}`]!.split(' ')

/** The token of the VIP, or of the member, that the tests of a worker share; `registerShared` has made them. */
export const vipToken = (): string => tokensOf('VIP')[Number(process.env['TEST_PARALLEL_INDEX'])]!
export const memberToken = (): string => tokensOf('MEMBER')[Number(process.env['TEST_PARALLEL_INDEX'])]!

/**
 * Registers a VIP and a member for each worker, who stay when a failed test ends its worker: an address gets thirty codes
 * an hour, and more tests than that have a customer.
 */
export async function registerShared(workers: number): Promise<void> {
  const each = (register: () => Promise<string>): Promise<string[]> =>
    Promise.all(Array.from({ length: workers }, register))
  process.env['FURLONG_E2E_VIP'] = (await each(newVip)).join(' ')
  process.env['FURLONG_E2E_MEMBER'] = (await each(registerMember)).join(' ')
}

export async function signIn(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript((value) => {
    if (sessionStorage.getItem('signed-in-once')) return
    sessionStorage.setItem('signed-in-once', 'yes')
    localStorage.setItem('Access-Token', value)
  }, token)
}

/** What Playwright itself says where a test has no service worker. */
const BLOCKED = 'Service Worker registration blocked by Playwright'

/**
 * Records what must not happen on any page: words on the console (of the page and of its workers, whatever their
 * level), errors, failed requests, requests to other origins.
 */
export class Watch {
  readonly problems: string[] = []
  readonly requests: string[] = []

  constructor(page: Page, base = BASE()) {
    page.on('console', (message) => {
      // `verbose` is the browser's advice to developers: nothing that the page or a worker wrote.
      if ((message.type() as string) === 'verbose' || message.text() === BLOCKED) return
      this.problems.push(`console ${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.problems.push(`error: ${error.message}`))
    page.context().on('request', (request) => {
      this.requests.push(request.url())
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== new URL(base).origin)
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
  await expect(page.locator('[data-drawing=true]')).toHaveCount(0)
  // Charts of a dimension with many values ask for themselves, and show the figures before until theirs arrive.
  await expect(page.locator('[data-panel] [aria-busy=true]')).toHaveCount(0)
}

/** Chooses a value of the record's bar, on a wide page: behind a button that has its name before what is chosen. */
export async function choose(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}: `) }).click()
  await page.locator(`[popover][data-open=true] [data-value="${value}"]`).click()
}

/** Opens what the button of the record's dates has: the period, and the season that is held back. */
export const openDates = (page: Page): Promise<void> => page.getByRole('button', { name: /^Dates: / }).click()

/** Opens the record's menu of what is seldom wanted. */
export const openMore = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'More', exact: true }).click()

/** Opens the menu of a panel, or of the list's exports, if it is not open; what it starts may leave it open. */
export async function openMenu(part: Locator | Page, name: string): Promise<void> {
  const opener = part.getByRole('button', { name, exact: true })
  const box = opener.locator('xpath=following-sibling::*[@popover]')
  if (!(await box.isVisible())) await opener.click()
}

/** The bet type option: an exact match, because the list contains the same words. */
export const betType = (page: Page, name: string) =>
  page.locator('label').filter({ hasText: new RegExp(`^${name}$`) })

/** Waits until the engine on this device has opened all files. */
export const engineReady = (page: Page): Promise<void> =>
  expect(page.getByTestId('computed')).toHaveAttribute('data-engine', 'ready', { timeout: 60_000 })

/** A visitor's engine starts with the first gesture, and otherwise only after ten seconds: presses a key that does nothing. */
export const gesture = (page: Page): Promise<void> => page.keyboard.press('Shift')

/** The slice's figures without the notes below them; excludes the longest losing run, which loads later. */
export const figuresShown = async (page: Page): Promise<string[]> =>
  (await page.getByTestId('record-tiles').locator('dt + dd').allTextContents()).slice(0, 5)

/** A cell of the list's first row. */
export const firstCell = (page: Page, column: string) =>
  page.locator(`[role=row][row-index="0"] [col-id=${column}]`)

/** The number of predictions in the first tile. */
export async function predictionsShown(page: Page): Promise<number> {
  const text = await page.getByTestId('record-tiles').locator('dd').first().textContent()
  return Number(text!.replaceAll(/\D/g, ''))
}
