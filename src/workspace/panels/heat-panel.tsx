import { memo, useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { numberOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { cellKey, useCellHints, type HintedCell } from '../parts/cell-hints.ts'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { nearProps } from '../parts/near.ts'
import { Note } from '../parts/note.tsx'
import { useGroupsSaver, type TableSaver } from '../files/use-table-saver.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { compareGroups, useBetMeasures, useGroups, type Groups } from '../query/panel-data.ts'
import { MOST_GROUPS } from '../../../analytics/view/requests.ts'
import { countOf, judge, sumsOf } from '../../../analytics/view/totals.ts'
import { useLive, type ViewProps } from '../query/use-brush.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { pickOf, type OnNear, type OnPick } from '../state/workspace-context.ts'
import { USUAL_MEASURES, type PanelSpec, type ShownMeasure } from '../../../analytics/view/panel-spec.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { figureOf, groupText, neutralOf } from '../words/measure-text.ts'
import texts from '../../ui/text.module.css'
import heats from '../parts/heat.module.css'
import styles from './heat-panel.module.css'

/** Maximum number of rows, and of columns, shown for long dimensions; the largest are kept. */
const MAX_LINES = 24
/** Shown if no prediction has both values. */
const NONE = '·'

interface HeatPanelProps extends ViewProps {
  spec: PanelSpec
  onPick: OnPick
  onNear: OnNear
  tableSaver: TableSaver
}

/** A figure for every combination of two dimensions, with its totals; a click on a cell filters by both. */
export function HeatPanel(props: HeatPanelProps) {
  const { slice, spec } = props
  const groups = useBetMeasures(slice, spec, useGroups(slice, spec.by, useLive()))
  if (groups === null) return <Skeleton height={280} />
  if (groups.error) return <FailedAnswer error={groups.error} />
  return <Heat {...props} groups={groups} />
}

/** Values of one side in order, each as its first row; only the largest if there are many. */
function linesOf(rows: readonly AnswerRow[], dim: string): AnswerRow[] {
  const known = rows.filter((row) => (row[dim] ?? null) !== null)
  const largest = [...groupBy(known, (row) => row[dim]).values()]
    .map((cells) => ({
      row: cells[0]!,
      count: cells.reduce((sum, row) => sum + countOf(row), 0),
    }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_LINES)
    .map(({ row }) => row)
  return dimensionOf(dim).order === 'count' ? largest : largest.toSorted(compareGroups(dim))
}

/** Colours of the cells by their figure: the further from neutral, relative to the furthest, the stronger. */
function useShade(rows: readonly AnswerRow[], measure: ShownMeasure): (value: number) => string {
  const neutral = neutralOf(measure)
  const reach = useMemo(() => {
    const sizes = rows.flatMap((row) => {
      const value = figureOf(row, measure)
      return value === null || judge(row).trust === 'few' ? [] : [Math.abs(value - (neutral ?? 0))]
    })
    return Math.max(...sizes, 1e-9)
  }, [rows, measure, neutral])
  return (value) => {
    const share = Math.min(1, Math.abs(value - (neutral ?? 0)) / reach)
    const tone = neutral === null ? '--accent' : value >= neutral ? '--gain' : '--loss'
    return `color-mix(in oklab, var(${tone}) ${Math.round(share * 42)}%, var(--surface))`
  }
}

type HeatProps = HeatPanelProps & { groups: Groups }

/** The figures of cells together: ratios of their sums, never means of their ratios. */
function wholeOf(cells: readonly AnswerRow[]): AnswerRow {
  const sums = sumsOf(cells)
  const [hits, expected] = ['market_hits', 'expected_market'].map((name) =>
    cells.reduce((sum, row) => sum + numberOf(row, name), 0),
  ) as [number, number]
  const { played } = judge(sums)
  return {
    ...sums,
    hit_rate: played === 0 ? null : numberOf(sums, 'hits') / played,
    ae_market: expected === 0 ? null : hits / expected,
  }
}

/**
 * Whether cells add up: not where one row is in several of them, nor where some are not known. Sums of other measures than
 * the usual ones are not in the cells.
 */
const addsUp = ({ by, measures: [measure] }: PanelSpec, { rows, fanOut }: Groups): boolean =>
  !fanOut &&
  !by.includes('prediction_type') &&
  rows.length < MOST_GROUPS &&
  USUAL_MEASURES.some((each) => each === measure)

/** The totals of every line, of every column and of all of them; those of values that are not shown count too. */
function useTotals(spec: PanelSpec, groups: Groups) {
  return useMemo(() => {
    if (!addsUp(spec, groups)) return null
    const [down = '', across = ''] = spec.by
    const byValue = (dim: string) =>
      new Map([...groupBy(groups.rows, (row) => row[dim] ?? null)].map(([key, rows]) => [key, wholeOf(rows)]))
    return { lines: byValue(down), columns: byValue(across), all: wholeOf(groups.rows) }
  }, [spec, groups])
}

interface TotalCellProps {
  row: AnswerRow
  measure: ShownMeasure
}

/** The total of a line or of a column. */
function TotalCell({ row, measure }: TotalCellProps) {
  const word = useWord()
  const format = useFormat()
  return (
    <td className={`${styles.total} ${judge(row).trust === 'few' ? texts.soft : ''}`} data-total="">
      {groupText(word, format, row, measure)}
    </td>
  )
}

interface TotalRowProps {
  columns: readonly AnswerRow[]
  across: string
  totals: NonNullable<ReturnType<typeof useTotals>>
  measure: ShownMeasure
}

/** The totals of the columns, and of all cells. */
const TotalRow = ({ columns, across, totals, measure }: TotalRowProps) => (
  <tfoot>
    <tr>
      <FormattedMessage id="record.total">{(text) => <th scope="row">{text}</th>}</FormattedMessage>
      {columns.map((column) => (
        <TotalCell
          key={String(column[across])}
          row={totals.columns.get(column[across] ?? null)!}
          measure={measure}
        />
      ))}
      <TotalCell row={totals.all} measure={measure} />
    </tr>
  </tfoot>
)

/** The cells by the values of their line and column, as their tooltips describe them. */
const useCells = (
  rows: readonly AnswerRow[],
  down: string,
  across: string,
  valueText: ReturnType<typeof useDimensionText>,
): ReadonlyMap<string, HintedCell> =>
  useMemo(
    () =>
      new Map(
        rows.map((row) => [
          cellKey(row[down], row[across]),
          { row, text: () => `${valueText(down, row)} × ${valueText(across, row)}` },
        ]),
      ),
    [rows, down, across, valueText],
  )

/** Memoised: a table whose groups do not follow a brush stays as it is. */
const Heat = memo(function Heat(props: HeatProps) {
  const { slice, spec, model, onPick, onNear, groups, tableSaver } = props
  const [measure = 'return'] = spec.measures
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model)
  const [down = '', across = ''] = spec.by
  const lines = useMemo(() => linesOf(groups.rows, down), [groups.rows, down])
  const columns = useMemo(() => linesOf(groups.rows, across), [groups.rows, across])
  const cells = useCells(groups.rows, down, across, valueText)
  const onPoint = useCellHints(props, cells)
  const shade = useShade(groups.rows, measure)
  const totals = useTotals(spec, groups)
  const name = spec.by.map((dim) => word(`dimension.${dim}`)).join(' × ')
  useGroupsSaver(tableSaver, { slice, spec, model, rows: groups.rows })
  if (lines.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  const cellOf = (line: AnswerRow, column: AnswerRow) => {
    const key = String(column[across])
    const cell = cellKey(line[down], column[across])
    const row = cells.get(cell)?.row
    if (!row) return <td key={key}>{NONE}</td>
    const value = figureOf(row, measure)
    const few = judge(row).trust === 'few'
    const picks = [
      [down, line[down]!],
      [across, column[across]!],
    ] as const
    const near = nearProps(() => onNear(picks))
    return (
      <td key={key} data-key={key} style={value === null || few ? undefined : { background: shade(value) }}>
        <button
          type="button"
          className={`${styles.cell} ${few ? texts.soft : ''}`}
          onPointerEnter={(event) => {
            onPoint(event.currentTarget)
            near.onPointerEnter(event)
          }}
          onPointerLeave={near.onPointerLeave}
          onFocus={(event) => onPoint(event.currentTarget)}
          data-cell={cell}
          onClick={(event) => onPick(picks, pickOf(event))}
        >
          {groupText(word, format, row, measure)}
        </button>
      </td>
    )
  }
  return (
    <div>
      {groups.fanOut ? <Note text="record.fanOut" /> : null}
      <Stale stale={groups.stale}>
        <Scrolled label={name}>
          <table className={heats.heat} data-testid="heat" data-by={spec.by.join('.')}>
            <thead>
              <tr>
                <th scope="col" aria-label={name} />
                {columns.map((row) => (
                  <th key={String(row[across])} scope="col">
                    {valueText(across, row)}
                  </th>
                ))}
                {totals === null ? null : <th scope="col">{word('record.total')}</th>}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={String(line[down])} data-key={String(line[down])}>
                  <th scope="row">{valueText(down, line)}</th>
                  {columns.map((column) => cellOf(line, column))}
                  {totals && <TotalCell row={totals.lines.get(line[down] ?? null)!} measure={measure} />}
                </tr>
              ))}
            </tbody>
            {totals === null ? null : <TotalRow {...{ columns, across, totals, measure }} />}
          </table>
        </Scrolled>
      </Stale>
    </div>
  )
})
