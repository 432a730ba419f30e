import { describe, expect, test } from 'vitest'
import { amount, cardNumber, day, line, newPassword, phone } from '../../contract/api/fields.ts'
import { readCardNumber } from '../../domain/bank-card.ts'
import { centsText } from '../../domain/money.ts'
import { normalisePhone } from '../../domain/phone.ts'
import { languageOf } from '../../server/process/messages.ts'
import { makeKeys } from '../../server/db/keys.ts'
import { updateKind } from '../../server/process/version.ts'
import { languageOfCountry, packagedCountries } from '../../server/services/country.ts'
import { networkOf } from '../../server/services/limits.ts'
import { checkConfig } from '../../server/store/operation/config.ts'

test.each([
  ['13812345678', '+8613812345678'],
  ['61234567', '+85261234567'],
  ['+852 6123 4567', '+85261234567'],
  ['+44-7911-123456', '+447911123456'],
  ['31234567', null],
  ['23812345678', null],
  ['1381234567', null],
  ['+0123456789', null],
  ['６１２３４５６７', null],
  ['61234567; drop table', null],
  ['', null],
])('phone %s is %s', (text, expected) => {
  expect(normalisePhone(text)).toBe(expected)
  expect(phone.safeParse(text).success).toBe(expected !== null)
})

test.each([
  ['4242 4242 4242 4242', '4242424242424242'],
  ['6222-0212-3456-7895', null],
  ['4242424242424241', null],
  ['42', null],
  ['0'.repeat(20), null],
  ['79927398713', null],
])('card %s is %s', (text, expected) => {
  expect(readCardNumber(text)).toBe(expected)
  expect(cardNumber.safeParse(text).success).toBe(expected !== null)
})

test.each([
  ['0.01', 1],
  ['120', 12_000],
  ['120.5', 12_050],
  ['0', null],
  ['0.00', null],
  ['-1', null],
  ['1.005', null],
  ['1e3', null],
  ['1,000', null],
  ['', null],
  [' 1', null],
  ['9999999999999999', null],
  ['999999999.99', 99_999_999_999],
  ['99999999999999999', null],
])('amount %s is %s cents', (text, cents) => {
  const parsed = amount.safeParse(text)
  expect(parsed.success ? parsed.data : null).toBe(cents)
})

test('money travels as exact text', () => {
  expect([0, 5, -5, 12_345, -100].map(centsText)).toEqual(['0.00', '0.05', '-0.05', '123.45', '-1.00'])
})

test.each([
  ['abcdefg1', true],
  ['馬馬馬馬馬馬馬1', true],
  ['abcdefgh', false],
  ['12345678', false],
  ['a1', false],
  [`a1${'x'.repeat(63)}`, false],
])('password %s: %s', (text, good) => {
  expect(newPassword.safeParse(text).success).toBe(good)
})

test('days are days of the calendar that a database can hold', () => {
  const good = ['2026-11-21', '2024-02-29', '1900-01-01']
  const bad = ['2026-02-29', '2026-13-01', '0000-01-01', '9999-12-31', '2026-1-1', 'today', '']
  expect(good.map((text) => day.safeParse(text).success)).toEqual(good.map(() => true))
  expect(bad.map((text) => day.safeParse(text).success)).toEqual(bad.map(() => false))
})

test('a line of text holds no control characters', () => {
  for (const text of ['a\u0000b', 'a\nb', '\u007f', '   '])
    expect(line(20).safeParse(text).success, text).toBe(false)
  expect(line(20).parse(' 跑馬 🏇 ')).toBe('跑馬 🏇')
})

describe('sealing', () => {
  const keys = makeKeys('a'.repeat(32), 'b'.repeat(32))
  test('opens what it sealed, never twice the same', () => {
    const [one, two] = [keys.seal('card 1', '4242'), keys.seal('card 1', '4242')]
    expect(one).not.toBe(two)
    expect(one).not.toContain('4242')
    expect(keys.unseal('card 1', one)).toBe('4242')
  })
  test('opens nothing that was changed, moved, or sealed with another key', () => {
    const sealed = keys.seal('card 1', '4242')
    const other = makeKeys('a'.repeat(32), 'c'.repeat(32))
    const changed = Buffer.from(sealed, 'base64url')
    changed[changed.length - 1]! ^= 1
    expect(() => keys.unseal('card 2', sealed)).toThrow()
    expect(() => other.unseal('card 1', sealed)).toThrow()
    expect(() => keys.unseal('card 1', changed.toString('base64url'))).toThrow()
    expect(() => keys.unseal('card 1', '')).toThrow()
  })
})

test.each([
  ['1.2.3', '1.2.3', 'none'],
  ['1.2.2', '1.2.3', 'silent'],
  ['1.2.4', '1.2.3', 'none'],
  ['1.1.9', '1.2.3', 'full'],
  ['2.2.3', '1.2.3', 'full'],
] as const)('a build %s under %s: %s', (installed, current, kind) => {
  expect(updateKind(installed, current)).toBe(kind)
})

test.each([
  ['zh-HK,zh;q=0.9', 'zh-Hant'],
  ['en;q=0.1, zh-Hant', 'zh-Hant'],
  ['la, zh-CN;q=0.5, en;q=0.4', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['en-SG', 'en'],
  ['zh;q=0, en', 'en'],
  ['*', 'en'],
  ['xx;q=nonsense', 'en'],
  [undefined, 'en'],
])('Accept-Language %s is %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

test.each([
  ['1.36.0.1', '1.36.0.1'],
  ['::ffff:1.36.0.1', '1.36.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::5', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('countries and their languages', () => {
  const country = packagedCountries()
  expect([country('8.8.8.8'), country('::ffff:1.36.0.1'), country('114.114.114.114')]).toEqual([
    'US',
    'HK',
    'CN',
  ])
  expect([country('127.0.0.1'), country('nonsense')]).toEqual([null, null])
  expect(['CN', 'TW', 'HK', 'MO', 'SG', null].map(languageOfCountry)).toEqual([
    'zh-Hans',
    'zh-Hant',
    'zh-Hant',
    'zh-Hant',
    'en',
    'en',
  ])
})

test('settings take what they can be, and nothing else', () => {
  expect(checkConfig('everyDayFreeNum', '2')).toEqual({ code: 'everyDayFreeNum', value: '2' })
  expect(() => checkConfig('everyDayFreeNum', '-1')).toThrow()
  expect(() => checkConfig('secret', 'x')).toThrow()
  expect(() => checkConfig('__proto__', 'x')).toThrow()
})
