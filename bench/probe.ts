import { launch } from './browser.ts'
import { serveData } from './serve-data.ts'
import { BARS, timeClick } from './screen-clicks.ts'
const served = await serveData('/tmp/w/hk39')
const browser = await launch()
for (let run = 0; run < 2; run++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' })
  await context.addInitScript((value) => localStorage.setItem('Access-Token', value), served.token)
  await context.addInitScript('globalThis.__name = (of) => of')
  const page = await context.newPage()
  const t0 = performance.now()
  page.on('request', (r) => {
    if (r.url().includes('analytics') || r.url().includes('/api/'))
      console.log(
        Math.round(performance.now() - t0),
        r.method(),
        r.url().slice(-70),
        (r.postData() ?? '').slice(0, 100),
      )
  })
  await page.goto(
    `${served.baseUrl}#/pages/race/WinLossRecord?p=profit!~bars:season~bars:racecourse~bars:going~columns:odds~heat:draw.distance`,
  )
  await page.locator(BARS.at(-1)!.selector).waitFor()
  const s = performance.now()
  console.log('first', Math.round(s - t0))
  for (let at = 0; performance.now() - s < 6000; at++) {
    const click = BARS[at % BARS.length]!
    await page.locator(click.selector).waitFor({ state: 'attached' })
    const began = performance.now()
    const r = await page.evaluate(timeClick, click)
    const state = await page.evaluate(() =>
      [
        document.querySelector('[data-engine]')?.getAttribute('data-engine'),
        document.querySelector('[data-testid=computed]')?.textContent,
      ].join(' '),
    )
    console.log(Math.round(began - t0), click.label, Math.round(r.figuresMs), r.engineMs, r.source, state)
  }
  await context.close()
}
await browser.close()
await served.close()
process.exit(0)
