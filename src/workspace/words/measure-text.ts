import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { OWN_SLOTS, ownMean } from '../../../analytics/own-slots.ts'
import { numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import { type Format } from '../../i18n/format.ts'
import { ownNumber } from '../query/own-number.ts'
import type { ShownMeasure } from '../state/panel-spec.ts'
import { judge } from '../query/totals.ts'

/** A figure of a group; `null` if it cannot be stated. */
export function figureOf(row: AnswerRow, measure: ShownMeasure): number | null {
  if ((measure === 'return' || measure === 'profit') && !judge(row).reported) return null
  // An answer from before the measure was chosen does not have its column.
  return measure in row ? numberOrNull(row, measure) : null
}

export function figureText(format: Format, measure: ShownMeasure, value: number | null): string {
  if (value === null) return '–'
  switch (measure) {
    case 'return':
      return format.signedPercent(value)
    case 'hit_rate':
      return format.percent(value)
    case 'ae_market':
      return format.decimal(value, 2)
    case 'profit':
      return format.signedMoney(value)
    case 'predictions':
      return format.integer(value)
    default:
      return ownNumber(format, value)
  }
}

/** The neutral value of a figure; `null` if only its size matters. */
export const neutralOf = (measure: ShownMeasure): number | null =>
  measure === 'return' || measure === 'profit' ? 0 : measure === 'ae_market' ? 1 : null

/** The name of a measure; means of the user's own columns are named after the column. */
export function useMeasureName(): (measure: ShownMeasure) => string {
  const intl = useIntl()
  return useMemo(
    () => (measure) => {
      const slot = OWN_SLOTS.find((each) => ownMean(each) === measure)
      return slot === undefined
        ? intl.formatMessage({ id: `workspace.measure.${measure}` })
        : intl.formatMessage(
            { id: 'workspace.ownMean' },
            { column: intl.formatMessage({ id: `dimension.${slot}` }) },
          )
    },
    [intl],
  )
}
