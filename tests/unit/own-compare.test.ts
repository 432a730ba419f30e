import { expect, test } from 'vitest'
import { compareChances, type JudgedStarter } from '../../domain/own-compare.ts'

const starter = (of: Partial<JudgedStarter>): JudgedStarter => ({
  raceKey: 1,
  meetingKey: 1,
  own: 0.5,
  model: 0.5,
  market: 0.5,
  odds: 2,
  won: 0,
  interests: 2,
  isVoid: false,
  profitCents: -1000,
  ...of,
})

test('figures of two races worked out by hand', () => {
  const starters = [
    starter({ own: 0.8, model: 0.5, market: 0.6, won: 1, odds: 1.6, profitCents: 600 }),
    starter({ own: 0.2, model: 0.5, market: 0.4, odds: 2.4 }),
    // The user's chances sum to 2 and are scaled.
    starter({ raceKey: 2, meetingKey: 2, own: 1.2, model: 0.7, market: 0.5, odds: 1.9 }),
    starter({
      raceKey: 2,
      meetingKey: 2,
      own: 0.8,
      model: 0.3,
      market: 0.5,
      odds: 1.9,
      won: 1,
      profitCents: 900,
    }),
    // One starter has no chance in the user's file, so the race is left out.
    starter({ raceKey: 3, meetingKey: 2 }),
    starter({ raceKey: 3, meetingKey: 2, own: null }),
    // The user's file has nothing for this race.
    starter({ raceKey: 4, own: null }),
  ]
  const { races, incomplete, meanSum, sides, gain, value } = compareChances(starters)
  expect([races, incomplete, meanSum]).toEqual([2, 1, 1.5])
  const [own, model, market] = sides
  expect(own!.logLoss).toBeCloseTo(-(Math.log(0.8) + Math.log(0.4)) / 2, 12)
  expect(model!.logLoss).toBeCloseTo(-(Math.log(0.5) + Math.log(0.3)) / 2, 12)
  expect(market!.r2).toBeCloseTo(1 - -(Math.log(0.6) + Math.log(0.5)) / (2 * Math.log(2)), 12)
  // First choices: a winner at 1.6, then a loser.
  expect(own!.hitRate).toBe(0.5)
  expect(own!.return!.ratio).toBeCloseTo((600 - 1000) / 2000, 12)
  expect(gain!.ratio).toBeCloseTo(model!.logLoss - own!.logLoss, 12)
  expect(gain!.interval!.low).toBeLessThan(gain!.ratio)
  // 0.8 × 1.6 and 0.6 × 1.9 are above 1.
  expect(value.bets).toBe(2)
  expect(value.return!.ratio).toBeCloseTo((600 - 1000) / 2000, 12)
})

test('void bets and unknown dividends are in no return, and nothing to judge is said', () => {
  const voided = compareChances([
    starter({ own: 0.9, won: 1, isVoid: true, profitCents: 0 }),
    starter({ own: 0.1 }),
  ])
  expect(voided.sides[0]!.return).toBeNull()
  expect(voided.value.return).toBeNull()
  const nothing = compareChances([starter({ own: null })])
  expect(nothing).toMatchObject({ races: 0, incomplete: 0, meanSum: null, sides: [], gain: null })
})

test('calibration has every starter once', () => {
  const starters = Array.from({ length: 40 }, (_, at) =>
    starter({
      raceKey: at >> 1,
      meetingKey: at >> 3,
      own: at % 2 === 0 ? 0.9 : 0.1,
      won: at % 2,
    }),
  )
  const { calibration } = compareChances(starters)
  expect(calibration.map((group) => [group.from, group.starters, group.won])).toEqual([
    [0.1, 20, 1],
    [0.4, 20, 0],
  ])
})
