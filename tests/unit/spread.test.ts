import { describe, expect, test } from 'vitest'
import { makeFormat } from '../../src/i18n/format.ts'
import { spreadOfDays, type ShowFigure } from '../../src/workspace/query/spread.ts'
import { figureText } from '../../src/workspace/words/measure-text.ts'
import { dayMeasuresOf } from '../support/day-measures.ts'

const format = makeFormat('en')
const show: ShowFigure = (measure, value) => figureText(format, measure, value)

test('bands of a count are whole numbers, and none is empty for being between two', () => {
  const days = [8, 9, 9, 10, 11, 11, 11].map((races) => ({ races }))
  const spread = spreadOfDays(days, { subject: 'races', measure: 'count' }, show)
  expect(spread?.bands.map(({ from, count }) => [from, count])).toEqual([
    [8, 1],
    [9, 2],
    [10, 1],
    [11, 3],
  ])
  const one = spreadOfDays([{ races: 1 }], { subject: 'races', measure: 'count' }, show)
  expect(one?.bands).toEqual([{ from: 1, to: 2, count: 1 }])
})

describe.each(['predictions', 'runners', 'races'] as const)('%s', (subject) => {
  const isCount = (measure: string): boolean => measure === 'count' || measure.endsWith('_sections')
  test.each(dayMeasuresOf(subject, [{ dim: 'bet_type', in: [1] }]).rolled)(
    'no two edges of the bands of %s are told alike',
    (measure) => {
      for (const size of [1, 0.1, 0.01, 0.001, 0.0001]) {
        const values = [2, 2, 2.1, 3.4, 5.9].map((value) =>
          isCount(measure) ? Math.round(value) : value * size,
        )
        const name = measure === 'count' ? subject : measure
        const days = values.map((value) => ({
          [name]: value,
          staked: 1000,
          place_staked: 1000,
          favourite_staked: 1000,
          random_staked: 1000,
        }))
        const { bands } = spreadOfDays(days, { subject, measure }, show)!
        const edges = [...bands.map(({ from }) => from), bands.at(-1)!.to]
        expect(new Set(edges.map((edge) => figureText(format, measure, edge))).size).toBe(edges.length)
        expect(bands.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      }
    },
  )
})
