import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { Workspace } from '../../workspace/workspace.tsx'
import styles from './win-loss-record-screen.module.css'

/** The record of all predictions, as the analysis workspace. */
export function WinLossRecordScreen() {
  // As tall as the window from the start, so that the footer below is not pushed down.
  return (
    <div className={styles.asTallAsTheWindow} data-wide>
      <AnalyticsGate title="record.title">
        <Workspace />
      </AnalyticsGate>
    </div>
  )
}
