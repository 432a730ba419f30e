import { Suspense, useCallback, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { ConsoleCell, ConsoleRows } from '../../data/analytics/console-rows.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useGridLocale } from '../../i18n/grid-locale.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import type { GridColumn, GridRequest } from '../../widgets/grid/data-grid.tsx'
import { DataGrid } from '../../widgets/grid/grid.tsx'
import { compareCells } from './cell-order.ts'
import { ResultChart } from './result-chart.tsx'
import { clipboardOf, csvOf, fileNameOf } from './result-files.ts'
import styles from './console.module.css'

const HEIGHT = 420
/** In full screen the rows take what the editor and the toolbars leave of the window. */
const TALL = 'max(320px, calc(100dvh - 370px))'
const COLUMN_WIDTH = 14

interface ResultRow {
  cells: ConsoleCell[]
}

const NONE = '–'

interface ResultRowsProps {
  result: ConsoleRows
  /** Changes with each result. */
  source: string
  /** Name of the cell; empty for a statement of its own. */
  name: string
  /** Whether the console fills the screen. */
  tall: boolean
  /** Counts all rows, including those that are not shown. */
  onCount(): Promise<number>
}

/** Rows in the order of the sorted columns; the statement's own where none is sorted. */
function sortedRows({ columns, rows }: ConsoleRows, sort: GridRequest['sort']): ConsoleRows['rows'] {
  if (sort.length === 0) return rows
  return rows.toSorted((a, b) => {
    for (const { column, descending } of sort) {
      const at = Number(column)
      const order = compareCells(columns[at]!.kind, a[at] ?? null, b[at] ?? null)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
}

function saveCsv(result: ConsoleRows): void {
  saveFile(`${fileNameOf(result)}.csv`, new Blob([csvOf(result)], { type: 'text/csv;charset=utf-8' }))
}

async function saveParquet(result: ConsoleRows): Promise<void> {
  const { parquetOf } = await import('./result-parquet.ts')
  saveFile(`${fileNameOf(result)}.parquet`, parquetOf(result))
}

/** Saves or copies the rows of a result, and says that they were copied, or why that failed. */
function ResultFiles({ result }: { result: ConsoleRows }) {
  const [state, setState] = useState<'copied' | { error: unknown } | null>(null)
  const fail = (error: unknown): void => setState({ error })
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(clipboardOf(result))
    setState('copied')
  }
  return (
    <>
      <Button onClick={() => saveCsv(result)} text="record.export" />
      <Button onClick={() => void saveParquet(result).catch(fail)} text="workspace.exportParquet" />
      <Button onClick={() => void copy().catch(fail)} text="console.copy" />
      <span role="status">
        {state === 'copied' ? (
          <FormattedMessage id="console.copied" values={{ rows: result.rows.length }} />
        ) : null}
      </span>
      {state !== null && typeof state === 'object' ? <ErrorNotice error={state.error} /> : null}
    </>
  )
}

/** The rows of a statement as a table or a chart, and as files. */
export function ResultRows({ result, source, name, tall, onCount }: ResultRowsProps) {
  const word = useWord()
  // Not in the table, which is away while the chart is shown and would load the texts again.
  const locale = useGridLocale()
  const [shown, setShown] = useState<'rows' | 'chart'>('rows')
  const [total, setTotal] = useState<number | { error: unknown } | null>(null)
  const label = name === '' ? word('console.result') : word('console.resultOf', { name })
  const count = (): void => void onCount().then(setTotal, (error: unknown) => setTotal({ error }))
  return (
    <section className={styles.result} aria-label={label} data-testid="console-result">
      <div className={styles.bar2}>
        <RowCount result={result} total={typeof total === 'number' ? total : null} onCount={count} />
        <OneOf
          legend={word('console.show')}
          value={shown}
          choices={[
            { value: 'rows', label: word('console.show.rows') },
            { value: 'chart', label: word('console.show.chart') },
          ]}
          onChange={(value) => setShown(value === 'chart' ? 'chart' : 'rows')}
        />
        <ResultFiles result={result} />
      </div>
      {total !== null && typeof total === 'object' ? <ErrorNotice error={total.error} /> : null}
      {shown === 'chart' ? (
        <ResultChart key={source} result={result} />
      ) : (
        <ResultTable {...{ result, source, label, locale }} height={tall ? TALL : HEIGHT} />
      )}
    </section>
  )
}

interface RowCountProps {
  result: ConsoleRows
  /** Number of all rows once they have been counted. */
  total: number | null
  onCount(): void
}

/** How many rows are shown, and how many others there are once they are counted. */
function RowCount({ result, total, onCount }: RowCountProps) {
  const format = useFormat()
  return (
    <span role="status">
      <FormattedMessage
        id="console.rows"
        values={{
          rows: result.rows.length,
          milliseconds: format.integer(Math.round(result.milliseconds)),
        }}
      />{' '}
      {!result.truncated ? null : total === null ? (
        <Button onClick={onCount} text="console.countMore" />
      ) : (
        <FormattedMessage id="console.more" values={{ more: format.integer(total - result.rows.length) }} />
      )}
    </span>
  )
}

interface ResultTableProps extends Pick<ResultRowsProps, 'result' | 'source'> {
  label: string
  height: number | string
  locale: ReturnType<typeof useGridLocale>
}

function ResultTable({ result, source, label, height, locale }: ResultTableProps) {
  const columns = useMemo(
    () =>
      result.columns.map(({ name, kind }, at): GridColumn<ResultRow> => ({
        id: String(at),
        heading: name,
        width: COLUMN_WIDTH,
        flex: 1,
        numeric: kind === 'number',
        sortable: true,
        text: (row) => row.cells[at] ?? NONE,
      })),
    [result.columns],
  )
  const load = useCallback(
    async ({ offset, limit, sort }: GridRequest): Promise<ResultRow[]> =>
      sortedRows(result, sort)
        .slice(offset, offset + limit)
        .map((cells) => ({ cells })),
    [result],
  )
  if (!locale.ready) return <Skeleton height={HEIGHT} />
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} />}>
      <DataGrid<ResultRow>
        // Other columns need a new grid.
        key={source}
        label={label}
        columns={columns}
        load={load}
        rowCount={result.rows.length}
        source={source}
        totals={null}
        locale={locale.texts}
        height={height}
        sort={[]}
      />
    </Suspense>
  )
}
