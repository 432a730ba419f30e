import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { readDistance, readWeight } from '../../domain/reading/read-imperial.ts'
import { readOdds } from '../../domain/reading/read-odds.ts'
import type { Reading } from '../../domain/reading/reading.ts'
import { instantOf } from '../../domain/wall-clock.ts'

const told = (reading: Reading<number, string>): number | string =>
  reading.kind === 'value' ? reading.value : reading.kind === 'missing' ? 'missing' : reading.problem

describe('distances', () => {
  test('miles, furlongs with halves or decimals, yards, and metres', () => {
    const texts = [
      '2m3f110y',
      '1m2½f',
      '1m2.5f',
      '5f',
      '½f',
      '1m',
      '2m½f',
      '7½f',
      '4m1f',
      '220y',
      '1006m',
      '1006',
      '2M 4F',
    ]
    expect(texts.map((text) => told(readDistance(text)))).toEqual([
      3923, 2112, 2112, 1006, 101, 1609, 3319, 1509, 6639, 201, 1006, 1006, 4023,
    ])
  })

  test('blanks are missing, and other texts are refused with the right form', () => {
    expect(['', '–', '-'].map((text) => told(readDistance(text)))).toEqual(['missing', 'missing', 'missing'])
    for (const text of [
      '0f',
      'f',
      'm',
      '1f2m',
      '1m2x',
      '-1m',
      '12',
      '1m 2',
      'not found',
      '1,006m',
      '21m',
      '6m2f',
      '99999m',
      '10001',
      '000',
    ])
      expect(readDistance(text)).toEqual({ kind: 'unreadable', problem: 'not-a-distance', form: '1m2f110y' })
  })

  test('whole furlongs and yards are read as they are written', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(7), fc.nat(219), (miles, furlongs, yards) => {
        fc.pre(miles + furlongs + yards > 0)
        const text = `${miles ? `${miles}m` : ''}${furlongs ? `${furlongs}f` : ''}${yards ? `${yards}y` : ''}`
        expect(told(readDistance(text))).toBe(Math.round((miles * 1760 + furlongs * 220 + yards) * 0.9144))
      }),
    )
  })
})

describe('weights', () => {
  test('stones and pounds, or pounds', () => {
    expect(
      ['11-7', '8-12', '9.0', '10-0', '136', '136lb', '136.0'].map((text) => told(readWeight(text))),
    ).toEqual([161, 124, 126, 140, 136, 136, 136])
    expect(told(readWeight('–'))).toBe('missing')
    for (const text of ['11-14', '11', '-7', '9-', '11-7-3', 'eleven stone', '1360'])
      expect(told(readWeight(text)), text).toBe(text === '11' ? 11 : 'not-a-weight')
  })

  test('every weight reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7 * 14, max: 13 * 14 }), (pounds) => {
        expect(told(readWeight(`${Math.floor(pounds / 14)}-${pounds % 14}`))).toBe(pounds)
        expect(told(readWeight(String(pounds)))).toBe(pounds)
      }),
    )
  })
})

test('odds are fractions with the mark of a favourite, decimals, or none', () => {
  const texts = [
    '2/1F',
    'EvensF',
    'Evens',
    'EVS',
    '100/30',
    '7/2F',
    '9/4J',
    '5/2C',
    '5/2JF',
    '4/6F',
    '4.50',
    '3.00',
    'No Odds',
    '',
    '–',
  ]
  expect(texts.map((text) => told(readOdds(text)))).toEqual([
    3,
    2,
    2,
    2,
    100 / 30 + 1,
    4.5,
    3.25,
    3.5,
    3.5,
    4 / 6 + 1,
    4.5,
    3,
    'missing',
    'missing',
    'missing',
  ])
  expect(told(readOdds('5/0'))).toBe('not-a-number')
  expect(told(readOdds('SPF'))).toBe('not-a-number')
  for (const text of ['0', '-5', '1', '1.00', '0.9', '0/5', '1e300', '10000.5'])
    expect(told(readOdds(text)), text).toBe('out-of-range')
  expect([told(readOdds('1.01')), told(readOdds('9999/1'))]).toEqual([1.01, 10_000])
})

test('a time on the clocks of a zone is an instant, in summer and in winter', () => {
  expect(instantOf('2025-05-15', '14:45', 'Europe/London')).toBe('2025-05-15T13:45:00.000Z')
  expect(instantOf('2025-12-26', '14:45', 'Europe/London')).toBe('2025-12-26T14:45:00.000Z')
  expect(instantOf('2025-03-30', '14:00', 'Europe/London')).toBe('2025-03-30T13:00:00.000Z')
  expect(instantOf('2025-10-26', '13:00', 'Europe/London')).toBe('2025-10-26T13:00:00.000Z')
  expect(instantOf('2025-05-15', '00:10', 'Asia/Tokyo')).toBe('2025-05-14T15:10:00.000Z')
})
