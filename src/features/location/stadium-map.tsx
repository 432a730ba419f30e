import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import type { Stadium } from '../../../contract/api/racing.ts'
import outline from './outline.json'
import styles from './location.module.css'

/** `box`: west, south, east, north in degrees. */
type Area = (typeof outline.areas)[number]

const WORLD = 'world'

/** The area that shows a region; the world if the region has none. */
export const areaFor = (areas: readonly Area[], regionId: string): Area =>
  areas.find((area) => area.regionId === regionId) ?? areas.find((area) => area.regionId === WORLD)!

/**
 * Projects degrees to pixels of a map of the given width: equirectangular, exact at the middle parallel; for
 * one region the error is within the width of a line.
 */
export function projectTo(
  [west = 0, south = 0, east = 0, north = 0]: readonly number[],
  width: number,
): { height: number; project(longitude: number, latitude: number): [number, number] } {
  const scale = width / (east - west)
  const stretch = 1 / Math.cos((((south + north) / 2) * Math.PI) / 180)
  return {
    height: Math.round((north - south) * scale * stretch),
    project: (longitude, latitude) => [
      Math.round((longitude - west) * scale * 10) / 10,
      Math.round((north - latitude) * scale * stretch * 10) / 10,
    ],
  }
}

/** URL that the device's map application opens (RFC 5870). */
export const geoUrl = (latitude: number, longitude: number, name: string): string =>
  `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`

const WIDTH = 640
/** Maximum zoom: minimum width of the view, in the map's pixels. */
const CLOSEST = 150

interface StadiumMapProps {
  regionId: string
  stadiums: readonly Stadium[]
  chosen: string | null
  onChoose?: (id: string) => void
}

/** Whether the map has a place for a racecourse. */
export const isPlaced = ({ latitude, longitude }: Stadium): boolean => latitude !== null && longitude !== null

/** Racecourses on the outline of the surrounding land; with `onChoose` each is a button. */
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
  const view = viewOf(
    placed.map(({ at }) => at),
    [WIDTH, height],
  )
  return (
    <svg
      className={styles.map}
      viewBox={view.box}
      style={{ fontSize: view.width / 34 }}
      role={onChoose ? 'group' : 'img'}
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
          {...(onChoose && asButton(stadium, stadium.id === chosen, onChoose))}
        >
          <circle r={view.width / 26} className={styles.touch} />
          <circle r={view.width / 70} />
          <text x={view.width / 45} y={view.width / 100}>
            {stadium.name}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** What makes a part of a picture a button: SVG has none of its own. */
const asButton = ({ id, name }: Stadium, pressed: boolean, onChoose: (id: string) => void) => ({
  role: 'button',
  tabIndex: 0,
  'aria-label': name,
  'aria-pressed': pressed,
  onClick: () => onChoose(id),
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onChoose(id)
  },
})

/** The part of a map that contains all places with a margin. */
export function viewOf(
  places: readonly (readonly [number, number])[],
  [width, height]: readonly [number, number],
): { box: string; width: number } {
  if (places.length === 0) return { box: `0 0 ${width} ${height}`, width }
  const xs = places.map(([x]) => x)
  const ys = places.map(([, y]) => y)
  const span = Math.max(
    CLOSEST,
    (Math.max(...xs) - Math.min(...xs)) * 2,
    (Math.max(...ys) - Math.min(...ys)) * 2,
  )
  const wide = Math.min(width, span)
  // Places far apart from north to south need more than the usual shape.
  const high = Math.min(height, Math.max(wide * 0.75, (Math.max(...ys) - Math.min(...ys)) * 1.25))
  const middle = (values: readonly number[]): number => (Math.max(...values) + Math.min(...values)) / 2
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most))
  const left = clamp(middle(xs) - wide / 2, width - wide)
  const top = clamp(middle(ys) - high / 2, height - high)
  return { box: `${left} ${top} ${wide} ${high}`, width: wide }
}
