import { useEffect } from 'react'
import { visitLog } from '../../../contract/api/site.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { Workspace } from '../../workspace/workspace.tsx'
import styles from './win-loss-record-screen.module.css'
import { call } from '../../data/client/call.ts'
import { clientId } from '../../data/client/device.ts'

/** The record of all predictions, as the analysis workspace. */
export function WinLossRecordScreen() {
  useEffect(() => {
    // If the visit cannot be logged, the user does not need to know.
    void call(visitLog, { clientId: clientId(), page: 'WinLossRecord', channel: 'h5' }).catch(() => undefined)
  }, [])
  // As tall as the window from the start, so that the footer below is not pushed down.
  return (
    <div className={styles.asTallAsTheWindow} data-wide>
      <AnalyticsGate>
        <Workspace />
      </AnalyticsGate>
    </div>
  )
}
