import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import { FormattedMessage } from 'react-intl'
import { excludedValues, pickedValues } from '../../../analytics/clauses.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { saveFile } from '../../ui/behaviour/save-file.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { cellKey, useCellHints } from '../parts/cell-hints.ts'
import { GRID_KEYS } from '../parts/grid-keys.ts'
import { nearProps } from '../parts/near.ts'
import { Note } from '../parts/note.tsx'
import { ABBREVIATED, Scrolled } from '../parts/scrolled.tsx'
import { SortHeading } from '../parts/sort-heading.tsx'
import type { Groups } from '../query/panel-data.ts'
import { MOST_COLUMNS, MOST_LINES, shownGroups, sortedLines, usePivot, type Pivot } from '../query/pivot.ts'
import { judge } from '../query/totals.ts'
import type { ViewProps } from '../query/use-brush.ts'
import type { PanelSpec, ShownMeasure } from '../state/panel-spec.ts'
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
  /** Saves the table as a file; set while it is on the page, for a menu elsewhere. */
  saverRef: RefObject<(() => void) | null>
}

/** Shown if no prediction has both values. */
const NONE = '·'

/** Figures by two dimensions, with the totals of both; a click on a cell or a heading filters by its values. */
export function PivotPanel(props: PivotPanelProps) {
  const { slice, brush, spec } = props
  const { pivot, fanOut, error } = usePivot(slice, spec.by, brush.live)
  if (error) return <ErrorNotice error={error} />
  if (pivot === null) return <Skeleton height={440} />
  if (pivot.lines.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <div>
      {fanOut ? <Note text="record.fanOut" /> : null}
      {pivot.lines.length > MOST_LINES || pivot.columns.length > MOST_COLUMNS ? (
        <Note text="workspace.pivotLargest" values={{ rows: MOST_LINES, columns: MOST_COLUMNS }} />
      ) : null}
      <PivotTable {...props} pivot={pivot} fanOut={fanOut} />
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

/** What a table shows, in the order on screen. */
interface Shown {
  lines: readonly Side[]
  columns: readonly Side[]
  /** The figures of a line in a column; undefined if there are none. */
  cellOf(line: Side, column: Side): AnswerRow | undefined
  all: AnswerRow
}

/** The lines and the columns of a pivot as its panel orders them. */
function useShown({
  slice,
  spec,
  model,
  pivot,
}: Pick<TableProps, 'slice' | 'spec' | 'model' | 'pivot'>): Shown {
  const valueText = useDimensionText(model)
  const { filter } = slice.slice
  return useMemo(() => {
    const { by, sort, at, ascending = false } = spec
    const [down = '', across = ''] = by
    const cells = new Map(pivot.cells.map((row) => [cellKey(row[down], row[across]), row]))
    const sidesOf = (dim: string, rows: readonly AnswerRow[]): Side[] => {
      const [values, left] = [pickedValues(filter, dim), excludedValues(filter, dim)]
      return rows.map((row) => {
        const value = row[dim] ?? null
        const pressed = value !== null && values.includes(value)
        return { row, value, text: valueText(dim, row), standing: standingOf(values, left, value), pressed }
      })
    }
    const natural = shownGroups(pivot.lines, down, MOST_LINES)
    const figureIn = (line: AnswerRow): number | null => {
      const row = at === undefined ? line : cells.get(cellKey(line[down], at))
      return row === undefined || sort === null ? null : figureOf(row, sort)
    }
    return {
      lines: sidesOf(down, sort === null ? natural : sortedLines(natural, figureIn, ascending)),
      columns: sidesOf(across, shownGroups(pivot.columns, across, MOST_COLUMNS)),
      cellOf: (line, column) => cells.get(cellKey(line.value, column.value)),
      all: pivot.all,
    }
  }, [spec, pivot, filter, valueText])
}

type TableProps = PivotPanelProps & { pivot: Pivot; fanOut: boolean }

/** Place of a cell: `line,column`, each −1 for a total. */
const placeOf = (line: number, column: number): string => `${line},${column}`
const PLACED = '[data-cell]'

/** The rows by place, for tooltips. Totals have none. */
function cellsByPlace({ lines, columns, cellOf }: Shown): ReadonlyMap<string, AnswerRow> {
  return new Map(
    lines.flatMap((line, at) =>
      columns.flatMap((column, index): [string, AnswerRow][] => {
        const row = cellOf(line, column)
        return row === undefined ? [] : [[placeOf(at, index), row]]
      }),
    ),
  )
}

/** Role and handlers of the table: a click or a key picks, and pointing describes and asks ahead. */
function useGrid({ slice, spec, model, pivot, fanOut, onPick, onNear }: TableProps, shown: Shown) {
  const groups = useMemo(
    (): Groups => ({ rows: pivot.cells, intervals: new Map(), fanOut, error: null }),
    [pivot, fanOut],
  )
  const cells = useMemo(() => cellsByPlace(shown), [shown])
  const describe = useCellHints({ slice, spec, model, groups }, cells)
  /** The values of the cell or the heading that an element is in; none for what cannot be selected. */
  const picksAt = (target: EventTarget): Parameters<OnPick>[0] => {
    const place = target instanceof Element ? target.closest<HTMLElement>(PLACED)?.dataset['cell'] : undefined
    if (place === undefined) return []
    const [line = -1, column = -1] = place.split(',').map(Number)
    const sides = [shown.lines[line], shown.columns[column]]
    // Values that are not known cannot be selected.
    if (sides.some((side) => side?.value === null)) return []
    return sides.flatMap((side, at) => (side === undefined ? [] : [[spec.by[at]!, side.value!] as const]))
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
    role: 'grid',
    onClick: (event: MouseEvent) => pick(event, event),
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
      // A heading's button makes a click of these keys itself.
      if ((event.key === 'Enter' || event.key === ' ') && isCell(event)) {
        event.preventDefault()
        pick(event, event)
      } else GRID_KEYS.onKeyDown(event)
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
  const { slice, spec, onSpec, saverRef } = props
  const word = useWord()
  const shown = useShown(props)
  const grid = useGrid(props, shown)
  const nameOf = useMeasureName(slice.slice.subject)
  const names = spec.by.map((dim) => word(`dimension.${dim}`))
  const name = names.join(' × ')
  useEffect(() => {
    saverRef.current = async () => {
      const { pivotCsv } = await import('../files/pivot-csv.ts')
      const [down = '', across = ''] = names
      const headings = { down, across, total: word('record.total'), nameOf }
      const file = pivotCsv(shown, { subject: slice.slice.subject, measures: spec.measures, ...headings })
      saveFile(`furlong-pivot-${spec.by.join('-')}.csv`, file)
    }
    return () => {
      saverRef.current = null
    }
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
        <Head shown={shown} spec={spec} subject={slice.slice.subject} onSpec={onOrder} />
        <Body shown={shown} measures={spec.measures} />
      </table>
    </Scrolled>
  )
}

interface HeadProps extends Pick<PivotPanelProps, 'spec' | 'onSpec'> {
  shown: Shown
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
const Head = memo(function Head({ shown: { columns }, spec, subject, onSpec }: HeadProps) {
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
        <th scope="col">{word(`dimension.${across}`)}</th>
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
})

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
}

/** The lines with their totals and cells, and the totals of the columns. */
const Body = memo(function Body({ shown, measures }: BodyProps) {
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
            key={String(line.value)}
            className={line.standing === 'in' ? '' : styles[line.standing]}
            data-key={String(line.value)}
          >
            <th scope="row">
              <Heading side={line} place={placeOf(at, -1)} />
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
