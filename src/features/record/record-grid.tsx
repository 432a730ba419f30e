import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type {
  GridFilter,
  RecordFilter,
  RecordRow,
  RecordSort,
  RecordTotalsRow,
} from '../../../contract/queries.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useGridLocale } from '../../i18n/grid-locale.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import type { GridColumn, GridRequest } from '../../widgets/grid/data-grid.tsx'
import { ExportButton } from './export-button.tsx'
import { OutcomeSelect } from './outcome-select.tsx'
import { betTypeOf, combinationText, outcomeOf } from './record-words.ts'
import { useOutcomeFilter } from './use-outcome-filter.ts'
import styles from './record.module.css'

const DataGrid = lazy(
  () => import('../../widgets/grid/data-grid.tsx'),
) as typeof import('../../widgets/grid/data-grid.tsx').default
const HEIGHT = 560

/** A race's row, or the sums below the list. */
type GridRow = RecordRow | { totals: RecordTotalsRow }
const isTotals = (row: GridRow): row is { totals: RecordTotalsRow } => 'totals' in row

/** The record as a table of any length. */
export function RecordGrid({ filter }: { filter: RecordFilter }) {
  const intl = useIntl()
  const locale = useGridLocale()
  const { outcome, setOutcome, grid: outcomeFilter } = useOutcomeFilter()
  const [view, setView] = useState<Pick<GridRequest, 'sort' | 'ranges'>>({ sort: [], ranges: [] })
  const grid = useMemo(
    () => [...outcomeFilter, ...view.ranges.map(asGridFilter)],
    [outcomeFilter, view.ranges],
  )
  const count = useEngineQuery('record_count', { filter, grid })
  const totals = count.data?.rows[0]
  const empty = totals?.predictions === 0 && !count.isPlaceholderData
  const columns = useColumns()
  const { asOf, regionId } = useOpened()
  const load = useCallback(
    async ({ offset, limit, sort, ranges }: GridRequest) => {
      const { runQuery } = await import('../../data/engine-client.ts')
      const filters = [...outcomeFilter, ...ranges.map(asGridFilter)]
      const parameters = { filter, grid: filters, sort: sort as RecordSort[], offset, limit }
      const page = await runQuery('record_page', parameters)
      const all = await runQuery('record_count', { filter, grid: filters })
      return { rows: page.rows, total: all.rows[0]?.predictions ?? 0 }
    },
    [filter, outcomeFilter],
  )
  return (
    <Panel
      title={<FormattedMessage id="record.list" />}
      actions={
        <div className={styles.gridTools}>
          <OutcomeSelect value={outcome} onChange={setOutcome} />
          <ExportButton filter={filter} grid={grid} sort={view.sort as RecordSort[]} />
        </div>
      }
    >
      <RecentOnly />
      {count.error ? <ErrorNotice error={count.error} onRetry={() => void count.refetch()} /> : null}
      {empty ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      {empty && view.ranges.length === 0 ? null : locale.ready ? (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <DataGrid<GridRow>
            label={intl.formatMessage({ id: 'record.list' })}
            columns={columns}
            load={load}
            source={JSON.stringify([regionId, asOf, filter, outcome, intl.locale])}
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

/** Without the whole history the list has the last seven days. */
export function RecentOnly() {
  const { history } = useOpened()
  if (history) return null
  return (
    <p className={styles.small}>
      <FormattedMessage id="record.recentOnly" />
    </p>
  )
}

/** The grid shows odds in units and profit in HK$; the engine keeps cents, and probabilities as shares. */
function asGridFilter({ column, from, to }: GridRequest['ranges'][number]): GridFilter {
  const factor = column === 'profit_cents' ? 100 : column === 'probability' ? 0.01 : 1
  const scaled = (value: number | null): number | null => (value === null ? null : value * factor)
  return { kind: 'number', column: column as 'odds', from: scaled(from), to: scaled(to) }
}

function useColumns(): GridColumn<GridRow>[] {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const stadiums = useEngineQuery('stadiums', {}).data?.rows
  return useMemo(() => {
    const word = (id: string): string => intl.formatMessage({ id })
    const names = new Map((stadiums ?? []).map((row) => [row.stadium_key, localName(language, row)?.text]))
    const race =
      (text: (row: RecordRow) => string, total: (row: RecordTotalsRow) => string = () => '') =>
      (row: GridRow): string =>
        isTotals(row) ? total(row.totals) : text(row)
    return [
      {
        id: 'race_date',
        heading: word('record.day'),
        width: 112,
        sortable: true,
        text: race(
          (row) => format.day(row.race_date),
          () => word('record.total'),
        ),
      },
      {
        id: 'stadium_key',
        heading: word('record.stadium'),
        width: 120,
        sortable: true,
        text: race((row) => names.get(row.stadium_key) ?? ''),
      },
      {
        id: 'race_no',
        heading: word('record.raceNo'),
        width: 94,
        numeric: true,
        sortable: true,
        text: race((row) => format.integer(row.race_no)),
      },
      {
        id: 'gameplay_class',
        heading: word('record.betType'),
        width: 128,
        sortable: true,
        text: race((row) => betTypeOf(intl, row)),
      },
      {
        id: 'rank',
        heading: word('record.rank'),
        width: 76,
        numeric: true,
        sortable: true,
        text: race((row) => format.integer(row.rank)),
      },
      {
        id: 'combination',
        heading: word('record.prediction'),
        width: 190,
        flex: 1,
        text: race(
          (row) => combinationText(row, language),
          (row) =>
            intl.formatMessage(
              { id: 'record.totalOf' },
              { count: format.integer(row.predictions), hits: format.integer(row.hits) },
            ),
        ),
      },
      {
        id: 'probability',
        heading: word('record.probability'),
        width: 132,
        numeric: true,
        sortable: true,
        filterNumber: true,
        text: race((row) => format.percent(row.probability, 2)),
      },
      {
        id: 'odds',
        heading: word('record.odds'),
        width: 104,
        numeric: true,
        sortable: true,
        filterNumber: true,
        text: race((row) => oddsText(row, format)),
      },
      {
        id: 'outcome',
        heading: word('record.outcome'),
        width: 88,
        sortable: true,
        text: race((row) => outcomeOf(intl, row)),
        className: (row) => (!isTotals(row) && row.outcome === 'hit' ? styles.gain : undefined),
      },
      {
        id: 'profit_cents',
        heading: word('record.profit'),
        width: 152,
        numeric: true,
        sortable: true,
        filterNumber: true,
        text: race(
          (row) => profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format),
          (row) => format.signedMoney(row.profit_cents),
        ),
      },
    ]
  }, [intl, format, language, stadiums])
}

/** Odds that were paid, or in brackets the last ones seen. */
export function oddsText(row: RecordRow, format: Format): string {
  if (row.odds === null) return '–'
  return row.odds_paid ? format.odds(row.odds) : `(${format.odds(row.odds)})`
}

export function profitText(unknown: string, row: RecordRow, format: Format): string {
  return row.profit_cents === null ? unknown : format.signedMoney(row.profit_cents)
}
