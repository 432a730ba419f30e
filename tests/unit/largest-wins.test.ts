import { expect, test } from 'vitest'
import { ANY_BET, chooseBets } from '../../domain/bet-table.ts'
import { withoutLargest, type WithoutLargest } from '../../domain/largest-wins.ts'
import { LEVEL_TEN, runStakes } from '../../domain/staking.ts'
import { tableOf, writtenBet, type WrittenBet } from '../support/reference-staking.ts'

/** HK$10 on each bet; the profits are for that stake. */
function without(list: readonly Partial<WrittenBet>[], wins: number): WithoutLargest | null {
  const table = tableOf(
    list.map((bet, race) => writtenBet({ race, ...bet })),
    ['2026-01-04'],
  )
  const options = { unknown: 'out', detail: true } as const
  return withoutLargest(runStakes(table, chooseBets(table, ANY_BET), ANY_BET, LEVEL_TEN, options), wins)
}

const won = (profit: number | null): Partial<WrittenBet> => ({ outcome: 'hit', profit })

test('the largest wins are left out with their stakes', () => {
  const list = [won(9000), won(500), {}, won(4000), {}]
  expect(without(list, 1)).toEqual({ wins: 1, staked: 4000, profit: 2500 })
  expect(without(list, 2)).toEqual({ wins: 2, staked: 3000, profit: -1500 })
})

test('a void bet, whose stake is returned, and one of unknown dividend do not count', () => {
  const list = [won(9000), won(500), { outcome: 'void', profit: 0 } as const, won(null), {}]
  expect(without(list, 1)).toEqual({ wins: 1, staked: 2000, profit: -500 })
})

test('with no more wins than are left out there is no such result', () => {
  expect(without([won(4000), {}], 1)).toBeNull()
  expect(without([], 3)).toBeNull()
})
