import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { offsetAmong, postTimeAmong } from '../../i18n/post-time.ts'
import { Name } from '../../i18n/name.tsx'
import { onDevice } from '../../storage/stored-text.ts'
import styles from './race-groups.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Key of the day that was open last (specification section 3). */
const KEY = 'activeCollapseGroup'

interface RaceGroupsProps {
  races: readonly ScheduledRace[]
  /** Address of a race, for opening it in a new tab. */
  hrefOf(race: ScheduledRace): string
  onOpen(race: ScheduledRace): void
}

/** Races by day in collapsible sections; the one that was open last is open, otherwise the first. */
export function RaceGroups({ races, hrefOf, onOpen }: RaceGroupsProps) {
  const format = useFormat()
  const [open, setOpen] = useState<string | null>(() => onDevice.read(KEY))
  const days = [...groupBy(races, ({ date }) => date)]
  const shown = days.some(([day]) => day === open) || open === '' ? open : (days[0]?.[0] ?? null)
  return (
    <div className={styles.groups}>
      {days.map(([day, ofDay]) => (
        <section key={day} className={styles.group}>
          <h2>
            <button
              type="button"
              className={styles.head}
              aria-expanded={shown === day}
              onClick={() => {
                const next = shown === day ? '' : day
                onDevice.write(KEY, next)
                setOpen(next)
              }}
            >
              <strong>
                {[format.day(day), offsetAmong(format, ofDay)].filter(Boolean).join(BETWEEN_FACTS)}
              </strong>
              <span className={styles.soft}>
                <FormattedMessage id="races.count" values={{ count: ofDay.length }} />
                <ChevronDown aria-hidden="true" size={18} />
              </span>
            </button>
          </h2>
          {shown === day ? (
            <ul className={styles.list}>
              {ofDay.map((race) => (
                <li key={race.id}>
                  <a
                    className={styles.race}
                    href={`#${hrefOf(race)}`}
                    onClick={(event) => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey) return
                      event.preventDefault()
                      onOpen(race)
                    }}
                  >
                    <RaceLine race={race} />
                    <ChevronRight aria-hidden="true" size={18} />
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </section>
      ))}
    </div>
  )
}

/** Name, racecourse, number and time of a race. */
function RaceLine({ race }: { race: ScheduledRace }) {
  const intl = useIntl()
  const format = useFormat()
  const facts = [
    race.stadiumName,
    postTimeAmong(format, race),
    race.distanceM && distanceText({ intl, format }, race.distanceM, race.id),
    race.status === 'abandoned' && intl.formatMessage({ id: 'raceStatus.abandoned' }),
  ]
  return (
    <span className={styles.line}>
      <span className={styles.number}>{race.stadiumNum}</span>
      <span className={styles.text}>
        <span className={styles.name}>
          {race.name === null ? (
            <FormattedMessage id="record.raceNumber" values={{ number: race.stadiumNum }} />
          ) : (
            <Name language={race.nameLanguage}>{race.name}</Name>
          )}
        </span>
        <span className={styles.soft}>{facts.filter(Boolean).join(BETWEEN_FACTS)}</span>
      </span>
    </span>
  )
}
