import { expect, test } from 'vitest'
import { CoalescedRuns } from '../../server/services/renewal.ts'

test('who asks during a run gets one more run, and one run serves all who asked', async () => {
  let runs = 0
  const soon = new CoalescedRuns(async () => {
    runs += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  await Promise.all([soon.ask(), soon.ask(), soon.ask()])
  expect(runs).toBe(2)
  await soon.ask()
  expect(runs).toBe(3)
})

test('a run that fails takes nothing from who asked meanwhile', async () => {
  let runs = 0
  const soon = new CoalescedRuns(async () => {
    runs += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (runs === 1) throw new Error('busy')
  })
  const first = soon.ask()
  await new Promise((resolve) => setTimeout(resolve, 1))
  await Promise.all([first, soon.ask()])
  expect(runs).toBe(2)
  runs = 0
  await expect(soon.ask()).rejects.toThrow('busy')
  await soon.ask()
  expect(runs).toBe(2)
})
