import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './browser.ts'
import { serveData } from './serve-data.ts'

const RECORD = '/pages/race/WinLossRecord?model='
const TABS = ['models', 'seasons', 'calibration', 'lab', 'overview']
const WIDTHS = { phone: 390, desk: 1280 }
/** Emulated palettes; a grey picture is of the colours as lightness only. */
const PALETTES = {
  light: { colorScheme: 'light', forcedColors: 'none', grey: false },
  dark: { colorScheme: 'dark', forcedColors: 'none', grey: false },
  grey: { colorScheme: 'light', forcedColors: 'none', grey: true },
  'grey-dark': { colorScheme: 'dark', forcedColors: 'none', grey: true },
  forced: { colorScheme: 'light', forcedColors: 'active', grey: false },
  'forced-dark': { colorScheme: 'dark', forcedColors: 'active', grey: false },
} as const
/** Wait for intervals, which appear after the figures, and for a chart that is drawn in other colours. */
const FOLLOWS_MS = 3000
const DRAWN_MS = 1000

/** Takes each chart of the record, by width and palette, over a data folder. Returns the files that it wrote. */
export async function takeCharts(dataFolder: string, model: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const served = await serveData(dataFolder)
  const browser = await launch()
  const taken: string[] = []
  try {
    for (const [size, width] of Object.entries(WIDTHS)) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, locale: 'en' })
      await page.addInitScript((token) => localStorage.setItem('Access-Token', token), served.token)
      for (const tab of TABS) {
        await page.goto(`${served.baseUrl}#${RECORD}${model}&tab=${tab}`)
        await page.locator('main [role=img]').first().waitFor({ timeout: 120_000 })
        await page.locator('main [role=img]').first().scrollIntoViewIfNeeded()
        const chart = page
          .locator('section')
          .filter({ has: page.locator('.js-plotly-plot') })
          .last()
        await chart.waitFor({ timeout: 60_000 })
        await page.waitForTimeout(FOLLOWS_MS)
        for (const [palette, { grey, ...media }] of Object.entries(PALETTES)) {
          await page.emulateMedia(media)
          await page.evaluate((isGrey) => {
            document.documentElement.style.filter = isGrey ? 'grayscale(1)' : ''
          }, grey)
          await page.waitForTimeout(DRAWN_MS)
          const path = join(folder, `${tab}-${size}-${palette}.png`)
          await chart.screenshot({ path })
          taken.push(path)
        }
      }
      await page.close()
    }
    return taken
  } finally {
    await browser.close()
    await served.close()
  }
}
