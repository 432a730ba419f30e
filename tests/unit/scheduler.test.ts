import { expect, test } from 'vitest'
import type { Priority } from '../../analytics/connector.ts'
import { Scheduler } from '../../workers/engine/scheduler.ts'

/** A scheduler with tasks that note their names when they are run. */
function noted() {
  const scheduler = new Scheduler()
  const ran: string[] = []
  let lastId = 0
  const add = (name: string, priority: Priority): Promise<void> => {
    lastId += 1
    return scheduler.add(lastId, priority, null, async () => void ran.push(name))
  }
  return { scheduler, ran, add }
}

test('while a gesture is followed, only interactive tasks begin', async () => {
  const { scheduler, ran, add } = noted()
  scheduler.hold(60)
  const others = [add('index', 'idle'), add('intervals', 'visible')]
  await add('position', 'interactive')
  expect(ran).toEqual(['position'])
  await Promise.all(others)
  expect(ran).toEqual(['position', 'intervals', 'index'])
})

test('the end of a gesture lets the others begin', async () => {
  const { scheduler, ran, add } = noted()
  scheduler.hold(1_000_000)
  const index = add('index', 'idle')
  scheduler.release()
  await add('click', 'interactive')
  await index
  expect(ran).toEqual(['click', 'index'])
})
