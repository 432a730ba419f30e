import { FormattedMessage } from 'react-intl'
import type { Interval, RatioOfGroups } from '../../../domain/statistics.ts'
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
