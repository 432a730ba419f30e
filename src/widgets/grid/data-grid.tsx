import {
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  NumberFilterModule,
  PinnedRowModule,
  RowApiModule,
  ScrollApiModule,
  themeQuartz,
  type ColDef,
  type GridReadyEvent,
  type IDatasource,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useDark } from '../../ui/use-dark.ts'

ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  NumberFilterModule,
  PinnedRowModule,
  RowApiModule,
  ScrollApiModule,
])

const BLOCK_ROWS = 100

const THEME = themeQuartz.withParams({
  accentColor: 'var(--accent)',
  backgroundColor: 'var(--surface)',
  borderColor: 'var(--line)',
  foregroundColor: 'var(--ink)',
  headerBackgroundColor: 'var(--sunken)',
  headerTextColor: 'var(--ink-soft)',
  fontFamily: 'inherit',
  fontSize: 14,
  spacing: 6,
  wrapperBorderRadius: 8,
})

export interface GridColumn<Row> {
  id: string
  heading: string
  width: number
  /** Widens with the grid. */
  flex?: number
  numeric?: boolean
  sortable?: boolean
  /** Offers a filter from a number to a number. */
  filterNumber?: boolean
  pinned?: boolean
  text(row: Row): string
  className?(row: Row): string | undefined
}

export interface NumberRange {
  column: string
  from: number | null
  to: number | null
}

export interface GridRequest {
  offset: number
  limit: number
  sort: { column: string; descending: boolean }[]
  ranges: NumberRange[]
}

interface DataGridProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** Rows of one block; fewer than asked for are the last ones. */
  load(request: GridRequest): Promise<Row[]>
  /** Rows that there are; `null` while that is not known. */
  rowCount: number | null
  /** Changes when other rows are to be shown. */
  source: string
  totals: Row | null
  locale: Record<string, string> | null
  height: number
  onView?(view: Pick<GridRequest, 'sort' | 'ranges'>): void
}

/** A table of any length: blocks come as they are scrolled to, sorted and filtered where the data is. */
export default function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, columns, load, rowCount, source, totals, locale, height, onView } = props
  const dark = useDark()
  const loadRef = useRef(load)
  const onViewRef = useRef(onView)
  const countRef = useRef(rowCount)
  useEffect(() => {
    loadRef.current = load
    onViewRef.current = onView
    countRef.current = rowCount
  })
  const columnDefs = useMemo(() => columns.map(definition), [columns])
  const [grid, setGrid] = useState<GridReadyEvent<Row>['api'] | null>(null)
  useEffect(() => {
    grid?.setGridOption('datasource', datasourceOf(loadRef, onViewRef, countRef))
  }, [grid])
  const shown = useRef(source)
  useEffect(() => {
    if (!grid || shown.current === source) return
    // Rows of the source before stay until those of the new one are there: no blank rows, and half the work.
    shown.current = source
    if (grid.getFirstDisplayedRowIndex() > 0) grid.ensureIndexVisible(0, 'top')
    grid.refreshInfiniteCache()
  }, [grid, source])
  useEffect(() => {
    if (grid && rowCount !== null) grid.setRowCount(rowCount, true)
  }, [grid, rowCount, source])
  return (
    <div style={{ height }} data-ag-theme-mode={dark ? 'dark' : 'light'} role="group" aria-label={label}>
      <AgGridReact<Row>
        theme={THEME}
        columnDefs={columnDefs}
        rowModelType="infinite"
        cacheBlockSize={BLOCK_ROWS}
        maxBlocksInCache={20}
        blockLoadDebounceMillis={40}
        rowHeight={34}
        headerHeight={36}
        rowBuffer={4}
        animateRows={false}
        localeText={locale ?? undefined}
        pinnedBottomRowData={totals ? [totals] : []}
        onGridReady={({ api }) => setGrid(api)}
        suppressCellFocus={false}
        multiSortKey="ctrl"
      />
    </div>
  )
}

/** Where scrollbars take no width, the grid paints its own over the last column. */
const NUMERIC_CELL = { textAlign: 'right', paddingRight: '18px' }

function definition<Row extends object>(column: GridColumn<Row>): ColDef<Row> {
  const { id, heading, width, flex, numeric, sortable, filterNumber, pinned, text, className } = column
  return {
    colId: id,
    headerName: heading,
    width,
    minWidth: width,
    ...(flex ? { flex } : {}),
    sortable: sortable ?? false,
    sortingOrder: ['asc', 'desc', null],
    filter: filterNumber ? 'agNumberColumnFilter' : false,
    ...(filterNumber
      ? {
          filterParams: {
            filterOptions: ['greaterThanOrEqual', 'lessThanOrEqual', 'inRange'],
            maxNumConditions: 1,
            buttons: ['apply', 'reset'],
            closeOnApply: true,
            inRangeInclusive: true,
          },
        }
      : {}),
    ...(pinned ? { pinned: 'left' as const } : {}),
    suppressMovable: true,
    ...(numeric ? { cellStyle: NUMERIC_CELL, headerClass: 'ag-right-aligned-header' } : {}),
    valueGetter: ({ data }) => (data ? text(data) : ''),
    cellClass: ({ data }) => (data ? className?.(data) : undefined),
  }
}

interface NumberModel {
  type: 'greaterThanOrEqual' | 'lessThanOrEqual' | 'inRange'
  filter?: number
  filterTo?: number
}

function datasourceOf<Row>(
  load: { current: DataGridProps<Row>['load'] },
  onView: { current: DataGridProps<Row>['onView'] },
  count: { current: number | null },
): IDatasource {
  return {
    getRows: ({ startRow, endRow, sortModel, filterModel, successCallback, failCallback }) => {
      const sort = sortModel.map(({ colId, sort: direction }) => ({
        column: colId,
        descending: direction === 'desc',
      }))
      const ranges = Object.entries(filterModel as Record<string, NumberModel>).map(([column, model]) => ({
        column,
        from: model.type === 'lessThanOrEqual' ? null : (model.filter ?? null),
        to: model.type === 'lessThanOrEqual' ? (model.filter ?? null) : (model.filterTo ?? null),
      }))
      onView.current?.({ sort, ranges })
      load
        .current({ offset: startRow, limit: endRow - startRow, sort, ranges })
        .then((rows) => {
          const ended = rows.length < endRow - startRow ? startRow + rows.length : null
          successCallback(rows, ended ?? count.current ?? undefined)
        })
        .catch(() => failCallback())
    },
  }
}
