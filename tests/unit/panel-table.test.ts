import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import {
  figuresIn,
  groupColumns,
  pivotColumns,
  rollingColumns,
  tableFile,
} from '../../src/workspace/files/panel-table.ts'

const rowsOf = async (...[columns]: [Parameters<typeof tableFile>[0]]) =>
  parquetReadObjects({ file: await tableFile(columns, 'parquet').arrayBuffer() })
const linesOf = async (...[columns]: [Parameters<typeof tableFile>[0]]) => {
  // Reading it as text takes the byte order mark away.
  return (await tableFile(columns, 'csv').text()).trim().split('\r\n')
}
const sums = { predictions: 10, hits: 3, voids: 0, unknown: 0, unknown_hits: 0, staked: 10_000 }
const nameOf = (measure: string): string => `the ${measure}`

test('groups are a row each, amounts in dollars; a figure that may not be stated is left out', async () => {
  const rows = [
    { ...sums, going: '=good', return: -0.125, profit: -1250 },
    // Most of its winners have no dividend.
    { ...sums, going: 'soft, wet', return: 4, profit: 40_000, unknown: 2, unknown_hits: 2 },
  ]
  const columns = groupColumns(
    rows,
    [{ name: 'Going', kind: 'text', valueOf: ({ going }) => String(going) }],
    {
      subject: 'predictions',
      measures: ['count', 'return', 'profit'],
      nameOf,
    },
  )
  expect(await linesOf(columns)).toEqual([
    'Going,the count,the return,the profit',
    "'=good,10,-0.125,-12.5",
    '"soft, wet",10,,',
  ])
  expect(await rowsOf(columns)).toEqual([
    { Going: '=good', 'the count': 10, 'the return': -0.125, 'the profit': -12.5 },
    { Going: 'soft, wet', 'the count': 10, 'the return': null, 'the profit': null },
  ])
})

test('days are dates of a Parquet file', async () => {
  const points = [{ day: '2024-09-08', value: 0.5, standard: 0.25, bets: 4 }]
  const names = { day: 'Day', value: 'Hit rate', standard: 'Chance', bets: 'Bets' }
  const columns = rollingColumns(points, figuresIn('predictions', 'hit_rate'), names)
  expect(await linesOf(columns)).toEqual(['Day,Hit rate,Chance,Bets', '2024-09-08,0.5,0.25,4'])
  const [row] = await rowsOf(columns)
  expect(row!['Day']).toEqual(new Date('2024-09-08T00:00:00Z'))
})

test('parts of a pivot’s lines follow them; columns of one name are told apart in a Parquet file', async () => {
  const side = (text: string, count: number) => ({ text, row: { ...sums, predictions: count } })
  const whole = side('1', 10)
  const columns = pivotColumns(
    {
      lines: [
        { ...whole, whole: null },
        { ...side('good', 4), whole },
      ],
      columns: [side('A', 7), side('A', 3)],
      cellOf: (line, column) => (line.whole && column.row.predictions === 3 ? undefined : column.row),
      all: { ...sums, predictions: 10 },
    },
    {
      subject: 'predictions',
      measures: ['count'],
      nameOf,
      down: 'Draw',
      across: 'Course',
      within: 'Going',
      total: 'Total',
    },
  )
  expect(await linesOf(columns)).toEqual([
    'Draw,Going,Total: the count,Course A: the count,Course A: the count',
    '1,Total,10,7,3',
    '1,good,4,7,',
    'Total,Total,10,7,3',
  ])
  expect(Object.keys((await rowsOf(columns))[0]!)).toEqual([
    'Draw',
    'Going',
    'Total: the count',
    'Course A: the count',
    'Course A: the count (2)',
  ])
})
