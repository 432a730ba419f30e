import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { makeFormat } from '../../src/i18n/format.ts'
import { fieldNumber, writtenNumber } from '../../src/ui/fields/field-number.ts'

/** What a number field takes: in the reader's decimal sign, and nothing else without a word. */

test.each([
  ['2.5', 2.5],
  ['1,234.5', 1234.5],
  [' 12 ', 12],
  ['−3', -3],
  ['２．５', 2.5],
  ['.5', 0.5],
  ['', null],
  ['  ', null],
])('with a decimal point %j is %j', (text, value) => {
  expect(fieldNumber(text, '.', {})).toEqual({ value })
})

test.each([
  ['2,5', '2.5'],
  ['0,75', '0.75'],
  ['1.234,5', '1234.5'],
  ['12,5', '12.5'],
])('with a decimal point %j is refused, and %j is shown instead', (text, form) => {
  expect(fieldNumber(text, '.', {})).toEqual({ problem: { id: 'otherDecimalSign', form } })
})

test('with a decimal comma it is the other way round', () => {
  expect(fieldNumber('2,5', ',', {})).toEqual({ value: 2.5 })
  expect(fieldNumber('2.5', ',', {})).toEqual({ problem: { id: 'otherDecimalSign', form: '2,5' } })
  expect(writtenNumber(1234.5, ',')).toBe('1234,5')
})

test.each(['abc', '1..2', '2.5.1', '1,23', '--2', '5%', 'HK$5', '0x1F', 'Infinity', '1 2'])(
  '%j is no number',
  (text) => {
    expect(fieldNumber(text, '.', {})).toMatchObject({
      problem: { id: expect.stringMatching(/notANumber|otherDecimalSign/) as string },
    })
  },
)

describe('limits', () => {
  test.each([
    ['', { needed: true }, 'needed'],
    ['2.5', { places: 0 }, 'notWhole'],
    ['2.555', { places: 2 }, 'tooFine'],
    ['0', { min: 1 }, 'tooLow'],
    ['-1', { min: 0 }, 'tooLow'],
    ['101', { max: 100 }, 'tooHigh'],
  ] as const)('%j within %j is refused: %s', (text, limits, id) => {
    expect(fieldNumber(text, '.', limits)).toMatchObject({ problem: { id } })
  })
  test('a number on a limit, or as fine as it may be, is taken as it is', () => {
    expect(fieldNumber('100', '.', { min: 1, max: 100 })).toEqual({ value: 100 })
    expect(fieldNumber('1.10', '.', { places: 2 })).toEqual({ value: 1.1 })
    expect(fieldNumber('3.0', '.', { places: 0 })).toEqual({ value: 3 })
  })
})

test('the decimal sign of each language is that of its numbers on screen', () => {
  for (const id of LANGUAGES) {
    const { decimal, decimalSign } = makeFormat(id)
    expect(decimal(1.5, 1)).toBe(`1${decimalSign}5`)
  }
  expect(makeFormat('de').decimalSign).toBe(',')
})
