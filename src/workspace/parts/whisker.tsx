import styles from './whisker.module.css'

interface WhiskerProps {
  value: number
  interval: { low: number; high: number } | null
  tone: 'gain' | 'loss' | 'plain'
  /** Returns beyond this are drawn at the edge. */
  edge: number
}

/** A return with its interval, around zero. The figures are beside it as text. */
export function Whisker({ value, interval, tone, edge }: WhiskerProps) {
  const place = (at: number): number => (50 * (Math.max(-edge, Math.min(edge, at)) + edge)) / edge
  return (
    <span className={styles.whisker} aria-hidden="true">
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
