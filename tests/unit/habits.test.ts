import { expect, test } from 'vitest'
import { habitualDistance, habitualWeight } from '../../domain/habits.ts'

test('a British or Irish distance is also one in miles and furlongs, to the nearest half', () => {
  const metres = [1006, 1207, 1307, 1509, 1609, 1710, 2063, 2414, 3219, 3923, 6907]
  expect(metres.map((each) => habitualDistance(each, 'GB'))).toEqual([
    '5f',
    '6f',
    '6½f',
    '7½f',
    '1m',
    '1m½f',
    '1m2½f',
    '1m4f',
    '2m',
    '2m3½f',
    '4m2½f',
  ])
  expect(habitualDistance(1207, 'IECUR2025060101')).toBe('6f')
  for (const code of ['HK', 'AU', 'JP', 'FR', '']) expect(habitualDistance(1200, code)).toBeNull()
})

test('an American distance is also one in furlongs, and from a mile on in miles with sixteenths or yards', () => {
  const metres = [
    274, 503, 780, 1472, 1056, 905, 1006, 1106, 1207, 1609, 1670, 1673, 1710, 1811, 1911, 2012, 2414, 3219,
  ]
  expect(metres.map((each) => habitualDistance(each, 'USCDX2016052801'))).toEqual([
    '300y',
    '2½f',
    '3f190y',
    '7f70y',
    '5f60y',
    '4½f',
    '5f',
    '5½f',
    '6f',
    '1m',
    '1m70y',
    '1m70y',
    '1 1/16m',
    '1 1/8m',
    '1 3/16m',
    '1 1/4m',
    '1 1/2m',
    '2m',
  ])
})

test('no distance and no change is a habitual one', () => {
  for (const code of ['US', 'GB'])
    for (const metres of [0, -200]) expect(habitualDistance(metres, code)).toBeNull()
})

test('a weight is also one in stones or in kilograms where people are used to them', () => {
  expect([112, 128, 140, 161].map((pounds) => habitualWeight(pounds, 'GB-MillStreamIRE'))).toEqual(
    ['8-0', '9-2', '10-0', '11-7'].map((text) => ({ text, unit: 'stones' })),
  )
  expect([121, 126, 128].map((pounds) => habitualWeight(pounds, 'JP'))).toEqual(
    [55, 57, 58].map((kilograms) => ({ kilograms, unit: 'kilograms' })),
  )
  expect(habitualWeight(130, 'AU-123')).toEqual({ kilograms: 59, unit: 'kilograms' })
  expect(habitualWeight(133, 'HK-A123')).toBeNull()
})
