import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string | null
  nodes: { element: Element; html: string; failureSummary?: string }[]
}

/** Navigates to a route within the open page, and waits until everything it loads is shown. */
export async function goTo(page: Page, route: string): Promise<void> {
  const main = page.locator('main')
  await expect(main).toHaveAttribute('data-visit', /\d/, { timeout: 30_000 })
  const before = await main.getAttribute('data-visit')
  const moved = await page.evaluate((to) => {
    window.scrollTo(0, 0)
    const hash = `#${to}`
    if (location.hash === hash || (to === '/' && location.hash === '')) return false
    location.hash = hash
    return true
  }, route)
  if (moved) await expect(main).not.toHaveAttribute('data-visit', before!, { timeout: 30_000 })
  await settled(page)
}

/** Waits until nothing is loading: no pending screen, no skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      (document.querySelector('main')?.textContent ?? '') !== '' &&
      document.querySelectorAll('[class*="skeleton"], [class*="_progress_"]').length === 0,
    undefined,
    { timeout: 60_000, polling: 50 },
  )
}

/**
 * Axe findings of any level; the script stays in the page, so that checking many routes is cheap. A bar that stays in view
 * covers part of whatever lies at its edge, at whichever scroll position a page happens to have: a target that is too
 * small is measured again in the middle of the window, as a reader would scroll it.
 */
export async function axeFindings(page: Page, leftOut: readonly string[] = []): Promise<string[]> {
  // The page's own policy allows no third-party scripts, so the debugger injects this one.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const found = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: unknown, options: object): Promise<{ violations: Finding[] }> }
    }
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
      resultTypes: ['violations'],
      elementRef: true,
      iframes: false,
    })
    const isTooSmall = async (element: Element): Promise<boolean> => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const again = await axe.run(document, {
        runOnly: { type: 'rule', values: ['target-size'] },
        elementRef: true,
      })
      return again.violations.some(({ nodes }) => nodes.some((node) => node.element === element))
    }
    const [x, y] = [window.scrollX, window.scrollY]
    const kept = []
    for (const { id, impact, nodes } of violations) {
      const counted = []
      for (const node of nodes)
        if (id !== 'target-size' || (await isTooSmall(node.element))) counted.push(node)
      if (counted.length > 0) kept.push({ id, impact, nodes: counted })
    }
    window.scrollTo({ left: x, top: y, behavior: 'instant' })
    return kept.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
  }, leftOut)
  return found.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.join(' | ')}`)
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A phone’s window grows with overflowing content, so the width is compared with the viewport.
  const content = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(content, `width of ${new URL(page.url()).hash}`).toBeLessThanOrEqual(page.viewportSize()!.width)
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
}

/** Controls whose text is wider than the control and overlaps its neighbours. */
export async function overflowingControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role=tab], [role=option], summary, main a')].flatMap(
      (element) => {
        if (!element.checkVisibility() || getComputedStyle(element).overflowX !== 'visible') return []
        if (getComputedStyle(element).display === 'inline') return []
        const { left, right } = element.getBoundingClientRect()
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        let over = false
        while (texts.nextNode()) {
          const node = texts.currentNode
          // Text only for assistive technology is positioned absolutely.
          if (getComputedStyle(node.parentElement!).position === 'absolute') continue
          let within = node.parentElement!
          while (within !== element && getComputedStyle(within).overflowX === 'visible')
            within = within.parentElement!
          if (within !== element) continue
          const words = document.createRange()
          words.selectNodeContents(node)
          for (const rect of words.getClientRects())
            over ||= rect.width > 1 && (rect.right > right + 1 || rect.left < left - 1)
        }
        return over ? [`${element.tagName} ${element.textContent?.trim().slice(0, 40)}`] : []
      },
    ),
  )
}

/** Minimum side of a touch target in pixels. */
const TARGET = 44

/** Stand-alone controls (not links within a text) that are too low for a finger. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const found = new Set<string>()
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, select, summary, input:not([type=hidden]), textarea, a[href], [role=tab], [role=option]',
    )) {
      if (!element.checkVisibility({ opacityProperty: true }) || element.closest('.ag-root, .cm-editor, svg'))
        continue
      // A slider's own input is for the keyboard; the draggable element is drawn separately.
      if ((element.parentElement?.offsetWidth ?? 0) <= 1) continue
      const target = element.closest('label') ?? element
      const style = getComputedStyle(target)
      if (style.display === 'inline' || style.position === 'absolute' || style.clipPath !== 'none') continue
      const { width, height } = target.getBoundingClientRect()
      if (width === 0 || height >= least - 0.5) continue
      found.add(
        `${target.tagName}.${target.className} ${Math.round(height)} px: ${target.textContent?.trim().slice(0, 30)}`,
      )
    }
    return [...found]
  }, TARGET)
}

/** The eight combinations of size and weight that the whole app uses. */
const TYPE = new Set([
  '12/400',
  '12/600',
  '13/400',
  '13/600',
  '15/400',
  '15/600',
  '18/600',
  '24/600',
  '28/600',
  '36/600',
])

/**
 * Visible texts of any other size or weight: where each combination was first found. Charts and maps scale their text.
 */
export async function strangeType(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const first = new Map<string, string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement
      if (!element || texts.currentNode.textContent?.trim() === '') continue
      if (element.closest('svg, script, style, noscript') || !element.checkVisibility()) continue
      const { fontSize, fontWeight } = getComputedStyle(element)
      const pair = `${Number.parseFloat(fontSize)}/${fontWeight}`
      if (!first.has(pair)) first.set(pair, `${pair} ${element.tagName} ${element.textContent?.slice(0, 40)}`)
    }
    return [...first]
  })
  return found.flatMap(([pair, where]) => (TYPE.has(pair) ? [] : [where]))
}
