import { expect, test } from 'vitest'
import { doubleText } from '../../domain/gameplay.ts'

test('a double’s combination is two winners, and nothing else is one', () => {
  expect(['3/4', ' 10/2 ', '03/4'].map(doubleText)).toEqual(['3/4', '10/2', '3/4'])
  expect(['12/F', 'F/5'].map(doubleText)).toEqual(['12/F', 'F/5'])
  // A dead heat for first.
  expect(['10/5,10', '1,7 / 3'].map(doubleText)).toEqual(['10/5,10', '1,7/3'])
  expect(
    ['3-4', '3', '3/4/5', '0/4', '/4', '', '3/x', '123/4', '3/4,', 'F/F', 'F,1/3'].map(doubleText),
  ).toEqual(Array(11).fill(null))
})
