import { expect, test } from 'vitest'
import { ENTRY_LETTERS, programNumber, programOrder } from '../../domain/program-number.ts'
import { readProgram } from '../../server/ingest/us/bris-cells.ts'

test('what is read from a program is printed as it stood there', () => {
  for (let number = 1; number <= 19; number += 1)
    for (const letter of ['', ...Object.keys(ENTRY_LETTERS)]) {
      const { interest, horseNo } = readProgram(`${number}${letter}`)
      expect(programNumber({ horseNumber: horseNo, entryNumber: letter === '' ? null : interest })).toBe(
        `${number}${letter}`,
      )
    }
})

test('the numbers of other entries, and of horses that are alone, are their own', () => {
  expect(programNumber({ horseNumber: 7, entryNumber: 3 })).toBe('7')
  expect(programNumber({ horseNumber: 1, entryNumber: 1 })).toBe('1')
  expect(programNumber({ horseNumber: 34, entryNumber: null })).toBe('34')
  expect(programNumber({ horseNumber: null, entryNumber: null })).toBeNull()
})

test('a horse with a letter comes behind that of its entry', () => {
  const numbers = [
    { horseNumber: 2, entryNumber: null },
    { horseNumber: 81, entryNumber: 1 },
    { horseNumber: 31, entryNumber: 1 },
    { horseNumber: 1, entryNumber: 1 },
  ]
  expect(numbers.toSorted((a, b) => programOrder(a)! - programOrder(b)!).map(programNumber)).toEqual([
    '1',
    '1A',
    '1X',
    '2',
  ])
})
