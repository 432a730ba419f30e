import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorCode } from '../../domain/errors.ts'
import { repeatWhileBusy } from '../../src/data/analytics/repeat-while-busy.ts'
import { Refused } from '../../src/data/client/errors.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A server that refuses with these codes and seconds, then answers. */
function busyServer(...refusals: [code: ErrorCode, seconds?: number][]) {
  const asked: number[] = []
  const began = Date.now()
  return {
    asked,
    ask: async (): Promise<string> => {
      asked.push((Date.now() - began) / 1000)
      const refusal = refusals[asked.length - 1]
      if (refusal === undefined) return 'answer'
      const [code, seconds] = refusal
      throw new Refused(code, 'busy', [], { status: 429, ...(seconds === undefined ? {} : { seconds }) })
    },
  }
}

test('a refusal that names a pause is repeated after it', async () => {
  const { ask, asked } = busyServer(['too-many-questions', 2], ['busy', 5])
  const answer = repeatWhileBusy(ask)
  await vi.advanceTimersByTimeAsync(7000)
  expect(await answer).toBe('answer')
  expect(asked).toEqual([0, 2, 7])
})

test('pages that were refused together do not come back together', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5)
  const { ask, asked } = busyServer(['too-many-questions', 4])
  const answer = repeatWhileBusy(ask)
  await vi.advanceTimersByTimeAsync(10_000)
  await answer
  expect(asked).toEqual([0, 5])
})

test('after three repetitions the reader gets the server’s words', async () => {
  const { ask, asked } = busyServer(...Array.from({ length: 9 }, () => ['busy', 1] as [ErrorCode, number]))
  const answer = repeatWhileBusy(ask).catch((error: Refused) => error.serverMessage)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await answer).toBe('busy')
  expect(asked).toHaveLength(4)
})

test.each([
  ['a long pause', 'too-many-questions', 30],
  ['no pause', 'busy', undefined],
  ['a limit of tries', 'too-many', 5],
  ['a query that is too large', 'too-costly', undefined],
] as const)('%s is not repeated', async (_, code, seconds) => {
  const { ask, asked } = busyServer([code, seconds])
  await expect(repeatWhileBusy(ask)).rejects.toMatchObject({ code })
  expect(asked).toHaveLength(1)
})

test('a view that is left is not asked for again', async () => {
  const { ask, asked } = busyServer(['busy', 5])
  const left = new AbortController()
  const answer = repeatWhileBusy(ask, left.signal).catch((error: Refused) => error.code)
  await vi.advanceTimersByTimeAsync(1000)
  left.abort()
  expect(await answer).toBe('busy')
  expect(asked).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
