import { expect, test } from 'vitest'
import { parametersOf, withParameter, withValues } from '../../src/workspace/console/parameters.ts'

const SQL = `-- $min_odds = 10
SELECT '$not', "$nor", $$ $neither $$ /* $no */ -- $none
FROM prediction WHERE win_odds >= $min_odds AND race_date > $from AND win_odds < $min_odds * 2`

test('parameters are names outside of strings and comments, with the values of their lines', () => {
  expect(parametersOf(SQL)).toEqual([
    { name: 'min_odds', value: '10' },
    { name: 'from', value: '' },
  ])
  expect(parametersOf('SELECT 1')).toEqual([])
})

test('a value is written on its line, and put in its places', () => {
  const sql = withParameter(withParameter(SQL, 'from', "2026-01-01' OR ''='"), 'min_odds', '2.5')
  expect(sql.split('\n').slice(0, 2)).toEqual(["-- $from = 2026-01-01' OR ''='", '-- $min_odds = 2.5'])
  const filled = withValues(sql)
  expect(filled).toContain(
    "win_odds >= (2.5) AND race_date > '2026-01-01'' OR ''''=''' AND win_odds < (2.5) * 2",
  )
  // Strings, comments and line breaks are unchanged.
  expect(filled).toContain(`SELECT '$not', "$nor", $$ $neither $$ /* $no */ -- $none`)
  expect(filled.split('\n')).toHaveLength(sql.split('\n').length)
  expect(parametersOf(sql).map(({ value }) => value)).toEqual(['2.5', "2026-01-01' OR ''='"])
})

test('a negative number begins no comment, and spaces can be typed', () => {
  expect(withValues(withParameter('SELECT 10 -$n AS x', 'n', '-5'))).toContain('SELECT 10 -(-5) AS x')
  const half = withParameter('SELECT $name', 'name', 'Sha ')
  expect(parametersOf(half)).toEqual([{ name: 'name', value: 'Sha ' }])
  expect(withValues(withParameter(half, 'name', 'Sha Tin'))).toContain("SELECT 'Sha Tin'")
})

test('a value of several lines stays on one, and one that is empty leaves its name', () => {
  const sql = withParameter('SELECT $a', 'a', 'x\ny')
  expect(sql).toBe('-- $a = x y\nSELECT $a')
  expect(withValues(withParameter('SELECT $a', 'a', ''))).toBe('-- $a = \nSELECT $a')
})
