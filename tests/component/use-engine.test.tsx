import { screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { isEngineOff } from '../../src/data/analytics/engine-state.ts'
import { ScopeProvider } from '../../src/data/analytics/use-analytics.ts'
import { useEngine, type ShownFigures } from '../../src/data/analytics/use-engine.ts'
import { useVipToken } from '../../src/data/use-session.ts'
import { prepareWorker } from './browser-stand-ins.ts'
import { MANIFEST, signIn } from './record.tsx'
import { renderPart } from './render.tsx'

const SCOPE = {
  regionId: '100000',
  asOf: MANIFEST.asOf,
  history: true,
  member: null,
  from: '2024-09-08',
  to: '2026-01-28',
}

const showing: { set?(figures: ShownFigures): void } = {}

function Opener() {
  const [figures, setFigures] = useState<ShownFigures>('current')
  useEffect(() => {
    showing.set = setFigures
  }, [])
  useEngine('blended', figures)
  return <p>{useVipToken() ? 'signed in' : 'waiting'}</p>
}

/** Shows the figures of the slice before or those asked for, for some time. */
function during(figures: ShownFigures, milliseconds: number): void {
  flushSync(() => showing.set!(figures))
  vi.advanceTimersByTime(milliseconds)
}

afterEach(() => void vi.useRealTimers())

test('the engine starts when the reader stops clicking for a moment', async () => {
  prepareWorker('analytics.worker', { onProgress: () => undefined, prepare: () => undefined })
  vi.useFakeTimers()
  signIn('vip')
  await renderPart(
    <ScopeProvider value={SCOPE}>
      <Opener />
    </ScopeProvider>,
  )
  await vi.waitFor(() => expect(screen.getByText('signed in')).toBeTruthy())
  // Slices whose figures take half a second, one after another.
  for (let slice = 0; slice < 5; slice += 1) {
    during('previous', 500)
    during('current', 100)
  }
  expect(isEngineOff()).toBe(true)
  // After a click the next one is likely, also where its figures come so soon that they are never those of the slice before.
  for (let click = 0; click < 3; click += 1) {
    document.body.click()
    vi.advanceTimersByTime(400)
  }
  expect(isEngineOff()).toBe(true)
  vi.advanceTimersByTime(200)
  expect(isEngineOff()).toBe(false)
})
