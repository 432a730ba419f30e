import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANY_BET, chooseBets, type BetRules } from '../../domain/bet-table.ts'
import { kellyShares } from '../../domain/kelly.ts'
import { canStake, kellyTable, LEVEL_TEN, runStakes, type StakePlan } from '../../domain/staking.ts'
import {
  kellyOfOne,
  stakedByHand,
  tableOf,
  writtenBet,
  type WrittenBet,
} from '../support/reference-staking.ts'

const DAYS = ['2026-01-03', '2026-01-07', '2026-02-01']
const OPENING: Pick<BetRules, 'odds'> = { odds: 'opening' }

const won = (dividend: number, over: Partial<WrittenBet> = {}): WrittenBet =>
  writtenBet({ outcome: 'hit', profit: Math.round(dividend * 1000) - 1000, ...over })

const run = (
  list: readonly WrittenBet[],
  plan: Partial<StakePlan>,
  unknown: 'out' | 'worst' | 'best' = 'out',
) => {
  const table = tableOf(list, DAYS)
  return runStakes(
    table,
    chooseBets(table, ANY_BET),
    OPENING,
    { ...LEVEL_TEN, ...plan },
    { unknown, detail: true },
  )
}

describe('stakes worked out by hand', () => {
  const three = [won(4.5), writtenBet({ race: 1 }), won(2.6, { race: 2, odds: 2.5 })]

  test('level stakes of HK$20: +HK$70, −HK$20, +HK$32', () => {
    expect(run(three, { rule: { kind: 'level', stake: 2000 } })).toMatchObject({
      bets: 3,
      races: 3,
      hits: 2,
      staked: 6000,
      profit: 8200,
      lowest: 0,
      highest: 8200,
    })
  })

  test('a tenth of HK$1,000: 100 wins 350, 130 of 1,350 lost, 120 of 1,220 wins 192', () => {
    const { profit, stakes } = run(three, { rule: { kind: 'share', share: 0.1 }, bankroll: 100_000 })
    expect([...stakes!]).toEqual([10_000, 13_000, 12_000])
    expect(profit).toBe(35_000 - 13_000 + 19_200)
  })

  test('to win HK$90 at odds of 4 takes HK$30, at 2.5 HK$60', () => {
    const { stakes } = run(three, { rule: { kind: 'target', win: 9000 } })
    expect([...stakes!]).toEqual([3000, 3000, 6000])
  })

  test('of HK$5 for each point 40 points are HK$200; no bet is made without a number, below 0 or at 0', () => {
    const list = [40, null, -3, 0, 7.5].map((amount, race) => writtenBet({ amount, race }))
    const { stakes, unwanted, rounded } = run(list, { rule: { kind: 'column', column: 'own_1', each: 500 } })
    expect([...stakes!]).toEqual([20_000, 0, 0, 0, 3000])
    expect({ unwanted, rounded }).toEqual({ unwanted: 3, rounded: 0 })
  })

  test('half Kelly of HK$10,000: (0.3 × 4 − 1) ÷ 3 ÷ 2 is a thirtieth, HK$330 in whole units', () => {
    const { stakes, profit } = run([won(4.5)], {
      rule: { kind: 'kelly', fraction: 0.5 },
      bankroll: 1_000_000,
    })
    expect([...stakes!]).toEqual([33_000])
    expect(profit).toBe(115_500)
  })

  test('the horses of one race share what Kelly would lose', () => {
    // Alone each horse would get a tenth; solved jointly, each gets a fifth.
    const alone = kellyOfOne(0.4, 3)
    const together = kellyShares([0.4, 0.4], [3, 3])
    expect(alone).toBeCloseTo(0.1, 10)
    expect(together[0]).toBeCloseTo(0.2, 10)
    expect(together[1]).toBeCloseTo(0.2, 10)
  })

  test('caps by bet, race and bankroll, and whole units', () => {
    const pair = [writtenBet({ rank: 1 }), writtenBet({ rank: 2 })]
    const level = { rule: { kind: 'level', stake: 5000 } } as const
    expect([...run(pair, { ...level, maxBet: 3000 }).stakes!]).toEqual([3000, 3000])
    expect([...run(pair, { ...level, maxRace: 7000 }).stakes!]).toEqual([3000, 3000])
    expect([...run(pair, { ...level, bankroll: 20_000, maxShare: 0.4 }).stakes!]).toEqual([4000, 4000])
    // Never more than the bankroll.
    expect([...run(pair, { ...level, bankroll: 6000 }).stakes!]).toEqual([3000, 3000])
  })

  test('a bankroll that is gone stakes no more', () => {
    const list = [0, 1, 2].map((meeting) => writtenBet({ meeting }))
    const lost = run(list, { rule: { kind: 'level', stake: 1000 }, bankroll: 2500 })
    expect(lost).toMatchObject({ bets: 2, profit: -2000, lastAt: 1, rounded: 1, roundedLater: 1 })
  })

  test('bets rounded to nothing are counted, apart from those on which the rule stakes nothing', () => {
    const list = [0, 1, 2].flatMap((meeting) => [
      writtenBet({ meeting, rank: 1 }),
      writtenBet({ meeting, rank: 2, odds: meeting === 0 ? null : 101 }),
    ])
    // To win HK$20 at odds of 4 takes HK$6.66 and at 101 HK$0.20: both less than a unit of HK$10.
    expect(run(list, { rule: { kind: 'target', win: 2000 } })).toMatchObject({
      bets: 0,
      rounded: 5,
      unwanted: 1,
      lastAt: null,
      roundedLater: 5,
    })
    // At 4 it takes HK$10: those are placed, and only the later bet of a meeting without a stake would be one.
    expect(run(list, { rule: { kind: 'target', win: 3000 } })).toMatchObject({
      bets: 3,
      rounded: 2,
      unwanted: 1,
      lastAt: 2,
      roundedLater: 0,
    })
    const kelly = run([writtenBet({ odds: 2 })], { rule: { kind: 'kelly', fraction: 1 }, bankroll: 100_000 })
    expect(kelly).toMatchObject({ bets: 0, rounded: 0, unwanted: 1, roundedLater: 0 })
  })

  test.each([
    ['2% of less than HK$500', { rule: { kind: 'share', share: 0.02 } }, 49_999, 50_000],
    [
      'the same, with at most 1% on a race',
      { rule: { kind: 'share', share: 0.02 }, maxShare: 0.01 },
      99_999,
      100_000,
    ],
    // (0.3 × 4 − 1) ÷ 3 ÷ 4 is a sixtieth.
    ['a quarter of Kelly', { rule: { kind: 'kelly', fraction: 0.25 } }, 59_999, 60_000],
    ['level stakes', { rule: { kind: 'level', stake: 5000 } }, 999, 1000],
    [
      'level stakes of at most a tenth',
      { rule: { kind: 'level', stake: 5000 }, maxShare: 0.1 },
      9999,
      10_000,
    ],
  ] as const)('a plan can no longer stake: %s', (_name, plan, dead, alive) => {
    const table = tableOf([writtenBet()], DAYS)
    const chosen = chooseBets(table, ANY_BET)
    const whole: StakePlan = { ...LEVEL_TEN, bankroll: 1_000_000, ...plan }
    const kelly = kellyTable(table, chosen, OPENING)
    const can = (left: number): boolean => canStake(table, chosen, OPENING, whole, left, kelly)
    expect([can(dead), can(alive)]).toEqual([false, true])
  })

  test('no bet at all, or one on which the rule stakes nothing, cannot be staked at any size', () => {
    const table = tableOf([writtenBet({ odds: 2 })], DAYS)
    const plan: StakePlan = { ...LEVEL_TEN, bankroll: 1_000_000, rule: { kind: 'kelly', fraction: 1 } }
    const can = (chosen: Uint8Array): boolean =>
      canStake(table, chosen, OPENING, plan, 100_000_000_000, kellyTable(table, chosen, OPENING))
    expect([can(Uint8Array.of(0)), can(Uint8Array.of(1))]).toEqual([false, false])
  })

  test('commission, rebate, and what the own stake takes off the dividend', () => {
    const level = { rule: { kind: 'level', stake: 10_000 } } as const
    expect(run([won(5)], { ...level, commission: 500 }).profit).toBe(38_000)
    expect(run([writtenBet()], { ...level, rebate: 1000 }).profit).toBe(-9000)
    expect(run([writtenBet()], { ...level, rebate: 1000, rebateFrom: 10_000 }).profit).toBe(-9000)
    expect(run([writtenBet()], { ...level, rebate: 1000, rebateFrom: 10_001 }).profit).toBe(-10_000)
    // A pool of HK$10,000 at odds of 4 has 0.825 × 10,000 ÷ 4 = HK$2,062.50 on the horse; HK$100 more in both pay 4 ×
    // (10,100 ÷ 10,000) × (2,062.50 ÷ 2,162.50) = 3.853179…
    expect(run([won(4)], { ...level, pool: 1_000_000 }).profit).toBe(28_532)
  })

  test('a tenth of HK$120,000: of 12,000 and 10,920 a tenth comes back, of 9,930 nothing, below 10,000', () => {
    const list = [0, 1, 2].map((race) => writtenBet({ race }))
    const { profit, profits } = run(list, {
      rule: { kind: 'share', share: 0.1 },
      bankroll: 12_000_000,
      rebate: 1000,
      rebateFrom: 1_000_000,
    })
    expect([...profits!]).toEqual([-1_080_000, -982_800, -993_000])
    expect(profit).toBe(-3_055_800)
  })

  test('void bets come back, unknown dividends are bounded', () => {
    const list = [
      writtenBet({ outcome: 'void', profit: 0 }),
      writtenBet({ race: 1, outcome: 'hit', profit: null, market: 0.2 }),
      writtenBet({ race: 2, outcome: 'miss', profit: null }),
    ]
    expect(run(list, {})).toMatchObject({ bets: 0, staked: 0, profit: 0, unknown: 2, unknownHits: 1 })
    expect(run(list, {}, 'worst')).toMatchObject({ bets: 2, staked: 2000, profit: -1000 })
    expect(run(list, {}, 'best')).toMatchObject({ bets: 1, staked: 1000, profit: 4000, unknown: 1 })
  })
})

const written = fc
  .record({
    probability: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
    market: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
    odds: fc.option(
      fc.integer({ min: 11, max: 900 }).map((tenths) => tenths / 10),
      { freq: 8 },
    ),
    outcome: fc.constantFrom('hit' as const, 'miss' as const, 'miss' as const, 'void' as const),
    dividend: fc.option(fc.integer({ min: 105, max: 9000 }), { freq: 8 }),
    win: fc.boolean(),
    amount: fc.option(
      fc.integer({ min: -50, max: 400 }).map((halves) => halves / 2),
      { freq: 8 },
    ),
  })
  .map(({ dividend, outcome, odds, ...rest }) => ({
    ...rest,
    outcome,
    odds,
    finalOdds: odds,
    profit:
      outcome === 'void' ? 0 : dividend === null ? null : outcome === 'hit' ? dividend * 10 - 1000 : -1000,
    rank: 1,
  }))

/** Races with up to `most` bets each, over three meetings. */
const lists = (most: number): fc.Arbitrary<WrittenBet[]> =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.array(written, { minLength: 1, maxLength: most })), {
      maxLength: 14,
    })
    .map((races) =>
      races
        .toSorted(([a], [b]) => a - b)
        .flatMap(([meeting, list], race) => list.map((each) => ({ ...each, meeting, race }))),
    )

const cents = (min: number, max: number): fc.Arbitrary<number | null> => fc.option(fc.integer({ min, max }))
const plans = (kinds: readonly StakePlan['rule'][]): fc.Arbitrary<StakePlan> =>
  fc.record({
    rule: fc.constantFrom(...kinds),
    bankroll: fc.integer({ min: 0, max: 3_000_000 }),
    maxBet: cents(500, 60_000),
    maxRace: cents(500, 90_000),
    maxShare: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
    unit: fc.constantFrom(100, 1000),
    commission: fc.constantFrom(0, 200, 525),
    rebate: fc.constantFrom(0, 1000),
    rebateFrom: fc.constantFrom(0, 20_000),
    pool: fc.option(fc.integer({ min: 1_000_000, max: 900_000_000 })),
    takeout: fc.constantFrom(0.175, 0.2),
  })

const RULES: Record<string, { rules: StakePlan['rule'][]; bets: number }> = {
  level: {
    rules: [
      { kind: 'level', stake: 1000 },
      { kind: 'level', stake: 12_345 },
    ],
    bets: 5,
  },
  share: {
    rules: [
      { kind: 'share', share: 0.02 },
      { kind: 'share', share: 0.5 },
    ],
    bets: 5,
  },
  target: {
    rules: [
      { kind: 'target', win: 10_000 },
      { kind: 'target', win: 33_333 },
    ],
    bets: 5,
  },
  column: {
    rules: [
      { kind: 'column', column: 'own_1', each: 100 },
      { kind: 'column', column: 'own_2', each: 1234 },
    ],
    bets: 5,
  },
  // Kelly's closed form is for one horse; several horses are checked against a numerical optimum below.
  kelly: {
    rules: [
      { kind: 'kelly', fraction: 1 },
      { kind: 'kelly', fraction: 0.25 },
    ],
    bets: 1,
  },
}

describe('1,000 generated bet lists against a separately written program, to the cent', () => {
  test.each(Object.keys(RULES))('%s', (name) => {
    const { rules, bets } = RULES[name]!
    let settled = 0
    fc.assert(
      fc.property(
        lists(bets),
        plans(rules),
        fc.constantFrom('out' as const, 'worst' as const, 'best' as const),
        (list, plan, unknown) => {
          const table = tableOf(list, DAYS)
          const found = runStakes(table, chooseBets(table, ANY_BET), OPENING, plan, { unknown })
          const { staked, profit, bets: count, unknown: left } = stakedByHand(list, plan, unknown)
          expect({
            staked: found.staked,
            profit: found.profit,
            bets: found.bets,
            unknown: found.unknown,
          }).toEqual({
            staked,
            profit,
            bets: count,
            unknown: left,
          })
          expect(found.profitAt.reduce((sum, each) => sum + each, 0)).toBe(profit)
          settled += count
        },
      ),
      { numRuns: 1000 },
    )
    // The generator creates bets that are settled, not only empty races.
    expect(settled).toBeGreaterThan(500)
  })
})

/** Expected logarithm of wealth when shares of it are staked on the horses of one race. */
function growth(
  shares: readonly number[],
  probabilities: readonly number[],
  odds: readonly number[],
): number {
  const unstaked = 1 - shares.reduce((sum, each) => sum + each, 0)
  const none = 1 - probabilities.reduce((sum, each) => sum + each, 0)
  return (
    probabilities.reduce((sum, p, at) => sum + p * Math.log(unstaked + shares[at]! * odds[at]!), 0) +
    (none > 1e-12 ? none * Math.log(unstaked) : 0)
  )
}

test('several horses of a race: no small change of the stakes grows faster, and a climb finds nothing better', () => {
  const field = fc
    .array(
      fc.record({
        weight: fc.double({ min: 0.02, max: 1, noNaN: true }),
        edge: fc.double({ min: 0.5, max: 1.6, noNaN: true }),
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .chain((horses) => fc.tuple(fc.constant(horses), fc.double({ min: 0.1, max: 1, noNaN: true })))
  let backed = 0
  fc.assert(
    fc.property(field, ([horses, rest]) => {
      const total = horses.reduce((sum, { weight }) => sum + weight, rest)
      const probabilities = horses.map(({ weight }) => weight / total)
      // Odds of a market that keeps a sixth, wrong by each horse's edge.
      const odds = horses.map(({ edge }, at) => Math.max(1.01, (edge * 0.83) / probabilities[at]!))
      const shares = kellyShares(probabilities, odds)
      if (shares.some((share) => share > 0)) backed += 1
      expect(shares.every((share) => share >= 0)).toBe(true)
      const best = growth(shares, probabilities, odds)
      // Coordinate ascent from zero with decreasing steps.
      let climbed = horses.map(() => 0)
      let value = 0
      for (let step = 0.1; step > 1e-6; step /= 2)
        for (let moved = true; moved;) {
          moved = false
          for (const [at] of climbed.entries())
            for (const by of [step, -step]) {
              const next = climbed.with(at, climbed[at]! + by)
              if (next[at]! < 0 || next.reduce((sum, each) => sum + each, 0) >= 1) continue
              const grown = growth(next, probabilities, odds)
              if (grown > value + 1e-15) {
                climbed = next
                value = grown
                moved = true
              }
            }
        }
      expect(best).toBeGreaterThanOrEqual(value - 1e-9)
    }),
    { numRuns: 300 },
  )
  expect(backed).toBeGreaterThan(50)
})

describe('rules', () => {
  const list = [
    writtenBet({ probability: 0.5, odds: 1.8, finalOdds: 2.2, rank: 1 }),
    writtenBet({ probability: 0.2, odds: 8, finalOdds: 6, rank: 2, market: 0.1 }),
    writtenBet({ probability: 0.1, odds: null, finalOdds: null, rank: 3 }),
    writtenBet({ race: 1, probability: 0.4, odds: 3, finalOdds: 3, rank: 1 }),
    writtenBet({ race: 1, probability: 0.3, odds: 5, finalOdds: 4, rank: 2 }),
  ]
  const chosen = (rules: Partial<BetRules>): number[] => [
    ...chooseBets(tableOf(list, DAYS), { ...ANY_BET, ...rules }),
  ]
  test.each<[string, Partial<BetRules>, number[]]>([
    ['any', {}, [1, 1, 1, 1, 1]],
    ['value of at least 1.15 at final odds', { minValue: 1.15 }, [0, 1, 0, 1, 1]],
    ['the same at opening odds', { minValue: 1.15, odds: 'opening' }, [0, 1, 0, 1, 1]],
    ['value of at most 1.1 leaves unknown odds out', { maxValue: 1.1 }, [1, 0, 0, 0, 0]],
    ['odds from 4', { minOdds: 4 }, [0, 1, 0, 0, 1]],
    ['probability to 0.3', { maxProbability: 0.3 }, [0, 1, 1, 0, 1]],
    ['rank 1', { maxRank: 1 }, [1, 0, 0, 1, 0]],
    ['ten points over the market', { minEdge: 0.1 }, [1, 1, 0, 1, 0]],
    [
      'one a race: most probable where odds are missing, else most value',
      { perRace: 1 },
      [1, 0, 0, 0, 0].map((each, at) => (at === 3 ? 1 : each)),
    ],
    ['three a meeting, the first', { perMeeting: 3 }, [1, 1, 1, 0, 0]],
  ])('%s', (_name, rules, expected) => {
    expect(chosen(rules)).toEqual(expected)
  })
})
