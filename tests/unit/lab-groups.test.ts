import { beforeEach, expect, test } from 'vitest'
import { ANY_BET, chooseBets } from '../../domain/bet-table.ts'
import { groupStakes } from '../../domain/staking-groups.ts'
import { LEVEL_TEN, runStakes, type UnknownBets } from '../../domain/staking.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH } from '../support/lab-page.ts'
import { tableOf, writtenBet, type WrittenBet } from '../support/reference-staking.ts'

/** The lab's bets by the values of a dimension. */

const won = (profit: number | null, over: Partial<WrittenBet>): WrittenBet =>
  writtenBet({ outcome: 'hit', profit, ...over })

/** The groups of bets that are staked HK$10 each, by the numbers of the bets. */
function grouped(list: readonly WrittenBet[], groupsOf: (bet: number) => number[]) {
  const table = tableOf(list, ['2026-01-03', '2026-01-07'])
  const staked = (unknown: UnknownBets) =>
    runStakes(table, chooseBets(table, ANY_BET), ANY_BET, LEVEL_TEN, { unknown, detail: true })
  return groupStakes(table, groupsOf, { out: staked('out'), worst: staked('worst'), best: staked('best') })
}

test('bets add up within their groups, with the return’s interval by meeting; void ones count for nothing', () => {
  const list = [
    won(2500, { meeting: 0 }),
    writtenBet({ meeting: 0, race: 1 }),
    writtenBet({ meeting: 1, outcome: 'void', profit: 0 }),
    writtenBet({ meeting: 1, race: 1 }),
    won(500, { meeting: 1, race: 2 }),
  ]
  const groups = grouped(list, (bet) => (bet === 2 ? [9] : [bet % 2]))
  // The first and the last bet win 25 and 5; the second and the fourth lose 10 each.
  expect([...groups.keys()]).toEqual([0, 1])
  expect(groups.get(0)).toMatchObject({
    bets: 2,
    hits: 2,
    staked: 2000,
    profit: 3000,
    certain: true,
    bounds: null,
  })
  expect(groups.get(1)).toMatchObject({ bets: 2, hits: 0, staked: 2000, profit: -2000 })
  const { ratio, interval } = groups.get(0)!.returned!
  expect(ratio).toBe(1.5)
  // Two meetings of 2.5 and 0.5 on a stake of 1 each: the standard error of their mean is 1.
  expect(interval!.high - ratio).toBeCloseTo(1.96, 3)
})

test('a bet counts in each of its groups, and twice in one that it names twice', () => {
  const groups = grouped([won(2500, {}), writtenBet({ race: 1 })], (bet) => (bet === 0 ? [0, 1] : [1, 1]))
  expect(groups.get(0)).toMatchObject({ bets: 1, staked: 1000, profit: 2500 })
  expect(groups.get(1)).toMatchObject({ bets: 3, hits: 1, staked: 3000, profit: 500 })
})

test('a group with winners of unknown dividend has bounds, and the others have their figures', () => {
  const list = [
    won(null, { market: 0.2 }),
    writtenBet({ race: 1, profit: null }),
    writtenBet({ race: 2 }),
    won(2500, { race: 3 }),
  ]
  const groups = grouped(list, (bet) => [bet < 3 ? 0 : 1])
  // At worst 0, −10 and −10 on 30; at best the winner is paid 1 ÷ 0.2, and the unknown loser is left out.
  expect(groups.get(0)).toMatchObject({
    bets: 1,
    unknown: 2,
    unknownHits: 1,
    certain: false,
    bounds: { profit: { low: -2000, high: 3000 }, returned: { low: -2 / 3, high: 1.5 } },
  })
  expect(groups.get(1)).toMatchObject({ certain: true, profit: 2500, bounds: null })
})

/** Two quinellas of two races: 1-2 lost, 2-3 paid HK$55. */
let lab: Lab

beforeEach(async () => {
  lab = new Lab()
  await lab.begin('kept')
  await lab.add(
    pageOf({
      combination: ['1-2', '2-3'],
      rank: [1, 1],
      bet_type: [3, 3],
      race_id: ['HKSHT2026010401', 'HKSHT2026010402'],
      day: ['2026-01-04', '2026-01-04'],
      meeting: ['2026-01-04/1', '2026-01-04/1'],
      race_no: [1, 2],
      outcome: ['miss', 'hit'],
      probability: [0.1, 0.1],
      market_probability: [0.1, 0.1],
      win_odds: [null, null],
      opening_odds: [null, null],
      late_odds: [null, null],
      profit_cents: [-1000, 4500],
    }),
  )
  await lab.ready()
  await lab.run(TEN_ON_EACH)
})

test('a combination counts once for each of its horses; one that is unknown in the race is left out', async () => {
  await lab.beginValues('jockey', 'horses', null)
  await lab.addValues(
    pageOf({
      race_id: ['HKSHT2026010401', 'HKSHT2026010401', 'HKSHT2026010402'],
      horse_no: [1, 2, 2],
      jockey: [7, 8, 7],
      jockey_en: ['Z Purton', 'H Bowman', 'Z Purton'],
    }),
  )
  const groups = await lab.groups()
  expect(groups.map(({ value, bets, profit }) => [value, bets, profit])).toEqual([
    [{ jockey: 7, jockey_en: 'Z Purton' }, 2, 3500],
    [{ jockey: 8, jockey_en: 'H Bowman' }, 1, -1000],
  ])
})

test('numbers are in the bands of SQL: 0.1 in single precision is not below 0.1', async () => {
  await lab.beginValues('probability', 'rows', [0, 0.06, 0.1])
  await lab.addValues(
    pageOf({
      race_id: ['HKSHT2026010401', 'HKSHT2026010402'],
      probability: [Math.fround(0.06), 0.0999],
    }),
  )
  expect((await lab.groups()).map(({ value, bets }) => [value['probability'], bets])).toEqual([[0.06, 2]])
})

test('values of other rows than those of the bets are refused', async () => {
  await lab.beginValues('going', 'rows', null)
  await expect(
    lab.addValues(pageOf({ race_id: ['HKSHT2026010402', 'HKSHT2026010401'], going: ['good', 'good'] })),
  ).rejects.toMatchObject({ code: 'busy' })
})
