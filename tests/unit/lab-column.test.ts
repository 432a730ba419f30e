import { expect, test } from 'vitest'
import type { LabPlan } from '../../analytics/lab-api.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH } from '../support/lab-page.ts'

/** Stakes by a column of the reader's own file, whose numbers are loaded beside the bets. */

const RACES = [1, 2, 3, 4, 5].map((race) => `HKSHT202601040${race}`)

async function labOf(): Promise<Lab> {
  const lab = new Lab()
  await lab.begin('starters')
  const each = (value: number): number[] => RACES.map(() => value)
  await lab.add(
    pageOf({
      horse_no: each(4),
      model_rank: each(1),
      race_id: RACES,
      day: RACES.map(() => '2026-01-04'),
      meeting: RACES.map(() => '2026-01-04/1'),
      race_no: [1, 2, 3, 4, 5],
      outcome: ['hit', 'miss', 'miss', 'miss', 'hit'],
      probability: each(0.25),
      market_probability: each(0.2),
      win_odds: each(3),
      opening_odds: each(3),
      late_odds: each(3),
      profit_cents: [2000, -1000, -1000, -1000, 2000],
    }),
  )
  await lab.ready()
  return lab
}

const byColumn = (column: string, each = 100): LabPlan => ({
  ...TEN_ON_EACH,
  plan: { ...TEN_ON_EACH.plan, rule: { kind: 'column', column, each } },
})
const points = (values: (number | null)[], races = RACES) => pageOf({ race_id: races, own_2_value: values })

test('the column’s number is the stake; bets without one above 0 are counted by what the column has', async () => {
  const lab = await labOf()
  await lab.beginAmounts('own_2')
  await lab.addAmounts('own_2', points([50, null, -20, 0, 25]))
  const result = await lab.run(byColumn('own_2'))
  // HK$50 wins HK$100; HK$25 is HK$20 in whole units and wins HK$40.
  expect(result).toMatchObject({ bets: 2, staked: 7000, profit: 14_000 })
  expect(result.column).toEqual({ missing: 1, negative: 1, zero: 1 })
  expect(result.unstaked).toEqual({ unwanted: 3, rounded: 0 })
  // HK$10 for each point.
  expect(await lab.run(byColumn('own_2', 1000))).toMatchObject({ staked: 75_000 })
  const { other } = await lab.compare(byColumn('own_2', 200))
  expect(other).toMatchObject({ staked: 15_000 })
  expect((await lab.run(TEN_ON_EACH)).column).toBeNull()
})

test('bets that the rules leave out are not counted as without a number', async () => {
  const lab = await labOf()
  await lab.beginAmounts('own_2')
  await lab.addAmounts('own_2', points([50, null, -20, 0, 25]))
  const rules = { ...TEN_ON_EACH.rules, minOdds: 9 }
  expect((await lab.run({ ...byColumn('own_2'), rules })).column).toEqual({
    missing: 0,
    negative: 0,
    zero: 0,
  })
})

test('without its numbers nothing is staked by a column, and those of other rows are refused', async () => {
  const lab = await labOf()
  await expect(lab.run(byColumn('own_1'))).rejects.toThrow('own-needed')
  await lab.beginAmounts('own_2')
  await expect(lab.addAmounts('own_2', points([1, 2, 3, 4, 5], RACES.toReversed()))).rejects.toThrow('busy')
})

test('a column that is read again replaces what was read of it', async () => {
  const lab = await labOf()
  for (const stake of [20, 30]) {
    await lab.beginAmounts('own_2')
    await lab.addAmounts('own_2', points(RACES.map(() => stake)))
    expect((await lab.run(byColumn('own_2'))).staked).toBe(5 * stake * 100)
  }
})
