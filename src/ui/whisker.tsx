import type { Interval } from '../../domain/statistics.ts'
import styles from './whisker.module.css'

interface WhiskerProps {
  value: number
  interval: Interval | null
  tone: 'gain' | 'loss' | 'plain' | 'strong'
  /** Ends of the axis; values beyond them are drawn at the ends. */
  from: number
  to: number
  /** Where the line of the axis is. */
  line?: number
}

/** A figure as a dot with its interval as a line, on an axis. The figures are beside it as text. */
export function Whisker({ value, interval, tone, from, to, line = 0 }: WhiskerProps) {
  const place = (at: number): number => (100 * (Math.max(from, Math.min(to, at)) - from)) / (to - from)
  return (
    <span className={styles.whisker} aria-hidden="true">
      <i className={styles.axis} style={{ left: `${place(line)}%` }} />
      {interval ? (
        <i
          className={`${styles.span} ${styles[tone]}`}
          style={{ left: `${place(interval.low)}%`, width: `${place(interval.high) - place(interval.low)}%` }}
        />
      ) : null}
      <i className={`${styles.point} ${styles[tone]}`} style={{ left: `${place(value)}%` }} />
    </span>
  )
}
