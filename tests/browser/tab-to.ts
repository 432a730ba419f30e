import { expect, type Locator, type Page } from '@playwright/test'

const MAX_PRESSES = 150

/** Presses Tab, or another key that moves the focus, until an element has it. */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' | 'ArrowRight' = 'Tab',
): Promise<void> {
  await expect(target).toBeAttached()
  const isThere = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement)
  for (let press = 0; press < MAX_PRESSES && !(await isThere()); press += 1) await page.keyboard.press(key)
  await expect(target).toBeFocused()
}
