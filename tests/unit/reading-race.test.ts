import { expect, test } from 'vitest'
import { hasInvisible } from '../../domain/reading/clean-text.ts'
import { readFlag } from '../../domain/reading/read-flag.ts'
import { readRaceTime } from '../../domain/reading/read-race-time.ts'

test.each([
  ['1:23.30', 83_300],
  ['1.11.17', 71_170],
  ['58.4', 58_400],
  ['70.05', 70_050],
  ['0:01:10.60', 70_600],
  ['00:01:10', 70_000],
  ['0:01:10.123456', 70_123],
  ['0:2:02.2', 122_200],
  ['0:0:58.4', 58_400],
  ['１：０９．８０', 69_800],
  ['---', 'missing'],
  ['', 'missing'],
  ['1:10:45', 'not-a-time'],
  ['0:1:10', 'not-a-time'],
  ['1:2:02.2', 'not-a-time'],
  ['1:70.10', 'not-a-time'],
  ['1:10', 'not-a-time'],
  ['70', 'not-a-time'],
  ['fast', 'not-a-time'],
])('the time %s', (text, expected) => {
  const reading = readRaceTime(text)
  expect(
    reading.kind === 'value' ? reading.value : reading.kind === 'missing' ? 'missing' : reading.problem,
  ).toBe(expected)
})

test.each([
  ...['yes', 'Yes', 'TRUE', 'True', 'y', '1', '1.0', 'x', '✓', '是', ' yes '].map((text) => [text, true]),
  ...['no', 'No', 'FALSE', '0', '0.0', 'n', '否'].map((text) => [text, false]),
  ...['', '-', 'N/A', 'nan'].map((text) => [text, 'missing']),
  ...['maybe', '2', 'dead', '1,0'].map((text) => [text, 'unknown-word']),
] as [string, boolean | string][])('the word %j', (text, expected) => {
  const reading = readFlag(text)
  expect(
    reading.kind === 'value' ? reading.value : reading.kind === 'missing' ? 'missing' : reading.problem,
  ).toBe(expected)
})

test.each(['a\u200Bb', 'a\u202Eb', 'a\u2066b', 'a\u200Fb', '\uFEFFa', 'a\u00ADb', 'a\u2028b', 'a\u3164'])(
  '%j has characters that take no room or turn the text around',
  (text) => {
    expect(hasInvisible(text)).toBe(true)
  },
)

test.each(['紙馬　一號', 'Café Noir', 'a\u00A0b', 'Ó’Brien', '𠮷野', 'line\nbreak', 'a\tb', '👍'])(
  '%j has none',
  (text) => {
    expect(hasInvisible(text)).toBe(false)
  },
)
