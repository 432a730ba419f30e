import { expect, test } from 'vitest'
import { LANGUAGES } from '../../domain/languages.ts'
import { makeFormat } from '../../src/i18n/format.ts'
import { localName } from '../../src/i18n/names.ts'

test.each(LANGUAGES)('%s: money is HK$ with cents, days are yyyy-m-d', (locale) => {
  const format = makeFormat(locale)
  expect(format.money(123_450)).toBe('HK$1,234.50')
  expect(format.signedMoney(-1000)).toBe('−HK$10.00')
  expect(format.signedMoney(1000)).toBe('+HK$10.00')
  expect(format.signedMoney(0)).toBe('HK$0.00')
  expect(format.day('2026-01-09')).toBe('2026-1-9')
  expect(format.percent(0.12345, 2)).toBe('12.35%')
  expect(format.signedPercent(-0.1764)).toBe('−17.6%')
  expect(format.odds(3.85)).toBe('3.85')
  expect(format.odds(12)).toBe('12.0')
  expect(format.hkd('98.00')).toBe('HK$98.00')
  expect(format.signedHkd('-10.00')).toBe('−HK$10.00')
  expect(format.amount('1234.50', 'HKD')).toBe('HK$1,234.50')
  expect(format.amount('1234.50', 'AUD')).toMatch(/^AUD\s1,234\.50$/)
  expect(format.signedDecimal(0.724, 2)).toBe('+0.72')
  expect(format.runningTime(69_860)).toBe('1:09.86')
  expect(format.card('4242')).toBe('•••• 4242')
})

test.each([
  ['en', 'Wed'],
  ['zh-Hant', '週三'],
  ['zh-Hans', '周三'],
])('%s: days have one form, alone, with a weekday and before a time of 24 hours', (locale, weekday) => {
  const format = makeFormat(locale)
  expect(format.longDay('2026-11-25')).toBe(`2026-11-25 ${weekday}`)
  const evening = new Date(2026, 10, 5, 23, 4).toISOString()
  expect(format.instant(evening)).toBe('2026-11-5 23:04')
  expect(format.instantDay(evening)).toBe('2026-11-5')
  expect(format.time(evening)).toBe('23:04')
})

test('months are in the reader’s language', () => {
  expect(makeFormat('en').month('2026-06')).toBe('Jun 2026')
  expect(makeFormat('zh-Hant').month('2026-06')).toBe('2026年6月')
})

test('a name that the language lacks falls back, and says so', () => {
  const row = { name_en: null, name_hant: '通勝', name_hans: null }
  expect(localName('zh-Hant', row)).toEqual({ text: '通勝', fallback: false, language: 'zh-Hant' })
  expect(localName('en', row)).toEqual({ text: '通勝', fallback: true, language: 'zh-Hant' })
  expect(localName('zh-Hans', row)).toEqual({ text: '通勝', fallback: true, language: 'zh-Hant' })
  expect(localName('en', {})).toBeNull()
})
