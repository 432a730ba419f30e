import { expect, test } from 'vitest'
import { birthYearOf } from '../../domain/birth-year.ts'
import { AUSTRALIA, GREAT_BRITAIN, HONG_KONG, JAPAN, UNITED_STATES } from '../../domain/region.ts'

test.each([
  [GREAT_BRITAIN, '2025-01-01', 2, null, 2023],
  [GREAT_BRITAIN, '2025-12-31', 2, 'IRE', 2023],
  [GREAT_BRITAIN, '2026-01-01', 3, 'IRE', 2023],
  [JAPAN, '2026-05-31', 3, null, 2023],
  [UNITED_STATES, '2018-09-29', 3, 'FR', 2015],
  [AUSTRALIA, '2025-07-31', 2, null, 2022],
  [AUSTRALIA, '2025-08-01', 3, null, 2022],
  [AUSTRALIA, '2026-07-31', 3, 'NZ', 2022],
])('in region %o on %s, an age of %i (%s) means one year of birth', (region, date, age, country, born) => {
  expect(birthYearOf(region, date, { age, country })).toBe(born)
})

test.each([
  ['of a horse from the south that runs in the north', GREAT_BRITAIN, 6, 'AUS'],
  ['of a horse from the north that runs in the south', AUSTRALIA, 6, 'IRE'],
  ['where each horse keeps the birthday of its country', HONG_KONG, 6, null],
  ['without an age', GREAT_BRITAIN, null, 'IRE'],
])('no year is told %s', (_, region, age, country) => {
  expect(birthYearOf(region, '2025-05-23', { age, country })).toBeNull()
})
