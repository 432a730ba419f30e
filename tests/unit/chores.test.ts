import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import pino from 'pino'
import { startChores, type Chore } from '../../server/serving/chores.ts'

let lines: Record<string, unknown>[]
let ended: [name: string, ok: boolean][]

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  ended = []
})
afterEach(() => {
  vi.useRealTimers()
})

const start = (...chores: Chore[]) =>
  startChores(chores, {
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
    onDone: (name, ok) => void ended.push([name, ok]),
  })

/** A run that takes until `end` is called. */
function hanging() {
  const ends: (() => void)[] = []
  return {
    run: vi.fn(() => new Promise<void>((resolve) => ends.push(resolve))),
    end: () => ends.shift()!(),
  }
}

test('a run that hangs neither queues further runs nor delays another chore, and is reported', async () => {
  const slow = hanging()
  const quick = vi.fn(async () => {})
  const chores = start(
    { name: 'pull', everyMs: 2000, limitMs: 60_000, run: slow.run },
    { name: 'tidy', everyMs: 2000, limitMs: 60_000, run: quick },
  )
  await vi.advanceTimersByTimeAsync(600_000)
  expect(slow.run).toHaveBeenCalledTimes(1)
  expect(quick).toHaveBeenCalledTimes(300)
  expect(lines.map(({ chore, msg }) => [chore, msg])).toEqual(
    Array.from({ length: 9 }, () => ['pull', 'pull has not ended']),
  )
  expect(lines[0]).toMatchObject({ level: 50, seconds: 60 })

  slow.end()
  await vi.advanceTimersByTimeAsync(1999)
  expect(slow.run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(slow.run).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(50_000)
  expect(slow.run).toHaveBeenCalledTimes(2)
  expect(lines).toHaveLength(9)
  slow.end()
  await chores.stop()
})

test('a run that fails is logged and counted, and the next one comes', async () => {
  const run = vi.fn(async () => {
    if (run.mock.calls.length === 1) throw new TypeError('no such table')
  })
  const chores = start({ name: 'tidy', everyMs: 1000, limitMs: 60_000, run })
  await vi.advanceTimersByTimeAsync(2000)
  expect(ended).toEqual([
    ['tidy', false],
    ['tidy', true],
  ])
  expect(lines).toEqual([expect.objectContaining({ chore: 'tidy', code: 'internal', msg: 'tidy failed' })])
  await chores.stop()
})

test('stopping waits for a running chore and starts no other', async () => {
  const slow = hanging()
  const chores = start({ name: 'pull', everyMs: 1000, limitMs: 60_000, run: slow.run })
  await vi.advanceTimersByTimeAsync(1000)
  let stopped = false
  const stopping = chores.stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(5000)
  expect(stopped).toBe(false)
  slow.end()
  await stopping
  await vi.advanceTimersByTimeAsync(5000)
  expect(slow.run).toHaveBeenCalledTimes(1)
})
