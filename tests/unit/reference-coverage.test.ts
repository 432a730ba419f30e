import { expect, test } from 'vitest'
import type { Measure } from '../../analytics/model.ts'
import { MODELS } from '../../analytics/models.ts'
import { RATIO_PARTS } from '../../analytics/sums.ts'
import { isOfDays, modelName, termsOf } from '../../analytics/view/over-days.ts'
import { BET_MEASURES, MORE_MEASURES, USUAL_MEASURES } from '../../analytics/view/panel-spec.ts'
import { BET_REFERENCE_MEASURES } from '../support/reference-bets.ts'
import {
  OWN_REFERENCE,
  OWN_REFERENCE_MEASURES,
  REFERENCE,
  REFERENCE_MEASURES,
} from '../support/reference-sql.ts'
import { RACE_REFERENCE_DIMENSIONS, RACE_REFERENCE_MEASURES } from '../support/reference-races.ts'
import { RUNNER_DIMENSIONS, RUNNER_REFERENCE_MEASURES } from '../support/reference-runners.ts'

/** Figures of bets in their order: the comparison walks through the bets that PostgreSQL lists. */
const IN_ORDER = Object.keys(BET_REFERENCE_MEASURES)
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
    // The agreement of rolling figures compares the parts of ratios.
    const parts = Object.entries<Measure>(model.measures).flatMap(([ratio, { ratio: of }]) =>
      of ? RATIO_PARTS.map((part) => `${ratio}_${part}`) : [],
    )
    expect([...Object.keys(measures), ...IN_ORDER, ...parts].toSorted()).toEqual(
      Object.keys(model.measures).toSorted(),
    )
  },
)

test.each(Object.entries(MODELS))(
  'a panel over race days of %s has every measure that can be shown, but for those of single bets',
  (subject, model) => {
    const measures: Readonly<Record<string, Measure>> = model.measures
    for (const shown of [...USUAL_MEASURES, ...MORE_MEASURES, ...BET_MEASURES]) {
      const name = modelName(subject as keyof typeof MODELS, shown)
      const measure = measures[name]
      if (!measure) continue
      expect(isOfDays(shown), shown).toBe(!measure.ordered)
      if (measure.ordered) continue
      const { above, below } = termsOf(subject as keyof typeof MODELS, name)
      // Terms add up: sums, and sums and differences of sums.
      for (const term of [above, below])
        if (term !== null) expect(measures[term]!.sql, term).toMatch(/^\{\w+\}( [-+] \{\w+\})*$/)
    }
  },
)
