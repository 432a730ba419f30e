import { useEffect } from 'react'
import { logVisit } from '../../data/site-calls.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { Workspace } from '../../workspace/workspace.tsx'

/** The record of every prediction, as the analysis workspace. */
export function WinLossRecordScreen() {
  useEffect(() => {
    // A visit that could not be counted is no matter of the reader's.
    void logVisit('WinLossRecord').catch(() => undefined)
  }, [])
  return (
    <AnalyticsGate>
      <Workspace />
    </AnalyticsGate>
  )
}
