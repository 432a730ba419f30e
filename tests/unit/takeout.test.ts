import { expect, test } from 'vitest'
import { GAMEPLAYS } from '../../domain/gameplay.ts'
import { takeoutOf } from '../../domain/takeout.ts'

test('the takeout is that of the region, and unknown where it is not one for all pools of a kind', () => {
  const shares = (stadiumId: string, date: string): (number | null)[] =>
    GAMEPLAYS.map((bet) => takeoutOf(stadiumId, bet.class, date)?.share ?? null)
  expect(shares('HKSHT', '2024-01-01')).toEqual([0.175, 0.175, 0.175, 0.175, 0.195, 0.23, 0.25, 0.23, 0.25])
  expect(shares('JPTOK', '2024-01-01')).toEqual([0.2, 0.2, 0.225, 0.225, 0.25, 0.25, 0.275, null, null])
  // Before June 2014 the Japan Racing Association added to some payments.
  expect(shares('JPTOK', '2014-06-06').every((share) => share === null)).toBe(true)
  for (const stadiumId of ['USBEL', 'AURND', 'GBASC', 'IECUR', 'FRCHA'])
    expect(shares(stadiumId, '2024-01-01').every((share) => share === null)).toBe(true)
})
