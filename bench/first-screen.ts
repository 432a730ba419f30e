import { settled } from '../tests/browser/settled.ts'
import { FIRST_SCREEN_WORDS, firstScreenText } from '../tests/support/first-screen.ts'
import { launch } from './browser.ts'
import { startSite } from './site.ts'

/**
 * What a phone shows of home before any scrolling, and which of the words that it must have are missing: of the
 * demonstration, or of the seasons in the folder `data`.
 */
export async function benchFirstScreen(data: string | null) {
  const served = await startSite(data)
  const browser = await launch()
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(served.baseUrl)
    await settled(page)
    const text = await firstScreenText(page)
    return { missing: FIRST_SCREEN_WORDS.filter((words) => !words.test(text)).map(String), text }
  } finally {
    await browser.close()
    await served.close()
  }
}
