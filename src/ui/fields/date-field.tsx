import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Skeleton } from '../panel.tsx'
import styles from './field.module.css'

const DayCalendar = lazy(() => import('./day-calendar.tsx'))

interface DateButtonProps {
  /** The selected day, `yyyy-mm-dd`. */
  value: string
  /** The displayed text. */
  text: string
  onChange(day: string): void
}

/** Selects a day: a button that opens a calendar in the user's language. */
export function DateButton({ value, text, onChange }: DateButtonProps) {
  const intl = useIntl()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-label={intl.formatMessage({ id: 'common.dayChosen' }, { day: text })}
      >
        <CalendarDays aria-hidden="true" size={16} />
        {text}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<FormattedMessage id="common.chooseDay" />}>
        <Suspense fallback={<Skeleton height={320} />}>
          <DayCalendar
            value={value}
            onChange={(day) => {
              setOpen(false)
              onChange(day)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}

interface DateProps {
  label: ReactNode
  value: string | null
  min?: string
  max?: string
  onChange(value: string | null): void
}

const TODAY = new Date().toISOString().slice(0, 10)

/** An optional day, selected in a calendar in the user's language. */
export function DateField({ label, value, min, max, onChange }: DateProps) {
  const intl = useIntl()
  const format = useFormat()
  const text = value === null ? intl.formatMessage({ id: 'common.chooseDay' }) : format.day(value)
  return (
    <div className={styles.field}>
      <span>{label}</span>
      <DateButton
        value={value ?? max ?? TODAY}
        text={text}
        onChange={(day) =>
          onChange(min !== undefined && day < min ? min : max !== undefined && day > max ? max : day)
        }
      />
    </div>
  )
}
