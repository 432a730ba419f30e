import { ArrowLeft, Expand, Plus, Scale, Shrink, X } from 'lucide-react'
import { memo, useState, type CSSProperties, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { withRange, withValues } from '../../../analytics/clauses.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { InView } from '../../ui/behaviour/in-view.tsx'
import { BarsPanel } from './bars-panel.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { ColumnsPanel } from '../parts/columns-panel.tsx'
import type { OnPick } from '../state/gestures.ts'
import { HeatPanel } from './heat-panel.tsx'
import { MeasureSelect } from '../parts/measure-select.tsx'
import { useMeasureName } from '../words/measure-text.ts'
import {
  PANEL_KINDS,
  panelOf,
  SHOWN_MEASURES,
  USUAL_HEIGHT,
  type PanelKind,
  type PanelSpec,
} from '../state/panel-spec.ts'
import { offeredMeans } from '../query/own-slice.ts'
import { Pictured } from '../parts/pictured.tsx'
import { ProfitPanel } from './profit-panel.tsx'
import { ResizeHandle } from '../parts/resize-handle.tsx'
import type { Brush } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import type { ChangeFilter } from '../state/workspace-context.ts'
import controls from '../parts/controls.module.css'
import panelStyles from '../parts/panel.module.css'
import styles from './board.module.css'

/** Height reserved until a panel is rendered. */
const HEIGHT_OF: Readonly<Record<PanelKind, number>> = {
  profit: 380,
  bars: 280,
  columns: 240,
  heat: 380,
  calendar: 380,
}

/** What a panel does to the workspace. Its identity is stable, because panels compare it. */
export interface BoardActions {
  onPanels(next: (panels: readonly PanelSpec[]) => readonly PanelSpec[]): void
  onPick: OnPick
  onFilter: ChangeFilter
}

interface BoardProps {
  slice: SliceAnswer
  brush: Brush
  panels: readonly PanelSpec[]
  model: string
  actions: BoardActions
}

/**
 * Dimensions offered for a kind of panel; columns need bands or ordered values, and days
 * belong in the profit chart.
 */
const offeredFor = (kind: PanelKind, slice: SliceAnswer): string[] =>
  offeredDimensions(PREDICTIONS, slice.where, slice.slice.history, slice.slice.own).filter(
    (dim) =>
      dim !== 'day' &&
      (kind !== 'columns' ||
        'bins' in PREDICTIONS.dimensions[dim as 'odds'] ||
        ['month', 'season', 'draw', 'rank', 'field_size', 'distance', 'race_no'].includes(dim)),
  )

/** Panels with their indexes, and keys derived from their content: the second of two equal ones is `… 2`. */
function numbered(panels: readonly PanelSpec[]) {
  const seen = new Map<string, number>()
  return panels.map((spec, index) => {
    const words = `${spec.kind} ${spec.by.join('.')}`
    const count = (seen.get(words) ?? 0) + 1
    seen.set(words, count)
    return { key: `${words} ${count}`, spec, index }
  })
}

/** The dimensions of a new panel of a kind. */
function firstDimensions(kind: PanelKind, slice: SliceAnswer): string[] {
  const dims = offeredFor(kind, slice)
  const firstOf = (names: string[]): string => names.find((dim) => dims.includes(dim)) ?? dims[0] ?? 'season'
  switch (kind) {
    case 'bars':
      return [firstOf(['going', 'bet_type'])]
    case 'columns':
      return [firstOf(['odds', 'probability', 'month'])]
    case 'heat':
      return [firstOf(['draw', 'bet_type']), firstOf(['distance', 'season'])]
    default:
      return []
  }
}

/** The panels below the figures: each can be resized, moved, changed and removed, and others can be added. */
export function Board({ panels, actions, ...shown }: BoardProps) {
  const { slice } = shown
  return (
    <div className={styles.board}>
      {numbered(panels).map(({ key, spec, index }) => (
        <InView key={key} height={HEIGHT_OF[spec.kind]} className={spec.wide ? styles.wide : ''}>
          <BoardPanel {...shown} actions={actions} spec={spec} index={index} />
        </InView>
      ))}
      <AddPanel
        history={slice.slice.history}
        onAdd={(kind) =>
          actions.onPanels((newest) => [
            ...newest,
            panelOf(kind, firstDimensions(kind, slice), kind === 'profit'),
          ])
        }
      />
    </div>
  )
}

interface BoardPanelProps extends Omit<BoardProps, 'panels'> {
  spec: PanelSpec
  index: number
}

const BoardPanel = memo(function BoardPanel({ spec, index, slice, brush, model, actions }: BoardPanelProps) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const set = (next: PanelSpec): void =>
    actions.onPanels((newest) => newest.map((each, at) => (at === index ? next : each)))
  const [drawn, setDrawn] = useState<number | null>(null)
  const height = drawn ?? spec.height ?? USUAL_HEIGHT[spec.kind]
  const nameOfMeasure = useMeasureName()
  const title =
    spec.by.length > 0
      ? spec.by.map((dim) => word(`dimension.${dim}`)).join(' × ')
      : word(`workspace.panel.${spec.kind}`)
  const body = (
    <PanelBody
      spec={spec}
      slice={slice}
      brush={brush}
      model={model}
      height={height}
      actions={actions}
      onSpec={set}
    />
  )
  return (
    <section
      className={panelStyles.panel}
      aria-label={title}
      data-panel={spec.kind}
      style={{ '--panel-height': `${height}px` } as CSSProperties}
    >
      <div className={panelStyles.head}>
        {spec.by.length === 0 ? <h2>{title}</h2> : <Dimensions spec={spec} slice={slice} onChange={set} />}
        <div className={panelStyles.tools}>
          <Measures spec={spec} slice={slice} onChange={set} />
          {spec.kind === 'bars' ? <Adjustments spec={spec} onChange={set} /> : null}
          <PlaceTools spec={spec} index={index} onChange={set} onPanels={actions.onPanels} />
        </div>
      </div>
      {spec.kind === 'profit' ? (
        body
      ) : (
        <Pictured
          slice={slice}
          model={model}
          name={[spec.kind, ...spec.by].join('-')}
          title={spec.kind === 'heat' ? `${title}: ${nameOfMeasure(spec.measure)}` : title}
        >
          {body}
        </Pictured>
      )}
      <ResizeHandle
        title={title}
        height={height}
        onDraw={setDrawn}
        onChange={(next) => set({ ...spec, height: next })}
      />
    </section>
  )
})

interface PanelBodyProps extends Omit<BoardPanelProps, 'index'> {
  height: number
  onSpec(spec: PanelSpec): void
}

/** The chart or table of a panel, or why there is none. */
function PanelBody({ spec, slice, brush, model, height, actions, onSpec }: PanelBodyProps): ReactNode {
  const { onFilter, onPick } = actions
  const { history, own } = slice.slice
  const offered = offeredDimensions(PREDICTIONS, slice.where, history, own)
  if (!spec.by.every((dim) => offered.includes(dim)))
    return (
      <p className={panelStyles.note}>
        <FormattedMessage id={history ? 'workspace.unknownFilter' : 'workspace.lockedFilter'} />
      </p>
    )
  switch (spec.kind) {
    case 'profit':
      return (
        <ProfitPanel
          slice={slice}
          brush={brush}
          height={height}
          model={model}
          onMonths={(from, to) =>
            onFilter((filter) => withRange(filter, 'month', from === null || to === null ? {} : { from, to }))
          }
        />
      )
    case 'bars':
      return (
        <BarsPanel
          slice={slice}
          live={brush.live}
          spec={spec}
          model={model}
          onPick={onPick}
          onSpec={onSpec}
        />
      )
    case 'columns':
      return (
        <ColumnsPanel
          slice={slice}
          brush={brush}
          spec={spec}
          model={model}
          height={height}
          onValues={(dim, values) => onFilter((filter) => withValues(filter, dim, values))}
        />
      )
    case 'heat':
      return <HeatPanel slice={slice} live={brush.live} spec={spec} model={model} onPick={onPick} />
    default:
      return <CalendarPanel slice={slice} onPick={onPick} />
  }
}

/** Selects what the cells or the bars of a panel show; nothing where there is no choice. */
function Measures({ spec, slice, onChange }: PartProps & { slice: SliceAnswer }) {
  const means = offeredMeans(slice)
  const { history } = slice.slice
  const choose = (measure: PanelSpec['measure']): void => onChange({ ...spec, measure })
  if (spec.kind === 'heat')
    return (
      <MeasureSelect
        value={spec.measure}
        choices={[...SHOWN_MEASURES.filter((each) => history || each !== 'ae_market'), ...means]}
        onChange={choose}
      />
    )
  if (spec.kind !== 'bars' || means.length === 0) return null
  return <MeasureSelect value={spec.measure} choices={means} none="return" onChange={choose} />
}

/** Widens, moves and removes a panel. */
function PlaceTools({
  spec,
  index,
  onChange,
  onPanels,
}: PartProps & { index: number; onPanels: BoardActions['onPanels'] }) {
  const intl = useIntl()
  const word = (id: string): string => intl.formatMessage({ id })
  const width = word(spec.wide ? 'workspace.narrower' : 'workspace.wider')
  const Width = spec.wide ? Shrink : Expand
  return (
    <>
      <button
        type="button"
        className={`${controls.tool} ${styles.widen}`}
        aria-label={width}
        title={width}
        onClick={() => onChange({ ...spec, wide: !spec.wide })}
      >
        <Width aria-hidden="true" size={16} />
      </button>
      {index > 0 ? (
        <button
          type="button"
          className={controls.tool}
          aria-label={word('workspace.moveBefore')}
          title={word('workspace.moveBefore')}
          onClick={() =>
            onPanels((newest) => {
              const moved = newest[index]
              return moved ? newest.toSpliced(index, 1).toSpliced(index - 1, 0, moved) : newest
            })
          }
        >
          <ArrowLeft aria-hidden="true" size={16} />
        </button>
      ) : null}
      <button
        type="button"
        className={controls.tool}
        aria-label={word('workspace.removePanel')}
        title={word('workspace.removePanel')}
        onClick={() => onPanels((newest) => newest.filter((_, at) => at !== index))}
      >
        <X aria-hidden="true" size={16} />
      </button>
    </>
  )
}

interface PartProps {
  spec: PanelSpec
  onChange(spec: PanelSpec): void
}

function Dimensions({ spec, slice, onChange }: PartProps & { slice: SliceAnswer }) {
  const intl = useIntl()
  const offered = offeredFor(spec.kind, slice)
  return (
    <>
      {spec.by.map((dim, at) => (
        <span key={dim}>
          {at > 0 ? '× ' : ''}
          <select
            className={controls.select}
            aria-label={intl.formatMessage({ id: at === 0 ? 'record.breakdownBy' : 'workspace.across' })}
            value={dim}
            onChange={(event) => onChange({ ...spec, by: spec.by.with(at, event.target.value) })}
          >
            {[...new Set([dim, ...offered])]
              .filter((each) => each === dim || !spec.by.includes(each))
              .map((each) => (
                <option key={each} value={each}>
                  {intl.formatMessage({ id: `dimension.${each}` })}
                </option>
              ))}
          </select>
        </span>
      ))}
    </>
  )
}

function Adjustments({ spec, onChange }: PartProps) {
  const intl = useIntl()
  const label = intl.formatMessage({ id: 'workspace.adjusted' })
  return (
    <>
      <label className={styles.number}>
        <span className={styles.least}>
          <FormattedMessage id="workspace.least" />
        </span>
        <input
          type="number"
          min={0}
          step={10}
          defaultValue={spec.least}
          key={spec.least}
          onBlur={(event) =>
            onChange({ ...spec, least: Math.max(0, Math.floor(Number(event.target.value) || 0)) })
          }
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
      </label>
      <button
        type="button"
        className={controls.tool}
        aria-pressed={spec.adjusted}
        aria-label={label}
        title={label}
        onClick={() => onChange({ ...spec, adjusted: !spec.adjusted })}
      >
        <Scale aria-hidden="true" size={16} />
      </button>
    </>
  )
}

function AddPanel({ history, onAdd }: { history: boolean; onAdd(kind: PanelKind): void }) {
  const intl = useIntl()
  const kinds = PANEL_KINDS.filter((kind) => history || kind !== 'heat')
  return (
    <div className={`${styles.add} ${styles.wide}`}>
      <Plus aria-hidden="true" size={16} />
      <select
        className={controls.select}
        aria-label={intl.formatMessage({ id: 'workspace.addPanel' })}
        value=""
        onChange={(event) => {
          const kind = kinds.find((each) => each === event.target.value)
          if (kind) onAdd(kind)
        }}
      >
        <option value="">{intl.formatMessage({ id: 'workspace.addPanel' })}</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {intl.formatMessage({ id: `workspace.panel.${kind}` })}
          </option>
        ))}
      </select>
    </div>
  )
}
