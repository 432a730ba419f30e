import { expect, test } from 'vitest'
import { lengthsOf, printedLengths, usualLengths } from '../../domain/margin.ts'
import { marginOfDay } from '../../server/ingest/hk/hk-cells.ts'

const DAY_MS = 86_400_000

/** The number that Excel of the United States saves for a text which it takes for a date: month, day, and year. */
function savedByExcel(margin: string, thisYear: number): number {
  const [month = 0, day = 0, year = thisYear] = margin.split(/[-/]/).map(Number)
  const full = year < 100 ? 2000 + year : year
  return (Date.UTC(full, month - 1, day) - Date.UTC(1899, 11, 30)) / DAY_MS
}

const FRACTIONS = ['1/4', '1/2', '3/4']

test.each(FRACTIONS)('each margin of some lengths and %s that Excel took for a date is read back', (part) => {
  for (let whole = 1; whole <= 12; whole += 1) {
    const margin = `${whole}-${part}`
    expect(marginOfDay(savedByExcel(margin, 2017))).toBe(margin)
  }
  for (const year of [2002, 2004, 2017, 2026]) expect(marginOfDay(savedByExcel(part, year))).toBe(part)
})

test.each([
  ['5-3/4', 38110],
  ['1-1/2', 37257],
  ['1/2', 42737],
])('%s is saved as %d', (margin, day) => {
  expect(savedByExcel(margin, 2017)).toBe(day)
  expect(marginOfDay(day)).toBe(margin)
})

test('days that no margin becomes are none', () => {
  for (const day of [0, 100, 1500, 38051, 38111, 45543, 1e6, 1e300]) expect(marginOfDay(day)).toBeNull()
})

test('lengths are printed in quarters, and read again', () => {
  for (let quarters = 1; quarters < 200; quarters += 1)
    expect(lengthsOf(printedLengths(quarters / 4))).toBe(quarters / 4)
  for (const lengths of [0, -0.25, 0.05, 0.1, 2.3]) expect(printedLengths(lengths)).toBeNull()
})

test('a nose is shorter than a short head, a head and a neck in every way of writing them', () => {
  for (const words of [
    ['鼻位', '短馬頭位', '頭位', '頸位'],
    ['N', 'SH', 'HD', 'NK'],
    ['nse', 'shd', 'hd', 'nk'],
  ])
    expect(words.map(usualLengths)).toEqual([0.05, 0.1, 0.2, 0.3])
})
