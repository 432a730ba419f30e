import type { ReactNode } from 'react'
import { pointBefore, type CourseFrame, type CourseOutline } from '../../domain/course-outline.ts'
import styles from './course-drawing.module.css'

/** Both rails and a line between them. */
function oval({ sideM, radiusM }: CourseOutline, outM: number): string {
  const half = sideM / 2
  const r = radiusM + outM
  return `M${-half} ${-r}H${half}A${r} ${r} 0 0 1 ${half} ${r}H${-half}A${r} ${r} 0 0 1 ${-half} ${-r}Z`
}

interface CourseDrawingProps {
  outline: CourseOutline
  frame: CourseFrame
  /** Drawn on the course, in metres from its middle. */
  children?: ReactNode
}

/** A course from above; words beside it say what it shows. */
export const CourseDrawing = ({ outline, frame, children }: CourseDrawingProps) => (
  <svg
    className={styles.drawing}
    viewBox={[frame.x, frame.y, frame.width, frame.height].map(Math.round).join(' ')}
    aria-hidden="true"
  >
    <path className={styles.ground} d={`${oval(outline, outline.widthM)}${oval(outline, 0)}`} />
    {outline.movedM === 0 ? null : <path className={styles.innermost} d={oval(outline, -outline.movedM)} />}
    {children}
  </svg>
)

/** The winning post, across the course. */
export function WinningPost({ outline }: { outline: CourseOutline }) {
  const { x, y } = pointBefore(outline, 0)
  return <path className={styles.post} d={`M${x} ${y - 14}V${y + outline.widthM + 14}`} />
}
