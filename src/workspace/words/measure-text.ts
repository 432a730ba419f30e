import { useCallback } from 'react'
import { OWN_SLOTS, ownMean } from '../../../analytics/own-slots.ts'
import { numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import type { ShownMeasure } from '../state/panel-spec.ts'
import { judge } from '../query/totals.ts'

/** A figure of a group; `null` if it cannot be stated. */
export function figureOf(row: AnswerRow, measure: ShownMeasure): number | null {
  if ((measure === 'return' || measure === 'profit') && !judge(row).reported) return null
  // An answer from before the measure was chosen does not have its column.
  return measure in row ? numberOrNull(row, measure) : null
}

/** A number of the user's own file, with as many digits as distinguish it from its neighbours. */
export function ownNumber(format: Format, value: number): string {
  const size = Math.abs(value)
  return format.decimal(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4)
}

const TEXTS: Readonly<Record<string, (format: Format, value: number) => string>> = {
  return: (format, value) => format.signedPercent(value),
  hit_rate: (format, value) => format.percent(value),
  ae_market: (format, value) => format.decimal(value, 2),
  profit: (format, value) => format.signedMoney(value),
  predictions: (format, value) => format.integer(value),
}

export const figureText = (format: Format, measure: ShownMeasure, value: number | null): string =>
  value === null ? '–' : (TEXTS[measure] ?? ownNumber)(format, value)

/** The neutral value of a figure; `null` if only its size matters. */
export const neutralOf = (measure: ShownMeasure): number | null =>
  measure === 'return' || measure === 'profit' ? 0 : measure === 'ae_market' ? 1 : null

/** The name of a measure; means of the user's own columns are named after the column. */
export function useMeasureName(): (measure: ShownMeasure) => string {
  const word = useWord()
  return useCallback(
    (measure) => {
      const slot = OWN_SLOTS.find((each) => ownMean(each) === measure)
      return slot === undefined
        ? word(`workspace.measure.${measure}`)
        : word('workspace.ownMean', { column: word(`dimension.${slot}`) })
    },
    [word],
  )
}
