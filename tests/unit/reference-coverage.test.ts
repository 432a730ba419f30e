import { expect, test } from 'vitest'
import { MODELS } from '../../analytics/models.ts'
import {
  OWN_REFERENCE,
  OWN_REFERENCE_MEASURES,
  REFERENCE,
  REFERENCE_MEASURES,
} from '../support/reference-sql.ts'
import { RUNNER_DIMENSIONS, RUNNER_REFERENCE_MEASURES } from '../support/reference-runners.ts'

/** Figures of bets in their order: `figures.test.ts` walks through the bets one by one instead. */
const IN_ORDER = ['losing_run', 'losing_run_best', 'drawdown', 'drawdown_worst', 'drawdown_best']
/** What the comparison of each model knows, and what it need not know. */
const COMPARED = {
  predictions: {
    dimensions: Object.keys(REFERENCE),
    measures: REFERENCE_MEASURES,
    exceptions: IN_ORDER,
  },
  runners: { dimensions: RUNNER_DIMENSIONS, measures: RUNNER_REFERENCE_MEASURES, exceptions: IN_ORDER },
}

test.each(Object.entries(MODELS))(
  'every dimension and measure of the %s is compared with SQL on PostgreSQL, or is an exception',
  (name, model) => {
    const { dimensions, measures, exceptions } = COMPARED[name as keyof typeof COMPARED]
    const known = new Set([...dimensions, ...Object.keys(OWN_REFERENCE)])
    expect(Object.keys(model.dimensions).filter((dim) => !known.has(dim))).toEqual([])
    const compared = { ...measures, ...OWN_REFERENCE_MEASURES }
    expect(Object.keys(model.measures).filter((measure) => !Object.hasOwn(compared, measure))).toEqual(
      exceptions,
    )
    // Nor does the comparison know what the model has not.
    expect(dimensions.filter((dim) => !Object.hasOwn(model.dimensions, dim))).toEqual([])
    expect(Object.keys(compared).filter((measure) => !Object.hasOwn(model.measures, measure))).toEqual([])
  },
)
