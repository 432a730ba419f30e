import { expect, test } from 'vitest'
import {
  againstPar,
  finishingSpeed,
  paceFigures,
  parOf,
  partsAgainstPar,
  sectionLengths,
} from '../../domain/pace.ts'
import { addUp, completeTimes } from '../../domain/sections.ts'

const timed = (...times: (number | null)[]) =>
  times.map((timeMs, index) => ({ sectionNo: index + 1, timeMs }))

test('the sections before the post are 400 m each, and the first has what is left', () => {
  expect(sectionLengths(1000, 3)).toEqual([200, 400, 400])
  expect(sectionLengths(2400, 6)).toEqual([400, 400, 400, 400, 400, 400])
  expect(sectionLengths(1650, 4)).toEqual([450, 400, 400, 400])
  expect(sectionLengths(800, 3)).toBeNull()
  expect(sectionLengths(null, 3)).toBeNull()
  expect(sectionLengths(1200, 0)).toBeNull()
})

test('finishing speed is the speed of the last section against that of the race', () => {
  // 1,400 m in 1:23.30, the last 400 m in 23.56 s: 16.98 m/s against 16.81 m/s.
  expect(finishingSpeed([14_030, 22_300, 23_410, 23_560], [200, 400, 400, 400])).toBeCloseTo(
    (100 * (400 / 23.56)) / (1400 / 83.3),
    10,
  )
  expect(finishingSpeed([25_000, 25_000], [400, 400])).toBe(100)
})

test('a par leans on races with the same rails and going as far as there are enough of them', () => {
  expect(parOf({ allMs: 24_000, allRaces: 4, sameMs: 23_000, sameRaces: 4 })).toBeNull()
  expect(parOf({ allMs: 24_000, allRaces: 5, sameMs: null, sameRaces: 0 })).toBe(24_000)
  expect(parOf({ allMs: 24_000, allRaces: 30, sameMs: 23_000, sameRaces: 10 })).toBe(23_500)
  expect(parOf({ allMs: 24_000, allRaces: 900, sameMs: 23_000, sameRaces: 990 })).toBeCloseTo(23_010, 6)
})

test('faster than par is positive, in percent of the speed', () => {
  expect(againstPar(20_000, 21_000)).toBeCloseTo(5, 10)
  expect(againstPar(21_000, 20_000)).toBeLessThan(0)
})

test('the parts against par are the time before the last 800 m and that of the last section', () => {
  const race = { count: 4, distanceM: 1400, pars: [14_000, 22_000, 23_000, 23_500] }
  const times = timed(14_030, 22_300, 23_410, 23_560)
  expect(partsAgainstPar(times, race)).toEqual({
    early: { timeMs: 36_330, parMs: 36_000 },
    late: { timeMs: 23_560, parMs: 23_500 },
  })
  expect(partsAgainstPar(times, { ...race, pars: [14_000, null, 23_000, null] })).toEqual({
    early: null,
    late: null,
  })
  expect(partsAgainstPar(timed(14_030, 22_300, 23_410), race)).toEqual({ early: null, late: null })
  expect(partsAgainstPar(timed(23_560), { count: 1, distanceM: 400, pars: [23_000] }).early).toBeNull()
})

test('a missing time leaves the figures that need it unknown', () => {
  const race = { count: 3, distanceM: 1200, pars: [24_240, 23_000, 23_230] }
  const whole = paceFigures(timed(24_000, 23_000, 23_000), race)
  expect(whole.earlyPace).toBeCloseTo(1, 10)
  expect(whole.latePace).toBeCloseTo(1, 10)
  expect(whole.finishingSpeed).toBeCloseTo((100 * 70) / 69, 10)
  const none = { finishingSpeed: null, earlyPace: null, latePace: null }
  expect(paceFigures(timed(24_000, null, 23_000), race)).toEqual(none)
  expect(paceFigures(timed(24_000, 23_000), race)).toEqual(none)
  expect(paceFigures([], race)).toEqual(none)
  expect(paceFigures(timed(24_000, 23_000, 23_000), { ...race, pars: [null, 23_000, 23_230] })).toEqual({
    ...whole,
    earlyPace: null,
  })
  expect(paceFigures(timed(24_000, 23_000, 23_000), { ...race, distanceM: null }).finishingSpeed).toBeNull()
  // With two sections there is no part before the last 800 m.
  expect(paceFigures(timed(24_000, 23_000), { count: 2, distanceM: 800, pars: [24_000, 23_000] })).toEqual({
    finishingSpeed: (100 * (400 / 23)) / (800 / 47),
    earlyPace: null,
    latePace: 0,
  })
})

test('sections add up to the time within what rounding can explain', () => {
  expect(completeTimes(timed(24_000, 23_000), 2)).toEqual([24_000, 23_000])
  expect(completeTimes(timed(24_000, 23_000), 3)).toBeNull()
  expect(addUp(timed(24_000, 23_000), 2, 47_000)).toBe(true)
  expect(addUp(timed(24_000, 23_000), 2, 47_050)).toBe(true)
  expect(addUp(timed(24_000, 23_000), 2, 47_060)).toBe(false)
  expect(addUp(timed(24_000, null), 2, 47_060)).toBe(true)
  expect(addUp(timed(24_000, 23_000), 2, null)).toBe(true)
})
