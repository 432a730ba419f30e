import { describe, expect, test } from 'vitest'
import { drawGroup, recordBy } from '../../domain/horse-record.ts'

const run = (stadium: string | null, place: string | null, started = true) => ({ stadium, place, started })

describe('a horse’s record', () => {
  test('counts firsts, seconds and thirds of its starts, most starts first', () => {
    const lines = recordBy(
      [run('ST', '1'), run('HV', '3'), run('HV', '2'), run('HV', '9'), run('HV', '1'), run('ST', '12')],
      ({ stadium }) => stadium,
    )
    expect(lines).toEqual([
      { key: 'HV', starts: 4, first: 1, second: 1, third: 1, winRate: 0.25, topThreeRate: 0.75 },
      { key: 'ST', starts: 2, first: 1, second: 0, third: 0, winRate: 0.5, topThreeRate: 0.5 },
    ])
  })

  test('a start that did not finish is a start; a withdrawal is none; what is unknown is in no line', () => {
    const lines = recordBy(
      [run('HV', 'PU'), run('HV', 'WV-A', false), run(null, '1'), run('HV', null), run('ST', 'WV', false)],
      ({ stadium }) => stadium,
    )
    expect(lines).toEqual([
      { key: 'HV', starts: 2, first: 0, second: 0, third: 0, winRate: 0, topThreeRate: 0 },
    ])
  })

  test('nothing run is an empty record', () => {
    expect(recordBy([], () => 'HV')).toEqual([])
  })

  test('draws are counted in fours', () => {
    expect([1, 4, 5, 12, 13, 24].map(drawGroup)).toEqual([0, 0, 1, 2, 3, 3])
    expect([null, 0].map(drawGroup)).toEqual([null, null])
  })
})
