import { useMemo } from 'react'
import { numberOrNull } from '../data/analytics/cells.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { useFormat, type Format } from '../i18n/format.ts'
import type { ShownMeasure } from './panel-spec.ts'
import { judge } from './totals.ts'

/** A figure of a group; `null` if it cannot be stated. */
export function figureOf(row: AnswerRow, measure: ShownMeasure): number | null {
  if ((measure === 'return' || measure === 'profit') && !judge(row).told) return null
  return numberOrNull(row, measure)
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
    default:
      return format.integer(value)
  }
}

/** The neutral value of a figure; `null` if only its size matters. */
export const NEUTRAL: Readonly<Record<ShownMeasure, number | null>> = {
  return: 0,
  profit: 0,
  ae_market: 1,
  hit_rate: null,
  predictions: null,
}

/** Formats figures of a measure. */
export function useFigureText(measure: ShownMeasure): (row: AnswerRow) => string {
  const format = useFormat()
  return useMemo(() => (row) => figureText(format, measure, figureOf(row, measure)), [format, measure])
}
