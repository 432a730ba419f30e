import { useEffect, useRef } from 'react'
import { useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { showWithin } from '../../ui/behaviour/show-within.ts'
import styles from './results.module.css'

interface MonthStripProps {
  /** `yyyy-mm`, newest first. */
  months: readonly string[]
  value: string | null
  onChange(month: string): void
}

/** Months with races side by side, newest first. */
export function MonthStrip({ months, value, onChange }: MonthStripProps) {
  const intl = useIntl()
  const format = useFormat()
  const strip = useRef<HTMLDivElement>(null)
  const chosen = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    showWithin(strip.current, chosen.current)
  }, [value])
  const move = (by: number): void => {
    const next = months[months.indexOf(value ?? '') + by]
    if (next === undefined) return
    onChange(next)
    strip.current?.querySelector<HTMLElement>(`[data-month="${next}"]`)?.focus()
  }
  return (
    <div
      ref={strip}
      role="group"
      aria-label={intl.formatMessage({ id: 'results.month' })}
      className={styles.months}
    >
      {months.map((month) => (
        <button
          key={month}
          ref={month === value ? chosen : null}
          type="button"
          className={styles.month}
          aria-pressed={month === value}
          data-month={month}
          // A single tab stop for the strip: arrow keys move between months.
          tabIndex={month === value ? 0 : -1}
          onClick={() => onChange(month)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1)
            if (event.key === 'ArrowLeft') move(-1)
          }}
        >
          {format.month(month)}
        </button>
      ))}
    </div>
  )
}
