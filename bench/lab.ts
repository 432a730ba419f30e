import type { Page } from '@playwright/test'
import { launch } from './browser.ts'
import { median, quantile } from './engine.ts'
import { serveData } from './serve-data.ts'

/** Every starter of every season, including the tuning seasons: the largest possible number of bets. */
const LAB = '#/pages/race/WinLossRecord?model=fundamental&origin=backtest&tuning=1&tab=lab&lab='
const ALL_STARTERS = 'starters~level:1000'
const KELLY = 'starters~kelly:0.25~bank:100000000'
const DRAG_MS = 3000

/** The strategy lab in Chromium: staking in the worker, and the time from moving a slider to the painted curve. */
export async function benchLab(dataFolder: string) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
    await context.addInitScript((token) => localStorage.setItem('Access-Token', token), served.token)
    const page = await context.newPage()
    await page.goto(`${served.baseUrl}${LAB.replace('&tab=lab&lab=', '')}`)
    await page.locator('[data-engine=ready]').waitFor({ timeout: 300_000 })
    await page.waitForTimeout(3000)
    // The loader wraps functions of this file with a helper that a page lacks.
    await page.evaluate('globalThis.__name = (of) => of')
    const report: Record<string, unknown> = {}
    for (const [name, settings] of [
      ['level', ALL_STARTERS],
      ['kelly', KELLY],
    ] as const) {
      const started = performance.now()
      await page.goto(`${served.baseUrl}${LAB}${encodeURIComponent(settings)}`)
      await page.locator('[data-testid=lab][data-settled=true]').waitFor({ timeout: 120_000 })
      const loadedMs = performance.now() - started
      await page.waitForTimeout(6000)
      const bets = await page.locator('[data-figure="lab.figure.bets"] dd').first().textContent()
      const slider = await page.evaluate(timeSlider)
      report[name] = {
        bets,
        loadedMs: Math.round(loadedMs),
        runMedianMs: median(slider.map(({ runMs }) => runMs)),
        runMaxMs: Math.max(...slider.map(({ runMs }) => runMs)),
        curveMedianMs: median(slider.map(({ curveMs }) => curveMs)),
        curveP95Ms: quantile(
          slider.map(({ curveMs }) => curveMs),
          0.95,
        ),
        drag: await drag(page),
      }
    }
    return report
  } finally {
    await browser.close()
    await served.close()
  }
}

/** Runs in the page: moves the value slider one step at a time and waits for the painted curve after each. */
async function timeSlider(): Promise<{ runMs: number; curveMs: number }[]> {
  const slider = [...document.querySelectorAll<HTMLInputElement>('[data-testid=lab] input[type=range]')][0]!
  const lab = document.querySelector<HTMLElement>('[data-testid=lab]')!
  const chart = document.querySelector<HTMLElement>('[data-panel=lab-curve]')!
  const found: { runMs: number; curveMs: number }[] = []
  for (let value = 0.55; value < 1.5; value += 0.05) {
    const started = performance.now()
    const curveMs = await new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect()
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => resolve(performance.now() - started))
          channel.port1.start()
          channel.port2.postMessage(null)
        })
      })
      observer.observe(chart, { subtree: true, attributes: true, attributeFilter: ['d'], childList: true })
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(slider, String(value))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
    })
    found.push({ runMs: Number(lab.dataset['runMs']), curveMs })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return found
}

/** Drags the value slider from 1.0 to 1.5 in three seconds; returns the milliseconds between frames. */
async function drag(page: Page) {
  const slider = page.locator('[data-testid=lab] input[type=range]').first()
  await slider.scrollIntoViewIfNeeded()
  const box = (await slider.boundingBox())!
  const at = (value: number): number => box.x + 8 + ((box.width - 16) * (value - 0.5)) / 2
  await page.mouse.move(at(1), box.y + box.height / 2)
  await page.evaluate(() => {
    const gaps: number[] = []
    Object.assign(globalThis, { gaps })
    let last = performance.now()
    const look = (): void => {
      const now = performance.now()
      gaps.push(now - last)
      last = now
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.mouse.down()
  const steps = 60
  for (let step = 1; step <= steps; step += 1) {
    await page.mouse.move(at(1 + (0.5 * step) / steps), box.y + box.height / 2)
    await page.waitForTimeout(DRAG_MS / steps)
  }
  await page.mouse.up()
  const gaps = await page.evaluate(() => (globalThis as unknown as { gaps: number[] }).gaps.slice(1))
  return { frames: gaps.length, p95Ms: quantile(gaps, 0.95), maxMs: Math.max(...gaps) }
}
