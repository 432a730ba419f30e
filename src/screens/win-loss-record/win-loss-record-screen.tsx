import { useEffect } from 'react'
import { logVisit } from '../../data/site-calls.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import layout from '../../ui/layout.module.css'
import { Workspace } from '../../workspace/workspace.tsx'

/** The record of every prediction, as the analysis workspace. */
export function WinLossRecordScreen() {
  useEffect(() => {
    // A visit that could not be counted is no matter of the reader's.
    void logVisit('WinLossRecord').catch(() => undefined)
  }, [])
  // As tall as the window from the start: the footer below it must not be pushed down.
  return (
    <div className={layout.asTallAsTheWindow} data-wide>
      <AnalyticsGate>
        <Workspace />
      </AnalyticsGate>
    </div>
  )
}
