import { FormattedMessage } from 'react-intl'
import type { Interval, RatioOfGroups } from '../../../domain/statistics.ts'
import { intervalOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import texts from '../../ui/text.module.css'
import styles from './figure-cell.module.css'

interface FigureProps {
  /** `null` if it cannot be stated. */
  value: number | null
  interval: Interval | null
  show(value: number): string
}

/** A figure with its interval by meeting below it. */
export const Figure = ({ value, interval, show }: FigureProps) => (
  <>
    {value === null ? '–' : show(value)}
    {interval ? (
      <span className={styles.between}>
        <FormattedMessage
          id="judge.between"
          values={{ low: show(interval.low), high: show(interval.high) }}
        />
      </span>
    ) : null}
  </>
)

/** A ratio with its interval, as `Figure`; `null` if it cannot be stated. */
export const RatioFigure = ({ ratio, show }: Pick<FigureProps, 'show'> & { ratio: RatioOfGroups | null }) => (
  <Figure value={ratio?.ratio ?? null} interval={ratio?.interval ?? null} show={show} />
)

interface FigureCellProps {
  row: AnswerRow
  measure: string
  show(value: number): string
  muted?: boolean
}

/** A figure of a result as a table cell. */
export const FigureCell = ({ row, measure, show, muted = false }: FigureCellProps) => (
  <td className={muted ? texts.soft : ''}>
    <Figure value={numberOrNull(row, measure)} interval={intervalOf(row, measure)} show={show} />
  </td>
)
