import { expect, test } from 'vitest'
import { isByName, namesakes } from '../../server/ingest/reading/horse-names.ts'

test.each([
  ["Suzi's Connoisseur (GB)", 'Suzis Connoisseur', true],
  ['Été (FR)', 'Ete', true],
  ['Way Down South', 'Waydownsouth (IRE)', true],
  ['Brass Jug (GB)', 'Brass Jug (IRE)', false],
  ['Brass Jug', 'Brass Jugs', false],
])('%s and %s: may be one horse: %s', (one, other, isOne) => {
  expect(namesakes(one, [other], (name) => name)).toEqual(isOne ? [other] : [])
})

test('of several, those of the country of the name come first', () => {
  const stored = ['Brass Jug (GB)', 'Brass Jug', 'Brass Jug (IRE)']
  expect(namesakes('Brass Jug (IRE)', stored, (name) => name)).toEqual(['Brass Jug (IRE)'])
  expect(namesakes('Brass Jug (FR)', stored, (name) => name)).toEqual(['Brass Jug'])
})

test.each([
  ['TinkersPanIRE', { en: "Tinker's Pan (IRE)", hant: null }, true],
  ["TINKER'S PAN", { en: "TINKER'S PAN", hant: null }, true],
  ['試馬', { en: null, hant: '試馬' }, true],
  ['7001', { en: 'Tinkers Pan', hant: null }, false],
  ['C123', { en: 'TINKERS PAN', hant: '試馬' }, false],
])('brand %s is the name of the horse: %s %s', (brand, names, isName) => {
  expect(isByName(brand, names)).toBe(isName)
})
