import { CalendarDate, parseDate, today } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  I18nProvider,
} from 'react-aria-components'
import { useIntl } from 'react-intl'
import { languageRules } from '../../../domain/languages.ts'
import styles from './day-calendar.module.css'

/** Years that can be selected before and after the current one (specification section 9). */
const YEARS = { back: 60, ahead: 2 }

/** A calendar of a month, for touch, mouse and keyboard. */
export default function DayCalendar({ value, onChange }: { value: string; onChange(day: string): void }) {
  const intl = useIntl()
  const [focused, setFocused] = useState<CalendarDate>(() => parseDate(value))
  const now = today('UTC')
  const years = Array.from({ length: YEARS.back + YEARS.ahead + 1 }, (_, at) => now.year + YEARS.ahead - at)
  return (
    <I18nProvider locale={languageRules(intl.locale).calendar}>
      <Calendar
        className={styles.calendar}
        aria-label={intl.formatMessage({ id: 'common.chooseDay' })}
        value={parseDate(value)}
        focusedValue={focused}
        onFocusChange={setFocused}
        minValue={now.subtract({ years: YEARS.back })}
        maxValue={now.add({ years: YEARS.ahead })}
        onChange={(day) => onChange(day.toString())}
      >
        <header className={styles.head}>
          <Button slot="previous" className={styles.step}>
            <ChevronLeft aria-hidden="true" size={20} />
          </Button>
          <Heading className={styles.month} />
          <select
            className={styles.year}
            aria-label={intl.formatMessage({ id: 'common.year' })}
            value={focused.year}
            onChange={(event) => setFocused(focused.set({ year: Number(event.target.value) }))}
          >
            {years.map((year) => (
              <option key={year} value={year}>
                {year}
              </option>
            ))}
          </select>
          <Button slot="next" className={styles.step}>
            <ChevronRight aria-hidden="true" size={20} />
          </Button>
        </header>
        <CalendarGrid className={styles.grid} weekdayStyle="short">
          <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
          <CalendarGridBody>
            {(date) => <CalendarCell date={date} className={styles.cell} />}
          </CalendarGridBody>
        </CalendarGrid>
      </Calendar>
    </I18nProvider>
  )
}
