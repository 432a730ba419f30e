import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { IntlProvider, useIntl } from 'react-intl'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { Filter } from '../../analytics/filter.ts'
import type { AnswerRow } from '../../analytics/cells.ts'
import { useOwnSlots } from '../data/analytics/own-rows.ts'
import { useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import { useEngine } from '../data/analytics/use-engine.ts'
import { useRegion } from '../data/use-region.ts'
import { EngineStatus } from '../features/dataset/engine-status.tsx'
import { Deferred } from '../ui/behaviour/deferred.tsx'
import { isSaving } from '../ui/behaviour/is-saving.ts'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { ErrorNotice, Skeleton } from '../ui/panel.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { openAddFilter } from './add-filter.tsx'
import { Filters, FilterSheet, RailColumn, RailToggle } from './filters.tsx'
import { Inspector } from './list/inspector.tsx'
import { Notices } from './notices.tsx'
import { Intervals } from './query/intervals.tsx'
import { countsOf } from '../../analytics/view/origin-counts.ts'
import { ORIGINS_REQUEST } from '../../analytics/view/requests.ts'
import { useIndex } from './query/use-index.ts'
import { LiveContext, useBrush } from './query/use-brush.ts'
import { useForeseen, usePrefetch, useSlice, useWarmUp } from './query/use-slice.ts'
import {
  closedClauses,
  sliceRequest,
  viewQuery,
  type ViewContext,
  type ViewQuery,
} from '../../analytics/view/view-query.ts'
import { RevealedFigures } from './saved/hold-out-season.tsx'
import { useSharedView } from './saved/saved-views.tsx'
import { SliceFigures, SliceTabs, type Drawn } from './slice-content.tsx'
import { readRail } from './state/rail-groups.ts'
import { useRail, type RailState } from './state/use-rail.ts'
import {
  useForesight,
  usePrefetchingChange,
  useViewOfRegion,
  useWorkspaceView,
  type ViewState,
} from './state/use-view.ts'
import { cleared, isWholeWidth, type Tab, type WorkspaceView } from '../../analytics/view/view.ts'
import { titleIn } from './state/view-title.ts'
import { WorkspaceContext } from './state/workspace-context.ts'
import { TopBar, type TopBarProps } from './top-bar.tsx'
import styles from './workspace.module.css'

/** What decides, besides the view, what the page shows; `null` until the available predictions are known. */
function useViewContext(rows: readonly AnswerRow[] | undefined): ViewContext | null {
  const { history, to: lastDay, regionId } = useScope()
  const { region } = useRegion()
  const slots = useOwnSlots(regionId)?.slots
  return useMemo(
    () =>
      rows
        ? { history, lastDay, region, counts: countsOf(rows), own: slots?.map(({ slot }) => slot) ?? [] }
        : null,
    [history, lastDay, region, rows, slots],
  )
}

/** The analysis workspace: every view filters every other. Requires an `AnalyticsGate` above. */
export function Workspace() {
  const { region } = useRegion()
  const state = useWorkspaceView()
  useViewOfRegion(region?.id ?? null, state.change)
  const origins = useAnalytics(ORIGINS_REQUEST)
  const rows = origins.data?.rows
  const context = useViewContext(rows)
  const { view } = state
  const query = useMemo(() => (context ? viewQuery(view, context) : null), [view, context])
  const [params] = useSearchParams()
  const link = useSharedView(params.get('view'))
  useEngine(query?.basis.model ?? null, 'none')
  if (origins.error && !rows)
    return <ErrorNotice error={origins.error} onRetry={() => void origins.refetch()} />
  if (link.error) return <ErrorNotice error={link.error} />
  if (!query || !context || link.following) return <Opening tab={view.tab} />
  return (
    <Deferred waiting={<Opening tab={view.tab} />}>
      <OwnNames>
        <Page state={state} query={query} context={context} />
      </OwnNames>
    </Deferred>
  )
}

/** Below it the dimensions of the user's own columns have the names that the file gives them. */
function OwnNames({ children }: { children: ReactNode }) {
  const { locale, messages, onError } = useIntl()
  const { regionId } = useScope()
  const own = useOwnSlots(regionId)
  const named = useMemo(() => {
    // A message that is a name as it is, whatever characters it has.
    const asText = (value: string) => [{ type: 0 as const, value }]
    const names = (own?.slots ?? []).map(({ slot, name }) => [`dimension.${slot}`, asText(name)] as const)
    return { ...messages, ...Object.fromEntries(names) } as typeof messages
  }, [messages, own])
  return (
    <IntlProvider locale={locale} messages={named} onError={onError}>
      {children}
    </IntlProvider>
  )
}

/** Placeholder with the final layout, and the content that is already known. */
function Opening({ tab }: { tab: Tab }) {
  const wide = useWide()
  const whole = isWholeWidth(tab)
  const [{ shut }] = useState(() => readRail(null))
  return (
    <div className={styles.workspace}>
      <Skeleton height={48} />
      <div className={styles.body}>
        {wide && !whole && !shut ? (
          <RailColumn>
            <Skeleton height={480} />
          </RailColumn>
        ) : null}
        <div className={styles.main}>
          {wide ? null : <Skeleton height={48} />}
          <Notices closed={false} />
          {whole ? <Skeleton height={480} /> : <SliceSkeleton />}
        </div>
      </div>
    </div>
  )
}

const SliceSkeleton = () => (
  <>
    <Skeleton height={90} />
    <Skeleton height={360} />
  </>
)

interface PageProps {
  state: ViewState
  query: ViewQuery
  context: ViewContext
}

/** Whether work is done ahead of need: not on phones, nor where the device saves data or power. */
function useAhead(): boolean {
  const wide = useWide()
  const [saving, setSaving] = useState(true)
  useEffect(() => void isSaving().then(setSaving), [])
  return wide && !saving
}

/** The page's own request and its answer. A gesture sends the next request before the page is drawn. */
function usePage({ state: { view, newest, change }, query, context }: PageProps, facets: readonly string[]) {
  const requested = useMemo(() => sliceRequest(query, facets), [query, facets])
  const response = useSlice(requested)
  const { answer, stale } = response
  const ahead = useAhead()
  useWarmUp(answer, requested, ahead)
  useEngine(query.basis.model, answer === null ? 'none' : stale ? 'previous' : 'current')
  const prefetch = usePrefetch(answer)
  const onChange = usePrefetchingChange(change, (changed) =>
    prefetch(sliceRequest(viewQuery(changed, context), facets)),
  )
  const onFilter = useCallback(
    (next: (filter: Filter | null) => Filter | null) =>
      onChange((newest) => ({ ...newest, filter: next(newest.filter) })),
    [onChange],
  )
  const foresee = useForeseen()
  const foresight = useForesight(newest, (coming) =>
    foresee(sliceRequest(viewQuery(coming, context), facets)),
  )
  const onForesee = useCallback(
    (next: (filter: Filter | null) => Filter | null) =>
      foresight((before) => ({ ...before, filter: next(before.filter) })),
    [foresight],
  )
  const { brush, live } = useBrush(query.slice, answer?.linked ?? null, stale)
  const entered = useIndex(query.slice, answer?.linked ?? null, stale, ahead)
  const { basis } = query
  const workspace = useMemo(
    () => ({ view, newest, basis, onChange, onFilter, onForesee }),
    [view, newest, basis, onChange, onFilter, onForesee],
  )
  return { requested, ...response, brush, live, entered, workspace }
}

/**
 * What is drawn after the figures: in the frames after them. Gestures that change no figure, such as a step to the next
 * race, are drawn at once, and so are the first figures, since parts that came a frame after them would be moved. A tab that
 * was left is never drawn again.
 */
function useLater(drawn: Drawn): Drawn {
  const deferred = useDeferredValue(drawn)
  const isSoon =
    deferred.answer === null || deferred.answer === drawn.answer || deferred.query.tab !== drawn.query.tab
  return isSoon ? drawn : deferred
}

function Page(props: PageProps) {
  const { query, context, state } = props
  const { view } = state
  const wide = useWide()
  const { rail, listed, shut, setShut } = useRail(view.filter, wide)
  const { requested, answer, stale, error, retry, brush, live, entered, workspace } = usePage(props, listed)
  const { onChange } = workspace
  const onClear = useCallback(() => onChange(cleared), [onChange])
  const opened = titleIn((useLocation() as { state: unknown }).state)
  const queryOf = useCallback((other: WorkspaceView) => viewQuery(other, context), [context])
  const stepRef = useRef<((by: 1 | -1) => void) | null>(null)
  const step = useCallback((by: 1 | -1) => stepRef.current?.(by), [])
  const onStep = wide && query.tab === 'overview' ? step : null
  useKeys({ onClear, onUndo: state.undo, onStep: view.race === null ? null : onStep })
  const drawn = useMemo(
    (): Drawn => ({ query, panels: requested.panels, answer, brush, workspace }),
    [query, requested.panels, answer, brush, workspace],
  )
  const later = useLater(drawn)
  const hasRail = wide && !isWholeWidth(query.tab)
  const filters = (
    <LiveContext value={live}>
      <LaterFilters drawn={later} rail={rail} />
    </LiveContext>
  )
  return (
    <WorkspaceContext value={workspace}>
      <div
        className={styles.workspace}
        data-inspecting={view.race !== null}
        data-drawing={later !== drawn}
        {...entered}
      >
        <LaterTopBar drawn={later} opened={opened} queryOf={queryOf} onUndo={state.undo} />
        <RevealedFigures view={view} basis={query.basis} />
        <div className={styles.body} aria-busy={later !== drawn}>
          {hasRail && !shut ? <RailColumn>{filters}</RailColumn> : null}
          <div className={styles.main}>
            {wide ? null : <FilterSheet answer={later.answer}>{filters}</FilterSheet>}
            <Notices closed={closedClauses(view.filter, context.own).length > 0} />
            {query.tab === 'console' ? null : (
              <LaterActiveFilters
                drawn={later}
                onClear={onClear}
                onShut={hasRail ? setShut : null}
                shut={shut}
              />
            )}
            {error ? (
              <ErrorNotice error={error} onRetry={retry} />
            ) : (
              <LiveContext value={live}>
                <Figured drawn={drawn} later={later} stale={stale} stepRef={stepRef} />
              </LiveContext>
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
    </WorkspaceContext>
  )
}

interface FiguredProps {
  /** What is drawn first: the figures. */
  drawn: Drawn
  later: Drawn
  stale: boolean
  stepRef: { current: ((by: 1 | -1) => void) | null }
}

/** The figures, and what follows them; their places until they are known. */
function Figured({ drawn: { query, panels, answer }, later, stale, stepRef }: FiguredProps) {
  if (answer === null) return <SliceSkeleton />
  return (
    <Deferred waiting={<SliceSkeleton />}>
      <Intervals answer={answer} panels={panels}>
        <SliceFigures query={query} answer={answer} stale={stale} />
      </Intervals>
      <SliceTabs drawn={later} stepRef={stepRef} />
    </Deferred>
  )
}

interface LaterFiltersProps {
  drawn: Drawn
  rail: RailState
}

/** The filters as they are drawn after the figures. */
const LaterFilters = memo(function LaterFilters({ drawn, rail }: LaterFiltersProps) {
  const { query, answer, brush, workspace } = drawn
  return (
    <WorkspaceContext value={workspace}>
      <Filters filter={query.slice.filter} answer={answer} brush={brush} rail={rail} />
    </WorkspaceContext>
  )
})

interface LaterTopBarProps extends Pick<TopBarProps, 'opened' | 'queryOf' | 'onUndo'> {
  drawn: Drawn
}

/** The bar as it is drawn after the figures; its controls have the state of the last gesture at once. */
const LaterTopBar = memo(function LaterTopBar({
  drawn: { query, answer, workspace },
  ...rest
}: LaterTopBarProps) {
  return (
    <WorkspaceContext value={workspace}>
      <TopBar {...rest} answer={answer} base={query.slice.base} />
    </WorkspaceContext>
  )
})

interface LaterActiveFiltersProps {
  drawn: Drawn
  onClear(): void
  /** Opens and shuts the filters beside the page, where there are any. */
  onShut: ((shut: boolean) => void) | null
  shut: boolean
}

/** The line of filters as it is drawn after the figures. */
const LaterActiveFilters = memo(function LaterActiveFilters(props: LaterActiveFiltersProps) {
  const { drawn, onClear, onShut, shut } = props
  const { query, answer, brush, workspace } = drawn
  const { filter, base } = query.slice
  return (
    <WorkspaceContext value={workspace}>
      <ActiveFilters filter={filter} base={base} answer={answer} brush={brush} onClear={onClear}>
        {onShut === null ? null : <RailToggle shut={shut} onShut={onShut} />}
      </ActiveFilters>
    </WorkspaceContext>
  )
})

/** What the keys of the workspace do. */
interface KeyActions {
  onClear(): void
  onUndo(): void
  /** Goes to the next or previous race of the list; `null` where none is open beside it. */
  onStep: ((by: 1 | -1) => void) | null
}

/** Whether the user types in a field, or a dialog or a popover is open; a check box takes no text. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog') !== null || document.querySelector('[popover][data-open=true]') !== null)
    return true
  if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) return false
  return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
}

/**
 * Escape clears the filters, F finds one to add, Ctrl+Z undoes the last gesture; beside a race, J and K go to the next and
 * previous one of the list. Ignored while the user types in a field.
 */
function useKeys({ onClear, onUndo, onStep }: KeyActions): void {
  useEffect(() => {
    const plain: Readonly<Record<string, () => void>> = {
      j: () => onStep?.(1),
      k: () => onStep?.(-1),
      f: openAddFilter,
    }
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event)) return
      const control = event.ctrlKey || event.metaKey
      if (event.key === 'Escape') onClear()
      else if (!control && !event.altKey && Object.hasOwn(plain, event.key)) {
        // A field that opens would have the letter.
        event.preventDefault()
        plain[event.key]!()
      } else if (control && !event.shiftKey && event.key === 'z') {
        event.preventDefault()
        onUndo()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onClear, onUndo, onStep])
}
