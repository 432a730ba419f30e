import { expect, test } from 'vitest'
import { swipeOf } from '../../src/ui/behaviour/use-swipe.ts'

const from = { x: 200, y: 400 }

test.for([
  ['far to the left', { x: 100, y: 410 }, 'left'],
  ['far to the right', { x: 300, y: 390 }, 'right'],
  ['a scroll that drifts to the side', { x: 100, y: 300 }, null],
  ['a short move', { x: 140, y: 400 }, null],
  ['a tap', from, null],
] as const)('a touch is a swipe to a side only where it is long and level: %s', ([, to, side]) => {
  expect(swipeOf(from, to)).toBe(side)
})
