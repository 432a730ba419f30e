// @module-tag rest
import fc from 'fast-check'
import { expect } from 'vitest'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { planGroups } from '../../analytics/plan.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { FREQUENT } from '../../analytics/source.ts'
import { NativeEngine } from '../support/native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { query } from '../support/questions.ts'
import { REGION } from '../support/reference-chances.ts'
import { testSampled } from '../support/sampled.ts'
import { expectSameRows } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'

const ALL = { scope: 'all' } as const
const MODEL = PREDICTIONS

const FEWER: Filter[] = [
  { dim: 'prediction_type', in: [1] },
  { dim: 'prediction_type', in: [2, 3] },
  { dim: 'prediction_type', in: [1, 2, 3] },
]

testSampled(
  'frequent rows say the same from their own table as from all rows: %s questions',
  { few: 10, many: 150, timeout: 300_000 },
  async (parameters) => {
    const place = await newVariedDemonstration('postgresql')
    const native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
    const without = { ...ALL, without: [FREQUENT] }
    const sources = new Set<string>()
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(...FEWER), async (question, fewer) => {
        const where = allOf(question.where, fewer)
        const whole = { ...question, where, limit: 100_000 }
        const fromFewer = planGroups(MODEL, whole, ALL)
        sources.add(fromFewer.source)
        expectSameRows(
          await native.rows(fromFewer.sql),
          await native.rows(planGroups(MODEL, whole, without).sql),
          'frequent rows against all rows',
        )
      }),
      parameters,
    )
    expect(sources).toContain('frequent')
    await place.close()
  },
)
