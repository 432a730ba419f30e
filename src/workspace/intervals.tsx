import type { ReactNode } from 'react'
import type { PanelSpec } from './panel-spec.ts'
import { IntervalsContext, useAskIntervals, type SliceAnswer } from './use-slice.ts'

interface IntervalsProps {
  answer: SliceAnswer
  panels: readonly PanelSpec[]
  children: ReactNode
}

/** Intervals for the views below. Of its own, so that only what shows intervals is drawn again when they come. */
export function Intervals({ answer, panels, children }: IntervalsProps) {
  return <IntervalsContext value={useAskIntervals(answer, panels)}>{children}</IntervalsContext>
}
