import {
  courseFrame,
  outlineOf,
  pointOutside,
  wayOf,
  type CoursePoint,
} from '../../../domain/course-outline.ts'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { CourseDrawing, WinningPost } from '../../ui/course-drawing.tsx'
import styles from './pace-map.module.css'

const path = (points: readonly CoursePoint[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${Math.round(x)} ${Math.round(y)}`).join('')

interface CoursePartProps {
  race: RaceInfo
  /** The part of the way that is meant, in metres from the start. */
  fromM: number
  toM: number
}

/** The course of a race with its way, and the part of it to which a picture belongs; nothing of a course without measures. */
export function CoursePart({ race, fromM, toM }: CoursePartProps) {
  const outline = outlineOf(race)
  if (outline === null || race.distance === null) return null
  const way = wayOf(outline, race.distance).map((point) => pointOutside(outline, point, outline.widthM / 2))
  const at = (metres: number): number => Math.round((metres / race.distance!) * (way.length - 1))
  // A straight course has only its ends.
  const part =
    way.length > 2
      ? way.slice(at(fromM), at(toM) + 1)
      : between(way, fromM / race.distance, toM / race.distance)
  return (
    <CourseDrawing outline={outline} frame={courseFrame(outline, way.slice(0, 1))}>
      <path className={styles.way} d={path(way)} />
      <path className={styles.part} d={path(part)} />
      <WinningPost outline={outline} />
    </CourseDrawing>
  )
}

/** The part of a straight line between two shares of it. */
function between(line: readonly CoursePoint[], from: number, to: number): CoursePoint[] {
  const [start, end] = [line[0]!, line.at(-1)!]
  return [from, to].map((share) => ({
    x: start.x + share * (end.x - start.x),
    y: start.y + share * (end.y - start.y),
  }))
}
