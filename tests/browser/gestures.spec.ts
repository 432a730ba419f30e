import { expect, test, type Page } from '@playwright/test'
import { makeRaceId, parseRaceId } from '../../domain/race-id.ts'
import { EN, PHONE } from './reader.ts'
import { settled } from './settled.ts'
import { BASE, signIn, vipToken, Watch } from './site.ts'

/**
 * How many taps the five most frequent journeys need. Two are counted here, the others where the rest of their screens is
 * tested:
 *
 * - the next race of the meeting: 1, here
 * - a finished race, to its predictions: 1, here
 * - a slice of the record by racecourse and draw, without scrolling the filters: 3, `workspace.spec.ts`
 * - from a race to the payment and back to it: 4, `flows.spec.ts`
 * - a provider's withdrawal, from the account: 5 and what is typed, `clock.spec.ts`
 */

/** Two races of a meeting, one after the other, both finished. */
async function raceAndNext(): Promise<{ race: string; next: string }> {
  const today = new Date().toISOString().slice(0, 10)
  const answer = await fetch(
    new URL(`race/api/queryRacePageDesc?countryRegionId=100000&today=${today}&pageNo=1&pageSize=100`, BASE()),
  )
  const { result } = (await answer.json()) as { result: { id: string; status: string }[] }
  const finished = new Set(result.filter(({ status }) => status === 'final').map(({ id }) => id))
  for (const race of finished) {
    const { raceNo, ...meeting } = parseRaceId(race)
    const next = makeRaceId({ ...meeting, raceNo: raceNo + 1 })
    if (finished.has(next)) return { race, next }
  }
  throw new Error('no meeting has two finished races')
}

/** Counts what a finger does: each press is a gesture, whatever follows from it. */
const countTaps = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { taps: 0 })
    addEventListener('pointerdown', () => ((globalThis as unknown as { taps: number }).taps += 1), {
      capture: true,
    })
  })
}

const taps = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { taps: number }).taps)

test('the next race, and a finished race’s predictions, are one tap away on a phone', async ({ browser }) => {
  const { race, next } = await raceAndNext()
  const context = await browser.newContext({ ...PHONE, locale: 'en', reducedMotion: 'reduce' })
  await signIn(context, vipToken())
  const page = await context.newPage()
  const watch = new Watch(page)
  await countTaps(page)
  await page.goto(`${BASE()}#/pages/race/HorseRace?id=${race}&source=pr`)
  await settled(page)

  // Its result is shown first; the predictions are a tab that is in view.
  const picks = page.getByRole('tab', { name: EN('race.section.picks'), exact: true })
  await expect(picks).toBeInViewport({ ratio: 1 })
  await picks.tap()
  await expect(page.getByRole('tab', { name: EN('gameplay.1'), exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await settled(page)
  const first = page.getByRole('tabpanel').getByRole('listitem').first()
  await expect(first).toBeInViewport()
  expect(await taps(page)).toBe(1)

  // At the thumb.
  const onward = page.locator('main a[rel=next]')
  await expect(onward).toBeInViewport({ ratio: 1 })
  await onward.tap()
  await expect(page).toHaveURL(new RegExp(`id=${next}`))
  await settled(page)
  expect(await taps(page)).toBe(2)
  expect(watch.problems).toEqual([])
  await context.close()
})
