import { useEffect, useRef } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { addDays } from '../../../domain/region.ts'
import { useFormat } from '../../i18n/format.ts'
import { showWithin } from '../../ui/behaviour/show-within.ts'
import styles from './day-strip.module.css'

/** Days of the strip before and after today, and days of racing before those. */
const BEFORE = 2
const AFTER = 6
const EARLIER = 3

interface DayStripProps {
  today: string
  /** Days with races, oldest first. */
  raceDays: readonly string[]
  value: string | null
  onChange(day: string): void
}

/** The days around today, and the last and the next day of racing where those are further away. */
export function stripDays({ today, raceDays, value }: Omit<DayStripProps, 'onChange'>): string[] {
  const around = Array.from({ length: BEFORE + 1 + AFTER }, (_, index) => addDays(today, index - BEFORE))
  const earlier = raceDays.filter((day) => day < around[0]!).slice(-EARLIER)
  const later = raceDays.filter((day) => day > around.at(-1)!).slice(0, 1)
  const days = new Set([...earlier, ...around, ...later, ...(value === null ? [] : [value])])
  return [...days].toSorted()
}

/** The days around today side by side: those with races, which have a dot, can be chosen. */
export function DayStrip({ today, raceDays, value, onChange }: DayStripProps) {
  const intl = useIntl()
  const format = useFormat()
  const strip = useRef<HTMLDivElement>(null)
  const chosen = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    showWithin(strip.current, chosen.current)
  }, [value])
  const isThisYear = (day: string): boolean => day.slice(0, 4) === today.slice(0, 4)
  return (
    <nav aria-label={intl.formatMessage({ id: 'tips.days' })}>
      <div ref={strip} className={styles.strip}>
        {stripDays({ today, raceDays, value }).map((day) => (
          <button
            key={day}
            ref={day === value ? chosen : null}
            type="button"
            className={styles.day}
            aria-current={day === value ? 'date' : undefined}
            aria-label={format.longDay(day)}
            disabled={!raceDays.includes(day) && day !== value}
            onClick={() => onChange(day)}
          >
            <span className={styles.weekday}>
              {day === today ? <FormattedMessage id="tips.today" /> : format.weekday(day)}
            </span>
            <span>{isThisYear(day) ? format.dayOfYear(day) : format.day(day)}</span>
            <span className={raceDays.includes(day) ? styles.dot : styles.noDot} />
          </button>
        ))}
      </div>
    </nav>
  )
}
