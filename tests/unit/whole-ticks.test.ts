import { expect, test } from 'vitest'
import { wholeTicks } from '../../src/widgets/chart/whole-ticks.ts'

test.each([
  ['round numbers between them', 52, 71, [55, 60, 65, 70]],
  ['the first place, too', 1, 14, [1, 5, 10]],
  ['one value alone', 5, 5, [5]],
  ['one value that is not whole', 3.4, 3.4, [3.4]],
  ['two values between which is no whole number', 2.3, 2.9, [2.3, 2.9]],
])('%s', (_, low, high, ticks) => {
  expect(wholeTicks(low, high)).toEqual(ticks)
})
