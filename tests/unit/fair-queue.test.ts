import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FairQueue, type QueueLimits, type Share } from '../../server/process/fair-queue.ts'

/** Work that takes a number of milliseconds of the stand-in clock, so that order and waits are exact. */

const LIMITS: QueueLimits = {
  running: 1,
  waiting: 20,
  waitingOfOne: 8,
  waitMs: 60_000,
  refusal: 'too-many-questions',
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const takes = (milliseconds: number) => (): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

/** Notes the names of tasks in the order in which they end, with refusals as `name: code seconds`. */
function recorder(limits: Partial<QueueLimits> = {}) {
  const queue = new FairQueue({ ...LIMITS, ...limits })
  const ended: string[] = []
  return {
    ended,
    ask: (
      name: string,
      share: Share,
      milliseconds: number,
      options: { cost?: number; signal?: AbortSignal } = {},
    ) =>
      void queue.run(share, options.cost ?? milliseconds, takes(milliseconds), options.signal).then(
        () => ended.push(name),
        (error: { code: string; details: { seconds?: number } }) =>
          ended.push(`${name}: ${[error.code, error.details.seconds].join(' ').trim()}`),
      ),
    run: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  }
}

test('one who asks much waits for himself: another waits for the one that runs', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 6; index += 1) ask(`flood ${index}`, ['flood'], 1000)
  await run(100)
  ask('reader', ['reader'], 10)
  await run(1000)
  expect(ended).toEqual(['flood 1', 'reader'])
  await run(6000)
  expect(ended).toHaveLength(7)
})

test('shares get the same work done, not the same number of answers', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 3; index += 1) ask(`large ${index}`, ['large'], 900)
  for (let index = 1; index <= 8; index += 1) ask(`small ${index}`, ['small'], 100)
  await run(1800)
  // While the second large one is worked out, as much of the small ones has been done.
  expect(ended.filter((name) => name.startsWith('small')).length).toBeGreaterThanOrEqual(8)
})

test('what work took decides, not what was expected', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 3; index += 1) ask(`liar ${index}`, ['liar'], 1000, { cost: 1 })
  for (let index = 1; index <= 5; index += 1) ask(`honest ${index}`, ['honest'], 100)
  await run(1600)
  expect(ended).toEqual(['liar 1', 'honest 1', 'honest 2', 'honest 3', 'honest 4', 'honest 5'])
})

test('many addresses of one network have the share of one network', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 12; index += 1)
    ask(`flood ${index}`, ['visitors', '203.0.113', `203.0.113.${index}`], 100)
  for (let index = 1; index <= 3; index += 1) ask(`reader ${index}`, ['visitors', '198.51.100', 'b'], 100)
  await run(650)
  expect(ended.filter((name) => name.startsWith('reader'))).toHaveLength(3)
})

test('customers have half, however many networks visitors come from', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 12; index += 1) ask(`flood ${index}`, ['visitors', `10.0.${index}`, 'a'], 100)
  ask('customer 1', ['customers', 'c'], 100)
  ask('customer 2', ['customers', 'c'], 100)
  await run(450)
  expect(ended.filter((name) => name.startsWith('customer'))).toHaveLength(2)
})

test('who was away does not catch up on what he did not use', async () => {
  const { ask, run, ended } = recorder()
  for (let index = 1; index <= 8; index += 1) ask(`busy ${index}`, ['busy'], 100)
  await run(450)
  for (let index = 1; index <= 4; index += 1) ask(`back ${index}`, ['back'], 100)
  await run(450)
  expect(ended.filter((name) => name.startsWith('busy')).length).toBeGreaterThanOrEqual(6)
  expect(ended.filter((name) => name.startsWith('back')).length).toBeGreaterThanOrEqual(2)
})

test('a share that has too many waiting is refused with the seconds to wait; others are not', async () => {
  const { ask, run, ended } = recorder({ waitingOfOne: 3 })
  for (let index = 1; index <= 6; index += 1) ask(`flood ${index}`, ['flood'], 1000)
  ask('reader', ['reader'], 10)
  await run(1)
  expect(ended).toEqual(['flood 5: too-many-questions 3', 'flood 6: too-many-questions 3'])
  await run(6000)
  expect(ended).toContain('reader')
})

test('when all places are taken, the largest share loses its last one, not the newcomer', async () => {
  const { ask, run, ended } = recorder({ waiting: 4 })
  for (let index = 1; index <= 5; index += 1) ask(`flood ${index}`, ['flood'], 1000)
  await run(1)
  expect(ended).toEqual([])
  ask('reader', ['reader'], 10)
  await run(1)
  expect(ended).toEqual(['flood 5: too-many-questions 4'])
  await run(1020)
  expect(ended).toContain('reader')
})

test('who waits too long is told when to come back, and takes no turn', async () => {
  const { ask, run, ended } = recorder({ waitMs: 500 })
  ask('first', ['a'], 2000)
  ask('second', ['b'], 1000)
  await run(600)
  expect(ended).toEqual(['second: busy 1'])
  await run(1500)
  expect(ended).toEqual(['second: busy 1', 'first'])
})

test('a task that nobody waits for leaves the queue', async () => {
  const { ask, run, ended } = recorder()
  const stop = new AbortController()
  ask('first', ['a'], 1000)
  ask('left', ['a'], 1000, { signal: stop.signal })
  ask('third', ['a'], 10)
  await run(100)
  stop.abort()
  await run(950)
  expect(ended).toEqual(['left: query-cancelled', 'first', 'third'])
  const gone = new AbortController()
  gone.abort()
  ask('late', ['a'], 10, { signal: gone.signal })
  await run(1)
  expect(ended.at(-1)).toBe('late: query-cancelled')
})

test('work that fails gives its place to the next', async () => {
  const queue = new FairQueue(LIMITS)
  await expect(queue.run(['a'], 1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run(['a'], 1, () => Promise.resolve('next'))).toBe('next')
})

test('as many run at the same time as may', async () => {
  const { ask, run, ended } = recorder({ running: 2 })
  for (let index = 1; index <= 4; index += 1) ask(`task ${index}`, ['a'], 100)
  await run(110)
  expect(ended).toHaveLength(2)
  await run(100)
  expect(ended).toHaveLength(4)
})

test('shares that come once are forgotten', async () => {
  const queue = new FairQueue(LIMITS)
  const busy = queue.run(['busy'], 1, takes(100_000))
  for (let index = 0; index < 1500; index += 1) {
    const stop = new AbortController()
    const left = queue.run([`once ${index}`], 1, takes(1), stop.signal)
    stop.abort()
    await expect(left).rejects.toThrow('query-cancelled')
  }
  expect(queue.size).toBeLessThanOrEqual(1001)
  await vi.advanceTimersByTimeAsync(100_000)
  await busy
  expect(queue.size).toBe(0)
})
