import { useMemo } from 'react'
import { pickedValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Skeleton } from '../../ui/panel.tsx'
import { Note } from '../parts/note.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { BrushStrip, type BrushSpan } from '../parts/brush-strip.tsx'
import { useDimensionText, useEdgeText } from '../words/dimension-text.ts'
import { useGroupsSaver, type TableSaver } from '../files/use-table-saver.ts'
import { useGroups } from '../query/panel-data.ts'
import { Stale } from '../parts/stale.tsx'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { useLive, type ViewProps } from '../query/use-brush.ts'

interface ColumnsPanelProps extends ViewProps {
  spec: PanelSpec
  height?: number
  /** Where the panel has a menu. */
  tableSaver?: TableSaver
  onValues(dim: string, values: readonly Scalar[]): void
}

/** The selected span of groups that are ordered by value. */
function spanOf(rows: readonly AnswerRow[], isIn: (row: AnswerRow) => boolean): BrushSpan | null {
  const first = rows.findIndex(isIn)
  return first < 0 ? null : { first, last: rows.findLastIndex(isIn) }
}

/** Distribution of predictions over the bands of one dimension; a drag selects a span of them. */
export function ColumnsPanel({ slice, spec, height = 140, tableSaver, ...rest }: ColumnsPanelProps) {
  const [dim = ''] = spec.by
  const groups = useGroups(slice, spec.by, useLive())
  useGroupsSaver(tableSaver, { slice, spec, model: rest.model, rows: groups?.rows ?? [] })
  if (groups === null) return <Skeleton height={height} />
  if (groups.error) return <FailedAnswer error={groups.error} />
  return (
    <Stale stale={groups.stale}>
      <Columns {...rest} filter={slice.slice.filter} dim={dim} rows={groups.rows} height={height} />
    </Stale>
  )
}

interface ColumnsProps extends Pick<ColumnsPanelProps, 'brush' | 'model' | 'onValues'> {
  /** The selection of which a span is marked. */
  filter: Filter | null
  dim: string
  /** The groups, in any order. */
  rows: readonly AnswerRow[]
  height: number
}

/** The numbers between the bands of rows, as they are told on a scale. */
function useEdges(dim: string, rows: readonly AnswerRow[]) {
  const edgeText = useEdgeText()
  return useMemo(() => {
    const { bins } = dimensionOf(dim)
    return bins === undefined
      ? []
      : rows.flatMap((row, at) => {
          const edge = Number(row[dim])
          // Where bands between have no rows, no one number is between the two.
          const isNext = at > 0 && bins.indexOf(edge) === bins.indexOf(Number(rows[at - 1]![dim])) + 1
          return isNext ? [{ before: at, text: edgeText(dim, edge) }] : []
        })
  }, [dim, rows, edgeText])
}

/** The bands of a dimension as a strip on which a span is marked. */
export function Columns({ brush, model, filter, dim, rows: groups, height, onValues }: ColumnsProps) {
  const word = useWord()
  const valueText = useDimensionText(model)
  const rows = useMemo(
    () =>
      groups.filter((row) => (row[dim] ?? null) !== null).toSorted((a, b) => (a[dim]! < b[dim]! ? -1 : 1)),
    [groups, dim],
  )
  const edges = useEdges(dim, rows)
  const live = useLive()
  const picked = pickedValues(filter, dim)
  // Another view of the same dimension may be the one that is brushed.
  const moving =
    live?.active === dim ? spanOf(rows, (row) => row[dim]! >= live.from && row[dim]! <= live.to) : null
  if (rows.length === 0) return <Note text="record.empty" />
  return (
    <BrushStrip
      label={word(`dimension.${dim}`)}
      items={rows.map((row) => ({
        key: String(row[dim]),
        label: valueText(dim, row),
        count: countOf(row),
      }))}
      span={spanOf(rows, (row) => picked.includes(row[dim]!))}
      moving={moving}
      height={height}
      edges={edges}
      onEnter={() => brush.prepare(dim)}
      onMove={({ first, last }) => brush.move(dim, rows[first]![dim]!, rows[last]![dim]!)}
      onCancel={brush.end}
      onChange={(span) => {
        brush.end()
        onValues(dim, span === null ? [] : rows.slice(span.first, span.last + 1).map((row) => row[dim]!))
      }}
    />
  )
}
