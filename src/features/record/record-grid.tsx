import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '../../data/analytics/cells.ts'
import type { AnswerRow, Rows } from '../../data/analytics/decode.ts'
import { analyticsQuery, useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useGridLocale } from '../../i18n/grid-locale.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import type { GridColumn, GridRequest } from '../../widgets/grid/data-grid.tsx'
import { ExportButton } from './export-button.tsx'
import { OutcomeSelect } from './outcome-select.tsx'
import {
  betTypeOf,
  combinationText,
  oddsText,
  outcomeOf,
  pageRequest,
  profitText,
  type RowSort,
} from './record-rows.ts'
import { PANELS, panelRows } from './record-requests.ts'
import { TOTALS } from './totals.ts'
import styles from './record.module.css'

const DataGrid = lazy(
  () => import('../../widgets/grid/data-grid.tsx'),
) as typeof import('../../widgets/grid/data-grid.tsx').default
const HEIGHT = 560

/** A prediction's row, or the sums below the list. */
type GridRow = AnswerRow | { totals: AnswerRow }
const isTotals = (row: GridRow): row is { totals: AnswerRow } => typeof row['totals'] === 'object'

export interface RecordListProps {
  where: Filter
  /** Totals of the whole filter; `null` where the list has other rows than the figures. */
  answer: Rows | null
  /** The filter that the list changes, and how. */
  filter: Filter | null
  onPick(next: (filter: Filter | null) => Filter | null): void
  /** What only the list is filtered by. */
  more: Filter | null
}

/** The record as a table of any length. */
export function RecordGrid({ where, answer, filter, onPick, more }: RecordListProps) {
  const intl = useIntl()
  const locale = useGridLocale()
  const scope = useScope()
  const client = useQueryClient()
  const [view, setView] = useState<Pick<GridRequest, 'sort' | 'ranges'>>({ sort: [], ranges: [] })
  const [failure, setFailure] = useState<unknown>(null)
  const own = useMemo(() => allOf(more, ...view.ranges.map(rangeFilter)), [more, view.ranges])
  const { totals, error } = useListTotals(where, own, answer)
  const columns = useColumns()
  const load = useCallback(
    async ({ offset, limit, sort, ranges }: GridRequest) => {
      const asked = pageRequest(where, allOf(more, ...ranges.map(rangeFilter)), sortOf(sort), offset, limit)
      try {
        const { rows } = await client.fetchQuery(analyticsQuery(scope, asked))
        setFailure(null)
        return rows
      } catch (error) {
        setFailure(error)
        throw error
      }
    },
    [where, more, scope, client],
  )
  const empty = totals !== null && numberOf(totals, 'predictions') === 0
  return (
    <Panel
      title={<FormattedMessage id="record.list" />}
      actions={
        <div className={styles.gridTools}>
          <OutcomeSelect filter={filter} onPick={onPick} />
          <ExportButton where={allOf(where, own)!} sort={sortOf(view.sort)} />
        </div>
      }
    >
      <RecentOnly />
      {(error ?? failure) ? <ErrorNotice error={error ?? failure} /> : null}
      {empty ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      {empty && view.ranges.length === 0 ? null : locale.ready ? (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <DataGrid<GridRow>
            label={intl.formatMessage({ id: 'record.list' })}
            columns={columns}
            load={load}
            rowCount={totals ? numberOf(totals, 'predictions') : null}
            source={JSON.stringify([scope.regionId, scope.asOf, scope.history, where, more, intl.locale])}
            totals={totals ? { totals } : null}
            locale={locale.texts}
            height={HEIGHT}
            onView={(next) =>
              setView((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
            }
          />
        </Suspense>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </Panel>
  )
}

/** Sums of the list: those of the figures while it has the same rows, else asked once for its filter. */
function useListTotals(where: Filter, own: Filter | null, answer: Rows | null) {
  const same = own === null && answer !== null
  const { history } = useScope()
  const asked = useAnalytics(
    { aggregate: { model: 'predictions', by: [], measures: [...TOTALS], where: allOf(where, own) } },
    // Without the history sums of single rows are not to be had.
    { enabled: !same && history },
  )
  const rows = same ? panelRows(answer, PANELS.total) : (asked.data?.rows ?? [])
  return { totals: rows[0] ?? null, error: same ? null : asked.error }
}

const sortOf = (sort: GridRequest['sort']): RowSort[] =>
  sort.map(({ column, descending }) => ({ by: column, descending }))

/** Without the whole history the list has the last seven days. */
export function RecentOnly() {
  const { history } = useScope()
  if (history) return null
  return (
    <p className={styles.small}>
      <FormattedMessage id="record.recentOnly" />
    </p>
  )
}

/** The grid shows probabilities in percent; they are asked as shares. */
function rangeFilter({ column, from, to }: GridRequest['ranges'][number]): Filter {
  const scaled = (value: number): number => (column === 'probability' ? value / 100 : value)
  return {
    dim: column,
    ...(from === null ? {} : { from: scaled(from) }),
    ...(to === null ? {} : { to: scaled(to) }),
  }
}

function useColumns(): GridColumn<GridRow>[] {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  return useMemo(() => {
    const word = (id: string): string => intl.formatMessage({ id })
    const race =
      (text: (row: AnswerRow) => string, total: (row: AnswerRow) => string = () => '') =>
      (row: GridRow): string =>
        isTotals(row) ? total(row.totals) : text(row)
    return [
      {
        id: 'day',
        heading: word('record.day'),
        width: 104,
        sortable: true,
        text: race(
          (row) => format.day(textOf(row, 'day')),
          () => word('record.total'),
        ),
      },
      {
        id: 'racecourse',
        heading: word('dimension.racecourse'),
        width: 104,
        sortable: true,
        text: race((row) => localName(language, row, 'racecourse')?.text ?? ''),
      },
      {
        id: 'race_no',
        heading: word('record.raceNo'),
        width: 94,
        numeric: true,
        sortable: true,
        text: race((row) => format.integer(numberOf(row, 'race_no'))),
      },
      {
        id: 'bet_type',
        heading: word('record.betType'),
        width: 102,
        sortable: true,
        text: race((row) => betTypeOf(intl, row)),
      },
      {
        id: 'rank',
        heading: word('record.rank'),
        width: 68,
        numeric: true,
        sortable: true,
        text: race((row) => format.integer(numberOf(row, 'rank'))),
      },
      {
        id: 'combination',
        heading: word('record.prediction'),
        width: 160,
        flex: 1,
        text: race(
          (row) => combinationText(row, language),
          (row) =>
            intl.formatMessage(
              { id: 'record.totalOf' },
              {
                count: format.integer(numberOf(row, 'predictions')),
                hits: format.integer(numberOf(row, 'hits')),
              },
            ),
        ),
      },
      {
        id: 'result',
        heading: word('record.finish'),
        width: 118,
        text: race((row) => textOrNull(row, 'result') ?? '–'),
      },
      {
        id: 'probability',
        heading: word('record.probability'),
        width: 126,
        numeric: true,
        sortable: true,
        filterNumber: true,
        text: race((row) => format.percent(numberOf(row, 'probability'), 2)),
      },
      {
        id: 'price',
        heading: word('record.odds'),
        width: 88,
        numeric: true,
        sortable: true,
        text: race((row) => oddsText(row, format)),
      },
      {
        id: 'outcome',
        heading: word('record.outcome'),
        width: 80,
        sortable: true,
        text: race((row) => outcomeOf(intl, row)),
        className: (row) => (!isTotals(row) && row['outcome'] === 'hit' ? styles.gain : undefined),
      },
      {
        id: 'profit_cents',
        heading: word('record.profit'),
        width: 148,
        numeric: true,
        sortable: true,
        text: race(
          (row) => profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format),
          (row) => format.signedMoney(numberOrNull(row, 'profit') ?? 0),
        ),
      },
    ]
  }, [intl, format, language])
}
