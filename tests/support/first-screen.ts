import type { Page } from '@playwright/test'

/** The text that a phone shows of a page’s `main` before any scrolling: what the navigation below covers is not seen. */
export const firstScreenText = (page: Page): Promise<string> =>
  page.locator('main').evaluate((main) => {
    const least = document.querySelector('nav:last-of-type')?.getBoundingClientRect().top ?? 0
    const end = least > 400 ? least : innerHeight
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const words: string[] = []
    while (walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      const box = range.getBoundingClientRect()
      if (box.width > 1 && box.bottom <= end) words.push(walker.currentNode.textContent ?? '')
    }
    return words.join(' ')
  })

/** What somebody who has never been here must read on it, in English: the subject, the region, and three hit rates. */
export const FIRST_SCREEN_WORDS: readonly RegExp[] = [
  /horse racing/i,
  /Hong Kong/,
  /Top pick \d+(\.\d+)?%/,
  /Favourite \d+(\.\d+)?%/,
  /Random \d+(\.\d+)?%/,
]
