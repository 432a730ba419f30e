import { FormattedMessage, useIntl } from 'react-intl'
import {
  courseFrame,
  outlineOf,
  pointOutside,
  wayOf,
  type CourseOutline,
  type CoursePoint,
} from '../../../domain/course-outline.ts'
import { programNumber } from '../../../domain/program-number.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { CourseDrawing, WinningPost } from '../../ui/course-drawing.tsx'
import { NumberCloth } from '../../ui/number-cloth.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Small } from '../../ui/layout.tsx'
import styles from './course-sketch.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface CourseSketchProps {
  race: RaceInfo
  /** The runners, to be shown in their stalls. */
  runners: readonly Competitor[]
  /** Whether it stands beside the race's header, which leaves no room for the course's measures. */
  beside?: boolean
}

/**
 * The course of a race from above: outline, rail, start and winning post, and below it the field in its stalls. A course without
 * measures is not drawn.
 */
export default function CourseSketch(props: CourseSketchProps) {
  return (
    <ExtraTexts part="race" waiting={<Skeleton height={180} />}>
      <Sketch {...props} />
    </ExtraTexts>
  )
}

function Sketch({ race, runners, beside = false }: CourseSketchProps) {
  const format = useFormat()
  const words = useRaceWords()
  const outline = outlineOf(race)
  if (outline === null && runners.every(({ draw }) => draw === null)) return null
  const course = [race.stadiumName, words.track(race.trackType, race.course)]
    .filter(Boolean)
    .join(BETWEEN_FACTS)
  return (
    <figure className={`${styles.sketch} ${beside ? styles.beside : ''}`} data-testid="course-sketch">
      {outline === null ? null : (
        <>
          <Drawing outline={outline} distanceM={race.distance} />
          <figcaption>
            {race.distance !== null && !beside ? (
              <FormattedMessage
                id="race.course.measured"
                tagName="p"
                values={{
                  distance: format.integer(race.distance),
                  course,
                  straight: format.integer(outline.straightM),
                  width: format.decimal(outline.widthM, 1),
                }}
              />
            ) : null}
            <Small text="race.course.sketch" />
          </figcaption>
        </>
      )}
      <Stalls runners={runners} />
    </figure>
  )
}

/** Height of the words beside the course, in metres. */
const WORDS_M = 42

const path = (points: readonly CoursePoint[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${Math.round(x)} ${Math.round(y)}`).join('')

/** The course, with the way from the start to the post if the distance is known; the words say what it shows. */
function Drawing({ outline, distanceM }: { outline: CourseOutline; distanceM: number | null }) {
  const { widthM } = outline
  const way = distanceM === null ? [] : wayOf(outline, distanceM)
  const [start] = way
  const post = way.at(-1)
  return (
    <CourseDrawing outline={outline} frame={courseFrame(outline, way.slice(0, 1))}>
      {start && post ? (
        <>
          <path
            className={styles.way}
            d={path(way.map((point) => pointOutside(outline, point, widthM / 2)))}
          />
          <WinningPost outline={outline} />
          <Words at={post} outline={outline} byM={widthM + 48} id="race.course.post" />
          <circle className={styles.start} r={11} {...centre(pointOutside(outline, start, widthM / 2))} />
          <Words at={start} outline={outline} byM={-60} id="race.course.start" />
        </>
      ) : null}
    </CourseDrawing>
  )
}

const centre = ({ x, y }: CoursePoint) => ({ cx: Math.round(x), cy: Math.round(y) })

interface WordsProps {
  at: CoursePoint
  outline: CourseOutline
  /** How far outside of the rail, in metres. */
  byM: number
  id: string
}

/** A word beside a point on the rail. */
function Words({ at, outline, byM, id }: WordsProps) {
  const intl = useIntl()
  const { x, y } = pointOutside(outline, at, byM)
  return (
    <text className={styles.words} fontSize={WORDS_M} x={Math.round(x)} y={Math.round(y)}>
      {intl.formatMessage({ id })}
    </text>
  )
}

/** The field in its starting stalls, those at the rail first. */
function Stalls({ runners }: { runners: readonly Competitor[] }) {
  const placed = runners
    .filter(({ draw, status }) => draw !== null && status !== 'withdrawn')
    .toSorted((a, b) => a.draw! - b.draw!)
  if (placed.length === 0) return null
  return (
    <div className={styles.field}>
      <Small text="race.course.stalls" />
      <ol className={styles.stalls}>
        {placed.map((runner) => (
          <li key={runner.horseId} value={runner.draw!}>
            <NumberCloth value={programNumber(runner) ?? '–'} small />
            <Small as="span">{runner.draw}</Small>
          </li>
        ))}
      </ol>
    </div>
  )
}
