import { launch } from './browser.ts'
import { median } from './engine.ts'
import { serveData } from './serve-data.ts'

/** Filters of the cube, and with `label=value` those that only the predictions answer. */
const CLICKS = [
  'Place',
  'Quinella',
  'Tierce',
  'Last year',
  'Cautious',
  'All ten',
  'Win',
  'Last 3 months',
  'Selected',
  'All',
  'Going=good',
  'Going=',
  'Distance=1200',
  'Distance=',
  'Racecourse=2',
  'Racecourse=',
]

/** Clicks through the filters of the record screen and times each until the tiles of the new answer are painted. */
export async function benchScreen(dataFolder: string) {
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' })
    const page = await context.newPage()
    await page.goto(served.baseUrl)
    await page.evaluate((token) => localStorage.setItem('Access-Token', token), served.token)
    await page.goto(`${served.baseUrl}#/pages/race/WinLossRecord`)
    await page.reload()
    await page.getByTestId('record-tiles').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(3000)
    // The loader wraps functions of this file with a helper that a page does not have.
    await page.evaluate('globalThis.__name = (of) => of')
    const clicks: { label: string; milliseconds: number; engineMs: number; source: string }[] = []
    for (let round = 0; round < 3; round += 1) {
      for (const label of CLICKS) {
        const measured = await page.evaluate(timeClick, label)
        clicks.push({ label, ...measured })
        await page.waitForTimeout(700)
      }
    }
    // A click to a view that was shown before is answered from memory and never busy: not counted.
    const asked = clicks.filter(({ milliseconds }) => Number.isFinite(milliseconds))
    const rows = asked.filter(({ source }) => source === 'rows')
    const cube = asked.filter(({ source }) => source === 'cube')
    return {
      clicks: asked.length,
      medianMs: median(asked.map(({ milliseconds }) => milliseconds)),
      slowestMs: Math.max(...asked.map(({ milliseconds }) => milliseconds)),
      rowsMedianMs: median(rows.map(({ milliseconds }) => milliseconds)),
      cubeMedianEngineMs: median(cube.map(({ engineMs }) => engineMs)),
      cubeSlowestEngineMs: Math.max(...cube.map(({ engineMs }) => engineMs)),
      each: asked,
    }
  } finally {
    await browser.close()
    await served.close()
  }
}

/** In the page: clicks the control, waits for tiles that are not the ones before, and for the frame after them. */
async function timeClick(label: string): Promise<{ milliseconds: number; engineMs: number; source: string }> {
  const [name, value] = label.split('=')
  const control = [...document.querySelectorAll('label')].find((each) => each.textContent?.trim() === name)
  if (!control) throw new Error(`no control ${label}`)
  const tiles = () => document.querySelector<HTMLElement>('[data-testid=record-tiles]')!
  const started = performance.now()
  let stale = false
  const painted = new Promise<number>((resolve) => {
    const look = (): void => {
      const busy = tiles().getAttribute('aria-busy') === 'true'
      if (busy) stale = true
      if (stale && !busy) {
        observer.disconnect()
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => resolve(performance.now() - started))
          channel.port1.start()
          channel.port2.postMessage(null)
        })
      }
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, attributes: true, childList: true, characterData: true })
    // An answer that is kept already is painted without ever being busy.
    setTimeout(() => {
      if (!stale) resolve(Number.NaN)
    }, 400)
  })
  if (value === undefined) control.click()
  else {
    const select = control.control as HTMLSelectElement
    // React listens to the property's own setter.
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')!.set!.call(select, value)
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const milliseconds = await painted
  return {
    milliseconds,
    engineMs: Number(tiles().dataset['engineMs']),
    source: tiles().dataset['source'] ?? '',
  }
}
