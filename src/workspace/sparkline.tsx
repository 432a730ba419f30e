import { useMemo } from 'react'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { profitDays } from './profit-days.ts'
import styles from './figures.module.css'

const WIDTH = 72
const HEIGHT = 20
const POINTS = 36

/** Profit to date, small: its shape, not its figures. */
export function Sparkline({ days }: { days: readonly AnswerRow[] }) {
  const path = useMemo(() => {
    const sums = profitDays(days).map(({ profitToDate }) => profitToDate)
    const step = Math.max(1, sums.length / POINTS)
    const points = Array.from(
      { length: Math.min(POINTS, sums.length) },
      (_, index) => sums[Math.floor(index * step)]!,
    )
    if (sums.length > 0) points.push(sums.at(-1)!)
    const low = Math.min(0, ...points)
    const high = Math.max(0, ...points)
    const y = (value: number): number => HEIGHT - 1 - ((HEIGHT - 2) * (value - low)) / (high - low || 1)
    return points
      .map(
        (value, index) =>
          `${((WIDTH * index) / Math.max(1, points.length - 1)).toFixed(1)},${y(value).toFixed(1)}`,
      )
      .join(' ')
  }, [days])
  if (days.length < 3) return null
  return (
    <svg
      className={styles.spark}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <polyline points={path} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  )
}
