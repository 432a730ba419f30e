import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Skeleton } from '../panel.tsx'

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
