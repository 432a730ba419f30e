import { MODEL_IDS } from '../../contract/model-ids.ts'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { numberOf, type AnswerRow } from '../cells.ts'
import type { OriginCount } from './view.ts'

/** The available predictions of each model and origin, from the rows of `ORIGINS_REQUEST`. */
export function countsOf(rows: readonly AnswerRow[]): OriginCount[] {
  return rows.flatMap((row) => {
    const model = MODEL_IDS.find((id) => id === row['model'])
    const origin = ORIGINS.find((each) => each === row['origin'])
    return model && origin ? [{ model, origin, predictions: numberOf(row, 'predictions') }] : []
  })
}
