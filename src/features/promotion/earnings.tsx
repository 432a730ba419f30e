import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { settlementPage } from '../../../contract/api/trade.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { TableTwin } from '../../ui/layout.tsx'
import { Chart } from '../../widgets/chart/chart.tsx'
import { keyOf, call } from '../../data/client/call.ts'
import type { ResultOf } from '../../../contract/api/endpoint.ts'

const HEIGHT = 240
const MAX_PAGES = 20
const PAGE = 100

type Instalment = ResultOf<typeof settlementPage>['records'][number]

/** Every instalment of a provider, for the calendar and the chart. */
export function useInstalments() {
  return useQuery({
    queryKey: keyOf(settlementPage, { pageSize: PAGE }),
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
          hover: months.map(({ month, cents }) => `${format.month(month)}<br>${format.money(cents)}`),
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
