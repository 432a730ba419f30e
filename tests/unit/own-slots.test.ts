import { expect, test } from 'vitest'
import type { Filter } from '../../analytics/filter.ts'
import type { Model } from '../../analytics/model.ts'
import { needsOwnRows } from '../../analytics/needs.ts'
import { offeredDimensions } from '../../analytics/offered.ts'
import { planGroups } from '../../analytics/plan.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'

const MODEL: Model = PREDICTIONS

test("columns of the user's own file need the engine that has it, and bets on one horse for their mean", () => {
  const where = {
    and: [
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: ['backtest'] },
      { dim: 'bet_type', in: [1] },
    ],
  } satisfies Filter
  const query = { by: ['own_1'], measures: ['predictions', 'own_1_mean'], where }
  expect(() => planGroups(MODEL, query, { scope: 'all' })).toThrow('own-needed')
  expect(() => planGroups(MODEL, query, { scope: 'races', raceKeys: [1] })).toThrow('own-needed')
  expect(planGroups(MODEL, query, { scope: 'all', own: true })).toMatchObject({
    source: 'prediction',
    fanOut: false,
    rejected: [
      { rollup: 'accuracy_day', reason: 'has no own_1' },
      { rollup: 'race_total', reason: 'has no own_1' },
    ],
  })
  const combinations = { ...query, where: { and: [...where.and.slice(0, 2), { dim: 'bet_type', in: [6] }] } }
  expect(() => planGroups(MODEL, combinations, { scope: 'all', own: true })).toThrow(
    'only for bet types 1, 2',
  )
  expect(offeredDimensions(MODEL, where, true)).not.toContain('own_1')
  expect(offeredDimensions(MODEL, where, true, ['own_1'])).toContain('own_1')
  expect(offeredDimensions(MODEL, where, false, ['own_1'])).not.toContain('own_1')
  expect(needsOwnRows({ aggregate: { model: 'predictions', ...query } })).toBe(true)
  expect(needsOwnRows({ aggregate: { model: 'predictions', ...query, by: [], measures: ['races'] } })).toBe(
    false,
  )
})
