import { expect, test } from 'vitest'
import { pythonLiteral } from '../../src/workspace/list/query-text.ts'

test('a request is a Python literal: its own words for true, false and null, and short lines', () => {
  expect(pythonLiteral({ a: [true, false, null], b: -1.5, c: 'it\'s "so"\n' }, '')).toBe(
    '{"a": [True, False, None], "b": -1.5, "c": "it\'s \\"so\\"\\n"}',
  )
  const long = { list: Array.from({ length: 3 }, (_, index) => 'x'.repeat(30) + index), empty: [] }
  expect(pythonLiteral(long, '')).toBe(`{
    "list": [
        "${'x'.repeat(30)}0",
        "${'x'.repeat(30)}1",
        "${'x'.repeat(30)}2",
    ],
    "empty": [],
}`)
})
