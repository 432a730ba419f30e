import { Clock3 } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import type { ScheduledRace } from '../../data/racing-calls.ts'
import { useFormat } from '../../i18n/format.ts'
import styles from './home.module.css'

const SHOWN = 3

interface UpcomingProps {
  races: readonly ScheduledRace[]
  timeZone: string
  now: Date
  onOpen(raceId: string): void
}

/** The next races to start. */
export function Upcoming({ races, timeZone, now, onOpen }: UpcomingProps) {
  const format = useFormat()
  const next = races
    .filter(({ competitionDate }) => competitionDate !== null && new Date(competitionDate) > now)
    .toSorted((a, b) => a.competitionDate!.localeCompare(b.competitionDate!))
    .slice(0, SHOWN)
  if (next.length === 0) return <FormattedMessage id="home.noUpcoming" tagName="p" />
  return (
    <ul className={styles.upcoming}>
      {next.map((race) => (
        <li key={race.id}>
          <button type="button" className={styles.next} onClick={() => onOpen(race.id)}>
            <span className={styles.when}>
              <Clock3 aria-hidden="true" size={15} />
              {format.day(race.date)} {format.time(race.competitionDate!, timeZone)}
            </span>
            <strong>
              {race.stadiumName} ·{' '}
              <FormattedMessage id="record.raceNumber" values={{ number: race.stadiumNum }} />
            </strong>
            <span className={styles.soft}>
              {race.distanceM === null ? null : (
                <>
                  <FormattedMessage id="record.metres" values={{ metres: format.integer(race.distanceM) }} />
                  {' · '}
                </>
              )}
              <FormattedMessage id="record.runners" values={{ count: race.starters }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
