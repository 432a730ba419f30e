import { memo, useMemo } from 'react'
import { afterPicks } from '../../analytics/clauses.ts'
import type { Filter } from '../../analytics/filter.ts'
import { useIntl } from 'react-intl'
import { useScope } from '../data/analytics/use-analytics.ts'
import { Skeleton } from '../ui/panel.tsx'
import { Tabbed } from '../ui/tabbed.tsx'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Compare, differencesOf, useComparedRaces, usePinned } from './compare/compare.tsx'
import { RowList } from './list/row-list.tsx'
import { Board, type BoardActions } from './panels/board.tsx'
import { EmptySlice } from './panels/empty-slice.tsx'
import { Figures } from './panels/figures.tsx'
import { TOTAL, whereIn } from '../../analytics/view/requests.ts'
import { countOf } from '../../analytics/view/totals.ts'
import { useLive, type Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { ViewQuery } from '../../analytics/view/view-query.ts'
import { Intervals } from './query/intervals.tsx'
import { panelsFor, type PanelSpec } from '../../analytics/view/panel-spec.ts'
import { isWholeWidth, tabsOf } from '../../analytics/view/view.ts'
import { useWorkspace, WorkspaceContext, type WorkspaceState } from './state/workspace-context.ts'
import { TabContent } from './tab-content.tsx'
import { NotApplied } from './parts/note.tsx'
import panelStyles from './parts/panel.module.css'

/** Steps through the races of the list; `null` without a list. */
interface StepRef {
  current: ((by: 1 | -1) => void) | null
}

/** What of the page is drawn after the figures of a slice: everything else takes several times as long. */
export interface Drawn {
  query: ViewQuery
  /** Panels whose intervals are asked for. */
  panels: readonly PanelSpec[]
  answer: SliceAnswer | null
  brush: Brush
  workspace: WorkspaceState
}

interface SliceContentProps {
  query: ViewQuery
  answer: SliceAnswer
  /** Whether the answer is that of the previous slice. */
  stale: boolean
}

/** A slice's figures, and what it is compared with; nothing where the tab takes the whole width. */
export function SliceFigures({ query: { tab, slice }, answer, stale }: SliceContentProps) {
  const live = useLive()
  const { view, basis } = useWorkspace()
  const where = useMemo(() => whereIn(slice), [slice])
  const pinned = usePinned(view, basis)
  const compared = useComparedRaces(pinned, where)
  const { races } = compared
  const differences = useMemo(() => differencesOf(races), [races])
  if (isWholeWidth(tab)) return null
  return (
    <>
      {pinned ? <Compare pinned={pinned} where={where} names={answer.names} compared={compared} /> : null}
      <Figures
        slice={answer}
        stale={stale}
        live={live?.rows[TOTAL]?.[0]}
        aside={tab === 'lab'}
        differences={differences}
      />
    </>
  )
}

interface SliceTabsProps {
  drawn: Drawn
  stepRef: StepRef
}

/** The panels, the list or the other tab below the figures. */
export const SliceTabs = memo(function SliceTabs({ drawn, stepRef }: SliceTabsProps) {
  const intl = useIntl()
  const { history } = useScope()
  const { query, panels, answer, brush, workspace } = drawn
  const { tab, slice } = query
  const where = useMemo(() => whereIn(slice), [slice])
  if (answer === null) return <Skeleton height={360} />
  return (
    <WorkspaceContext value={workspace}>
      <Intervals answer={answer} panels={panels}>
        <Tabbed
          label={intl.formatMessage({ id: 'workspace.tabs' })}
          tabs={tabsOf(slice.subject, history).map((id) => ({
            id,
            label: intl.formatMessage({ id: `workspace.tab.${id}` }),
          }))}
          selected={tab}
          onSelect={(next) => workspace.onChange((newest) => ({ ...newest, tab: next }))}
          look="underlined"
          panelClassName={panelStyles.stack}
        >
          {tab === 'overview' ? (
            <Overview query={query} where={where} answer={answer} brush={brush} stepRef={stepRef} />
          ) : (
            <TabContent tab={tab} slice={answer} brush={brush} />
          )}
        </Tabbed>
      </Intervals>
    </WorkspaceContext>
  )
})

interface OverviewProps extends Omit<SliceContentProps, 'stale'> {
  brush: Brush
  where: Filter
  stepRef: StepRef
}

/** The panels and the list. */
function Overview({ query, where, answer, brush, stepRef }: OverviewProps) {
  const { history } = useScope()
  const wide = useWide()
  const { view, basis, onChange, onFilter, onForesee } = useWorkspace()
  const { subject } = basis
  const actions = useMemo(
    (): BoardActions => ({
      onFilter,
      onPick: (picks, how) => onFilter((newest) => afterPicks(newest, picks, how)),
      onNear: (picks) => onForesee((newest) => afterPicks(newest, picks, 'only')),
      onStatement: (sql) => onChange((newest) => ({ ...newest, tab: 'console', sql })),
      onPanels: (next) =>
        onChange((newest) => ({ ...newest, panels: next(panelsFor(newest.panels, subject, history, wide)) })),
    }),
    [onFilter, onForesee, onChange, subject, history, wide],
  )
  const total = answer.rows[TOTAL]?.[0]
  return (
    <>
      {subject === 'predictions' ? null : (
        <NotApplied where={view.filter} applied={answer.slice.filter} rows={subject} />
      )}
      {total && countOf(total) === 0 ? <EmptySlice slice={answer} /> : null}
      <Board
        slice={answer}
        brush={brush}
        panels={wide ? query.panels : panelsFor(view.panels, subject, history, false)}
        model={basis.model}
        actions={actions}
      />
      <RowList
        view={view}
        subject={query.slice.subject}
        where={where}
        slice={answer}
        model={basis.model}
        stepRef={stepRef}
        onChange={onChange}
      />
    </>
  )
}
