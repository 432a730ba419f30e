import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delimiterOf } from '../../domain/reading/delimiter.ts'
import { cellsOf, CsvScanner, DELIMITERS, type CsvPart } from '../../workers/own/csv-scanner.ts'

const COMMA = 44
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const csvText = (parts: readonly CsvPart[]): string =>
  parts.map(({ bytes }) => new TextDecoder().decode(bytes)).join('')

function scanned(text: string, size: number): CsvPart[] {
  const bytes = bytesOf(text)
  const scanner = new CsvScanner(COMMA, 2)
  const parts: CsvPart[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(scanner.feed(bytes.slice(at, at + size)))
  return [...parts, scanner.finish()]
}

test('parts are whole records whatever the size of what is fed, with the line of each', () => {
  const cell = fc.oneof(
    fc.stringMatching(/^[a-z0-9 5"]{0,6}$/).filter((text) => !text.startsWith('"')),
    fc.stringMatching(/^[a-z,\n中 "]{0,8}$/).map((text) => `"${text.replaceAll('"', '""')}"`),
  )
  const record = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','))
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (records, size) => {
      const text = records.join('\n')
      const parts = scanned(text, size)
      expect(csvText(parts)).toBe(text === '' ? '' : text.endsWith('\n') ? text : `${text}\n`)
      const lines: number[] = []
      let line = 2
      for (const each of records) {
        if (each !== '') lines.push(line)
        line += each.split('\n').length
      }
      expect(parts.flatMap((part) => part.lines)).toEqual(lines)
      // Every part begins and ends between records.
      for (const { bytes, units } of parts) {
        const own = new TextDecoder().decode(bytes)
        expect(bytes.length === 0 || own.endsWith('\n')).toBe(true)
        expect(units.length === 0).toBe(bytes.length === 0)
      }
    }),
    { numRuns: 500 },
  )
})

test('records that end with CR LF end with LF alone; line ends in quotes stay', () => {
  const parts = scanned('1,2\r\n"a\r\nb",3\r\n\r\n4,5', 3)
  expect(csvText(parts)).toBe('1,2\n"a\r\nb",3\n\n4,5\n')
  expect(parts.flatMap((part) => part.lines)).toEqual([2, 3, 6])
})

test('a quote that is never closed is told at the line where it begins', () => {
  expect(() => scanned('1,2\n3,"open', 4)).toThrow(
    expect.objectContaining({ code: 'own-file', details: { problem: 'quote', line: 3 } }),
  )
  const scanner = new CsvScanner(COMMA, 2)
  expect(() => scanner.feed(bytesOf(`1,2\n3,"open\n${'x'.repeat(1_100_000)}`))).toThrow(
    expect.objectContaining({ code: 'own-file', details: { problem: 'quote', line: 3 } }),
  )
})

test('the header’s cells and their separator', () => {
  expect(delimiterOf('a;b;"c,d,e,f"', DELIMITERS)).toBe(';')
  expect(delimiterOf('a\tb\tc', DELIMITERS)).toBe('\t')
  expect(cellsOf('a,"b ""q"", c",,d', ',')).toEqual(['a', 'b "q", c', '', 'd'])
  expect(cellsOf('a,', ',')).toEqual(['a', ''])
  expect(cellsOf('', ',')).toEqual([''])
  expect(() => cellsOf('"a"b,c', ',')).toThrow(expect.objectContaining({ code: 'own-file' }))
  expect(() => cellsOf('"a,b', ',')).toThrow(expect.objectContaining({ code: 'own-file' }))
})
