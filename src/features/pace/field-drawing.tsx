import { FormattedMessage } from 'react-intl'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import styles from './pace-map.module.css'

/** A horse in the drawing. */
export interface DrawnHorse {
  horseNumber: number
  /** The number as the program prints it. */
  label: string
  /** 0 in front, 1 behind all others. */
  depth: number
  /** Where it may be; `null` where it was really. */
  low: number | null
  high: number | null
  leads: boolean
}

/** Of the drawing, in its own units: about as many pixels as there are on a desk and on a phone. */
const WIDTHS = { wide: 640, narrow: 330 }
const LANE = 27
const RADIUS = 12
const EDGE = 24
const TOP = 26
const BOTTOM = 14

/**
 * The field from above on its way to the right, the rail below: across by the draw, the lowest at the rail, and along by the
 * position. `horses` from the rail outwards; a table beside it says the same.
 */
export function FieldDrawing({ horses }: { horses: readonly DrawnHorse[] }) {
  const width = useWide() ? WIDTHS.wide : WIDTHS.narrow
  const height = TOP + horses.length * LANE + BOTTOM
  const x = (depth: number): number => width - EDGE - depth * (width - 2 * EDGE)
  return (
    <svg className={styles.field} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {[0, 0.5, 1].map((depth) => (
        <line key={depth} className={styles.zone} x1={x(depth)} x2={x(depth)} y1={TOP} y2={height - BOTTOM} />
      ))}
      <text className={styles.words} x={width - EDGE / 2} y={14} textAnchor="end">
        <FormattedMessage id="pace.front" />
      </text>
      <text className={styles.words} x={width / 2} y={14} textAnchor="middle">
        <FormattedMessage id="pace.middle" />
      </text>
      <text className={styles.words} x={EDGE / 2} y={14}>
        <FormattedMessage id="pace.back" />
      </text>
      <line className={styles.rail} x1={0} x2={width} y1={height - 6} y2={height - 6} />
      {horses.map(({ horseNumber, label, depth, low, high, leads }, lane) => {
        const y = height - BOTTOM - (lane + 0.5) * LANE
        return (
          <g key={horseNumber}>
            {low === null || high === null ? null : (
              <line className={styles.spread} x1={x(low)} x2={x(high)} y1={y} y2={y} />
            )}
            <g
              className={`${styles.horse} ${leads ? styles.leads : ''}`}
              style={{ transform: `translate(${x(depth)}px, ${y}px)` }}
            >
              <circle r={RADIUS} />
              <text>{label}</text>
            </g>
          </g>
        )
      })}
    </svg>
  )
}
