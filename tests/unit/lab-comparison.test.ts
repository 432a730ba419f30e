import { expect, test } from 'vitest'
import { ANY_BET } from '../../domain/bet-table.ts'
import { LEVEL_TEN, type StakePlan } from '../../domain/staking.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH } from '../support/lab-page.ts'

/** Two plans of the lab over the same bets. */

const DAYS = ['2026-01-04', '2026-01-04', '2026-01-07', '2026-01-07']

/** Two bets on each of two days: one at odds of 3 that pays HK$35 or loses, and one at odds of 2 that loses or pays HK$15. */
async function labOf(firstProfit: number | null): Promise<Lab> {
  const lab = new Lab()
  await lab.begin('kept')
  const each = (value: number): number[] => DAYS.map(() => value)
  await lab.add(
    pageOf({
      combination: DAYS.map(() => '1'),
      rank: each(1),
      bet_type: each(1),
      race_id: DAYS.map((day, at) => `HKSHT${day.replaceAll('-', '')}0${(at % 2) + 1}`),
      day: DAYS,
      meeting: DAYS.map((day) => `${day}/1`),
      race_no: DAYS.map((_, at) => (at % 2) + 1),
      outcome: ['hit', 'miss', 'miss', 'hit'],
      probability: each(0.25),
      market_probability: each(0.2),
      win_odds: [3, 2, 3, 2],
      opening_odds: [3, 2, 3, 2],
      late_odds: [3, 2, 3, 2],
      profit_cents: [firstProfit, -1000, -1000, 500],
    }),
  )
  await lab.ready()
  await lab.run(TEN_ON_EACH)
  return lab
}

const TWENTY: StakePlan = { ...LEVEL_TEN, rule: { kind: 'level', stake: 2000 } }

test('the difference of profit and return, with its interval by meeting, and how many bets are the same', async () => {
  const lab = await labOf(2500)
  const { other, common, difference } = await lab.compare({
    ...TEN_ON_EACH,
    rules: { ...ANY_BET, minOdds: 2.5 },
    plan: TWENTY,
  })
  expect(other).toMatchObject({ bets: 2, hits: 1, staked: 4000, profit: 3000, certain: true })
  expect(other.curve).toEqual({ days: ['2026-01-04', '2026-01-07'], profits: [5000, 3000] })
  expect(common).toBe(2)
  // 10 on 40 against 30 on 40: a quarter less three quarters.
  expect(difference.profit).toEqual({ low: -2000, high: -2000 })
  const { value, interval } = difference.returned!
  expect(value).toEqual({ low: -0.5, high: -0.5 })
  // Residuals of the meetings: 0.25 − 0.875 and their opposites, so that the standard error is 0.625 × 2.
  expect(interval!.low).toBeCloseTo(-0.5 - 1.959964 * 1.25, 5)
  expect(interval!.high).toBeCloseTo(-0.5 + 1.959964 * 1.25, 5)
})

test('a plan is no better than itself', async () => {
  const { common, difference } = await (await labOf(2500)).compare(TEN_ON_EACH)
  expect(common).toBe(4)
  expect(difference).toEqual({
    profit: { low: 0, high: 0 },
    returned: { value: { low: 0, high: 0 }, interval: { low: 0, high: 0 } },
  })
})

test('a winner without a dividend leaves both ends of the difference, of the same assumption for both plans', async () => {
  const lab = await labOf(null)
  const { other, difference } = await lab.compare({
    ...TEN_ON_EACH,
    rules: { ...ANY_BET, minOdds: 2.5 },
    plan: TWENTY,
  })
  expect(other.certain).toBe(false)
  // At worst −15 and −20 on 40 each, at best, when the winner pays 1 ÷ 0.2, 25 and 60.
  expect(difference.profit).toEqual({ low: -3500, high: 500 })
  expect(difference.returned).toEqual({ value: { low: -0.875, high: 0.125 }, interval: null })
})

test('no return is compared with that of a plan that stakes nothing', async () => {
  const { other, difference } = await (
    await labOf(2500)
  ).compare({ ...TEN_ON_EACH, rules: { ...ANY_BET, minOdds: 9 }, plan: TWENTY })
  expect(other).toMatchObject({ bets: 0, returned: null })
  expect(difference).toEqual({ profit: { low: 1000, high: 1000 }, returned: null })
})
