import { expect, test } from 'vitest'
import {
  columnNames,
  distinctNames,
  guessRoles,
  hasKeys,
  isCounterName,
} from '../../domain/reading/own-columns.ts'
import { guessKinds, type GuessedKind } from '../../domain/reading/guess-kind.ts'

const OPTIONS = { timeZone: 'Asia/Hong_Kong', chosen: null, likely: '.' } as const
/** The kind of a column by its cells alone. */
function guessKind(sample: readonly string[], name = 'x'): Partial<GuessedKind> {
  const { timeZone: _zone, ...kind } = guessKinds([{ name, sample }], OPTIONS).kinds[0]! as GuessedKind & {
    timeZone?: string
  }
  return kind
}

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
  expect(guessKind(dates)).toEqual({ kind: 'date', order: 'dmy', serial: false })
  expect(guessKind(['22/11/2026', '3/4/2026'])).toMatchObject({ kind: 'date', order: 'dmy' })
  expect(guessKind(['11/22/2026', '3/4/2026'])).toMatchObject({ kind: 'date', order: 'mdy' })
  expect(guessKind(['20261122'])).toMatchObject({ kind: 'date' })
  expect(guessKind(['1', '-2.5', '.5', '1e-3', 'n/a', '-'])).toEqual({
    kind: 'number',
    decimal: '.',
    odds: false,
  })
  expect(guessKind(['12.5%', '3%'])).toMatchObject({ kind: 'number', decimal: '.' })
  expect(guessKind(['0,25', '1'])).toMatchObject({ kind: 'number', decimal: ',' })
  const mostly = [...Array.from({ length: 95 }, () => '7'), ...Array.from({ length: 5 }, () => 'scratched')]
  expect(guessKind(mostly).kind).toBe('number')
  expect(guessKind(mostly.slice(1)).kind).toBe('text')
  expect(guessKind([])).toEqual({ kind: 'text' })
})

test('what may be something else is a day or odds only under such a name', () => {
  const runs = ['10-9-10', '12-11-12', '1-2-11']
  expect(guessKind(runs).kind).toBe('text')
  expect(guessKind(runs, 'date').kind).toBe('date')
  expect(guessKind(['45543', '45544']).kind).toBe('number')
  expect(guessKind(['45543', '45544'], 'Race date').kind).toBe('date')
  expect(guessKind(['5/2', '7/4']).kind).toBe('text')
  expect(guessKind(['5/2', '7/4'], 'SP').kind).toBe('number')
})

test('numbers that can be read with either sign take the sign that the file proves', () => {
  const guess = (chosen: '.' | ',' | null, ...samples: string[][]) => {
    const { kinds, sign } = guessKinds(
      samples.map((sample) => ({ name: 'x', sample })),
      { ...OPTIONS, chosen },
    )
    return [
      ...kinds.map((kind) => (kind.kind === 'number' ? kind.decimal : kind.kind)),
      sign.by,
      sign.example,
    ]
  }
  expect(guess(null, ['2,289'], ['0.5'])).toEqual(['.', '.', 'proved', '2,289'])
  expect(guess(null, ['2.289'], ['0,5'])).toEqual([',', ',', 'proved', '2.289'])
  expect(guess(null, ['2,289'], ['7'])).toEqual(['.', '.', 'assumed', '2,289'])
  expect(guess(',', ['2,289'], ['7'])).toEqual([',', ',', 'chosen', '2,289'])
  // A column that proves its own sign keeps it.
  expect(guess(',', ['2,289', '1,234.5'])).toEqual(['.', 'chosen', null])
  expect(guess(null, ['0,5'], ['0.5'], ['2,289'])).toEqual([',', '.', '.', 'assumed', '2,289'])
})

test('names of a header are made distinct, and names of counters are known', () => {
  expect(distinctNames(['pay', 'Pay ', '', 'pay 2', ''])).toEqual([
    'pay',
    'Pay 2',
    'column 3',
    'pay 2 2',
    'column 5',
  ])
  expect(['Unnamed: 0', 'index', 'level_0', '', 'row_id'].every(isCounterName)).toBe(true)
  expect(['figure', 'race_no', 'no', 'indexed'].some(isCounterName)).toBe(false)
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
