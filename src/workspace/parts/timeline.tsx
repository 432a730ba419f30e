import { memo, useMemo } from 'react'
import { useIntl } from 'react-intl'
import { pickedRange, pickedValues } from '../../../analytics/clauses.ts'
import { numberOf, textOf } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { BrushStrip } from './brush-strip.tsx'
import { TIMELINE } from '../query/requests.ts'
import type { Brush } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'

interface TimelineProps {
  slice: SliceAnswer
  brush: Brush
  onMonths(from: string | null, to: string | null): void
}

const HEIGHT = 40

/** Predictions by month, as a time axis that a drag filters by. */
export const Timeline = memo(function Timeline({ slice, brush, onMonths }: TimelineProps) {
  const intl = useIntl()
  const format = useFormat()
  const rows = useMemo(
    () => (slice.rows[TIMELINE] ?? []).toSorted((a, b) => (textOf(a, 'key') < textOf(b, 'key') ? -1 : 1)),
    [slice.rows],
  )
  const months = rows.map((row) => textOf(row, 'key'))
  const range = pickedRange(slice.slice.filter, 'month')
  const picked = pickedValues(slice.slice.filter, 'month').map(String)
  const inside = months.flatMap((month, index) => {
    const chosen = range
      ? (range.from === undefined || month >= String(range.from)) &&
        (range.to === undefined || month <= String(range.to))
      : picked.includes(month)
    return chosen ? [index] : []
  })
  return (
    <BrushStrip
      label={intl.formatMessage({ id: 'dimension.month' })}
      items={rows.map((row) => ({
        key: textOf(row, 'key'),
        label: format.month(textOf(row, 'key')),
        count: numberOf(row, 'predictions'),
      }))}
      span={inside.length === 0 ? null : { first: inside[0]!, last: inside.at(-1)! }}
      height={HEIGHT}
      onEnter={() => brush.prepare('month')}
      onMove={({ first, last }) => brush.move('month', months[first]!, months[last]!)}
      onCancel={brush.end}
      onChange={(span) => {
        brush.end()
        onMonths(span === null ? null : months[span.first]!, span === null ? null : months[span.last]!)
      }}
    />
  )
})
