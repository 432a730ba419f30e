import { Suspense } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { timeLeft } from '../../../domain/time-left.ts'
import { useFormat } from '../../i18n/format.ts'
import { lazyOrNothing } from '../../ui/behaviour/lazy-or-nothing.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { NextRunners } from './next-runners.tsx'
import styles from './home.module.css'

const BetweenMeetings = lazyOrNothing(() => import('./between-meetings.tsx'))

/** Of one line of text. */
const BETWEEN_HEIGHT = 49
const SHOWN = 3
/** On a race day its other races are in the meeting's strip. */
const SHOWN_TODAY = 1

interface UpcomingProps {
  races: readonly ScheduledRace[]
  timeZone: string
  /** The region's day, `yyyy-mm-dd`. */
  today: string
  now: Date
  /** Whether the races are those of the demonstration. */
  isSimulated: boolean
  onOpen(raceId: string): void
}

/** The next race with the time left and its runners, and the ones after it; between meetings the next one. */
export function Upcoming({ races, timeZone, today, now, isSimulated, onOpen }: UpcomingProps) {
  const next = races
    .filter(({ competitionDate }) => competitionDate !== null && new Date(competitionDate) > now)
    .toSorted((a, b) => a.competitionDate!.localeCompare(b.competitionDate!))
  const [first] = next
  if (!first)
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
      <ul className={styles.upcomingList}>
        {next.slice(0, first.date === today ? SHOWN_TODAY : SHOWN).map((race, index) => (
          <li key={race.id}>
            <button
              type="button"
              className={`${styles.next} ${index === 0 ? styles.first : ''}`}
              onClick={() => onOpen(race.id)}
            >
              <Race race={race} timeZone={timeZone} now={now} first={index === 0} />
            </button>
          </li>
        ))}
      </ul>
      <NextRunners race={first} onOpen={onOpen} />
      {isSimulated ? (
        <p className={styles.simulated}>
          <FormattedMessage id="home.simulated" />
        </p>
      ) : null}
    </section>
  )
}

const HEADING = 'next-race'
const MINUTE_MS = 60_000

function Race({
  race,
  timeZone,
  now,
  first,
}: Pick<UpcomingProps, 'timeZone' | 'now'> & { race: ScheduledRace; first: boolean }) {
  const intl = useIntl()
  const format = useFormat()
  const left = Math.ceil((Date.parse(race.competitionDate!) - now.getTime()) / MINUTE_MS)
  const { unit, count } = timeLeft(left)
  return (
    <>
      <span className={styles.place}>
        <strong>
          {race.stadiumName} ·{' '}
          <FormattedMessage id="record.raceNumber" values={{ number: race.stadiumNum }} />
        </strong>
        <span className={styles.soft}>
          {race.distanceM === null
            ? ''
            : `${intl.formatMessage({ id: 'record.metres' }, { metres: format.integer(race.distanceM) })} · `}
          <FormattedMessage id="record.runners" values={{ count: race.starters }} />
        </span>
      </span>
      <span className={styles.when}>
        {first ? (
          <strong className={styles.left}>
            <FormattedMessage id="home.startsIn" values={{ unit, count }} />
          </strong>
        ) : null}
        <span>
          {format.day(race.date)} {format.timeIn(race.competitionDate!, timeZone)}
        </span>
      </span>
    </>
  )
}
