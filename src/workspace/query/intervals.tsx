import { createContext, use, useMemo, type ReactNode } from 'react'
import type { Linked } from '../../../analytics/request.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import { rowsByView } from '../../../analytics/view/requests.ts'
import { groupsIn, intervalsFor, type SliceAnswer } from './use-slice.ts'

/** Intervals of a slice's views: they arrive after the figures. */
interface IntervalViews {
  of: SliceAnswer
  linked: Linked
  rows: readonly AnswerRow[][]
}

const IntervalsContext = createContext<IntervalViews | null>(null)

interface IntervalsProps {
  answer: SliceAnswer
  panels: readonly PanelSpec[]
  children: ReactNode
}

/**
 * Queries the intervals of the totals and of every breakdown on the page in one statement, and provides them to the views
 * below. A separate component, so that only the consumers of intervals re-render when they arrive.
 */
export function Intervals({ answer, panels, children }: IntervalsProps) {
  const request = useMemo(() => intervalsFor(answer.slice, answer.linked, panels), [answer, panels])
  const { data, isPlaceholderData: before } = useAnalytics(request, { priority: 'visible' })
  const intervals = useMemo(
    () =>
      !data || before || !('linked' in data.request)
        ? null
        : { of: answer, linked: data.request.linked, rows: rowsByView(data) },
    [answer, data, before],
  )
  return <IntervalsContext value={intervals}>{children}</IntervalsContext>
}

/** Rows with intervals of one view of a slice, as groups; `null` until they arrive. */
export function useIntervals(slice: SliceAnswer, dims: readonly string[]): AnswerRow[] | null {
  const intervals = use(IntervalsContext)
  return useMemo(
    () => (intervals?.of === slice ? groupsIn({ ...intervals, names: slice.names }, dims) : null),
    [intervals, slice, dims],
  )
}
