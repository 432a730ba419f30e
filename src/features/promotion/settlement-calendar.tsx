import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { addMonths, businessDay } from '../../../domain/membership.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Badge, Entry, List, Row, Small, Stack } from '../../ui/layout.tsx'
import { useInstalments } from './earnings.tsx'
import styles from './promotion.module.css'

const TONES = { waiting: 'accent', settled: 'gain', cancelled: 'loss' } as const

/** A month's days with the amounts that settle on them, and the instalments below. */
export function SettlementCalendar() {
  const intl = useIntl()
  const format = useFormat()
  const instalments = useInstalments()
  const [today] = useState(() => businessDay(new Date()))
  const [month, setMonth] = useState(today.slice(0, 7))
  if (instalments.error)
    return <ErrorNotice error={instalments.error} onRetry={() => void instalments.refetch()} />
  if (!instalments.data) return <Skeleton height={320} />
  const ofMonth = instalments.data.filter(({ settlesOn }) => settlesOn.startsWith(month))
  const byDay = groupBy(ofMonth, ({ settlesOn }) => settlesOn)
  const go = (months: number): void => setMonth(addMonths(`${month}-01`, months).slice(0, 7))
  return (
    <Stack>
      <Row spread>
        <Button aria-label={intl.formatMessage({ id: 'promotion.previousMonth' })} onClick={() => go(-1)}>
          <ChevronLeft aria-hidden="true" size={18} />
        </Button>
        <strong aria-live="polite">{format.month(month)}</strong>
        <Button aria-label={intl.formatMessage({ id: 'promotion.nextMonth' })} onClick={() => go(1)}>
          <ChevronRight aria-hidden="true" size={18} />
        </Button>
      </Row>
      <div className={styles.calendar} aria-hidden="true">
        {weekdays(intl.locale).map((day) => (
          <span key={day} className={styles.weekday}>
            {day}
          </span>
        ))}
        {cellsOf(month).map((day, index) => {
          const rows = day === null ? [] : (byDay.get(day) ?? [])
          const cents = rows
            .filter(({ state }) => state !== 'cancelled')
            .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
          return (
            <span
              key={day ?? `empty ${index}`}
              className={`${styles.cell} ${day === today ? styles.today : ''} ${cents > 0 ? styles.due : ''}`}
            >
              {day === null ? '' : Number(day.slice(8))}
              {cents > 0 ? <small>{format.decimal(cents / 100, 0)}</small> : null}
            </span>
          )
        })}
      </div>
      {ofMonth.length === 0 ? (
        <FormattedMessage id="promotion.noneThisMonth" tagName="p" />
      ) : (
        <List>
          {ofMonth
            .toSorted((a, b) => a.settlesOn.localeCompare(b.settlesOn))
            .map((row) => (
              <Entry key={`${row.orderId} ${row.number}`}>
                <span>
                  <strong>{format.hkd(row.amount)}</strong> · {row.nickname}
                  <br />
                  <Small as="span">
                    {format.day(row.settlesOn)} ·{' '}
                    <FormattedMessage id="promotion.part" values={{ number: row.number, of: row.of }} />
                  </Small>
                </span>
                <Badge tone={TONES[row.state]}>
                  <FormattedMessage id={`settlementState.${row.state}`} />
                </Badge>
              </Entry>
            ))}
        </List>
      )}
    </Stack>
  )
}

/** Short weekday names, Monday first. */
function weekdays(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // 2024-01-01 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(new Date(Date.UTC(2024, 0, 1 + index))))
}

/** The days of a month, with empty cells up to its first weekday. */
function cellsOf(month: string): (string | null)[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const lead = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7
  return [
    ...Array.from({ length: lead }, () => null),
    ...Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
  ]
}
