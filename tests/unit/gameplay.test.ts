import { expect, test } from 'vitest'
import { doubleText } from '../../domain/gameplay.ts'

test('a double’s combination is two winners, and nothing else is one', () => {
  expect(['3/4', ' 10/2 ', '03/4'].map(doubleText)).toEqual(['3/4', '10/2', '3/4'])
  expect(['3-4', '3', '3/4/5', '0/4', '/4', '', '3/x', '123/4'].map(doubleText)).toEqual(Array(8).fill(null))
})
