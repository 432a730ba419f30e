import { expect, test } from 'vitest'
import { groupsOf } from '../../workers/own/breakdown.ts'

const row = (part: string | null, starters: number, low: number | null = null) => ({
  part,
  meeting_key: 1,
  starters,
  winners: 1,
  low,
  high: low,
  expected: 1,
  unpriced: 0,
  profit: 0,
  staked: 0,
})

test('starters without a value are a group of their own, after all others', () => {
  const numbers = groupsOf([row(null, 9), row('1', 2, 5), row('0', 3, 1), row(null, 1)], true)
  expect(numbers.map(({ label, starters, from }) => [label, starters, from])).toEqual([
    ['0', 3, 1],
    ['1', 2, 5],
    [null, 10, null],
  ])
  const texts = groupsOf(
    [row(null, 99), ...Array.from({ length: 20 }, (_, at) => row(`text ${at}`, at))],
    false,
  )
  expect(texts).toHaveLength(13)
  expect(texts.at(-1)).toMatchObject({ label: null, starters: 99 })
})
