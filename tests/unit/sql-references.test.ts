import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tablesIn } from '../../analytics/sql-references.ts'
import { sqlTokens } from '../../analytics/sql-tokens.ts'

test.each<[string, string[]]>([
  ['SELECT odds FROM race', ['race']],
  ['FROM a, b JOIN c USING (k) LEFT JOIN (SELECT * FROM d) e ON true', ['a', 'b', 'c', 'd']],
  ['SELECT a, draws FROM race WHERE draws IN (SELECT x FROM "Draws")', ['race', 'draws']],
  ['WITH draws AS (SELECT 1), b (x) AS (FROM draws) FROM b, race', ['race']],
  ['WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT x FROM t) FROM t', []],
  ["SELECT 'FROM a' -- FROM b\n/* FROM c */ FROM d", ['d']],
  ['SELECT extract(year FROM race_date), a IS NOT DISTINCT FROM b FROM race', ['race']],
  ['FROM range(10), main.race, unnest([1])', []],
  ['FROM a JOIN b ON a.x = b.x, c JOIN d USING (x, y), e', ['a', 'b', 'c', 'd', 'e']],
  ['SUMMARIZE a', ['a']],
  ['DESCRIBE FROM a', ['a']],
  ['PIVOT a ON b USING sum(c)', ['a']],
  ['(SELECT * FROM (a JOIN b ON true), LATERAL (SELECT 1) c) UNION ALL FROM 勝率', ['a', 'b', '勝率']],
  ['SELECT x FROM a AS b, c AS d ORDER BY e, f', ['a', 'c']],
])('%j reads %j', (sql, tables) => {
  expect(tablesIn(sql)).toEqual(tables)
})

test('tokens are the whole text, whatever it is', () => {
  const part = fc.constantFrom(
    "'",
    '"',
    '--',
    '/*',
    '*/',
    '$a$',
    '$$',
    '\n',
    'FROM',
    ' ',
    '(',
    ')',
    ',',
    "e'",
    '\\',
    '勝',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('')),
      ),
      (sql) => {
        expect(
          sqlTokens(sql)
            .map(({ text }) => text)
            .join(''),
        ).toBe(sql)
        expect(() => tablesIn(sql)).not.toThrow()
      },
    ),
  )
})
