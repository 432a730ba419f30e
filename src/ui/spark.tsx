const WIDTH = 72
const HEIGHT = 20
const POINTS = 36

interface SparkProps {
  values: readonly number[]
  /** A value that the range must include, whatever the others are. */
  with?: number
  className?: string | undefined
}

/** A sparkline: it shows the shape only, the figures are beside it as text. */
export function Spark({ values, with: reference, className }: SparkProps) {
  if (values.length < 2) return null
  const step = Math.max(1, values.length / POINTS)
  const points = Array.from(
    { length: Math.min(POINTS, values.length) },
    (_, index) => values[Math.floor(index * step)]!,
  )
  points.push(values.at(-1)!)
  const range = reference === undefined ? points : [...points, reference]
  const low = Math.min(...range)
  const high = Math.max(...range)
  const y = (value: number): number => HEIGHT - 1 - ((HEIGHT - 2) * (value - low)) / (high - low || 1)
  const path = points
    .map((value, index) => `${((WIDTH * index) / (points.length - 1)).toFixed(1)},${y(value).toFixed(1)}`)
    .join(' ')
  return (
    <svg
      className={className}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <polyline points={path} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  )
}
