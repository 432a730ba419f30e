import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './browser.ts'
import { serveData } from './serve-data.ts'

/** The README's pictures: the workspace as a VIP has it, by language, colours and width. */
const PICTURES = [
  {
    name: 'workspace',
    words: 'p=profit!~bars:going~heat:draw.distance&model=market-baseline',
    locale: 'en',
    dark: false,
    width: 1280,
    height: 900,
  },
  {
    name: 'compare',
    words: 'p=profit!&model=market-baseline&a=model%3Dfundamental%26origin%3Dbacktest',
    locale: 'zh-HK',
    dark: true,
    width: 1280,
    height: 900,
  },
  {
    name: 'lab',
    words: `model=fundamental&tab=lab&lab=${encodeURIComponent('starters~value-from:1.1~odds-to:20~kelly:0.25~bank:1000000')}`,
    locale: 'en',
    dark: false,
    width: 1280,
    height: 900,
  },
  {
    name: 'console',
    words: 'model=market-baseline&tab=console',
    locale: 'zh-CN',
    dark: true,
    width: 1280,
    height: 900,
  },
  { name: 'phone', words: 'model=market-baseline', locale: 'zh-CN', dark: false, width: 390, height: 844 },
] as const

/** Takes the pictures of a data folder's dataset, which must be the demonstration's, and writes them as PNG files. */
export async function takePictures(dataFolder: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const served = await serveData(dataFolder)
  const browser = await launch()
  try {
    const taken: string[] = []
    for (const { name, words, locale, dark, width, height } of PICTURES) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      await context.addInitScript((value) => localStorage.setItem('Access-Token', value), served.token)
      const page = await context.newPage()
      await page.goto(`${served.baseUrl}#/pages/race/WinLossRecord?${words}`)
      await page.locator('[data-engine=ready]').waitFor({ timeout: 60_000 })
      if (name === 'console') await page.locator('[data-testid=console] .cm-content').press('Control+Enter')
      // Intervals and charts follow the figures.
      await page.waitForTimeout(3000)
      const path = join(folder, `${name}.png`)
      await page.screenshot({ path })
      taken.push(path)
      await context.close()
    }
    return taken
  } finally {
    await browser.close()
    await served.close()
  }
}
