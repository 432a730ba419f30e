import { readFileSync } from 'node:fs'
import { createIntl } from '@formatjs/intl'
import { expect, test } from 'vitest'
import type { IntlShape } from 'react-intl'
import { raceClassText } from '../../src/i18n/race-words.ts'

test.each([
  ['en', ['Class 5', 'Class 4 (restricted)', 'Group 1', 'Hong Kong Group 3', 'Griffin Race']],
  ['zh-Hant', ['第五班', '第四班（條件限制）', '一級賽', '香港三級賽', 'Griffin Race']],
  ['zh-Hans', ['第五班', '第四班（条件限制）', '一级赛', '香港三级赛', 'Griffin Race']],
])('classes and grades are words in %s, and an unknown one is shown as it is', (locale, words) => {
  const messages = JSON.parse(readFileSync(`locales/${locale}/racing.json`, 'utf8')) as Record<string, string>
  const intl = createIntl({ locale, messages }) as IntlShape
  expect(['C5', 'C4R', 'G1', 'HKG3', 'Griffin Race'].map((code) => raceClassText(intl, code))).toEqual(words)
})
