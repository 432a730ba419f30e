import { Suspense, useCallback, useMemo, useState, useEffect, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import { BYTE_ORDER_MARK, csvLine } from '../../../domain/csv.ts'
import type { ConsoleCell, ConsoleRows } from '../../data/analytics/console.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useGridLocale } from '../../i18n/grid-locale.ts'
import { Button } from '../../ui/button.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import type { GridColumn, GridRequest } from '../../widgets/grid/data-grid.tsx'
import { DataGrid } from '../../widgets/grid/grid.tsx'
import styles from './console.module.css'
import { Chart } from '../../widgets/chart/chart.tsx'
import { evenly } from '../../../domain/evenly.ts'
import { ToolSelect } from '../parts/controls.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import heats from '../parts/heat.module.css'
import panelStyles from '../parts/panel.module.css'

const HEIGHT = 420
/** In full screen the rows take what the editor and the toolbars leave of the window. */
const TALL = 'max(320px, calc(100dvh - 456px))'
const COLUMN_WIDTH = 130

interface ResultRow {
  cells: ConsoleCell[]
}

const DIGITS = 12

/** Numbers as rounded by the statement, without thousands separators, because they may be years and keys. */
const cellText = (value: ConsoleCell): string =>
  value === null
    ? '–'
    : typeof value === 'number'
      ? String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS))).replace('-', '−')
      : String(value)

function compared(a: ConsoleCell, b: ConsoleCell): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}

interface ResultRowsProps {
  result: ConsoleRows
  /** Changes with each result. */
  source: string
  /** Whether the console fills the screen. */
  tall: boolean
  /** Counts all rows, including those that are not shown. */
  onCount(): Promise<number>
}

/** Rows in the order of the sorted columns; the statement's own where none is sorted. */
function sortedRows(rows: ConsoleRows['rows'], sort: GridRequest['sort']): ConsoleRows['rows'] {
  if (sort.length === 0) return rows
  return rows.toSorted((a, b) => {
    for (const { column, descending } of sort) {
      const order = compared(a[Number(column)] ?? null, b[Number(column)] ?? null)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
}

function saveCsv(result: ConsoleRows): void {
  const lines = [result.columns.map(({ name }) => name), ...result.rows].map(csvLine)
  saveFile('furlong-query.csv', new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv;charset=utf-8' }))
}

const PARQUET_TYPES = {
  number: 'number',
  boolean: 'boolean',
  text: 'text',
  day: 'text',
  instant: 'text',
} as const

async function saveParquet({ columns, rows }: ConsoleRows): Promise<void> {
  const { ParquetRows } = await import('../list/parquet.ts')
  // Two columns of a result may have the same name, those of a file may not.
  const names = columns.map(({ name }, at) =>
    columns.findIndex((each) => each.name === name) === at ? name : `${name}_${at + 1}`,
  )
  const file = new ParquetRows(names.map((name, at) => ({ name, type: PARQUET_TYPES[columns[at]!.kind] })))
  file.add(rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))))
  saveFile('furlong-query.parquet', file.file())
}

/** The rows of a statement as a table or a chart, and as files. */
export function ResultRows({ result, source, tall, onCount }: ResultRowsProps) {
  const word = useWord()
  // Not in the table, which is away while the chart is shown and would load the texts again.
  const locale = useGridLocale()
  const [shown, setShown] = useState<'rows' | 'chart'>('rows')
  const [total, setTotal] = useState<number | { error: unknown } | null>(null)
  const count = (): void => void onCount().then(setTotal, (error: unknown) => setTotal({ error }))
  return (
    <section className={styles.result} aria-label={word('console.result')} data-testid="console-result">
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
        <Button onClick={() => saveCsv(result)} text="record.export" />
        <Button onClick={() => void saveParquet(result)} text="workspace.exportParquet" />
      </div>
      {total !== null && typeof total === 'object' ? <ErrorNotice error={total.error} /> : null}
      {shown === 'chart' ? (
        <ResultChart key={source} result={result} />
      ) : (
        <ResultTable result={result} source={source} height={tall ? TALL : HEIGHT} locale={locale} />
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
  height: number | string
  locale: ReturnType<typeof useGridLocale>
}

function ResultTable({ result, source, height, locale }: ResultTableProps) {
  const word = useWord()
  const columns = useMemo(
    () =>
      result.columns.map(({ name, kind }, at): GridColumn<ResultRow> => ({
        id: String(at),
        heading: name,
        width: COLUMN_WIDTH,
        flex: 1,
        numeric: kind === 'number',
        sortable: true,
        text: (row) => cellText(row.cells[at] ?? null),
      })),
    [result.columns],
  )
  const load = useCallback(
    async ({ offset, limit, sort }: GridRequest): Promise<ResultRow[]> =>
      sortedRows(result.rows, sort)
        .slice(offset, offset + limit)
        .map((cells) => ({ cells })),
    [result.rows],
  )
  if (!locale.ready) return <Skeleton height={HEIGHT} />
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} />}>
      <DataGrid<ResultRow>
        // Other columns need a new grid.
        key={source}
        label={word('console.result')}
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

const CHART_HEIGHT = 280
const KINDS = ['bars', 'line', 'points', 'heat'] as const
type Kind = (typeof KINDS)[number]
const MAX_POINTS = 3000
const TICKS = 8

interface Choice {
  kind: Kind
  x: number
  y: number
  /** Column for the rows of a heat map. */
  down: number
}

/** Maximum number of values per side for which a heat map is suggested. */
const FEW_VALUES = 30

/**
 * Suggests a chart from the columns: a heat map if each pair of values of two columns occurs once, a line
 * over days or ordered numbers, bars over names, points for two numbers.
 */
function suggestedChart({ columns, rows }: Pick<ConsoleRows, 'columns' | 'rows'>): Choice | null {
  const at = (test: (kind: string) => boolean, except = -1): number =>
    columns.findIndex(({ kind }, index) => index !== except && test(kind))
  const isNumber = (kind: string): boolean => kind === 'number'
  if (rows.length < 2) return null
  const heat = suggestedHeat(columns, rows)
  if (heat !== null) return heat
  const x = at(isNumber)
  if (x < 0) return null
  const time = at((kind) => kind === 'day' || kind === 'instant')
  if (time >= 0) return { kind: 'line', x: time, y: x, down: 0 }
  const text = at((kind) => kind === 'text' || kind === 'boolean')
  if (text >= 0) return { kind: 'bars', x: text, y: x, down: 0 }
  const y = at(isNumber, x)
  if (y < 0) return null
  const values = rows.map((row) => Number(row[x]))
  const rising = values.every((value, index) => index === 0 || value > values[index - 1]!)
  return { kind: rising ? (rows.length > 30 ? 'line' : 'bars') : 'points', x, y, down: 0 }
}

function suggestedHeat(columns: ConsoleRows['columns'], rows: ConsoleRows['rows']): Choice | null {
  if (columns.length !== 3 || columns[2]!.kind !== 'number') return null
  const values = [0, 1].map((at) => new Set(rows.map((row) => row[at])).size)
  const pairs = new Set(rows.map((row) => `${row[0]}\n${row[1]}`)).size
  const square = values.every((count) => count >= 2 && count <= FEW_VALUES)
  return square && pairs === rows.length && rows.length > Math.max(...values)
    ? { kind: 'heat', down: 0, x: 1, y: 2 }
    : null
}

/** The columns of a choice as a plot, and how many of its points are drawn. */
function plotOf(kind: Exclude<Choice['kind'], 'heat'>, choice: Choice, { columns, rows }: ConsoleRows) {
  const [across, up] = [columns[choice.x]!, columns[choice.y]!]
  const points = rows
    .filter((row) => row[choice.x] !== null && typeof row[choice.y] === 'number')
    .slice(0, MAX_POINTS)
  const x = points.map((row) => {
    const value = row[choice.x]!
    return typeof value === 'number' ? value : String(value)
  })
  const category = kind === 'bars' || across.kind === 'text' || across.kind === 'boolean'
  const ticks = evenly([...new Set(x)], TICKS).map(String)
  const plot = {
    label: `${up.name} / ${across.name}`,
    series: [
      {
        kind,
        name: up.name,
        tone: 'accent' as const,
        x: category ? x.map(String) : x,
        y: points.map((row) => Number(row[choice.y])),
        hover: points.map((row) => `${String(row[choice.x])}\n${up.name}: ${String(row[choice.y])}`),
      },
    ],
    x: {
      title: across.name,
      category,
      ...(category && x.length > TICKS ? { ticks: { at: ticks, text: ticks } } : {}),
    },
    y: { title: '' },
  }
  return { plot, points: points.length }
}

/** The rows as a chart, suggested by their columns; the user can change it. */
function ResultChart({ result }: { result: ConsoleRows }) {
  const place = useRef<HTMLDivElement>(null)
  // The rows that it replaces may have begun far down the window, and a chart is drawn once it is seen.
  useEffect(() => {
    // Chromium returns a promise, which React would call as the effect's clean-up.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const format = useFormat()
  const suggested = useMemo(() => suggestedChart(result), [result])
  const [changed, setChanged] = useState<Choice | null>(null)
  const choice = changed ?? suggested
  const chart = useMemo(
    () => (choice === null || choice.kind === 'heat' ? null : plotOf(choice.kind, choice, result)),
    [choice, result],
  )
  if (choice === null) return <FormattedMessage id="console.noChart" tagName="p" />
  return (
    <div ref={place} data-testid="console-chart" data-kind={choice.kind}>
      <div className={panelStyles.head}>
        <ChartChoices result={result} choice={choice} onChange={setChanged} />
        {chart === null ? null : (
          <FormattedMessage
            id="console.points"
            values={{ count: format.integer(chart.points) }}
            tagName="span"
          />
        )}
      </div>
      {chart === null ? (
        <ResultHeat result={result} choice={choice} />
      ) : (
        <Chart {...chart.plot} height={CHART_HEIGHT} />
      )}
    </div>
  )
}

interface ChartChoicesProps {
  result: ConsoleRows
  choice: Choice
  onChange(choice: Choice): void
}

/** Selects the kind of the chart, and its columns. */
function ChartChoices({ result, choice, onChange }: ChartChoicesProps) {
  const word = useWord()
  const column = (
    label: string,
    side: 'x' | 'y' | 'down',
    options: readonly { value: string; label: string }[],
  ) => (
    <ToolSelect
      label={label}
      value={String(choice[side])}
      options={options}
      onChange={(value) => onChange({ ...choice, [side]: Number(value) })}
    />
  )
  const named = result.columns.map(({ name }, index) => ({ value: String(index), label: name }))
  const numeric = named.filter((_, index) => result.columns[index]!.kind === 'number')
  return (
    <>
      <ToolSelect
        label="console.chartKind"
        value={choice.kind}
        options={KINDS.map((kind) => ({ value: kind, label: word(`console.chart.${kind}`) }))}
        onChange={(kind) => onChange({ ...choice, kind })}
      />
      {column('console.across', 'x', named)}
      {column('console.up', 'y', numeric)}
      {choice.kind === 'heat' ? column('console.down', 'down', named) : null}
    </>
  )
}

/** Maximum number of values shown per side. */
const MOST = 40
const NONE = '–'

interface ResultHeatProps {
  result: ConsoleRows
  choice: Choice
}

/** Rows as a table over two columns' values, shaded by a third. */
function ResultHeat({ result, choice: { x: across, down, y: value } }: ResultHeatProps) {
  const label = result.columns[value]!.name
  const format = useFormat()
  const shown = (number: number): string =>
    Number.isInteger(number) ? format.integer(number) : format.decimal(number, Math.abs(number) < 1 ? 4 : 2)
  const rows = result.rows.filter((row) => typeof row[value] === 'number')
  const sideOf = (column: number): string[] =>
    [...new Set(rows.map((row) => row[column] ?? null))]
      .toSorted((a, b) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
      )
      .map((each) => (each === null ? NONE : String(each)))
  const xs = sideOf(across)
  const ys = sideOf(down)
  const cells = new Map(
    rows.map((row) => [`${row[down] ?? NONE}\n${row[across] ?? NONE}`, Number(row[value])]),
  )
  // Each cell must be one row: choosing one of several would be arbitrary.
  if (cells.size < rows.length) return <FormattedMessage id="console.heatTwice" tagName="p" />
  const numbers = [...cells.values()]
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const shade = (number: number): string => {
    const share = most === least ? 1 : (number - least) / (most - least)
    return `color-mix(in oklab, var(--accent) ${Math.round(share * 42)}%, var(--surface))`
  }
  return (
    <>
      <Scrolled label={label}>
        <table className={heats.heat} data-testid="console-heat">
          <thead>
            <tr>
              <th scope="col" aria-label={label} />
              {xs.slice(0, MOST).map((x) => (
                <th key={x} scope="col">
                  {x}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ys.slice(0, MOST).map((y) => (
              <tr key={y}>
                <th scope="row">{y}</th>
                {xs.slice(0, MOST).map((x) => {
                  const number = cells.get(`${y}\n${x}`)
                  return number === undefined ? (
                    <td key={x}>{NONE}</td>
                  ) : (
                    <td key={x} style={{ background: shade(number) }}>
                      {shown(number)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {xs.length > MOST || ys.length > MOST ? (
        <FormattedMessage id="console.heatCut" values={{ most: MOST }} tagName="p" />
      ) : null}
    </>
  )
}
