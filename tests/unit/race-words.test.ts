import { readFileSync } from 'node:fs'
import { createIntl } from '@formatjs/intl'
import { expect, test } from 'vitest'
import type { IntlShape } from 'react-intl'
import { raceClassText } from '../../src/i18n/race-words.ts'

test.each([
  ['en', ['Class 5', 'Class 4 (restricted)', 'Group 1', 'Hong Kong Group 3', 'Allowance']],
  ['zh-Hant', ['第五班', '第四班（條件限制）', '一級賽', '香港三級賽', 'Allowance']],
  ['zh-Hans', ['第五班', '第四班（条件限制）', '一级赛', '香港三级赛', 'Allowance']],
])('classes and grades are words in %s, and an unknown one is shown as it is', (locale, words) => {
  const messages = JSON.parse(readFileSync(`locales/${locale}/racing.json`, 'utf8')) as Record<string, string>
  const intl = createIntl({ locale, messages }) as IntlShape
  expect(['C5', 'C4R', 'G1', 'HKG3', 'Allowance'].map((code) => raceClassText(intl, code))).toEqual(words)
})

test.each([
  [
    'en',
    ['Griffin race', 'Griffin race', 'Four-year-olds', 'Restricted race', 'Class 4 (special condition)'],
  ],
  ['zh-Hant', ['新馬賽', '新馬賽', '四歲馬賽', '條件限制賽', '第四班（特別條件）']],
  ['zh-Hans', ['新马赛', '新马赛', '四岁马赛', '条件限制赛', '第四班（特别条件）']],
])('classes of the form records are words in %s', (locale, words) => {
  const messages = JSON.parse(readFileSync(`locales/${locale}/racing.json`, 'utf8')) as Record<string, string>
  const intl = createIntl({ locale, messages }) as IntlShape
  expect(['GRIFFIN', 'Griffin', '4YO', 'R', 'C4S'].map((code) => raceClassText(intl, code))).toEqual(words)
})

test.each([
  ['en', ['Maiden', 'Handicap', 'Two-year-olds', 'Steeplechase']],
  ['zh-Hant', ['未勝馬賽', '讓賽', '二歲馬賽', '障礙賽']],
  ['zh-Hans', ['未胜马赛', '让赛', '二岁马赛', '障碍赛']],
])('kinds of Australian races are words in %s', (locale, words) => {
  const messages = JSON.parse(readFileSync(`locales/${locale}/racing.json`, 'utf8')) as Record<string, string>
  const intl = createIntl({ locale, messages }) as IntlShape
  expect(['Mdn', 'Hcap', '2yo', 'Stpl'].map((code) => raceClassText(intl, code))).toEqual(words)
})

test.each([
  ['en', ['Newcomers', '2-win class', 'Open', 'Maiden (jumps)', '4勝クラス', '1-win class']],
  ['zh-Hant', ['新馬賽', '2勝班', '公開賽', '未勝馬賽（跳欄／障礙）', '4勝クラス', '1勝班']],
  ['zh-Hans', ['新马赛', '2胜班', '公开赛', '未胜马赛（跳栏／障碍）', '4勝クラス', '1胜班']],
])('Japanese conditions are words in %s', (locale, words) => {
  const messages = JSON.parse(readFileSync(`locales/${locale}/racing.json`, 'utf8')) as Record<string, string>
  const intl = createIntl({ locale, messages }) as IntlShape
  const codes = ['新馬', '2勝クラス', 'オープン', '障害未勝利', '4勝クラス', '500万']
  expect(codes.map((code) => raceClassText(intl, code))).toEqual(words)
})
