import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenQuiet } from '../../src/ui/behaviour/when-quiet.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work that nobody sees waits for the reader, comes one after another, and can be taken back', () => {
  const done: string[] = []
  const takeBack = ['first', 'second', 'third'].map((name) => whenQuiet(() => done.push(name)))
  vi.advanceTimersByTime(2000)
  // A gesture: the wait begins anew.
  globalThis.dispatchEvent(new Event('pointerdown'))
  vi.advanceTimersByTime(2000)
  expect(done).toEqual([])
  vi.advanceTimersByTime(500)
  expect(done).toEqual(['first'])
  takeBack[1]!()
  globalThis.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(2400)
  expect(done).toEqual(['first'])
  vi.advanceTimersByTime(100)
  expect(done).toEqual(['first', 'third'])
  expect(vi.getTimerCount()).toBe(0)
})

test('work that is taken back leaves no timer', () => {
  const takeBack = whenQuiet(() => undefined)
  takeBack()
  expect(vi.getTimerCount()).toBe(0)
})
