import { expect, test } from 'vitest'
import { asTexts, readableReason, statementOf } from '../../workers/console/statement.ts'

test.each([
  ['SELECT 1; -- note', 'SELECT 1'],
  ['SELECT 1 ; \n\t ', 'SELECT 1'],
  ['SELECT 1;;; /* a; b */ ; -- c;', 'SELECT 1'],
  ['SELECT 1; /* a /* nested; */ b */', 'SELECT 1'],
  ['SELECT 1;\r\n-- note\r\n', 'SELECT 1'],
  ["SELECT ';--' AS a;", "SELECT ';--' AS a"],
  ['SELECT 1 AS ";-- a"; --', 'SELECT 1 AS ";-- a"'],
  ["SELECT 'it''s;' ; --'", "SELECT 'it''s;'"],
  [String.raw`SELECT e'\';' ; -- '`, String.raw`SELECT e'\';'`],
  [String.raw`SELECT 1 WHERE 'e' like'\'; -- '`, String.raw`SELECT 1 WHERE 'e' like'\'`],
  ['SELECT $$;--$$; -- a', 'SELECT $$;--$$'],
  ['SELECT $a$ $$ ; $a$ ; /* b */', 'SELECT $a$ $$ ; $a$'],
  ['SELECT 1 -- a; b', 'SELECT 1'],
  ['SELECT 1 /* a */ + 1;', 'SELECT 1 /* a */ + 1'],
  ['SELECT 5 -- 3;\n+ 1', 'SELECT 5 -- 3;\n+ 1'],
])('%j is the statement %j', (text, statement) => {
  expect(statementOf(text)).toBe(statement)
})

test.each(['', ' ; ; ', '-- nothing', '/* a; */ -- b', ';-- a\n;'])('%j is no statement', (text) => {
  expect(() => statementOf(text)).toThrow(expect.objectContaining({ code: 'query-failed' }))
})

test('two statements stay two, and what is not closed is left to the engine', () => {
  expect(statementOf('SELECT 1; SELECT 2;')).toBe('SELECT 1; SELECT 2')
  expect(statementOf('SELECT 1; /* a')).toBe('SELECT 1; /* a')
  expect(statementOf("SELECT 'a; --")).toBe("SELECT 'a; --")
})

test('line numbers are those of the user’s own text', () => {
  const text = '; -- first\n/* second\n third */\nSELECT nonsense; -- fourth'
  const statement = statementOf(text)
  expect(statement.split('\n')).toHaveLength(4)
  expect(statement.split('\n').at(-1)).toBe('SELECT nonsense')
  const wrapped = asTexts(statement, 1, 10).split('\n')
  const line = wrapped.findIndex((each) => each.includes('nonsense')) + 1
  expect(readableReason(`Binder Error: no column\n\nLINE ${line}: SELECT nonsense\n ^`, text)).toContain(
    'Line 4: SELECT nonsense',
  )
})
