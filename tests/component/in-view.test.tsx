import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { InView } from '../../src/ui/behaviour/in-view.tsx'

/** Nothing is ever in view. */
class Unseen {
  observe(): void {
    // Reports nothing.
  }
  disconnect(): void {
    // Observes nothing.
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IntersectionObserver', Unseen)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })

test('what a part out of view needs is loaded while nothing happens, and it is rendered in a later turn', async () => {
  let arrive = (): void => undefined
  const load = vi.fn(() => new Promise<void>((resolve) => (arrive = resolve)))
  render(
    <>
      <InView height={100} load={load}>
        the list
      </InView>
      <InView height={100}>the chart</InView>
    </>,
  )
  await pass(2400)
  expect(load).not.toHaveBeenCalled()
  await pass(300)
  expect(load).toHaveBeenCalledOnce()
  // The other part does not wait for it.
  expect(screen.getByText('the chart')).toBeTruthy()
  globalThis.dispatchEvent(new Event('pointerdown'))
  arrive()
  await pass(2400)
  expect(screen.queryByText('the list')).toBeNull()
  await pass(200)
  expect(screen.getByText('the list')).toBeTruthy()
})
