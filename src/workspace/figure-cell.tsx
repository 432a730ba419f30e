import { FormattedMessage } from 'react-intl'
import { intervalOf, numberOrNull } from '../data/analytics/cells.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import styles from './workspace.module.css'

interface FigureCellProps {
  row: AnswerRow
  measure: string
  show(value: number): string
  muted?: boolean
}

/** A figure of a table with its interval by meeting. */
export function FigureCell({ row, measure, show, muted = false }: FigureCellProps) {
  const value = numberOrNull(row, measure)
  const interval = intervalOf(row, measure)
  return (
    <td className={muted ? styles.muted : ''}>
      {value === null ? '–' : show(value)}
      {interval ? (
        <span className={styles.between}>
          <FormattedMessage
            id="judge.between"
            values={{ low: show(interval.low), high: show(interval.high) }}
          />
        </span>
      ) : null}
    </td>
  )
}
