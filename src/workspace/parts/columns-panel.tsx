import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { pickedValues } from '../../../analytics/clauses.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { numberOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { BrushStrip, type BrushSpan } from './brush-strip.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { useGroups } from '../query/panel-data.ts'
import type { PanelSpec } from '../state/panel-spec.ts'
import type { Brush } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import panelStyles from './panel.module.css'

interface ColumnsPanelProps {
  slice: SliceAnswer
  brush: Brush
  spec: PanelSpec
  model: string
  height?: number
  onValues(dim: string, values: readonly Scalar[]): void
}

/** The selected span of groups that are ordered by value. */
function spanOf(rows: readonly AnswerRow[], dim: string, values: readonly Scalar[]): BrushSpan | null {
  const places = rows.flatMap((row, index) => (values.includes(row[dim] ?? '') ? [index] : []))
  return places.length === 0 ? null : { first: Math.min(...places), last: Math.max(...places) }
}

/** Distribution of predictions over the bands of one dimension; a drag selects a span of them. */
export function ColumnsPanel({ slice, brush, spec, model, height = 140, onValues }: ColumnsPanelProps) {
  const intl = useIntl()
  const valueText = useDimensionText(model)
  const [dim = ''] = spec.by
  const groups = useGroups(slice, spec.by, brush.live)
  const rows = useMemo(
    () =>
      (groups?.rows ?? [])
        .filter((row) => (row[dim] ?? null) !== null)
        .toSorted((a, b) => (a[dim]! < b[dim]! ? -1 : 1)),
    [groups, dim],
  )
  const { live } = brush
  // Another view of the same dimension may be the one that is brushed.
  const moving =
    live?.active === dim
      ? rows.flatMap((row) => (row[dim]! >= live.from && row[dim]! <= live.to ? [row[dim]!] : []))
      : null
  if (groups === null) return <Skeleton height={height} />
  if (groups.error) return <ErrorNotice error={groups.error} />
  if (rows.length === 0)
    return (
      <p className={panelStyles.note}>
        <FormattedMessage id="record.empty" />
      </p>
    )
  return (
    <BrushStrip
      label={intl.formatMessage({ id: `dimension.${dim}` })}
      items={rows.map((row) => ({
        key: String(row[dim]),
        label: valueText(dim, row),
        count: numberOf(row, 'predictions'),
      }))}
      span={spanOf(rows, dim, pickedValues(slice.slice.filter, dim))}
      moving={moving === null ? null : spanOf(rows, dim, moving)}
      height={height}
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
