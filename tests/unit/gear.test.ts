import { expect, test } from 'vitest'
import { gearItems } from '../../domain/gear.ts'

test.for([
  ['B1/TT-/CP2/H', 'B first, TT off, CP again, H null'],
  ['', ''],
  ['--', ''],
  ['-', ''],
] as const)('gear as published: %s', ([gear, read]) => {
  expect(
    gearItems(gear)
      .map(({ code, mark }) => `${code} ${mark}`)
      .join(', '),
  ).toBe(read)
})
