import { Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { timeLeft } from '../../../domain/time-left.ts'
import { clockOfCourse } from '../../../domain/course-clock.ts'
import { useCompetitors } from '../../data/use-race.ts'
import { useFormat } from '../../i18n/format.ts'
import { distanceText } from '../../i18n/measures.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Skeleton } from '../../ui/panel.tsx'
import styles from './home.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

const BetweenMeetings = lazyOrNothing(() => import('./between-meetings.tsx'))
const NextRunners = lazyOrNothing(() => import('./next-runners.tsx'))
const RemindMe = lazyOrNothing(() => import('./remind-me.tsx'))

/** Of the table of runners: a row on a wide screen and on a phone, with as many runners as a phone shows. */
const ROW = { wide: 36, phone: 44 } as const
const PHONE_RUNNERS = 4
/** Of one line with a button. */
const BETWEEN_HEIGHT = 62

interface UpcomingProps {
  /** The next race; `null` if none is scheduled soon. */
  race: ScheduledRace | null
  /** The region's day, `yyyy-mm-dd`. */
  today: string
  now: Date
  /** Whether the races are those of the demonstration. */
  isSimulated: boolean
  onOpen(raceId: string): void
}

/** The next race with the time left and its runners; between meetings the next meeting. */
export function Upcoming({ race, today, now, isSimulated, onOpen }: UpcomingProps) {
  const wide = useWide()
  // Asked here, so that they arrive with the code that shows them.
  useCompetitors(race?.id ?? '')
  if (!race)
    return (
      <Suspense fallback={<Skeleton height={BETWEEN_HEIGHT} />}>
        <BetweenMeetings />
      </Suspense>
    )
  return (
    <section className={styles.upcoming} aria-labelledby={HEADING}>
      <h2 id={HEADING}>
        <FormattedMessage id="home.next" />
      </h2>
      <button type="button" className={styles.next} onClick={() => onOpen(race.id)}>
        <Race race={race} now={now} />
      </button>
      {race.starters === 0 ? null : (
        // As high as it is, so that nothing below moves when it is loaded.
        <div style={{ minHeight: runnersHeight(race.starters, wide) }}>
          <Suspense fallback={null}>
            <NextRunners race={race} shown={wide ? race.starters : PHONE_RUNNERS} onOpen={onOpen} />
          </Suspense>
        </div>
      )}
      {race.date === today ? null : (
        <Suspense fallback={<Skeleton height={BETWEEN_HEIGHT} />}>
          <div className={styles.remind}>
            <RemindMe race={race} />
          </div>
        </Suspense>
      )}
      {isSimulated ? (
        <p className={styles.simulated}>
          <FormattedMessage id="home.simulated" />
        </p>
      ) : null}
    </section>
  )
}

/** Of the table with its heading, and the line with the button below it, in pixels. */
const runnersHeight = (starters: number, wide: boolean): number =>
  ((wide ? starters : Math.min(starters, PHONE_RUNNERS)) + 1) * (wide ? ROW.wide : ROW.phone) + BETWEEN_HEIGHT

const HEADING = 'next-race'
const MINUTE_MS = 60_000

function Race({ race, now }: { race: ScheduledRace; now: Date }) {
  const intl = useIntl()
  const format = useFormat()
  const left = Math.ceil((Date.parse(race.competitionDate!) - now.getTime()) / MINUTE_MS)
  const { unit, count } = timeLeft(left)
  return (
    <>
      <span className={styles.line}>
        <strong>
          {race.stadiumName}
          {BETWEEN_FACTS}
          <FormattedMessage id="record.raceNumber" values={{ number: race.stadiumNum }} />
        </strong>
        <strong className={styles.left}>
          <FormattedMessage id="home.startsIn" values={{ unit, count }} />
        </strong>
      </span>
      <span className={`${styles.line} ${styles.soft}`}>
        <span>
          {race.distanceM === null
            ? ''
            : `${distanceText({ intl, format }, race.distanceM, race.id)}${BETWEEN_FACTS}`}
          <FormattedMessage id="record.runners" values={{ count: race.starters }} />
        </span>
        <span>
          {format.day(race.date)} {format.timeIn(race.competitionDate!, clockOfCourse(race.id))}
        </span>
      </span>
    </>
  )
}
