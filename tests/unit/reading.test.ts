import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, isMissing } from '../../domain/reading/clean-text.ts'
import { dayOrdersOf, readDay, type DayForm } from '../../domain/reading/read-day.ts'
import { readInstant } from '../../domain/reading/read-instant.ts'
import { decimalSignOf, readNumber, type NumberForm } from '../../domain/reading/read-number.ts'
import { readSex, readSexAndAge } from '../../domain/reading/read-sex.ts'
import { readNumbered, readWhole } from '../../domain/reading/read-whole.ts'
import type { Reading } from '../../domain/reading/reading.ts'

/** The value, `missing`, or the problem. */
const told = <Value>(reading: Reading<Value, string>): Value | string =>
  reading.kind === 'value' ? reading.value : reading.kind === 'missing' ? 'missing' : reading.problem

const POINT: NumberForm = { decimal: '.' }
const COMMA: NumberForm = { decimal: ',' }
const DAY: DayForm = { order: null, timeZone: 'Asia/Hong_Kong' }

test.each([
  ['1289.5', 1289.5],
  ['1,289.00', 1289],
  ['12,345,678', 12_345_678],
  ['1 234.5', 1234.5],
  ['1’234.5', 1234.5],
  ['HK$10.0', 10],
  ['-$5', -5],
  ['$ -5', -5],
  ['10 元', 10],
  ['99 HKD', 99],
  ['35.1 %', 0.351],
  ['１２．５％', 0.125],
  ['(2.50)', -2.5],
  ['(HK$1,002.50)', -1002.5],
  ['−1.5', -1.5],
  ['–1.5', -1.5],
  ['+3', 3],
  ['\u200B7\u00A0', 7],
  ['="007"', 7],
  ["'-1.5", -1.5],
  ['.5', 0.5],
  ['1e-3', 0.001],
  ['', 'missing'],
  ['#N/A', 'missing'],
  ['2,5', 'other-decimal-sign'],
  ['1.234,5', 'other-decimal-sign'],
  ['0,123', 'other-decimal-sign'],
  ['0x1F', 'not-a-number'],
  ['1_000', 'not-a-number'],
  ['Infinity', 'not-a-number'],
  ['1e999', 'not-a-number'],
  ['5²', 'not-a-number'],
  ['1½', 'not-a-number'],
  ['1,23,456', 'not-a-number'],
  ['(-3)', 'not-a-number'],
  ['--3', 'not-a-number'],
  ['5/2', 'not-a-number'],
  ['3-7', 'not-a-number'],
  ['7lb', 'not-a-number'],
])('%j with a decimal point is %s', (text, expected) => {
  expect(told(readNumber(text, POINT))).toBe(expected)
})

test.each([
  ['2,5', 2.5],
  ['1.234,5', 1234.5],
  ['2.289', 2289],
  ['0,0158', 0.0158],
  ['2.5', 'other-decimal-sign'],
  ['0.123', 'other-decimal-sign'],
  ['1,234,567', 'other-decimal-sign'],
])('%j with a decimal comma is %s', (text, expected) => {
  expect(told(readNumber(text, COMMA))).toBe(expected)
})

test('a plain number has no currency, percentage or brackets; odds may be fractions', () => {
  for (const text of ['HK$5', '5%', '(5)', '5/2'])
    expect(told(readNumber(text, { ...POINT, plain: true }))).toBe('not-a-number')
  expect(told(readNumber('1,289.5', { ...POINT, plain: true }))).toBe(1289.5)
  const odds: NumberForm = { ...POINT, odds: true }
  expect(['5/2', '100/30', 'Evens', '4.5', '5-2'].map((text) => told(readNumber(text, odds)))).toEqual([
    3.5,
    100 / 30 + 1,
    2,
    4.5,
    3.5,
  ])
  expect(told(readNumber('5/0', odds))).toBe('not-a-number')
})

test('every number as a program writes it is read as it is', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(told(readNumber(String(value), POINT))).toBe(value + 0)
      expect(told(readNumber(String(value).replace('.', ','), COMMA))).toBe(value + 0)
    }),
  )
})

test('a sign proves itself, unless three digits after the only one leave both', () => {
  const signs = [
    '12',
    '0.5',
    '1.2345',
    '0,25',
    '1,234.5',
    '1.234,5',
    '1,234,567',
    '2,289',
    '2.289',
    '0.123',
    'x',
  ]
  expect(signs.map(decimalSignOf)).toEqual([
    null,
    '.',
    '.',
    ',',
    '.',
    ',',
    '.',
    'either',
    'either',
    '.',
    null,
  ])
})

test.each([
  ['12', 12],
  ['3.0', 3],
  ['1,234', 1234],
  ['3.5', 'not-whole'],
  ['0x1', 'not-a-number'],
  ['-1', 'out-of-range'],
  ['2,5', 'other-decimal-sign'],
  ['12%', 'not-a-number'],
  ['---', 'missing'],
])('%j as a whole number is %s', (text, expected) => {
  expect(told(readWhole(text, { from: 0, to: 9999 }))).toBe(expected)
})

test.each([
  ['1', 1],
  ['R1', 1],
  ['Race 12', 12],
  ['race no. 3', 3],
  ['第1場', 1],
  ['第十一場', 11],
  ['第二十場', 20],
  ['１', 1],
  ['10R', 10],
  ['3rd race', 3],
  ['1,0', 1],
  ['0', 'out-of-range'],
  ['1A', 'not-a-number'],
  ['1-2', 'not-a-number'],
  ['1.5', 'not-a-number'],
  ['n/a', 'missing'],
])('%j as the number of a race is %s', (text, expected) => {
  expect(told(readNumbered(text, 'race'))).toBe(expected)
})

test.each([
  ['#3', 3],
  ['No.3', 3],
  ['№ 3', 3],
  ['3.0', 3],
  ['03', 3],
  ['3號', 3],
  ['1A', 'not-a-number'],
  ['R1', 'not-a-number'],
  ['1R', 'not-a-number'],
  ['100', 'out-of-range'],
])('%j as a saddle number is %s', (text, expected) => {
  expect(told(readNumbered(text, 'saddle'))).toBe(expected)
})

test.each([
  ['2024-09-08', '2024-09-08'],
  ['2024/9/8', '2024-09-08'],
  ['20240908', '2024-09-08'],
  ['2024年9月8日', '2024-09-08'],
  ['24年9月8日', '2024-09-08'],
  ['2024年9月8日 (日) 13:30', '2024-09-08'],
  ['2024-09-08 00:00:00', '2024-09-08'],
  ['2024-09-08T13:30:05.250', '2024-09-08'],
  ['2024-09-07T16:00:00.000Z', '2024-09-08'],
  ['2024-09-08T00:00:00+08:00', '2024-09-08'],
  ['2024-09-07 18:00:00-05', '2024-09-08'],
  ['Sun, 08 Sep 2024 00:00:00 +0800', '2024-09-08'],
  ['Sun Sep 08 2024 00:00:00 GMT+0800 (Hong Kong Standard Time)', '2024-09-08'],
  ['8 Sep 2024', '2024-09-08'],
  ['8-SEP-24', '2024-09-08'],
  ['September 8th, 2024', '2024-09-08'],
  ['Sunday, 8 september 2024', '2024-09-08'],
  ['08-12-2024 13:30', 'two-readings'],
  ['8/9/24', 'two-readings'],
  ['08.09.2024', '2024-09-08'],
  ['8.9.24', '2024-09-08'],
  ['25/12/2024', '2024-12-25'],
  ['12/25/2024 1:05 PM', '2024-12-25'],
  ['9/9/2024', '2024-09-09'],
  ['2026-02-30', 'no-such-day'],
  ['20264203', 'no-such-day'],
  ['31 Feb 2024', 'no-such-day'],
  ['45543', 'not-a-day'],
  ['yesterday', 'not-a-day'],
  ['NaT', 'missing'],
])('%j as a day is %s', (text, expected) => {
  expect(told(readDay(text, DAY))).toBe(expected)
})

test('the order of day and month is taken where a text has several readings', () => {
  expect(told(readDay('7/1/2024', { ...DAY, order: 'dmy' }))).toBe('2024-01-07')
  expect(told(readDay('7/1/2024', { ...DAY, order: 'mdy' }))).toBe('2024-07-01')
  expect(told(readDay('08/09/24', { ...DAY, order: 'ymd' }))).toBe('2008-09-24')
  expect(told(readDay('25/12/2024', { ...DAY, order: 'mdy' }))).toBe('no-such-day')
  expect(told(readDay('45543.5', { ...DAY, serial: true }))).toBe('2024-09-08')
  expect(dayOrdersOf(['2024-09-08'])).toEqual([])
  expect(dayOrdersOf(['7/1/2024', '8/2/2024 13:30'])).toEqual(['dmy', 'mdy'])
  expect(dayOrdersOf(['7/1/2024', '7/25/2024'])).toEqual(['mdy'])
  expect(dayOrdersOf(['25/7/24', '1/7/24'])).toEqual(['dmy'])
})

test.each([
  ['2026-11-22T05:10:00Z', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22T05:10Z', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22T05:10:00.25Z', '2026-11-22T05:10:00.250Z'],
  ['2026-11-22T05:10:00+00:00', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22T13:10:00+08:00', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22T13:10+0800', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22 13:10:00+08', '2026-11-22T05:10:00.000Z'],
  ['20261122T051000Z', '2026-11-22T05:10:00.000Z'],
  ['2026-11-22T05:10:00', 'no-zone'],
  ['2026-02-30T05:10:00Z', 'no-such-day'],
  ['2026-11-22T24:00:00Z', 'no-such-day'],
  ['2026-11-22T05:60:00Z', 'no-such-day'],
  ['2026-11-22T05:10:00+19:00', 'no-such-day'],
  ['2026-11-22', 'not-an-instant'],
  ['05:10', 'not-an-instant'],
  ['', 'missing'],
])('%j as an instant is %s', (text, expected) => {
  expect(told(readInstant(text))).toBe(expected)
})

test('what cannot be read says a form that can', () => {
  const forms: Reading<unknown>[] = [
    readNumber('2,5', POINT),
    readNumber('2.5', COMMA),
    readWhole('2.5', { from: 1, to: 9 }),
    readDay('8/9/24', DAY),
    readInstant('2026-11-22T05:10'),
    readInstant('soon'),
  ]
  expect(forms.map((reading) => (reading.kind === 'unreadable' ? reading.form : null))).toEqual([
    '1234.5',
    '1234,5',
    '12',
    '2026-11-22',
    '2026-11-22T13:10:00+08:00',
    '2026-11-22T05:10:00Z',
  ])
})

test('texts are compared without invisible characters and in their plain forms', () => {
  expect(cleanText('\u200BＳha \u00A0Tin\uFEFF ')).toBe('Sha Tin')
  expect(cleanText('神煞\u3000金剛')).toBe('神煞 金剛')
  expect(['', ' ', '\u00A0', 'N/A', 'NULL', 'nan', '-', '—', '#N/A', '.', '?', 'None'].every(isMissing)).toBe(
    true,
  )
  expect(['0', 'No', 'N', 'nanny', '無敵'].some(isMissing)).toBe(false)
})

test.each([
  ['G', null, 'gelding', null],
  ['f', null, 'filly', null],
  ['Ridgling', null, 'rig', null],
  ['閹', null, 'gelding', null],
  ['雌馬', 3, 'mare', null],
  ['牡', 4, 'colt', null],
  ['牡', 5, 'horse', null],
  ['牝', null, 'mare', null],
  ['牝3', null, 'filly', 3],
  ['牡 5', 3, 'horse', 5],
  ['セ6', null, 'gelding', 6],
  ['ｾﾝ6', null, 'gelding', 6],
  ['4歳 牝', null, 'filly', 4],
])('the sex %s of a horse of %s', (text, age, sex, own) => {
  expect(told(readSexAndAge(text, age))).toEqual({ sex, age: own })
  expect(told(readSex(text, age))).toBe(sex)
})

test.each(['Brown', '3', 'x', '牝3牡', '3牝3', 'geldings', '牝0', '牝31'])('%s is no sex', (text) => {
  expect(told(readSex(text))).toBe('not-a-sex')
})

test.each(['', '-', 'NA'])('of %j nothing is known', (text) => {
  expect(told(readSex(text))).toBe('missing')
})
