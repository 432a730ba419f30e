import type { ReactNode } from 'react'
import type { PanelSpec } from '../state/panel-spec.ts'
import { IntervalsContext, useIntervalsQuery, type SliceAnswer } from './use-slice.ts'

interface IntervalsProps {
  answer: SliceAnswer
  panels: readonly PanelSpec[]
  children: ReactNode
}

/**
 * Provides intervals to the views below. A separate component, so that only the consumers of intervals
 * re-render when they arrive.
 */
export function Intervals({ answer, panels, children }: IntervalsProps) {
  return <IntervalsContext value={useIntervalsQuery(answer, panels)}>{children}</IntervalsContext>
}
