import { useEffect, useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { DatasetGate } from '../../features/dataset/dataset-gate.tsx'
import { LivePanel } from '../../features/record/live-panel.tsx'
import { BreakdownPanel } from '../../features/record/breakdown-panel.tsx'
import { CalibrationPanel } from '../../features/record/calibration-panel.tsx'
import { OwnRecord } from '../../features/record/own-record.tsx'
import { ProfitChart } from '../../features/record/profit-chart.tsx'
import { RecordCards } from '../../features/record/record-cards.tsx'
import { RecordFilters } from '../../features/record/record-filters.tsx'
import { RecordGrid } from '../../features/record/record-grid.tsx'
import { RecordTiles } from '../../features/record/record-tiles.tsx'
import {
  filterOf,
  subjectOf,
  useRecordView,
  useViewOfRegion,
  type RecordView,
} from '../../features/record/record-view.ts'
import { JudgePanel } from '../../features/record/judge-panel.tsx'
import { OriginNotice } from '../../features/record/origin-notice.tsx'
import { VerifyRecord } from '../../features/lock/verify-record.tsx'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { logVisit } from '../../data/site-calls.ts'
import { useToken } from '../../data/session.ts'
import { useRegion } from '../../data/use-region.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice, Skeleton } from '../../ui/panel.tsx'
import { useWide } from '../../ui/use-wide.ts'
import layout from '../../ui/layout.module.css'
import styles from './win-loss-record-screen.module.css'

export function WinLossRecordScreen() {
  const { region } = useRegion()
  const [view, change] = useRecordView()
  useViewOfRegion(region?.id ?? null, change)
  useEffect(() => {
    // A visit that could not be counted is no matter of the reader's.
    void logVisit('WinLossRecord').catch(() => undefined)
  }, [])
  return (
    <div className={styles.screen}>
      <header>
        <h1>
          <FormattedMessage id="record.title" />
        </h1>
        <p className={styles.lead}>
          <FormattedMessage id="record.lead" />
        </p>
      </header>
      <DatasetGate>
        <Record view={view} onChange={change} />
      </DatasetGate>
    </div>
  )
}

function Record({ view, onChange }: { view: RecordView; onChange(change: Partial<RecordView>): void }) {
  const { to, history, offline } = useOpened()
  const origins = useEngineQuery('origins', {})
  const rows = origins.data?.rows
  const subject = useMemo(() => (rows ? subjectOf(view, rows) : null), [view, rows])
  const { region } = useRegion()
  const filter = useMemo(
    () => (subject ? filterOf(view, to, subject, region) : null),
    [view, to, subject, region],
  )
  const wide = useWide()
  const signedIn = useToken() !== null
  const { open, dialog } = useOpenRace('pr')
  if (origins.error) return <ErrorNotice error={origins.error} />
  if (!subject || !filter) return <Skeleton height={420} />
  return (
    <>
      {offline ? (
        <Notice kind="warn">
          <FormattedMessage id="record.offline" tagName="p" />
        </Notice>
      ) : null}
      {history ? null : (
        <Notice>
          <FormattedMessage id="record.visitor" tagName="p" />
          <Link className={layout.linkButton} to="/pages/race/viplist">
            <FormattedMessage id="record.upsell" />
          </Link>
        </Notice>
      )}
      <LivePanel />
      <OriginNotice subject={subject} chosen={view.origin !== ''} />
      <RecordTiles filter={filter} />
      <RecordFilters view={view} subject={subject} onChange={onChange} />
      <div className={styles.columns}>
        <ProfitChart filter={filter} />
        <BreakdownPanel filter={filter} />
      </div>
      {wide ? <RecordGrid filter={filter} /> : <RecordCards filter={filter} onOpen={open} />}
      {signedIn && !history ? <OwnRecord onOpen={open} /> : null}
      {dialog}
      {history ? (
        <>
          <CalibrationPanel filter={filter} />
          <JudgePanel filter={filter} />
        </>
      ) : null}
      <VerifyRecord key={JSON.stringify(filter)} filter={filter} />
      <Link to="/pages/race/ModelCard">
        <FormattedMessage id="model.title" />
      </Link>
    </>
  )
}
