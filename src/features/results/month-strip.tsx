import { useEffect, useRef } from 'react'
import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import styles from './results.module.css'

interface MonthStripProps {
  /** `yyyy-mm`, the newest first. */
  months: readonly string[]
  value: string | null
  onChange(month: string): void
}

/** Months with races side by side, the newest first. */
export function MonthStrip({ months, value, onChange }: MonthStripProps) {
  const intl = useIntl()
  const format = useFormat()
  const chosen = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Newer browsers answer a promise, which an effect must not.
    chosen.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value])
  return (
    <div role="group" aria-label={intl.formatMessage({ id: 'results.month' })} className={styles.months}>
      {months.map((month) => (
        <button
          key={month}
          ref={month === value ? chosen : null}
          type="button"
          className={styles.month}
          aria-pressed={month === value}
          onClick={() => onChange(month)}
        >
          {format.month(month)}
        </button>
      ))}
    </div>
  )
}
