import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import type { Stadium } from '../../data/racing-calls.ts'
import outline from './outline.json'
import { areaFor, projectTo } from './projection.ts'
import styles from './location.module.css'

const WIDTH = 640

interface StadiumMapProps {
  regionId: string
  stadiums: readonly Stadium[]
  chosen: string | null
  onChoose?: (id: string) => void
}

/** Racecourses on the outline of the land around them; every one is in the list beside it as well. */
export function StadiumMap({ regionId, stadiums, chosen, onChoose }: StadiumMapProps) {
  const intl = useIntl()
  const { area, project, height } = useMemo(() => {
    const found = areaFor(outline.areas, regionId)
    return { area: found, ...projectTo(found.box, WIDTH) }
  }, [regionId])
  const path = useMemo(
    () =>
      area.land
        .map((ring) => `M${ring.map((point) => project(point[0]!, point[1]!).join(' ')).join('L')}Z`)
        .join(''),
    [area, project],
  )
  const placed = stadiums.flatMap((stadium) =>
    stadium.latitude === null || stadium.longitude === null
      ? []
      : [{ stadium, at: project(stadium.longitude, stadium.latitude) }],
  )
  return (
    <svg
      className={styles.map}
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={intl.formatMessage(
        { id: 'location.map' },
        { names: placed.map(({ stadium }) => stadium.name).join(', ') },
      )}
    >
      <rect className={styles.sea} width={WIDTH} height={height} />
      <path className={styles.land} d={path} />
      {placed.map(({ stadium, at: [x, y] }) => (
        <g
          key={stadium.id}
          className={stadium.id === chosen ? styles.chosen : styles.place}
          transform={`translate(${x} ${y})`}
          onClick={() => onChoose?.(stadium.id)}
        >
          <circle r={22} className={styles.touch} />
          <circle r={9} />
          <text x={14} y={5}>
            {stadium.name}
          </text>
        </g>
      ))}
    </svg>
  )
}
