import { useEffect, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import type { Filter } from '../../../analytics/filter.ts'
import { MODEL_IDS } from '../../../contract/model-ids.ts'
import { ORIGINS } from '../../../contract/record-vocabulary.ts'
import { AnalyticsGate } from '../../features/dataset/analytics-gate.tsx'
import { EngineStatus } from '../../features/dataset/engine-status.tsx'
import { LivePanel } from '../../features/record/live-panel.tsx'
import { BreakdownPanel } from '../../features/record/breakdown-panel.tsx'
import { CalibrationPanel } from '../../features/record/calibration-panel.tsx'
import { OwnRecord } from '../../features/record/own-record.tsx'
import { ProfitChart } from '../../features/record/profit-chart.tsx'
import { RecordCards } from '../../features/record/record-cards.tsx'
import { RecordFilters } from '../../features/record/record-filters.tsx'
import { RecordGrid } from '../../features/record/record-grid.tsx'
import { linkedRequest, ORIGINS_REQUEST } from '../../features/record/record-requests.ts'
import { RecordTiles } from '../../features/record/record-tiles.tsx'
import {
  subjectOf,
  useRecordView,
  useViewOfRegion,
  whereOf,
  type ChangeView,
  type OriginCount,
  type RecordView,
  type Subject,
} from '../../features/record/record-view.ts'
import { JudgePanel } from '../../features/record/judge-panel.tsx'
import { OriginNotice } from '../../features/record/origin-notice.tsx'
import { VerifyRecord } from '../../features/lock/verify-record.tsx'
import { numberOf, textOf } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { useEngineState } from '../../data/analytics/engine-state.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useEngine } from '../../data/analytics/use-engine.ts'
import { logVisit } from '../../data/site-calls.ts'
import { useToken } from '../../data/session.ts'
import { useRegion } from '../../data/use-region.ts'
import { useOpenRace } from '../../features/subscription/use-open-race.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice, Skeleton } from '../../ui/panel.tsx'
import { InView } from '../../ui/in-view.tsx'
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
      <AnalyticsGate>
        <Record view={view} onChange={change} />
      </AnalyticsGate>
    </div>
  )
}

function countsOf(rows: readonly AnswerRow[]): OriginCount[] {
  return rows.flatMap((row) => {
    const model = MODEL_IDS.find((id) => id === textOf(row, 'model'))
    const origin = ORIGINS.find((each) => each === textOf(row, 'origin'))
    return model && origin ? [{ model, origin, predictions: numberOf(row, 'predictions') }] : []
  })
}

function Record({ view, onChange }: { view: RecordView; onChange: ChangeView }) {
  const { to } = useScope()
  const origins = useAnalytics(ORIGINS_REQUEST)
  const rows = origins.data?.rows
  const { region } = useRegion()
  const subject = useMemo(() => (rows ? subjectOf(view, countsOf(rows)) : null), [view, rows])
  const where = useMemo(
    () => (subject ? whereOf(view, to, subject, region) : null),
    [view, to, subject, region],
  )
  useEngine(subject?.model ?? null, false)
  if (origins.error && !rows)
    return <ErrorNotice error={origins.error} onRetry={() => void origins.refetch()} />
  if (!subject || !where) return <Skeleton height={420} />
  return <Figures view={view} subject={subject} where={where} onChange={onChange} />
}

interface FiguresProps {
  view: RecordView
  subject: Subject
  where: Filter
  onChange: ChangeView
}

function Figures({ view, subject, where, onChange }: FiguresProps) {
  const { history } = useScope()
  const linked = useAnalytics(linkedRequest(where, history))
  useEngine(subject.model, linked.isSuccess)
  const engine = useEngineState()
  const stale = linked.isPlaceholderData
  return (
    <>
      {engine.kind === 'ready' && engine.opened.offline ? (
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
      {linked.error ? (
        <ErrorNotice error={linked.error} onRetry={() => void linked.refetch()} />
      ) : linked.data ? (
        <RecordTiles where={where} answer={linked.data} stale={stale} />
      ) : (
        <Skeleton height={104} />
      )}
      <EngineStatus computed={linked.data?.computed ?? null} />
      <RecordFilters view={view} subject={subject} where={where} onChange={onChange} />
      <InView height={330}>
        <div className={styles.columns}>
          {linked.data ? <ProfitChart answer={linked.data} stale={stale} /> : <Skeleton height={280} />}
          <BreakdownPanel
            where={where}
            model={subject.model}
            by={view.by}
            onBy={(by) => onChange((newest) => ({ ...newest, by }))}
          />
        </div>
      </InView>
      <InView height={640}>
        <List view={view} where={where} answer={stale ? null : (linked.data ?? null)} onChange={onChange} />
      </InView>
      {history ? (
        <>
          <InView height={340}>
            <CalibrationPanel where={where} />
          </InView>
          <InView height={420}>
            <JudgePanel where={where} model={subject.model} />
          </InView>
        </>
      ) : null}
      <InView height={100}>
        <VerifyRecord key={JSON.stringify(where)} where={where} model={subject.model} />
      </InView>
      <Link to="/pages/race/ModelCard">
        <FormattedMessage id="model.title" />
      </Link>
    </>
  )
}

interface ListProps extends Omit<FiguresProps, 'subject'> {
  answer: Parameters<typeof RecordGrid>[0]['answer']
}

/** The single predictions. Without the history they are of seven days, and a filter of theirs is theirs alone. */
function List({ view, where, answer, onChange }: ListProps) {
  const { history } = useScope()
  const wide = useWide()
  const signedIn = useToken() !== null
  const { open, dialog } = useOpenRace('pr')
  const [recent, setRecent] = useState<Filter | null>(null)
  const list = {
    where,
    filter: history ? view.filter : recent,
    more: history ? null : recent,
    onPick: (next: (filter: Filter | null) => Filter | null): void =>
      history ? onChange((newest) => ({ ...newest, filter: next(newest.filter) })) : setRecent(next),
  }
  return (
    <>
      {wide ? (
        <RecordGrid {...list} answer={history ? answer : null} />
      ) : (
        <RecordCards {...list} onOpen={open} />
      )}
      {signedIn && !history ? <OwnRecord onOpen={open} /> : null}
      {dialog}
    </>
  )
}
