import { FormattedMessage, useIntl } from 'react-intl'
import {
  courseFrame,
  outlineOf,
  pointOutside,
  wayOf,
  type CourseOutline,
  type CoursePoint,
} from '../../../domain/course-outline.ts'
import { groupBy } from '../../../domain/group-by.ts'
import type { Meeting, MeetingRace, ScheduledRace } from '../../../contract/api/racing.ts'
import { useMeeting } from '../../data/use-race.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { ExtraTexts } from '../../i18n/extra-texts.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { CourseDrawing, WinningPost } from '../../ui/course-drawing.tsx'
import { Small } from '../../ui/layout.tsx'
import styles from './meeting-course.module.css'

/** Of the drawing, in pixels: its marks have the same size on each course. */
const WIDTH = 420
const HEIGHT = 200
const RADIUS = 10
const FONT = 12
const GAP = 2

/** The course of a meeting, and where its races started. */
export default function MeetingCourse({ meeting }: { meeting: Meeting }) {
  const regionId = useRegionDay()?.regionId
  return regionId === undefined ? null : (
    <ExtraTexts part="race" waiting={null}>
      <Course meeting={meeting} regionId={regionId} />
    </ExtraTexts>
  )
}

const outlineIn = ({ id: raceId, trackType, course }: ScheduledRace): CourseOutline | null =>
  outlineOf({ raceId, trackType, course })

/** The ground on which most races were run, of those with measures, is drawn; races on another are named. */
function Course({ meeting, regionId }: { meeting: Meeting; regionId: string }) {
  const intl = useIntl()
  const words = useRaceWords()
  const races = useMeeting({
    raceId: meeting.races[0]!.raceId,
    countryRegionId: regionId,
    date: meeting.date,
  })
  const grounds = [
    ...groupBy(races, ({ trackType, course }) => words.track(trackType, course) ?? '').entries(),
  ].toSorted(([, a], [, b]) => b.length - a.length)
  const most = grounds.find(([, [race]]) => outlineIn(race!) !== null)
  if (most === undefined) return null
  const [ground, drawn] = most
  const outline = outlineIn(drawn[0]!)!
  const others = grounds.filter((each) => each !== most)
  const results = new Map(meeting.races.map((race) => [race.raceId, race]))
  return (
    <figure className={styles.figure} data-testid="meeting-course">
      <Starts outline={outline} races={drawn} results={results} />
      <figcaption className={styles.words}>
        <strong>{ground}</strong>
        <Small text="home.course.starts" />
        {others.map(([other, elsewhere]) => (
          <Small key={other}>
            <FormattedMessage
              id="home.course.elsewhere"
              values={{
                ground: other,
                races: elsewhere
                  .map(({ stadiumNum }) => intl.formatMessage({ id: 'race.short' }, { number: stadiumNum }))
                  .join(', '),
              }}
            />
          </Small>
        ))}
        <Small text="race.course.sketch" />
      </figcaption>
    </figure>
  )
}

interface StartsProps {
  outline: CourseOutline
  races: readonly ScheduledRace[]
  results: ReadonlyMap<string, MeetingRace>
}

/** A course with a mark for each race at its start; races of one distance are in a row towards the middle. */
function Starts({ outline, races, results }: StartsProps) {
  const byDistance = [...groupBy(races, ({ distanceM }) => distanceM)].flatMap(([distanceM, ofDistance]) =>
    distanceM === null ? [] : [{ start: wayOf(outline, distanceM)[0]!, races: ofDistance }],
  )
  const frame = courseFrame(
    outline,
    byDistance.map(({ start }) => start),
  )
  const metres = Math.max(frame.width / WIDTH, frame.height / HEIGHT)
  return (
    <CourseDrawing outline={outline} frame={frame}>
      <WinningPost outline={outline} />
      {byDistance.map(({ start, races: ofStart }) => {
        const within = (pixels: number): CoursePoint => pointOutside(outline, start, -pixels * metres)
        const places = ofStart.map((_, index) => RADIUS + index * (2 * RADIUS + GAP))
        return (
          <g key={ofStart[0]!.id}>
            <Row from={within(0)} to={within(places.at(-1)!)} />
            {ofStart
              .toSorted((a, b) => a.stadiumNum - b.stadiumNum)
              .map(({ id, stadiumNum }, index) => (
                <Mark
                  key={id}
                  number={stadiumNum}
                  isHit={results.get(id)?.pick?.outcome === 'hit'}
                  at={within(places[index]!)}
                  metres={metres}
                />
              ))}
          </g>
        )
      })}
    </CourseDrawing>
  )
}

/** Ties the marks of one start together: without it each looks like a start of its own. */
const Row = ({ from, to }: { from: CoursePoint; to: CoursePoint }) => (
  <line
    className={styles.row}
    x1={Math.round(from.x)}
    y1={Math.round(from.y)}
    x2={Math.round(to.x)}
    y2={Math.round(to.y)}
  />
)

interface MarkProps {
  number: number
  /** Whether our first choice won. */
  isHit: boolean
  at: CoursePoint
  /** Of a pixel. */
  metres: number
}

const Mark = ({ number, isHit, at: { x, y }, metres }: MarkProps) => (
  <g className={isHit ? styles.hit : styles.mark}>
    <circle cx={Math.round(x)} cy={Math.round(y)} r={Math.round(RADIUS * metres)} />
    <text x={Math.round(x)} y={Math.round(y)} fontSize={Math.round(FONT * metres)}>
      {number}
    </text>
  </g>
)
