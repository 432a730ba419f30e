import { expect, test } from 'vitest'
import { columnNames, guessKind, guessRoles, hasKeys, nearestKind } from '../../domain/own-columns.ts'

test('columns are known by the names that ratings files use', () => {
  expect(guessRoles(['Race ID', 'No.', 'Rating', 'P(win)'])).toEqual({ raceId: 0, number: 1, probability: 3 })
  expect(guessRoles(['日期', '馬場', '場次', '馬名', '評分', '勝率'])).toEqual({
    date: 0,
    racecourse: 1,
    raceNo: 2,
    horse: 3,
    probability: 5,
  })
  expect(guessRoles(['race_date', 'course', 'race', 'horse_name', 'chance'])).toEqual({
    date: 0,
    racecourse: 1,
    raceNo: 2,
    horse: 3,
    probability: 4,
  })
  expect(hasKeys(guessRoles(['rating', 'comment']))).toBe(false)
  expect(hasKeys({ raceId: 0, horse: 1 })).toBe(true)
  expect(hasKeys({ date: 0, number: 1 })).toBe(false)
})

test('a kind is what nineteen of twenty cells are', () => {
  const dates = ['2026-11-22', '2026-1-9', '']
  expect(guessKind(dates, true)).toEqual({ kind: 'date', form: '%Y-%m-%d' })
  expect(guessKind(['22/11/2026', '3/4/2026'], true)).toEqual({ kind: 'date', form: '%d/%m/%Y' })
  expect(guessKind(['11/22/2026', '3/4/2026'], true)).toEqual({ kind: 'date', form: '%m/%d/%Y' })
  expect(guessKind(['20261122'], true)).toEqual({ kind: 'date', form: '%Y%m%d' })
  expect(guessKind(['1', '-2.5', '.5', '1e-3', 'n/a', '-'], true)).toEqual({ kind: 'number', percent: false })
  expect(guessKind(['12.5%', '3%'], true)).toEqual({ kind: 'number', percent: true })
  expect(guessKind(['0,25', '1'], false)).toEqual({ kind: 'number', comma: true, percent: false })
  expect(guessKind(['0,25', '1'], true)).toEqual({ kind: 'text' })
  const mostly = [...Array.from({ length: 95 }, () => '7'), ...Array.from({ length: 5 }, () => 'scratched')]
  expect(guessKind(mostly, true).kind).toBe('number')
  expect(guessKind(mostly.slice(1), true).kind).toBe('text')
  expect(guessKind([], true)).toEqual({ kind: 'text' })
})

test('names of columns are letters, digits and underscores, each once', () => {
  expect(columnNames(['Win %', 'win', 'Race Key', '評分', '!!'], ['race_key'])).toEqual([
    'win',
    'win_2',
    'race_key_2',
    '評分',
    'column',
  ])
})

test('a column that is not of a wanted type is searched for cells that are not of the nearest one', () => {
  expect(nearestKind(['3/4/2026', 'x', '2026-01-01', ' 22/11/2026 '], 'date', true).form).toBe('%d/%m/%Y')
  expect(nearestKind(['yesterday'], 'date', true)).toEqual({ kind: 'date', form: '%Y-%m-%d' })
  expect(nearestKind(['0,5', 'x'], 'number', false)).toEqual({ kind: 'number', percent: true, comma: true })
})
