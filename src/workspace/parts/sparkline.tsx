import { useMemo } from 'react'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import { Spark } from '../../ui/spark.tsx'
import { profitDays } from '../query/profit-days.ts'
import styles from './sparkline.module.css'

/** Cumulative profit as a sparkline: its shape, not its figures. */
export function Sparkline({ days }: { days: readonly AnswerRow[] }) {
  const sums = useMemo(() => profitDays(days).map(({ profitToDate }) => profitToDate), [days])
  return days.length < 3 ? null : <Spark values={sums} with={0} className={styles.spark} />
}
