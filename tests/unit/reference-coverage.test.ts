import { expect, test } from 'vitest'
import { MODELS } from '../../analytics/models.ts'
import {
  OWN_REFERENCE,
  OWN_REFERENCE_MEASURES,
  REFERENCE,
  REFERENCE_MEASURES,
} from '../support/reference-sql.ts'
import { RACE_REFERENCE_DIMENSIONS, RACE_REFERENCE_MEASURES } from '../support/reference-races.ts'
import { RUNNER_DIMENSIONS, RUNNER_REFERENCE_MEASURES } from '../support/reference-runners.ts'

/** Figures of bets in their order: `figures.test.ts` walks through the bets one by one instead. */
const IN_ORDER = [
  'losing_run',
  'losing_run_best',
  'return_trimmed',
  'drawdown',
  'drawdown_worst',
  'drawdown_best',
]
/** What the comparison of each model knows, and what it need not know. */
const COMPARED = {
  predictions: {
    dimensions: [...Object.keys(REFERENCE), ...Object.keys(OWN_REFERENCE)],
    measures: { ...REFERENCE_MEASURES, ...OWN_REFERENCE_MEASURES },
  },
  runners: {
    dimensions: [...RUNNER_DIMENSIONS, ...Object.keys(OWN_REFERENCE)],
    measures: { ...RUNNER_REFERENCE_MEASURES, ...OWN_REFERENCE_MEASURES },
  },
  races: { dimensions: RACE_REFERENCE_DIMENSIONS, measures: RACE_REFERENCE_MEASURES },
}

test.each(Object.entries(MODELS))(
  'every dimension and measure of the %s is compared with SQL on PostgreSQL, or walked through in order',
  (name, model) => {
    const { dimensions, measures } = COMPARED[name as keyof typeof COMPARED]
    expect(dimensions.toSorted()).toEqual(Object.keys(model.dimensions).toSorted())
    expect([...Object.keys(measures), ...IN_ORDER].toSorted()).toEqual(Object.keys(model.measures).toSorted())
  },
)
