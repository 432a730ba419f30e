import { expect, test } from 'vitest'
import { pairedGain, type RaceFigures } from '../../server/scoring/metrics.ts'

const figure = (raceId: string, logLoss: number): RaceFigures => ({
  raceId,
  meeting: raceId.slice(0, 1),
  logLoss,
  uniformLoss: 2,
  top1: 0,
  top3: 0,
  brier: 1,
  backCents: null,
  choice: { logs: [0], chosen: 0 },
})

test('the gain on another model is over the races of both, whatever their order', () => {
  const own = [figure('A1', 1), figure('A2', 1.5), figure('B1', 1.25), figure('C1', 1)]
  const others = [figure('B1', 1.5), figure('A2', 1.5), figure('A1', 1.5), figure('D1', 9)]
  const found = pairedGain(own, others)!
  expect(found.races).toBe(3)
  expect(found.gain).toBeCloseTo((0.5 + 0 + 0.25) / 6, 12)
  // Meeting A gains 0.5 of 4, meeting B 0.25 of 2: every sample of meetings has the same ratio.
  expect(found.interval.low).toBeCloseTo(0.125, 12)
  expect(found.interval.high).toBeCloseTo(0.125, 12)
  // In nats a race: meeting A gains 0.5 over two races, meeting B 0.25 over one.
  expect(found.nats.gain).toBeCloseTo(0.25, 12)
  expect(found.nats.interval.low).toBeCloseTo(0.25, 12)
  expect(found.nats.interval.high).toBeCloseTo(0.25, 12)
})

test('a model against itself gains nothing, and without a race of both there is nothing to compare', () => {
  const own = [figure('A1', 1), figure('B1', 1.25)]
  expect(pairedGain(own, own)).toEqual({
    races: 2,
    gain: 0,
    interval: { low: 0, high: 0 },
    nats: { gain: 0, interval: { low: 0, high: 0 } },
  })
  expect(pairedGain(own, [figure('C1', 1)])).toBeNull()
  expect(pairedGain([], own)).toBeNull()
})
