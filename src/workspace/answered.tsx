import { useCallback, useMemo } from 'react'
import { afterPicks } from '../../analytics/clauses.ts'
import type { Filter } from '../../analytics/filter.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { useIntl } from 'react-intl'
import { useWide } from '../ui/behaviour/use-wide.ts'
import { Tabbed } from '../ui/tabbed.tsx'
import { Board } from './panels/board.tsx'
import { Compare, usePinned } from './compare/compare.tsx'
import { Figures } from './panels/figures.tsx'
import type { OnPick } from './state/gestures.ts'
import { panelsFor, type PanelSpec } from './state/panel-spec.ts'
import { PredictionsList } from './list/predictions-list.tsx'
import { TOTAL, whereIn, type Slice } from './query/requests.ts'
import { TabContent } from './tab-content.tsx'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { ChangeView } from './state/use-view.ts'
import { TABS, type Subject, type Tab, type WorkspaceView } from './state/view.ts'
import panelStyles from './parts/panel.module.css'

/** Without access to the history, the other tabs have nothing to show. */
export const PUBLIC_TABS: readonly Tab[] = ['overview', 'verify']
/** Tabs whose figures are not those of the slice. */
const OWN_FIGURES: readonly Tab[] = ['lab', 'console', 'own']

interface AnsweredProps {
  tab: Tab
  panels: readonly PanelSpec[]
  view: WorkspaceView
  subject: Subject
  answer: SliceAnswer
  stale: boolean
  slice: Slice
  brush: Brush
  stepRef: { current: ((by: 1 | -1) => void) | null }
  onChange: ChangeView
  onFilter(next: (filter: Filter | null) => Filter | null): void
}

/** Shows a slice's result: figures, tabs, the panels and the list. */
export function Answered({
  tab,
  panels,
  view,
  subject,
  answer,
  stale,
  slice,
  brush,
  stepRef,
  onChange,
  onFilter,
}: AnsweredProps) {
  const intl = useIntl()
  const { history } = useScope()
  const wide = useWide()
  const onPick = useCallback<OnPick>(
    (picks, how) => onFilter((newest) => afterPicks(newest, picks, how)),
    [onFilter],
  )
  const onPanels = useCallback(
    (next: (panels: readonly PanelSpec[]) => readonly PanelSpec[]) =>
      onChange((newest) => ({
        ...newest,
        panels: next(panelsFor(newest.panels, history, wide)),
      })),
    [onChange, history, wide],
  )
  const where = useMemo(() => whereIn(slice), [slice])
  const pinned = usePinned(view, subject)
  const shown = history ? TABS : PUBLIC_TABS
  return (
    <>
      {pinned ? (
        <Compare
          pinned={pinned}
          where={where}
          model={subject.model}
          names={answer.names}
          view={view}
          subject={subject}
          onChange={onChange}
        />
      ) : null}
      <Figures
        slice={answer}
        stale={stale}
        live={brush.live?.rows[TOTAL]?.[0]}
        aside={OWN_FIGURES.includes(tab)}
      />
      <Tabbed
        label={intl.formatMessage({ id: 'workspace.tabs' })}
        tabs={shown.map((id) => ({ id, label: intl.formatMessage({ id: `workspace.tab.${id}` }) }))}
        selected={tab}
        onSelect={(next) => onChange((newest) => ({ ...newest, tab: next }))}
        look="underlined"
        panelClassName={panelStyles.stack}
      >
        {tab === 'overview' ? (
          <>
            <Board
              slice={answer}
              brush={brush}
              panels={wide ? panels : panelsFor(view.panels, history, false)}
              model={subject.model}
              onPanels={onPanels}
              onPick={onPick}
              onFilter={onFilter}
            />
            <PredictionsList
              view={view}
              where={where}
              slice={answer}
              model={subject.model}
              stepRef={stepRef}
              onChange={onChange}
            />
          </>
        ) : (
          <TabContent
            tab={tab}
            slice={answer}
            brush={brush}
            subject={subject}
            tuning={view.tuning}
            lab={view.lab}
            sql={view.sql}
            onChange={onChange}
            onFilter={onFilter}
          />
        )}
      </Tabbed>
    </>
  )
}
