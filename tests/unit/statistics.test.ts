import { expect, test } from 'vitest'
import { seededRandom } from '../../domain/random.ts'
import { ratioOfGroups, returnInterval, returnTrust, wilsonInterval } from '../../domain/statistics.ts'

test('Wilson’s interval as published for 8 of 10 (0.490, 0.943)', () => {
  const interval = wilsonInterval(8, 10)!
  expect(interval.low).toBeCloseTo(0.4902, 4)
  expect(interval.high).toBeCloseTo(0.9433, 4)
  expect(wilsonInterval(0, 0)).toBeNull()
  expect(wilsonInterval(0, 20)!.low).toBe(0)
})

test('the bootstrap’s interval covers the truth about as often as it says, and is the same every time', () => {
  const random = seededRandom(7)
  let covered = 0
  const trials = 120
  for (let trial = 0; trial < trials; trial += 1) {
    const meetings = Array.from({ length: 80 }, () => ({
      denominator: 10_000,
      numerator: Math.round((random() - 0.5) * 20_000),
    }))
    const interval = returnInterval(meetings)!
    expect(returnInterval(meetings)).toEqual(interval)
    if (interval.low <= 0 && interval.high >= 0) covered += 1
  }
  expect(covered / trials).toBeGreaterThan(0.88)
  expect(covered / trials).toBeLessThan(1)
})

test('one meeting tells no interval', () => {
  expect(returnInterval([{ denominator: 1000, numerator: 1 }])).toBeNull()
  expect(
    returnInterval([
      { denominator: 0, numerator: 0 },
      { denominator: 0, numerator: 0 },
    ]),
  ).toBeNull()
})

test('a return is told only from enough bets whose winners are all known', () => {
  expect(returnTrust(1000, 300, 0)).toBe('sound')
  expect(returnTrust(1000, 300, 3)).toBe('sound')
  expect(returnTrust(1000, 300, 4)).toBe('incomplete')
  expect(returnTrust(199, 60, 0)).toBe('few')
})

test('the error of a ratio is that of drawing whole groups, as a bootstrap finds it', () => {
  const random = seededRandom(5)
  const groups = Array.from({ length: 80 }, () => {
    const denominator = 5 + 10 * random()
    return { numerator: denominator * (0.15 + 0.2 * (random() - 0.5)), denominator }
  })
  const { ratio, standardError, interval } = ratioOfGroups(groups)
  const draws = Array.from({ length: 4000 }, () => {
    let numerator = 0
    let denominator = 0
    for (let draw = 0; draw < groups.length; draw += 1) {
      const group = groups[Math.floor(random() * groups.length)]!
      numerator += group.numerator
      denominator += group.denominator
    }
    return numerator / denominator
  })
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
  const spread = Math.sqrt(draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length)
  expect(ratio).toBeCloseTo(mean, 3)
  expect(standardError! / spread).toBeGreaterThan(0.93)
  expect(standardError! / spread).toBeLessThan(1.07)
  expect(interval!.high - interval!.low).toBeCloseTo(2 * 1.96 * standardError!, 4)
  expect(ratioOfGroups(groups.slice(0, 1)).standardError).toBeNull()
})
