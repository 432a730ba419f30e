import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oddsOfDividend, parseCents, parseDividendCents } from '../../domain/money.ts'
import { normaliseOdds, shownOdds } from '../../domain/odds.ts'

test('amounts are read as whole cents', () => {
  expect(parseCents('64.50')).toBe(6450)
  expect(parseCents('9,021,902.00')).toBe(902_190_200)
  expect(parseCents('7')).toBe(700)
  expect(parseCents('0.5')).toBe(50)
})

test.each(['', '-1', '1,23', '1.234', '1e3', 'NaN', '退款', '1 000'])('%j is no amount', (text) => {
  expect(() => parseCents(text)).toThrow(expect.objectContaining({ code: 'bad-amount' }))
})

test('a dividend with a unit of its own is for HK$10 all the same', () => {
  expect(parseDividendCents('226,778.10/$1.0')).toBe(226_778_100)
  expect(parseDividendCents('64.50')).toBe(6450)
  expect(oddsOfDividend(6450)).toBe(6.45)
  expect(() => parseDividendCents('10.0/$0')).toThrow(expect.objectContaining({ code: 'bad-amount' }))
})

test('cents survive being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), (cents) => {
      const text = `${Math.floor(cents / 100).toLocaleString('en')}.${String(cents % 100).padStart(2, '0')}`
      expect(parseCents(text)).toBe(cents)
    }),
  )
})

test('odds are shown as the tote does: cut, never rounded', () => {
  expect(shownOdds(5750)).toBe(5.7)
  expect(shownOdds(9999)).toBe(9.9)
  expect(shownOdds(10_000)).toBe(10)
  expect(shownOdds(36_450)).toBe(36)
})

test('normalised odds sum to one and keep the order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1.01, max: 500, noNaN: true }), { minLength: 2, maxLength: 14 }),
      (odds) => {
        const chances = normaliseOdds(odds)
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12)
        for (const [index, chance] of chances.entries()) {
          expect(chance).toBeCloseTo(1 / odds[index]! / odds.reduce((sum, value) => sum + 1 / value, 0), 12)
        }
      },
    ),
  )
})

test.each([[[]], [[0, 2]], [[2, -1]], [[2, Number.NaN]], [[2, Number.POSITIVE_INFINITY]]])(
  'odds %j are refused',
  (odds) => {
    expect(() => normaliseOdds(odds)).toThrow(expect.objectContaining({ code: 'bad-field' }))
  },
)
