import { expect, test } from 'vitest'
import { MODELS } from '../../analytics/models.ts'
import {
  OWN_REFERENCE,
  OWN_REFERENCE_MEASURES,
  REFERENCE,
  REFERENCE_MEASURES,
} from '../support/reference-sql.ts'

/** Figures of bets in their order: `figures.test.ts` walks through the bets one by one instead. */
const IN_ORDER = ['losing_run', 'drawdown']
/**
 * Figures of the starters that have no second implementation as SQL: `own-agreement.test.ts` compares `starters` and
 * `winners`, and `figures.test.ts` and `agreement.test.ts` compare the two engines on those that panels show.
 */
const OF_STARTERS = [
  'starters',
  'winners',
  'win_rate',
  'mean_market_probability',
  'r2_gain',
  'pick_rate',
  'favourite_rate',
  'pick_bets',
  'pick_return',
  'pick_closing',
  'favourite_return',
  'favourite_profit',
  'favourite_staked',
  'chance_profit',
  'chance_staked',
  'chance_return',
]
const EXCEPTIONS = { predictions: IN_ORDER, starters: OF_STARTERS }

/** Names that the reference has no SQL for. */
const without = (names: object, ...references: readonly object[]): string[] =>
  Object.keys(names).filter((name) => !references.some((reference) => Object.hasOwn(reference, name)))

test.each(Object.entries(MODELS))(
  'every dimension and measure of the %s is compared with SQL on PostgreSQL, or is an exception',
  (name, model) => {
    expect(without(model.dimensions, REFERENCE, OWN_REFERENCE)).toEqual([])
    expect(without(model.measures, REFERENCE_MEASURES, OWN_REFERENCE_MEASURES)).toEqual(
      EXCEPTIONS[name as keyof typeof EXCEPTIONS],
    )
  },
)

test('the comparison knows no dimension or measure that no model has', () => {
  const [dimensions, measures] = [new Set<string>(), new Set<string>()]
  for (const model of Object.values(MODELS)) {
    for (const name of Object.keys(model.dimensions)) dimensions.add(name)
    for (const name of Object.keys(model.measures)) measures.add(name)
  }
  expect(Object.keys({ ...REFERENCE, ...OWN_REFERENCE }).filter((name) => !dimensions.has(name))).toEqual([])
  expect(
    Object.keys({ ...REFERENCE_MEASURES, ...OWN_REFERENCE_MEASURES }).filter((name) => !measures.has(name)),
  ).toEqual([])
})
