import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPlaces } from '../../domain/reading/json-places.ts'

/** Where the items of a JSON list begin, and where a text stops being JSON. */

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a text is JSON exactly if the browser can parse it', () => {
  const damaged = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.stringMatching(/^[[\]{},:"\\\s0-9a-z.+-]{0,3}$/))
    .map(([text, place, length, put]) => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + put + text.slice(at + length)
    })
  fc.assert(
    fc.property(fc.oneof(fc.json({ noUnicodeString: false }), damaged), (text) => {
      expect([text, jsonPlaces(text).error === null]).toEqual([text, isJson(text)])
    }),
    { numRuns: 3000 },
  )
})

test('the items of the outermost list, wherever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), fc.integer({ min: 0, max: 3 }), (list, indent) => {
      const text = JSON.stringify(list, null, indent)
      const { items } = jsonPlaces(text)
      expect(items.map((at, index) => text.slice(at, items[index + 1]).replace(/[\s,\]]*$/, '')).length).toBe(
        list.length,
      )
      for (const [index, at] of items.entries())
        expect(text.slice(at).startsWith(JSON.stringify(list[index], null, indent).slice(0, 1))).toBe(true)
    }),
  )
})

test.each([
  ['[{"a": 1},\n{"a" 2}]', 16],
  ['[{"a": 1}\n{"a": 2}]', 10],
  ['[{"a": 1},\n{"a": "b]', 17],
  ['[{"a": 1},', 10],
  ['[{"a": 1},]', 10],
  ['[{"a": 01}]', 7],
  ['[{"a": 1}] []', 11],
])('the first place that is not JSON: %s', (text, error) => {
  expect(jsonPlaces(text).error).toBe(error)
})
