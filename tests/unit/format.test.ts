import { expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { inCurrency } from '../../src/i18n/currency.ts'
import { makeFormat } from '../../src/i18n/format.ts'
import type { Messages } from '../../src/i18n/likely-language.ts'
import { knownNames, localName } from '../../src/i18n/names.ts'

test.each(LANGUAGES)('%s: money is HK$ with cents', (locale) => {
  const format = makeFormat(locale)
  expect(format.money(123_450)).toBe('HK$1,234.50')
  expect(format.signedMoney(-1000)).toBe('−HK$10.00')
  expect(format.signedMoney(1000)).toBe('+HK$10.00')
  expect(format.signedMoney(0)).toBe('HK$0.00')
  expect(format.percent(0.12345, 2)).toBe('12.35%')
  expect(format.signedPercent(-0.1764)).toBe('−17.6%')
  expect(format.odds(3.85)).toBe('3.85')
  expect(format.odds(12)).toBe('12.0')
  expect(format.hkd('98.00')).toBe('HK$98.00')
  expect(format.profit('-10.00')).toBe('−HK$10.00')
  expect(format.amount('1234.50', 'HKD')).toBe('HK$1,234.50')
  expect(format.amount('1234.50', 'AUD')).toBe('A$1,234.50')
  expect(format.signedDecimal(0.724, 2)).toBe('+0.72')
  expect(format.runningTime(69_860)).toBe('1:09.86')
  expect(format.card('4242')).toBe('•••• 4242')
})

test.each([
  ['USD', 'US$', 'US$19.60'],
  ['AUD', 'A$', 'A$9.80'],
  ['GBP', '£', '£9.80'],
  ['EUR', '€', '€9.80'],
])(
  'bets are told in their region’s currency, and the site’s prices in HK$: %s',
  (currency, symbol, dividend) => {
    for (const locale of LANGUAGES) {
      const format = makeFormat(locale, currency)
      expect(format.money(123_450)).toBe(`${symbol}1,234.50`)
      expect(format.signedMoney(-1000)).toBe(`−${symbol}10.00`)
      expect([format.dividend('98.00'), format.dividendCents(9800)]).toEqual([dividend, dividend])
      expect(format.profit('98.00')).toBe(`+${symbol}98.00`)
      expect([format.hkd('98.00'), format.hkdCents(9800)]).toEqual(['HK$98.00', 'HK$98.00'])
    }
  },
)

test('amounts of yen have no decimals', () => {
  const format = makeFormat('en', 'JPY')
  expect([format.money(123_450), format.signedMoney(-1000), format.dividend('410.00')]).toEqual([
    'JP¥1,235',
    '−JP¥10',
    'JP¥4,100',
  ])
})

test('texts about bets name the region’s currency, and those about the site’s prices HK$', () => {
  const texts: Messages = {
    'record.lead': [{ type: 0, value: 'HK$10 per prediction' }],
    'results.legend': [{ type: 8, value: 'green', children: [{ type: 0, value: 'of HK$10' }] }],
    'withdrawal.amount': [{ type: 0, value: 'Amount (HK$)' }],
    'report.dividends': [{ type: 0, value: 'Dividends per HK$10' }],
  }
  expect(inCurrency(texts, 'USD')['report.dividends']).toEqual([{ type: 0, value: 'Dividends per US$2' }])
  expect(inCurrency(texts, 'GBP')).toEqual({
    ...texts,
    'record.lead': [{ type: 0, value: '£10 per prediction' }],
    'results.legend': [{ type: 8, value: 'green', children: [{ type: 0, value: 'of £10' }] }],
    'report.dividends': [{ type: 0, value: 'Dividends per £1' }],
  })
  expect(inCurrency(texts, 'HKD')).toBe(texts)
})

test.each([
  ['en', '9 Jan 2026', 'Fri, 9 Jan 2026', 'Jan 2026'],
  ['zh-Hant', '2026年1月9日', '2026年1月9日週五', '2026年1月'],
  ['zh-Hans', '2026年1月9日', '2026年1月9日周五', '2026年1月'],
])('%s: days and months are in the reader’s language', (locale, day, longDay, month) => {
  const format = makeFormat(locale)
  expect(format.day('2026-01-09')).toBe(day)
  expect(format.longDay('2026-01-09')).toBe(longDay)
  expect(format.month('2026-01')).toBe(month)
})

test.each([
  ['en', '5 Nov 2026', '5 Nov 2026, 23:04'],
  ['zh-Hant', '2026年11月5日', '2026年11月5日 23:04'],
  ['zh-Hans', '2026年11月5日', '2026年11月5日 23:04'],
])('%s: an instant of the account is in the reader’s own time zone, in 24 hours', (locale, day, instant) => {
  const format = makeFormat(locale)
  const evening = new Date(2026, 10, 5, 23, 4).toISOString()
  expect(format.instant(evening)).toBe(instant)
  expect(format.instantDay(evening)).toBe(day)
})

/** A zone whose clock is never the reader's, and one whose clock always is. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone
const AWAY = new Date().getTimezoneOffset() === -330 ? 'Asia/Kathmandu' : 'Asia/Kolkata'
const OFFSET = AWAY === 'Asia/Kolkata' ? 'GMT+5:30' : 'GMT+5:45'

test.each(LANGUAGES)(
  '%s: a time of racing is in the region’s zone, which is named where it differs',
  (locale) => {
    const format = makeFormat(locale)
    const post = '2026-11-21T18:30:05Z'
    const clock = AWAY === 'Asia/Kolkata' ? '00:00' : '00:15'
    expect(format.timeIn(post, AWAY)).toBe(`${clock} ${OFFSET}`)
    expect(format.clockIn(post, AWAY)).toBe(`${clock}:05 ${OFFSET}`)
    // The day is the region's too.
    expect(format.instantIn(post, AWAY)).toContain('22')
    expect(format.instantIn(post, AWAY)).toMatch(new RegExp(`${clock} ${OFFSET.replace('+', '\\+')}$`))
    expect(format.shortInstantIn(post, AWAY)).not.toContain('2026')
    expect(format.localTime('2026-11-22', '00:15:00', AWAY)).toBe(`00:15 ${OFFSET}`)
    for (const text of [
      format.timeIn(post, HERE),
      format.instantIn(post, HERE),
      format.localTime('2026-11-22', '00:15:00', HERE),
    ])
      expect(text).not.toContain('GMT')
  },
)

test('the offset that is named is that of the instant, not of today', () => {
  const format = makeFormat('en')
  const sydney = (iso: string): string => format.timeIn(iso, 'Australia/Sydney')
  expect(sydney('2026-01-10T03:00:00Z')).toBe('14:00 GMT+11')
  expect(sydney('2026-07-10T04:00:00Z')).toBe('14:00 GMT+10')
})

test('a name that the language lacks falls back, and says so', () => {
  const row = { name_en: null, name_hant: '通勝', name_hans: null }
  expect(localName('zh-Hant', row)).toEqual({ text: '通勝', fallback: false, language: 'zh-Hant' })
  expect(localName('en', row)).toEqual({ text: '通勝', fallback: true, language: 'zh-Hant' })
  expect(localName('zh-Hans', row)).toEqual({ text: '通勝', fallback: true, language: 'zh-Hant' })
  expect(localName('en', {})).toBeNull()
})

test('a value is found by every name that it has', () => {
  const row = { jockey: 7, jockey_en: 'Z Purton', jockey_hant: '潘頓', jockey_hans: null }
  expect(knownNames(row, 'jockey')).toBe('Z Purton 潘頓')
  expect(knownNames(row, 'trainer')).toBe('')
})
