import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { without } from '../../analytics/clauses.ts'
import type { Filter } from '../../analytics/filter.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { ORIGINS } from '../../contract/record-vocabulary.ts'
import { seasonLabel } from '../../domain/region.ts'
import { numberOf, textOf } from '../data/analytics/cells.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { useOwnSlots } from '../data/analytics/own-slots.ts'
import { useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import { useEngine } from '../data/analytics/use-engine.ts'
import { useRegion } from '../data/use-region.ts'
import { EngineStatus } from '../features/dataset/engine-status.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Answered, PUBLIC_TABS } from './answered.tsx'
import { Chips } from './words/chips.tsx'
import { Evidence } from './compare/evidence.tsx'
import { HeldSeason, RevealedFigures } from './saved/held-season.tsx'
import { Inspector } from './list/inspector.tsx'
import { Intervals } from './query/intervals.tsx'
import { ComingMatches } from './saved/matches.tsx'
import { PinSelect } from './compare/pin-select.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { Notices } from './notices.tsx'
import { RailColumn } from './rail-column.tsx'
import { panelsFor, type PanelSpec } from './state/panel-spec.ts'
import { Rail } from './panels/rail.tsx'
import { OwnNames } from './query/own-names.tsx'
import { closedClauses, sliceOf } from './query/own-slice.ts'
import { ORIGINS_REQUEST } from './query/requests.ts'
import { SavedViews, useSharedView } from './saved/saved-views.tsx'
import { ModelSelect, PeriodSelect, TopBar, TuningCheck } from './top-bar.tsx'
import { useBrush } from './query/use-brush.ts'
import { useAsk, useSlice, useWarmUp } from './query/use-slice.ts'
import { useViewOfRegion, useWorkspaceView, type ChangeView } from './state/use-view.ts'
import {
  baseOf,
  cleared,
  subjectOf,
  writeView,
  type OriginCount,
  type Subject,
  type WorkspaceView,
} from './state/view.ts'
import styles from './workspace.module.css'

/** Facets whose values are expanded initially. */
const FIRST_FACETS = ['racecourse', 'going', 'distance']

function countsOf(rows: readonly AnswerRow[]): OriginCount[] {
  return rows.flatMap((row) => {
    const model = MODEL_IDS.find((id) => id === textOf(row, 'model'))
    const origin = ORIGINS.find((each) => each === textOf(row, 'origin'))
    return model && origin ? [{ model, origin, predictions: numberOf(row, 'predictions') }] : []
  })
}

/** The analysis workspace: every view filters every other. Requires an `AnalyticsGate` above. */
export function Workspace() {
  const { to } = useScope()
  const { region } = useRegion()
  const aheadRef = useRef<(view: WorkspaceView) => void>(() => undefined)
  const { view, change, undo } = useWorkspaceView(aheadRef)
  useViewOfRegion(region?.id ?? null, change)
  const origins = useAnalytics(ORIGINS_REQUEST)
  const rows = origins.data?.rows
  const counts = useMemo(() => countsOf(rows ?? []), [rows])
  const subject = useMemo(() => (rows ? subjectOf(view, counts) : null), [view, rows, counts])
  const base = useMemo(
    () => (subject ? baseOf(view, to, subject, region) : null),
    [view, to, subject, region],
  )
  const [params] = useSearchParams()
  const link = useSharedView(params.get('view'))
  useEngine(subject?.model ?? null, false)
  if (origins.error && !rows)
    return <ErrorNotice error={origins.error} onRetry={() => void origins.refetch()} />
  if (link.error) return <ErrorNotice error={link.error} />
  if (!subject || !base || link.following) return <Opening />
  return (
    <OwnNames>
      <Page
        view={view}
        subject={subject}
        base={base}
        counts={counts}
        aheadRef={aheadRef}
        onChange={change}
        onUndo={undo}
      />
    </OwnNames>
  )
}

/** Placeholder with the final layout, and the content that is already known. */
function Opening() {
  const { history } = useScope()
  const wide = useWide()
  return (
    <div className={styles.workspace}>
      <Skeleton height={48} />
      <div className={styles.body}>
        {wide ? (
          <RailColumn>
            <Skeleton height={480} />
          </RailColumn>
        ) : null}
        <div className={styles.main}>
          {wide ? null : <Skeleton height={48} />}
          <Notices history={history} closed={false} />
          <Skeleton height={90} />
          <Skeleton height={360} />
        </div>
      </div>
    </div>
  )
}

interface PageProps {
  view: WorkspaceView
  subject: Subject
  base: Filter
  counts: readonly OriginCount[]
  /** Called with the next view before it is rendered, to prefetch its data. */
  aheadRef: { current: (view: WorkspaceView) => void }
  onChange: ChangeView
  onUndo(): void
}

function useFacets() {
  const [open, setOpen] = useState<readonly string[]>(FIRST_FACETS)
  const toggle = useCallback(
    (dim: string) =>
      setOpen((dims) => (dims.includes(dim) ? dims.filter((each) => each !== dim) : [...dims, dim])),
    [],
  )
  return { open, toggle }
}

/**
 * Escape clears the filters, Ctrl+Z undoes the last gesture; beside a race, J and K go to the next and
 * previous one of the list. Ignored while the user types in a field.
 */
function useKeys(onClear: () => void, onUndo: () => void, onStep: ((by: 1 | -1) => void) | null): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event
      const writing =
        target instanceof HTMLElement &&
        (target.closest('dialog') !== null ||
          target.isContentEditable ||
          /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
      if (
        event.defaultPrevented ||
        (writing && !(target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)))
      )
        return
      if (event.key === 'Escape') onClear()
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (plain && (event.key === 'j' || event.key === 'k')) onStep?.(event.key === 'j' ? 1 : -1)
      if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault()
        onUndo()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onClear, onUndo, onStep])
}

function Page({ view, subject, base, counts, aheadRef, onChange, onUndo }: PageProps) {
  const { history, to } = useScope()
  const wide = useWide()
  const panels = panelsFor(view.panels, history)
  const own = useOwnDimensions()
  const slice = useMemo(
    () => sliceOf({ base, filter: view.filter, history }, panels, own),
    [base, view.filter, history, panels, own],
  )
  // Clauses on columns of a file that is not open are not applied, and are announced.
  const { filter } = slice
  const facets = useFacets()
  // Views on other tabs are not queried.
  const tab = history || PUBLIC_TABS.includes(view.tab) ? view.tab : 'overview'
  const shownPanels = tab === 'overview' ? panels : NO_PANELS
  const shownFacets = useMemo(
    () => (history ? (tab === 'calibration' ? [...facets.open, 'probability'] : facets.open) : NO_FACETS),
    [history, tab, facets.open],
  )
  const asked = useSlice(slice, shownPanels, shownFacets)
  const { answer } = asked
  useWarmUp(answer, shownPanels, shownFacets)
  const ask = useAsk()
  const { region } = useRegion()
  useEffect(() => {
    aheadRef.current = (next) => {
      if (next.tab !== view.tab) return
      const nextBase = baseOf(next, to, subjectOf(next, counts), region)
      const nextPanels = tab === 'overview' ? panelsFor(next.panels, history) : NO_PANELS
      ask(sliceOf({ base: nextBase, filter: next.filter, history }, nextPanels, own), nextPanels, shownFacets)
    }
  })
  useEngine(subject.model, answer !== null)
  const intl = useIntl()
  const { from } = useScope()
  const days = useMemo(() => ({ from, to }), [from, to])
  const written = useMemo(() => writeView(view).toString(), [view])
  const brush = useBrush(slice, answer?.linked ?? null, asked.stale)
  const onFilter = useCallback(
    (next: (filter: Filter | null) => Filter | null) =>
      onChange((newest) => ({ ...newest, filter: next(newest.filter) })),
    [onChange],
  )
  const clear = useCallback(() => onChange(cleared), [onChange])
  const stepRef = useRef<((by: 1 | -1) => void) | null>(null)
  const step = useCallback((by: 1 | -1) => stepRef.current?.(by), [])
  const onStep = wide && tab === 'overview' ? step : null
  useKeys(clear, onUndo, view.race === null ? null : onStep)
  const rail = answer ? (
    <>
      <TuningCheck view={view} subject={subject} onChange={onChange} />
      <Rail
        slice={answer}
        filter={filter}
        brush={brush}
        model={subject.model}
        open={facets.open}
        onOpen={facets.toggle}
        onFilter={onFilter}
      />
    </>
  ) : (
    <Skeleton height={480} />
  )
  return (
    <div className={styles.workspace} data-inspecting={view.race !== null}>
      <TopBar view={view} subject={subject} onChange={onChange} onUndo={onUndo}>
        {history && wide ? (
          <>
            <PinSelect view={view} subject={subject} onChange={onChange} />
            <HeldSeason view={view} days={days} onChange={onChange} />
            <Evidence slice={answer} address={written} />
          </>
        ) : null}
        <ComingMatches view={view} />
        <SavedViews view={view} base={base} />
      </TopBar>
      {history && wide ? <RevealedFigures view={view} subject={subject} /> : null}
      <div className={styles.body}>
        {wide ? <RailColumn>{rail}</RailColumn> : null}
        <div className={styles.main}>
          {wide ? null : (
            <FilterSheet view={view} answer={answer}>
              <div className={styles.sheetTop}>
                <ModelSelect subject={subject} onChange={onChange} />
                <PeriodSelect view={view} onChange={onChange} />
              </div>
              {rail}
            </FilterSheet>
          )}
          <Notices history={history} closed={closedClauses(view.filter, own).length > 0} />
          {wide || !isUsual(filter) || view.held !== null ? (
            <Chips
              filter={wide ? filter : without(filter, ['bet_type', 'prediction_type'])}
              model={subject.model}
              names={answer?.names ?? NO_NAMES}
              onFilter={onFilter}
              clearable={written !== writeView(cleared(view)).toString()}
              onClear={clear}
              held={
                view.held === null
                  ? null
                  : intl.formatMessage(
                      { id: 'workspace.held' },
                      { season: seasonLabel(region?.seasonStartMonth ?? 9, view.held) },
                    )
              }
              onRelease={() => onChange((newest) => ({ ...newest, held: null, revealed: false }))}
            />
          ) : null}
          {asked.error ? (
            <ErrorNotice error={asked.error} onRetry={asked.retry} />
          ) : answer ? (
            <Intervals answer={answer} panels={shownPanels}>
              <Answered
                tab={tab}
                panels={panels}
                view={view}
                subject={subject}
                answer={answer}
                stale={asked.stale}
                slice={slice}
                brush={brush}
                stepRef={stepRef}
                onChange={onChange}
                onFilter={onFilter}
              />
            </Intervals>
          ) : (
            <>
              <Skeleton height={90} />
              <Skeleton height={360} />
            </>
          )}
          <EngineStatus computed={answer?.answer.computed ?? null} />
        </div>
        {view.race === null ? null : (
          <Inspector
            race={view.race}
            onStep={onStep}
            onClose={() => onChange((newest) => ({ ...newest, race: null }))}
          />
        )}
      </div>
    </div>
  )
}

/** Whether nothing is filtered besides what the bar on a phone shows. */
const isUsual = (filter: Filter | null): boolean => without(filter, ['bet_type', 'prediction_type']) === null

/** Dimensions that are filled from the user's own file. */
function useOwnDimensions(): readonly string[] {
  const { regionId } = useScope()
  const own = useOwnSlots(regionId)
  return useMemo(() => own?.slots.map(({ slot }) => slot) ?? [], [own])
}

const NO_FACETS: readonly string[] = []
const NO_PANELS: readonly PanelSpec[] = []
const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()
