import { expect, test } from 'vitest'
import {
  numberIn,
  type ConsoleCell,
  type ConsoleKind,
  type ConsoleRows,
} from '../../src/data/analytics/console-rows.ts'
import { compareCells } from '../../src/workspace/console/cell-order.ts'
import { clipboardOf, csvOf, fileNameOf } from '../../src/workspace/console/result-files.ts'
import { plotOf } from '../../src/workspace/console/result-plot.ts'

/** A result of one row, by name of the column. */
const resultOf = (
  columns: Readonly<Record<string, [kind: ConsoleKind, cell: ConsoleCell]>>,
): ConsoleRows => ({
  columns: Object.entries(columns).map(([name, [kind]]) => ({ name, type: '', kind })),
  rows: [Object.values(columns).map(([, cell]) => cell)],
  truncated: false,
  milliseconds: 1,
})

test('in the CSV numbers, days and instants are what they are, and texts stay texts', () => {
  const result = resultOf({
    c: ['text', '3-7'],
    n: ['text', '007'],
    w: ['text', '＝1+1'],
    l: ['text', '\n=1+1'],
    '=1+1': ['text', 'a, "b"'],
    loss: ['number', '-12.5'],
    big: ['number', '170141183460469231731687303715884105727'],
    small: ['number', '1e-07'],
    never: ['number', '-inf'],
    day: ['day', '2026-11-26'],
    before: ['day', '-infinity'],
    at: ['instant', '2026-11-26 05:30:00.25'],
    time: ['time', '13:05:00'],
    gap: ['interval', '-3 days'],
    flag: ['boolean', 'true'],
    none: ['text', null],
  })
  const [header, line] = [
    "c,n,w,l,'=1+1,loss,big,small,never,day,before,at,time,gap,flag,none",
    `'3-7,'007,'＝1+1,"'\n=1+1","a, ""b""",-12.5,170141183460469231731687303715884105727,1e-07,'-inf,2026-11-26,'-infinity,2026-11-26 05:30:00.25,13:05:00,'-3 days,true,`,
  ]
  expect(csvOf(result)).toBe(`\uFEFF${header}\r\n${line}\r\n`)
  expect(clipboardOf(resultOf({ a: ['text', 'x\ty'], b: ['text', '=1'], c: ['number', '-1'] }))).toBe(
    'a\tb\tc\n"x\ty"\t\'=1\t-1',
  )
})

test('the file of a part of the rows says so in its name', () => {
  const result = resultOf({ n: ['number', '1'] })
  expect(fileNameOf(result)).toBe('furlong-query')
  expect(fileNameOf({ ...result, truncated: true })).toBe('furlong-query-first-1-rows')
})

test.each<[ConsoleKind, (string | null)[]]>([
  ['number', ['-inf', '-5', '3.4', '10', '9223372036854775806', '9223372036854775807', 'inf', 'nan', null]],
  [
    'day',
    [
      '-infinity',
      '0044-03-15 (BC)',
      '0043-03-15 (BC)',
      '0001-01-01',
      '2024-02-01',
      '2024-10-01',
      '290000-01-01',
      'infinity',
      null,
    ],
  ],
  [
    'instant',
    ['-infinity', '2024-01-01 09:00:00', '2024-01-01 10:00:00', '10000-01-01 00:00:00', 'infinity'],
  ],
  [
    'interval',
    ['-00:00:01', '00:00:00', '23:00:00', '2 days', '10 days', '1 month', '1 year', '1 year 1 day'],
  ],
  ['text', ['a', 'b', null]],
])('values of the kind %s are in their own order', (kind, ordered) => {
  expect(ordered.toReversed().toSorted((a, b) => compareCells(kind, a, b))).toEqual(ordered)
})

test('numbers are read as DuckDB prints them', () => {
  expect(['inf', '-inf', '1e+300', '-0.05'].map(numberIn)).toEqual([Infinity, -Infinity, 1e300, -0.05])
  expect(numberIn('nan')).toBeNaN()
})

test('a chart leaves out what its axes cannot show, and counts the rest', () => {
  const columns = [
    { name: 'day', type: 'DATE', kind: 'day' as const },
    { name: 'n', type: 'DOUBLE', kind: 'number' as const },
  ]
  const rows = [
    ['2026-01-01', '1.5'],
    ['infinity', '2.0'],
    ['290000-01-01', '3.0'],
    ['2026-01-02', 'nan'],
    [null, '4.0'],
    ['2026-01-03', '-5.0'],
  ]
  const { plot, points } = plotOf('line', { x: 0, y: 1, down: 0 }, { columns, rows })
  expect(points).toBe(2)
  expect(plot.series[0]).toMatchObject({ x: ['2026-01-01', '2026-01-03'], y: [1.5, -5] })
  // A bar has a name for every value.
  expect(plotOf('bars', { x: 0, y: 1, down: 0 }, { columns, rows }).points).toBe(4)
})
