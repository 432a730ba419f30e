import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { DatasetGate } from '../../features/dataset/dataset-gate.tsx'
import { BreakdownPanel } from '../../features/record/breakdown-panel.tsx'
import { CalibrationPanel } from '../../features/record/calibration-panel.tsx'
import { ProfitChart } from '../../features/record/profit-chart.tsx'
import { RecordCards } from '../../features/record/record-cards.tsx'
import { RecordFilters } from '../../features/record/record-filters.tsx'
import { RecordGrid } from '../../features/record/record-grid.tsx'
import { RecordTiles } from '../../features/record/record-tiles.tsx'
import { filterOf, useRecordView } from '../../features/record/record-view.ts'
import { useOpened } from '../../data/use-engine.ts'
import { Notice } from '../../ui/panel.tsx'
import { useWide } from '../../ui/use-wide.ts'
import styles from './win-loss-record-screen.module.css'

export function WinLossRecordScreen() {
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
        <Record />
      </DatasetGate>
    </div>
  )
}

function Record() {
  const { to, history, offline } = useOpened()
  const [view, change] = useRecordView()
  const filter = useMemo(() => filterOf(view, to), [view, to])
  const wide = useWide()
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
        </Notice>
      )}
      <RecordTiles filter={filter} />
      <RecordFilters view={view} onChange={change} />
      <div className={styles.columns}>
        <ProfitChart filter={filter} />
        <BreakdownPanel filter={filter} />
      </div>
      {wide ? <RecordGrid filter={filter} /> : <RecordCards filter={filter} />}
      {history ? <CalibrationPanel filter={filter} /> : null}
    </>
  )
}
