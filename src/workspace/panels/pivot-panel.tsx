import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react'
import { FormattedMessage } from 'react-intl'
import { excludedValues, pickedValues } from '../../../analytics/clauses.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { useCellHints, type HintedCell } from '../parts/cell-hints.ts'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { ToolButton } from '../parts/controls.tsx'
import { GRID_KEYS } from '../parts/grid-keys.ts'
import { nearProps } from '../parts/near.ts'
import { Note } from '../parts/note.tsx'
import { ABBREVIATED, Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { useTableSaver, type TableSaver } from '../files/use-table-saver.ts'
import { SortHeading } from '../../ui/sort-heading.tsx'
import type { Groups } from '../query/panel-data.ts'
import {
  MOST_COLUMNS,
  MOST_LINES,
  shownGroups,
  sortedLines,
  useLinesWithin,
  usePivot,
  usePivotBets,
  type LinesWithin,
  type Pivot,
} from '../query/pivot.ts'
import { judge } from '../../../analytics/view/totals.ts'
import { useLive, type ViewProps } from '../query/use-brush.ts'
import type { PanelSpec, ShownMeasure } from '../../../analytics/view/panel-spec.ts'
import { standingOf, type Standing } from '../state/standing.ts'
import { pickOf, type OnNear, type OnPick } from '../state/workspace-context.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { figureOf, groupText, useMeasureName } from '../words/measure-text.ts'
import texts from '../../ui/text.module.css'
import styles from './pivot-panel.module.css'

interface PivotPanelProps extends ViewProps {
  spec: PanelSpec
  onPick: OnPick
  onNear: OnNear
  onSpec(spec: PanelSpec): void
  tableSaver: TableSaver
}

/** Shown if no prediction has both values. */
const NONE = '·'

const NO_VALUES: readonly Scalar[] = []

/** Which lines of a pivot are split; none once it is of other dimensions. */
function useSplitLines({ by, within }: PanelSpec): [readonly Scalar[], (values: readonly Scalar[]) => void] {
  const of = [...by, within].join()
  const [split, setSplit] = useState({ of, values: NO_VALUES })
  const setValues = useCallback((values: readonly Scalar[]) => setSplit({ of, values }), [of])
  return [within !== undefined && split.of === of ? split.values : NO_VALUES, setValues]
}

/** Figures by two dimensions, with the totals of both; a click on a cell or a heading filters by its values. */
export function PivotPanel(props: PivotPanelProps) {
  const { slice, spec } = props
  const live = useLive()
  const [split, setSplit] = useSplitLines(spec)
  const { pivot: figures, fanOut, stale, error } = usePivot(slice, spec, live)
  const parts = useLinesWithin(slice, spec, figures, split)
  const bets = usePivotBets(slice, spec, figures, parts.within, live)
  const { pivot, within } = bets
  const failure: unknown = error ?? parts.error ?? bets.error
  if (failure) return <FailedAnswer error={failure} />
  if (pivot === null) return <Skeleton height={440} />
  if (pivot.lines.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <div>
      {fanOut ? <Note text="record.fanOut" /> : null}
      {[pivot, ...within.values()].some(
        ({ lines, columns }) => lines.length > MOST_LINES || columns.length > MOST_COLUMNS,
      ) ? (
        <Note text="workspace.pivotLargest" values={{ rows: MOST_LINES, columns: MOST_COLUMNS }} />
      ) : null}
      <Stale stale={stale}>
        <PivotTable {...props} {...{ pivot, fanOut, split, setSplit, within }} />
      </Stale>
    </div>
  )
}

/** A line or a column: its row of totals, its value, and how it stands to the selection. */
interface Side {
  row: AnswerRow
  value: Scalar | null
  text: string
  standing: Standing
  pressed: boolean
}

/** A line with its cells by the value of their column as text. */
interface Line extends Side {
  cells: ReadonlyMap<string, AnswerRow>
  /** The line that it is a part of; `null` for none. */
  whole: Side | null
}

/** What a table shows, in the order on screen: the parts of a line follow it. */
interface Shown {
  lines: readonly Line[]
  columns: readonly Side[]
  /** The figures of a line in a column; undefined if there are none. */
  cellOf(line: Line, column: Side): AnswerRow | undefined
  all: AnswerRow
}

/** The lines and the columns of a pivot as its panel orders them. */
function useShown({ slice, spec, model, pivot, within }: TableProps): Shown {
  const valueText = useDimensionText(model)
  const { filter } = slice.slice
  return useMemo(() => {
    const { by, sort, at, ascending = false } = spec
    const [down = '', across = ''] = by
    const sidesOf = (dim: string, rows: readonly AnswerRow[]): Side[] => {
      const [values, left] = [pickedValues(filter, dim), excludedValues(filter, dim)]
      return rows.map((row) => {
        const value = row[dim] ?? null
        const pressed = value !== null && values.includes(value)
        return { row, value, text: valueText(dim, row), standing: standingOf(values, left, value), pressed }
      })
    }
    const linesOf = (part: Pivot, dim: string, whole: Side | null): Line[] => {
      const cells = new Map(
        [...groupBy(part.cells, (row) => row[dim] ?? null)].map(([value, rows]) => [
          value,
          new Map(rows.map((row) => [String(row[across] ?? null), row])),
        ]),
      )
      const natural = shownGroups(part.lines, dim, MOST_LINES)
      const figureIn = (line: AnswerRow): number | null => {
        const row = at === undefined ? line : cells.get(line[dim] ?? null)?.get(at)
        return row === undefined || sort === null ? null : figureOf(row, sort)
      }
      const sorted = sort === null ? natural : sortedLines(natural, figureIn, ascending)
      return sidesOf(dim, sorted).map((side) => ({
        ...side,
        cells: cells.get(side.value) ?? new Map(),
        whole,
      }))
    }
    const partsOf = (line: Line): Line[] => {
      const part = line.value === null ? undefined : within.get(line.value)
      return part === undefined ? [] : linesOf(part, spec.within!, line)
    }
    return {
      lines: linesOf(pivot, down, null).flatMap((line) => [line, ...partsOf(line)]),
      columns: sidesOf(across, shownGroups(pivot.columns, across, MOST_COLUMNS)),
      cellOf: ({ cells }, { value }) => cells.get(String(value)),
      all: pivot.all,
    }
  }, [spec, pivot, within, filter, valueText])
}

interface TableProps extends PivotPanelProps {
  pivot: Pivot
  fanOut: boolean
  /** Values of the lines that are split, and their parts. */
  split: readonly Scalar[]
  setSplit(values: readonly Scalar[]): void
  within: LinesWithin
}

/** Place of a cell: `line,column`, each −1 for a total. */
const placeOf = (line: number, column: number): string => `${line},${column}`
const PLACED = '[data-cell]'

/** The cells by place, for tooltips. Totals have none. */
function cellsByPlace({ lines, columns, cellOf }: Shown): ReadonlyMap<string, HintedCell> {
  return new Map(
    lines.flatMap((line, at) =>
      columns.flatMap((column, index): [string, HintedCell][] => {
        const row = cellOf(line, column)
        const sides = [...(line.whole ? [line.whole] : []), line, column]
        const text = (): string => sides.map((side) => side.text).join(' × ')
        return row === undefined ? [] : [[placeOf(at, index), { row, text }]]
      }),
    ),
  )
}

/** Role and handlers of the table: a click or a key picks, and pointing describes and asks ahead. */
function useGrid(props: TableProps, shown: Shown) {
  const { slice, spec, pivot, fanOut, split, setSplit, onPick, onNear } = props
  const groups = useMemo(
    (): Groups => ({ rows: pivot.cells, intervals: new Map(), fanOut, stale: false, error: null }),
    [pivot, fanOut],
  )
  const cells = useMemo(() => cellsByPlace(shown), [shown])
  const describe = useCellHints({ slice, spec, groups }, cells)
  /** The line and the column of the cell or the heading that an element is in. */
  const sidesAt = (target: EventTarget): { line: Line | undefined; column: Side | undefined } | null => {
    const place = target instanceof Element ? target.closest<HTMLElement>(PLACED)?.dataset['cell'] : undefined
    if (place === undefined) return null
    const [line = -1, column = -1] = place.split(',').map(Number)
    return { line: shown.lines[line], column: shown.columns[column] }
  }
  /** The values of those; none for what cannot be selected. */
  const picksAt = (target: EventTarget): Parameters<OnPick>[0] => {
    const { line, column } = sidesAt(target) ?? {}
    const [down = '', across = ''] = spec.by
    const sides: readonly [string, Side | null | undefined][] = [
      [down, line?.whole ?? line],
      [spec.within ?? '', line?.whole ? line : null],
      [across, column],
    ]
    // Values that are not known cannot be selected.
    if (sides.some(([, side]) => side?.value === null)) return []
    return sides.flatMap(([dim, side]) => (side ? [[dim, side.value!] as const] : []))
  }
  /** Splits the line that the focus is in, or no longer. */
  const splitAt = ({ key, target }: KeyboardEvent): void => {
    const { line } = sidesAt(target) ?? {}
    const value = (line?.whole ?? line)?.value ?? null
    if (spec.within === undefined || value === null) return
    const others = split.filter((each) => each !== value)
    setSplit(key === '+' ? [...others, value] : others)
  }
  const pick = (event: SyntheticEvent, keys: Parameters<typeof pickOf>[0]): void => {
    const picks = picksAt(event.target)
    if (picks.length > 0) onPick(picks, pickOf(keys))
  }
  const point = (event: SyntheticEvent): void => {
    if (event.target instanceof HTMLTableCellElement && event.target.matches(PLACED)) describe(event.target)
  }
  const isCell = ({ target }: SyntheticEvent): boolean => target instanceof HTMLTableCellElement
  return {
    role: spec.within === undefined ? 'grid' : 'treegrid',
    onClick: (event: MouseEvent) => pick(event, event),
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
      // A heading's button makes a click of these keys itself.
      if ((event.key === 'Enter' || event.key === ' ') && isCell(event)) {
        event.preventDefault()
        pick(event, event)
      } else if (event.key === '+' || event.key === '-') splitAt(event)
      else GRID_KEYS.onKeyDown(event)
    },
    onFocus: (event: FocusEvent<HTMLTableElement>) => {
      GRID_KEYS.onFocus(event)
      point(event)
    },
    onPointerOver: (event: PointerEvent) => {
      point(event)
      const picks = picksAt(event.target)
      const near = nearProps(() => onNear(picks))
      near.onPointerLeave()
      if (picks.length > 0) near.onPointerEnter(event)
    },
    onPointerLeave: nearProps(() => undefined).onPointerLeave,
  }
}

function PivotTable(props: TableProps) {
  const { slice, spec, split, setSplit, onSpec, tableSaver } = props
  const word = useWord()
  const shown = useShown(props)
  const grid = useGrid(props, shown)
  const nameOf = useMeasureName(slice.slice.subject)
  const names = spec.by.map((dim) => word(`dimension.${dim}`))
  const name = names.join(' × ')
  const within = spec.within === undefined ? null : word(`dimension.${spec.within}`)
  useTableSaver(tableSaver, spec, ({ pivotColumns }) => {
    const [down = '', across = ''] = names
    const headings = { down, across, within, total: word('record.total'), nameOf }
    return pivotColumns(shown, { subject: slice.slice.subject, measures: spec.measures, ...headings })
  })
  const latest = useRef(onSpec)
  useEffect(() => {
    latest.current = onSpec
  })
  const onOrder = useCallback((next: PanelSpec) => latest.current(next), [])
  return (
    <Scrolled label={name}>
      <table
        className={styles.pivot}
        aria-label={name}
        data-testid="pivot"
        data-by={spec.by.join('.')}
        {...grid}
      >
        <Head shown={shown} spec={spec} subject={slice.slice.subject} onSpec={onOrder}>
          {within === null ? null : <SplitAll lines={shown.lines} {...{ split, setSplit }} />}
        </Head>
        <Body
          shown={shown}
          measures={spec.measures}
          splitting={within === null ? null : { within, split, setSplit }}
        />
      </table>
    </Scrolled>
  )
}

interface SplitAllProps extends Pick<TableProps, 'split' | 'setSplit'> {
  lines: readonly Line[]
}

/** Splits all lines, or none if any is split. */
function SplitAll({ lines, split, setSplit }: SplitAllProps) {
  const isSplit = split.length > 0
  const values = lines.flatMap(({ whole, value }) => (whole === null && value !== null ? [value] : []))
  return (
    <ToolButton
      icon={isSplit ? ChevronsDownUp : ChevronsUpDown}
      label={isSplit ? 'workspace.joinAll' : 'workspace.splitAll'}
      titled
      tabIndex={-1}
      onClick={() => setSplit(isSplit ? NO_VALUES : values)}
    />
  )
}

interface HeadProps extends Pick<PivotPanelProps, 'spec' | 'onSpec'> {
  shown: Shown
  /** Beside the name of the columns. */
  children: ReactNode
  subject: Parameters<typeof useMeasureName>[0]
}

/** A pivot with its lines in their natural order. */
function inNaturalOrder({ at: _at, ascending: _ascending, ...rest }: PanelSpec): PanelSpec {
  return { ...rest, sort: null }
}

/** How a pivot's lines are sorted by a measure of a column. */
const orderAt = ({ sort, at, ascending }: PanelSpec, measure: ShownMeasure, column: string | undefined) =>
  sort !== measure || at !== column ? 'none' : ascending ? 'ascending' : 'descending'

/** The pivot after a click on a measure of a column: from the largest, from the smallest, then in the natural order. */
function withNextOrder(spec: PanelSpec, measure: ShownMeasure, column: string | undefined): PanelSpec {
  const order = orderAt(spec, measure, column)
  if (order === 'ascending') return inNaturalOrder(spec)
  return {
    ...inNaturalOrder(spec),
    sort: measure,
    ...(column === undefined ? {} : { at: column }),
    ...(order === 'descending' ? { ascending: true } : {}),
  }
}

/** The columns' values, which filter, and below each its measures, which sort. */
function Head({ shown: { columns }, spec, subject, onSpec, children }: HeadProps) {
  const word = useWord()
  const nameOf = useMeasureName(subject)
  const { measures } = spec
  const [down = '', across = ''] = spec.by
  const shortOf = (measure: ShownMeasure): string =>
    measure === 'ae_market' ? word('workspace.ae') : nameOf(measure)
  const headings = (column: string | undefined) =>
    measures.map((measure) => (
      <SortHeading
        key={`${column ?? ''} ${measure}`}
        order={orderAt(spec, measure, column)}
        title={measure === 'ae_market' ? word(ABBREVIATED['workspace.ae']!) : undefined}
        tabIndex={-1}
        onToggle={() => onSpec(withNextOrder(spec, measure, column))}
      >
        {shortOf(measure)}
      </SortHeading>
    ))
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className={styles.corner}>
            {word(`dimension.${across}`)}
            {children}
          </span>
        </th>
        <th scope="colgroup" colSpan={measures.length} className={styles.first}>
          {word('record.total')}
        </th>
        {columns.map((column, at) => (
          <th
            key={String(column.value)}
            scope="colgroup"
            colSpan={measures.length}
            className={`${styles.first} ${styles[column.standing] ?? ''}`}
            data-key={String(column.value)}
          >
            <Heading side={column} place={placeOf(-1, at)} />
          </th>
        ))}
      </tr>
      <tr>
        <SortHeading order="none" tabIndex={-1} onToggle={() => onSpec(inNaturalOrder(spec))}>
          {word(`dimension.${down}`)}
        </SortHeading>
        {headings(undefined)}
        {columns.map(({ value }) => headings(String(value)))}
      </tr>
    </thead>
  )
}

/** The button that filters by a line or a column. */
const Heading = ({ side: { text, value, pressed }, place }: { side: Side; place: string }) => (
  <button
    type="button"
    className={styles.group}
    tabIndex={-1}
    aria-pressed={pressed}
    disabled={value === null}
    data-cell={place}
  >
    {text}
  </button>
)

interface BodyProps {
  shown: Shown
  measures: readonly ShownMeasure[]
  /** What splits the lines; `null` where nothing does. */
  splitting: Splitting | null
}

interface Splitting extends Pick<TableProps, 'split' | 'setSplit'> {
  /** Name of the dimension. */
  within: string
}

/** Splits a line, or no longer. Its heading's keys do the same. */
function SplitButton({ line, within, split, setSplit }: Splitting & { line: Line }) {
  const { value, text } = line
  if (value === null) return null
  const isSplit = split.includes(value)
  return (
    <ToolButton
      icon={isSplit ? ChevronDown : ChevronRight}
      label="workspace.splitLine"
      values={{ value: text, within }}
      className={styles.split}
      tabIndex={-1}
      aria-expanded={isSplit}
      onClick={() => setSplit(isSplit ? split.filter((each) => each !== value) : [...split, value])}
    />
  )
}

/** The lines with their totals and cells, and the totals of the columns. */
const Body = memo(function Body({ shown, measures, splitting }: BodyProps) {
  const { lines, columns, cellOf, all } = shown
  const word = useWord()
  const cells = (line: number, rows: readonly (AnswerRow | undefined)[], isFirst = false) =>
    rows.map((row, at) => (
      <Figures
        key={at === 0 ? 'total' : String(columns[at - 1]!.value)}
        row={row}
        measures={measures}
        place={placeOf(line, at - 1)}
        value={at === 0 ? null : columns[at - 1]!.value}
        isTotal={at === 0 || line < 0}
        isOut={at > 0 && columns[at - 1]!.standing !== 'in'}
        isFirst={isFirst && at === 0}
      />
    ))
  return (
    <>
      <tbody>
        {lines.map((line, at) => (
          <tr
            key={`${String(line.whole?.value)} ${String(line.value)}`}
            className={`${line.standing === 'in' ? '' : styles[line.standing]} ${line.whole ? styles.part : ''}`}
            data-key={String(line.value)}
            data-whole={line.whole ? String(line.whole.value) : undefined}
            aria-level={splitting === null ? undefined : line.whole ? 2 : 1}
          >
            <th scope="row">
              <Heading side={line} place={placeOf(at, -1)} />
              {splitting && !line.whole ? <SplitButton line={line} {...splitting} /> : null}
            </th>
            {cells(at, [line.row, ...columns.map((column) => cellOf(line, column))], at === 0)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{word('record.total')}</th>
          {cells(-1, [all, ...columns.map(({ row }) => row)])}
        </tr>
      </tfoot>
    </>
  )
})

interface FiguresProps extends Pick<BodyProps, 'measures'> {
  row: AnswerRow | undefined
  place: string
  /** Value of the column. */
  value: Scalar | null
  isTotal: boolean
  isOut: boolean
  /** Whether Tab reaches it first. */
  isFirst: boolean
}

/** The measures of one line in one column. */
function Figures({ row, measures, place, value, isTotal, isOut, isFirst }: FiguresProps) {
  const word = useWord()
  const format = useFormat()
  const few = row === undefined || judge(row).trust === 'few'
  const look = `${few ? texts.soft : ''} ${isTotal ? styles.total : ''} ${isOut ? styles.out : ''}`
  return measures.map((measure, at) => (
    <td
      key={measure}
      className={at === 0 ? `${look} ${styles.first}` : look}
      tabIndex={isFirst && at === 0 ? 0 : -1}
      data-cell={place}
      data-key={isTotal && value === null ? undefined : String(value)}
      data-measure={measure}
    >
      {row === undefined ? NONE : groupText(word, format, row, measure)}
    </td>
  ))
}
