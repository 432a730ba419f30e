import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { settlementPage } from '../../../contract/api/trade.ts'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { TableTwin, Badge, Entry, List, Row, Small, Stack } from '../../ui/layout.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { keyOf, call } from '../../data/client/call.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { addMonths, businessDay } from '../../../domain/membership.ts'
import { Button } from '../../ui/button.tsx'
import styles from './promotion.module.css'

const HEIGHT = 240
const MAX_PAGES = 20
const PAGE = 100

type Instalment = ResultOf<typeof settlementPage>['records'][number]

/** Every instalment of a provider, for the calendar and the chart. */
function useInstalments() {
  const token = useToken()
  return useQuery({
    queryKey: keyOf(settlementPage, { pageSize: PAGE }, token),
    queryFn: async ({ signal }): Promise<Instalment[]> => {
      const all: Instalment[] = []
      for (let pageNo = 1; pageNo <= MAX_PAGES; pageNo += 1) {
        const { records, pages } = await call(settlementPage, { pageNo, pageSize: PAGE }, signal)
        all.push(...records)
        if (pageNo >= pages) break
      }
      return all
    },
    retry: 1,
  })
}

/** Currency of the fees, written the same in every language. */
const CURRENCY = 'HK$'

/** Totals in whole cents by month. */
function byMonth(instalments: readonly Instalment[]): { month: string; cents: number }[] {
  const counted = instalments.filter(({ state }) => state !== 'cancelled')
  return [...groupBy(counted, ({ settlesOn }) => settlesOn.slice(0, 7))]
    .map(([month, rows]) => ({
      month,
      cents: rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0),
    }))
    .toSorted((a, b) => a.month.localeCompare(b.month))
}

/** Fees by the month in which they settle. */
export function EarningsChart() {
  const intl = useIntl()
  const format = useFormat()
  const wide = useWide()
  const instalments = useInstalments()
  const months = useMemo(() => byMonth(instalments.data ?? []), [instalments.data])
  const chart = useMemo(() => {
    const label = intl.formatMessage({ id: 'promotion.byMonth' })
    const step = Math.max(1, Math.ceil(months.length / (wide ? 6 : 3)))
    const marked = months.filter((_, index) => index % step === 0)
    return {
      label,
      series: [
        {
          kind: 'bars' as const,
          name: label,
          tone: 'accent' as const,
          x: months.map(({ month }) => month),
          y: months.map(({ cents }) => cents / 100),
          hover: months.map(({ month, cents }) => `${format.month(month)}\n${format.money(cents)}`),
        },
      ],
      x: {
        title: '',
        category: true,
        ticks: { at: marked.map(({ month }) => month), text: marked.map(({ month }) => format.month(month)) },
      },
      y: { title: CURRENCY, zero: true },
    }
  }, [months, intl, format, wide])
  if (instalments.error)
    return <ErrorNotice error={instalments.error} onRetry={() => void instalments.refetch()} />
  if (instalments.isPending) return <Skeleton height={HEIGHT} />
  if (months.length === 0) return <FormattedMessage id="promotion.noFees" tagName="p" />
  return (
    <figure>
      <Chart {...chart} height={HEIGHT} />
      <TableTwin>
        <FormattedMessage id="record.asTable" tagName="summary" />
        <DataTable
          rows={months}
          keyOf={({ month }) => month}
          columns={[
            { id: 'promotion.month', render: ({ month }) => format.month(month) },
            { id: 'promotion.fee', render: ({ cents }) => format.money(cents) },
          ]}
        />
      </TableTwin>
    </figure>
  )
}

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
