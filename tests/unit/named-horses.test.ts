import { expect, test } from 'vitest'
import { NamedHorses } from '../../server/ingest/reading/named-horses.ts'
import type { NamedHorse } from '../../server/store/racing/horse-alias-store.ts'

const horse = (brand: string, en: string, born: number | null = null): NamedHorse => ({
  brand,
  en,
  hant: null,
  born,
  sire: null,
  dam: null,
})
const LAW_OF_2010 = horse('CanonLawIRE', 'Canon Law (IRE)', 2010)
const LAW_OF_2023 = horse('CanonLawIRE', 'Canon Law (IRE)', 2023)
const NUMBER = horse('7001', 'Canon Law')

const brandsOf = (horses: readonly NamedHorse[]): (string | number)[] =>
  horses.map(({ brand, born }) => born ?? brand)

test('a name with another year of birth is another horse, a number of a source is not', () => {
  const horses = new NamedHorses([LAW_OF_2010, { ...NUMBER, born: 2010 }], [])
  expect(horses.isKnown(LAW_OF_2010)).toBe(true)
  expect(horses.isKnown({ ...LAW_OF_2010, born: null })).toBe(true)
  expect(horses.isKnown(LAW_OF_2023)).toBe(false)
  expect(horses.isKnown({ ...NUMBER, born: 2023 })).toBe(true)
  expect(brandsOf(horses.ofOtherYears(LAW_OF_2023))).toEqual([2010, 2010])
  horses.take(LAW_OF_2023)
  expect(horses.isKnown(LAW_OF_2023)).toBe(true)
  expect([horses.isOfSeveral(LAW_OF_2010), horses.isOfSeveral(NUMBER)]).toEqual([true, false])
})

test('a horse takes its year of birth from the first who tells it', () => {
  const horses = new NamedHorses([{ ...LAW_OF_2010, born: null }], [])
  horses.take(LAW_OF_2010)
  expect(horses.isKnown(LAW_OF_2023)).toBe(false)
})

test('of several of one name, the one of the same year is meant; without a year, it may be any', () => {
  const horses = new NamedHorses([LAW_OF_2010, LAW_OF_2023], [])
  const sure = horses.alike({ ...NUMBER, born: 2023 })
  expect([brandsOf(sure.candidates), sure.isCommon]).toEqual([[2023], false])
  expect([horses.isTaken(sure.candidates[0]!, NUMBER), horses.yearWithin(sure.candidates[0]!)]).toEqual([
    false,
    2023,
  ])
  const unsure = horses.alike(NUMBER)
  expect([brandsOf(unsure.candidates), unsure.isCommon]).toEqual([[2010, 2023], true])
  expect(horses.alike({ ...NUMBER, born: 2019 })).toEqual({ candidates: [], isCommon: false })
})

test('what another source calls a horse of that year is this horse, and its name with another year is not', () => {
  const alias = { regionId: '100826', alias: 'CanonlawIRE', brand: 'CanonLawIRE' }
  const horses = new NamedHorses([LAW_OF_2010], [alias])
  const called = horse('CanonlawIRE', 'Canonlaw (IRE)', 2010)
  expect([horses.brandOf(called), horses.isKnown(called)]).toEqual(['CanonLawIRE', true])
  const other = { ...called, born: 2023 }
  expect([horses.brandOf(other), horses.isKnown(other)]).toEqual(['CanonlawIRE', false])
})
