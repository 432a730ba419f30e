import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedFor, nameFault, namesRead } from '../../src/workspace/console/cell-names.ts'
import {
  addCell,
  documentOf,
  loneStatement,
  moveCell,
  readDocument,
  removeCell,
  restoreCell,
  writeDocument,
  type Cell,
  type ConsoleDocument,
  type SqlCell,
} from '../../src/workspace/console/document.ts'

/** Documents of the console: their cells, their files and the names under which cells read each other. */

const text = (id: number, words: string): Cell => ({ kind: 'text', id, text: words })
const sql = (id: number, name: string, statement: string): SqlCell => ({
  kind: 'sql',
  id,
  name,
  sql: statement,
})

const line = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '-- %% text',
    '-- %% sql a',
    '-- \\%% text',
    '%% sql',
    '\\\\%%',
    ';',
    '',
    '--',
    '-- a',
    ' x ',
  ),
  fc.constantFrom('CREATE OR REPLACE TEMP VIEW "a" AS', '-- %% document x', '勝率 ≥ 1'),
)
const lines = fc.array(line, { maxLength: 5 }).map((parts) => parts.join('\n').replaceAll('\r', ''))
const cells = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('text' as const), text: lines }),
      fc.record({
        kind: fc.constant('sql' as const),
        name: fc.constantFrom('', 'a', 'view', '勝率'),
        sql: lines,
      }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((list): Cell[] => list.map((cell, at) => ({ ...cell, id: at + 1 })))
const title = fc.constantFrom('', 'Draw', 'A: “b” -- %% text', '檔位')

test('what is exported is imported again, whatever its cells have in them', () => {
  fc.assert(
    fc.property(fc.record({ title, cells }), fc.subarray(['a', 'view', '勝率']), (document, read) => {
      const file = writeDocument(document, new Set(read))
      expect(readDocument(file)).toEqual(document)
      // Editors on Windows write other line breaks.
      if (loneStatement(document) === null)
        expect(readDocument(file.replaceAll('\n', '\r\n'))).toEqual(document)
    }),
    { numRuns: 500 },
  )
})

test('a statement of its own is its own file, and any text is a statement', () => {
  expect(writeDocument(documentOf('FROM race'))).toBe('FROM race')
  fc.assert(
    fc.property(fc.string(), (statement) => {
      fc.pre(!statement.startsWith('-- %% document '))
      expect(readDocument(statement)).toEqual(documentOf(statement))
      expect(readDocument(writeDocument(documentOf(statement)))).toEqual(documentOf(statement))
    }),
  )
})

const DOCUMENT: ConsoleDocument = {
  title: 'Draw',
  cells: [
    text(1, '# Draw\n\nLow draws win more.'),
    sql(2, 'runs', 'SELECT draw, won FROM starter'),
    sql(3, 'rates', 'SELECT draw, avg(won) AS rate FROM Runs GROUP BY draw'),
    sql(4, '', 'SELECT max(rate) FROM rates, runs'),
  ],
}

test('a file has texts as comments, and cells that others read as views', () => {
  expect(writeDocument(DOCUMENT, namesRead(DOCUMENT.cells, []))).toBe(`-- %% document Draw
-- %% text
-- # Draw
--
-- Low draws win more.
-- %% sql runs as view
CREATE OR REPLACE TEMP VIEW "runs" AS
SELECT draw, won FROM starter
;
-- %% sql rates as view
CREATE OR REPLACE TEMP VIEW "rates" AS
SELECT draw, avg(won) AS rate FROM Runs GROUP BY draw
;
-- %% sql
SELECT max(rate) FROM rates, runs
;
`)
})

test('a cell is run with those that it reads, each once and before its readers', () => {
  const [, runs, rates, most] = DOCUMENT.cells as [Cell, SqlCell, SqlCell, SqlCell]
  expect(namedFor(DOCUMENT.cells, most, [])).toEqual({
    named: [
      { name: 'runs', sql: runs.sql },
      { name: 'rates', sql: rates.sql },
    ],
  })
  expect(namedFor(DOCUMENT.cells, runs, [])).toEqual({ named: [] })
  // A query of the statement's own WITH hides a cell, as does a table; parameters have their values.
  expect(namedFor(DOCUMENT.cells, sql(9, '', 'WITH runs AS (SELECT 1) FROM runs'), [])).toEqual({ named: [] })
  expect(namedFor(DOCUMENT.cells, most, ['runs', 'rates'])).toEqual({ named: [] })
  const own = [sql(1, 'a', '-- $n = 3\nSELECT $n AS n'), sql(2, '', 'FROM a')] as const
  expect(namedFor(own, own[1], [])).toEqual({ named: [{ name: 'a', sql: '-- $n = 3\nSELECT (3) AS n' }] })
})

test('cells that read each other, themselves or one below are named', () => {
  const loop = [sql(1, 'a', 'FROM b'), sql(2, 'b', 'FROM c'), sql(3, 'c', 'FROM b')] as const
  expect(namedFor(loop, loop[0], [])).toEqual({ fault: { kind: 'cycle', names: ['b', 'c', 'b'] } })
  const own = [sql(1, 'a', 'FROM a')] as const
  expect(namedFor(own, own[0], [])).toEqual({ fault: { kind: 'cycle', names: ['a', 'a'] } })
  const low = [sql(1, 'a', 'FROM b'), sql(2, 'b', 'FROM race')] as const
  expect(namedFor(low, low[0], [])).toEqual({ fault: { kind: 'below', names: ['a', 'b'] } })
})

test.each<[string, ReturnType<typeof nameFault>]>([
  ['rates', null],
  ['', null],
  ['勝率', null],
  ['1st', 'shape'],
  ['a b', 'shape'],
  ['select', 'shape'],
  ['x'.repeat(41), 'shape'],
  ['RACE', 'table'],
  ['Other', 'twice'],
])('the name %j: %j', (name, fault) => {
  const cell = sql(1, name, '')
  expect(nameFault([cell, sql(2, 'other', '')], cell, ['race'])).toBe(fault)
})

test('cells are added, moved, removed and restored', () => {
  const first = documentOf('FROM race').cells
  const two = addCell(first, 'sql', 0)
  expect(two).toEqual([sql(1, 'q1', 'FROM race'), sql(2, 'q2', '')])
  const three = addCell(two, 'text', -1)
  expect(three.map(({ id }) => id)).toEqual([3, 1, 2])
  expect(moveCell(three, 1, -1).map(({ id }) => id)).toEqual([1, 3, 2])
  expect(moveCell(three, 3, -1)).toBe(three)
  expect(moveCell(three, 2, 1)).toBe(three)
  const left = removeCell(three, 1)
  expect(left.map(({ id }) => id)).toEqual([3, 2])
  expect(restoreCell(left, three[1]!, 1)).toEqual([text(3, ''), sql(4, 'q1', 'FROM race'), sql(2, 'q2', '')])
  const none = removeCell(first, 1)
  expect(none).toEqual([sql(1, '', '')])
  expect(restoreCell(none, first[0]!, 0)).toEqual(first)
})
