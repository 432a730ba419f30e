import {
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  ScrollApiModule,
  themeQuartz,
  type ColDef,
  type ColumnState,
  type GridReadyEvent,
  type IGetRowsParams,
  type IRowNode,
} from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useDark } from '../../ui/behaviour/theme.ts'
import { digitsOf } from './digits-of.ts'

ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  PinnedRowModule,
  RenderApiModule,
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
  headerFontWeight: 600,
  headerTextColor: 'var(--ink-soft)',
  fontFamily: 'inherit',
  fontSize: 13,
  spacing: 5,
  wrapperBorderRadius: 8,
})

export interface GridColumn<Row> {
  id: string
  heading: string
  /** In digits of the grid's font, or what its heading needs in two lines if that is more. */
  width: number
  /** Grows with the grid. */
  flex?: number
  numeric?: boolean
  sortable?: boolean
  pinned?: boolean
  /** How many columns a row's text extends over, if more than its own. */
  span?(row: Row): number
  text(row: Row): string
  className?(row: Row): string | undefined
}

interface Choice {
  rowIndex: number
  how: 'open' | 'look'
}

export interface GridRequest {
  offset: number
  limit: number
  sort: { column: string; descending: boolean }[]
}

interface DataGridProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** Loads the rows of one block; fewer rows than requested mark the end. */
  load(request: GridRequest): Promise<Row[]>
  /** Total number of rows; `null` while it is unknown. */
  rowCount: number | null
  /** Changes when different rows are to be shown, from the first one. */
  source: string
  /** Changes when rows of the same source were put in or taken out, without a scroll. */
  revision?: string
  totals: Row | null
  locale: Record<string, string> | null
  /** Pixels, or a CSS length. */
  height: number | string
  /** The initial order, and the new one when it is changed from outside. */
  sort: GridRequest['sort']
  onView?(view: Pick<GridRequest, 'sort'>): void
  /** A row was double-clicked or entered (`open`), or clicked or selected with the space bar (`look`). */
  onRow?(row: Row, how: 'open' | 'look'): void
  /** Receives a function that selects the next (1) or previous (−1) row with another subject. */
  stepRef?: { current: ((by: 1 | -1) => void) | null }
  /** The subject of a row; `null` if it cannot be inspected. */
  subjectOf?(row: Row): string | null
  /** The subject being inspected. */
  inspected?: string | null
}

type Api<Row> = GridReadyEvent<Row>['api']

/**
 * Lets the grid load rows from their source, again when the source or its revision changes. `choose` does what the user
 * wants of a row, once it is loaded; `forget` is called when the rows' order changes: rows requested before belong to
 * other indices. `loading` counts the blocks that are being loaded.
 */
function useRows<Row extends object>(
  grid: Api<Row> | null,
  { load, rowCount, source, revision = '', onView, onRow }: DataGridProps<Row>,
) {
  const latest = useRef({ load, rowCount, onView, onRow })
  const loading = useRef(0)
  /** What the user wants of a row that is not loaded yet; a later choice replaces it. */
  const waiting = useRef<Choice | null>(null)
  /** Changes with the rows' source and order. */
  const edition = useRef(0)
  const forget = (): void => {
    edition.current += 1
    waiting.current = null
  }
  useEffect(() => {
    latest.current = { load, rowCount, onView, onRow }
  })
  useEffect(() => {
    // The grid replaces a row that it drew without data by another object, so the row is found by its index.
    const chooseWaiting = (rows: readonly Row[], start: number): void => {
      const choice = waiting.current
      const row = choice === null ? undefined : rows[choice.rowIndex - start]
      if (choice === null || row === undefined) return
      waiting.current = null
      latest.current.onRow?.(row, choice.how)
    }
    const getRows = ({
      startRow,
      endRow,
      sortModel,
      successCallback,
      failCallback,
    }: IGetRowsParams): void => {
      const sort = sortOf(sortModel)
      latest.current.onView?.({ sort })
      loading.current += 1
      const of = edition.current
      latest.current
        .load({ offset: startRow, limit: endRow - startRow, sort })
        .finally(() => (loading.current -= 1))
        .then((rows) => {
          const ended = rows.length < endRow - startRow ? startRow + rows.length : null
          successCallback(rows, ended ?? latest.current.rowCount ?? undefined)
          if (of === edition.current) chooseWaiting(rows, startRow)
        })
        .catch(() => failCallback())
    }
    grid?.setGridOption('datasource', { getRows })
  }, [grid])
  const shown = useRef({ source, revision })
  useEffect(() => {
    const before = shown.current
    if (!grid || (before.source === source && before.revision === revision)) return
    // Rows of the previous source stay until the new ones are loaded, which avoids blank
    // rows and halves the work.
    shown.current = { source, revision }
    edition.current += 1
    waiting.current = null
    if (before.source !== source && grid.getFirstDisplayedRowIndex() > 0) grid.ensureIndexVisible(0, 'top')
    grid.refreshInfiniteCache()
  }, [grid, source, revision])
  const choose = (rowIndex: number, row: Row | undefined, how: Choice['how']): void => {
    waiting.current = row === undefined ? { rowIndex, how } : null
    if (row !== undefined) onRow?.(row, how)
  }
  return { choose, forget, loading }
}

/** Fills `stepRef`; `lookedAt` is the index of the row that was selected last. */
function useStep<Row extends object>(
  grid: Api<Row> | null,
  inspectedIndex: { current: number },
  { stepRef, subjectOf, inspected = null, onRow }: DataGridProps<Row>,
): void {
  useEffect(() => {
    if (!grid || !stepRef || !subjectOf) return undefined
    stepRef.current = (by) => {
      const next = rowAfter(grid, by, subjectOf, inspected, inspectedIndex.current)
      if (next === null) return
      inspectedIndex.current = next.index
      grid.ensureIndexVisible(next.index)
      onRow?.(next.row, 'look')
    }
    return () => {
      stepRef.current = null
    }
  })
}

/** Gives the grid the order of the rows when it is changed from outside. */
function useSort<Row extends object>(grid: Api<Row> | null, sort: GridRequest['sort']): void {
  const order = JSON.stringify(sort)
  useEffect(() => {
    if (!grid) return
    const requested = JSON.parse(order) as GridRequest['sort']
    const now = sortOf(grid.getColumnState())
    if (JSON.stringify(now) === order) return
    grid.applyColumnState({
      state: requested.map(({ column, descending }, index) => ({
        colId: column,
        sort: descending ? 'desc' : 'asc',
        sortIndex: index,
      })),
      defaultState: { sort: null },
    })
  }, [grid, order])
}

/**
 * A table of any length: blocks are loaded as they are scrolled to; sorting and filtering
 * happen in the data source.
 */
export default function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, columns, rowCount, source, totals, locale, height, sort } = props
  const dark = useDark()
  /** Index of the row that was selected last. */
  const inspectedIndex = useRef(-1)
  const columnDefs = useMemo(() => {
    const digit = digitWidth()
    return columns.map((column) => definition(column, digit))
  }, [columns])
  const [grid, setGrid] = useState<Api<Row> | null>(null)
  const rows = useRows(grid, props)
  useStep(grid, inspectedIndex, props)
  useSort(grid, sort)
  useEffect(() => grid?.setGridAriaProperty('label', label), [grid, label])
  useEffect(() => {
    // Loading rows also set the count: setting it separately would make the grid measure itself twice.
    if (grid && rowCount !== null && rows.loading.current === 0) grid.setRowCount(rowCount, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [grid, rowCount, source])
  const choose = ({ rowIndex, data }: IRowNode<Row>, how: Choice['how']): void => {
    if (rowIndex === null) return
    if (how === 'look') inspectedIndex.current = rowIndex
    rows.choose(rowIndex, data, how)
  }
  return (
    <div style={{ height }} data-ag-theme-mode={dark ? 'dark' : 'light'}>
      <AgGridReact<Row>
        theme={THEME}
        columnDefs={columnDefs}
        rowModelType="infinite"
        cacheBlockSize={BLOCK_ROWS}
        maxBlocksInCache={20}
        blockLoadDebounceMillis={40}
        rowHeight={32}
        headerHeight={44}
        rowBuffer={4}
        animateRows={false}
        suppressAnimationFrame
        localeText={locale ?? undefined}
        pinnedBottomRowData={totals ? [totals] : []}
        onGridReady={({ api }) => setGrid(api)}
        suppressCellFocus={false}
        onRowDoubleClicked={({ node, rowPinned }) => {
          if (!rowPinned) choose(node, 'open')
        }}
        onRowClicked={({ node, rowPinned }) => {
          if (!rowPinned) choose(node, 'look')
        }}
        onCellKeyDown={({ event, node, rowPinned }) => {
          if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return
          event.preventDefault()
          if (!rowPinned) choose(node, event.key === 'Enter' ? 'open' : 'look')
        }}
        onSortChanged={rows.forget}
        multiSortKey="ctrl"
      />
    </div>
  )
}

/**
 * The next loaded row with another subject in a direction, starting from the row that was selected last
 * (`last`) if it still has the inspected subject; the first row of the list if none has.
 */
function rowAfter<Row>(
  grid: Api<Row>,
  by: 1 | -1,
  subjectOf: (row: Row) => string | null,
  inspected: string | null,
  last: number,
): { index: number; row: Row } | null {
  // Only loaded rows: requesting a row by its index would load it.
  const rows = new Map<number, Row>()
  grid.forEachNode(({ data, rowIndex }) => {
    if (data !== undefined && rowIndex !== null) rows.set(rowIndex, data)
  })
  const isInspected = (row: Row | undefined): boolean => row !== undefined && subjectOf(row) === inspected
  const found = isInspected(rows.get(last))
    ? last
    : ([...rows].find(([, row]) => isInspected(row))?.[0] ?? -1)
  const step = found < 0 ? 1 : by
  for (let index = found < 0 ? 0 : found + by; rows.has(index); index += step) {
    const row = rows.get(index)!
    const subject = subjectOf(row)
    if (subject !== null && subject !== inspected) return { index, row }
  }
  return null
}

/** The text of a cell whose row is not loaded yet: a row is never blank. */
const WAITING = '…'

/** Where scrollbars take up no width, the grid draws its own over the last column. */
const NUMERIC_CELL = { textAlign: 'right', paddingRight: '14px' }

/** Left and right of a cell, in pixels; numbers leave room for the grid's own scrollbar. */
const PADDING = { text: 20, number: 24 } as const
/** Headings are bold. */
const BOLD = 1.08

/** The width of a digit in the grid's font, in pixels. */
function digitWidth(): number {
  const digit = document.createElement('span')
  digit.style.cssText = 'position:absolute;visibility:hidden;width:1ch;height:1px;font-size:13px'
  document.body.append(digit)
  const { width } = digit.getBoundingClientRect()
  digit.remove()
  return width || 8
}

/** The digits that a heading needs in two lines. */
const headingDigits = (heading: string): number =>
  Math.max(
    digitsOf(heading) / 2,
    ...heading.split(' ').map((each) => (/\p{Script=Han}/u.test(each) ? 0 : each.length)),
  )

function definition<Row extends object>(column: GridColumn<Row>, digit: number): ColDef<Row> {
  const { id, heading, flex, numeric, sortable, pinned, span, text, className } = column
  const least = Math.max(column.width, BOLD * headingDigits(heading))
  const width = Math.ceil(least * digit) + PADDING[numeric ? 'number' : 'text']
  return {
    colId: id,
    headerName: heading,
    wrapHeaderText: true,
    width,
    minWidth: width,
    ...(flex ? { flex } : {}),
    sortable: sortable ?? false,
    sortingOrder: ['asc', 'desc', null],
    filter: false,
    ...(pinned ? { pinned: 'left' as const } : {}),
    ...(span ? { colSpan: ({ data }) => (data ? span(data) : 1) } : {}),
    suppressMovable: true,
    ...(numeric ? { cellStyle: NUMERIC_CELL, headerClass: 'ag-right-aligned-header' } : {}),
    valueGetter: ({ data }) => (data ? text(data) : WAITING),
    cellClass: ({ data }) => (data ? className?.(data) : undefined),
  }
}

/** The sort order of a grid's sorted columns. */
const sortOf = (state: readonly ColumnState[]): GridRequest['sort'] =>
  state
    .filter(({ sort }) => sort)
    .toSorted((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
    .map(({ colId, sort }) => ({ column: colId, descending: sort === 'desc' }))
