import { expect } from 'vitest'
import type { Row } from './native.ts'

/** A group of an answer: what it is grouped by, and its figures. */
export interface Line {
  key: readonly unknown[]
  figures: readonly unknown[]
}

/** Sums of doubles differ in their last bits between engines, and between orders of adding. */
const RELATIVE = 1e-9
/** A difference of two nearly equal sums, such as R², is compared as far as its parts are. */
const ABSOLUTE = 1e-9
/** Counts and whole cents must be equal exactly, which doubles below 2^53 are. */
const bothWhole = (one: number, other: number): boolean => Number.isInteger(one) && Number.isInteger(other)

/** Whether two values are equal, fractions up to rounding. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) => (typeof value === 'bigint' ? Number(value) : value))
  if (typeof a !== 'number' || typeof b !== 'number' || bothWhole(a, b)) return Object.is(a, b) || a === b
  return Math.abs(a - b) <= ABSOLUTE + RELATIVE * Math.max(Math.abs(a), Math.abs(b))
}

const lineKey = ({ key }: Line): string => JSON.stringify(key)

/** Requires that two answers have the same groups, in any order, with the same figures. */
export function expectSameFigures(actual: readonly Line[], expected: readonly Line[], message: string): void {
  const others = new Map(expected.map((line) => [lineKey(line), line]))
  expect(others.size, `${message}: groups are distinct`).toBe(expected.length)
  expect(actual.map(lineKey).toSorted(), message).toEqual([...others.keys()].toSorted())
  for (const line of actual) {
    const other = others.get(lineKey(line))!
    const same = line.figures.every((figure, index) => isSame(figure, other.figures[index]))
    if (!same) expect(line, message).toStrictEqual(other)
  }
}

/** Requires that two answers have the same rows in the same order. */
export function expectSameRows(actual: readonly Row[], expected: readonly Row[], message: string): void {
  expect(actual.length, `${message}: number of rows`).toBe(expected.length)
  for (const [index, row] of actual.entries()) {
    const other = expected[index]!
    const names = Object.keys(other)
    const same =
      names.length === Object.keys(row).length &&
      names.every((name) => name in row && isSame(row[name], other[name]))
    if (!same) expect(row, `${message}: row ${index}`).toStrictEqual(other)
  }
}
