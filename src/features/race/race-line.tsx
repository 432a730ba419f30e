import { useEffect, useRef, useState, type RefObject } from 'react'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { useIntl } from 'react-intl'
import type { RaceInfo } from '../../../contract/api/racing.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { TimeLeft } from './time-left.tsx'
import styles from './race-strip.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/**
 * What a race's header says, in one line below the row of the meeting's races, once the header is scrolled out of view.
 * Screen readers have the header.
 */
export function RaceLine({ race, header }: { race: RaceInfo; header: RefObject<HTMLElement | null> }) {
  const line = useRef<HTMLParagraphElement>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const { bottom } = line.current!.getBoundingClientRect()
    const observer = new IntersectionObserver(
      (entries) => setShown(!entries.at(-1)!.isIntersecting),
      // As soon as the header is behind the line.
      { rootMargin: `${-Math.ceil(bottom)}px 0px 0px` },
    )
    observer.observe(header.current!)
    return () => observer.disconnect()
  }, [header])
  return (
    <p ref={line} className={`${styles.collapsed} ${shown ? styles.shown : ''}`} aria-hidden="true">
      {shown ? <Facts race={race} /> : null}
    </p>
  )
}

function Facts({ race }: { race: RaceInfo }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const start = race.competitionDate
  return (
    <>
      <span>
        <strong>
          {intl.formatMessage({ id: 'race.short' }, { number: race.raceNumber })}
          {start === null ? '' : ` ${format.timeIn(start, clockOfCourse(race.raceId))}`}
        </strong>
        {[
          race.distance === null ? null : distanceText({ intl, format }, race.distance, race.raceId),
          words.track(race.trackType, race.course),
          words.raceClass(race.raceClass),
        ].map((part) => (part === null ? '' : `${BETWEEN_FACTS}${part}`))}
      </span>
      {race.status === 'scheduled' ? (
        start === null ? null : (
          <span className={styles.live}>
            <TimeLeft start={start} />
          </span>
        )
      ) : (
        <span>{intl.formatMessage({ id: `raceStatus.${race.status}` }, { time: 'unknown' })}</span>
      )}
    </>
  )
}
