import { expect, test } from 'vitest'
import { isAlike, isByName, namesake } from '../../server/drafts/horse-names.ts'

test.each([
  ["Suzi's Connoisseur (GB)", 'Suzis Connoisseur', true],
  ['Été (FR)', 'Ete', true],
  ['Way Down South', 'Waydownsouth (IRE)', true],
  ['Brass Jug (GB)', 'Brass Jug (IRE)', false],
  ['Brass Jug', 'Brass Jugs', false],
])('%s and %s: may be one horse: %s', (one, other, isOne) => {
  expect(isAlike(one, other)).toBe(isOne)
})

test('of several, the one of the country of the name comes first', () => {
  const stored = ['Brass Jug (GB)', 'Brass Jug', 'Brass Jug (IRE)']
  const of = (name: string): string | null => namesake(name, stored, (each) => each)
  expect([of('Brass Jug (IRE)'), of('Brass Jug (FR)'), of('Tin Cup')]).toEqual([
    'Brass Jug (IRE)',
    'Brass Jug',
    null,
  ])
})

test.each([
  ['TinkersPanIRE', { en: "Tinker's Pan (IRE)", hant: null }, true],
  ["TINKER'S PAN", { en: "TINKER'S PAN", hant: null }, true],
  ['試馬', { en: null, hant: '試馬' }, true],
  ['7001', { en: 'Tinkers Pan', hant: null }, false],
  ['TinkersPanGB', { en: "Tinker's Pan (IRE)", hant: null }, true],
  ['Tinker', { en: "Tinker's Pan", hant: null }, false],
  ['C123', { en: 'TINKERS PAN', hant: '試馬' }, false],
])('brand %s is the name of the horse: %s %s', (brand, names, isName) => {
  expect(isByName(brand, names)).toBe(isName)
})
