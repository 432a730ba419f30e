import {
  ArrowLeft,
  Download,
  Ellipsis,
  Expand,
  Plus,
  Scale,
  Shrink,
  SquareTerminal,
  X,
  type LucideIcon,
} from 'lucide-react'
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState, type CSSProperties } from 'react'
import { FormattedMessage } from 'react-intl'
import { withRange, withValues } from '../../../analytics/clauses.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { MODELS } from '../../../analytics/models.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { InView } from '../../ui/behaviour/in-view.tsx'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { PICTURE_FORMATS, type ChartPicture, type PictureFormat } from '../../widgets/chart/picture.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { ToolSelect } from '../parts/controls.tsx'
import { Note } from '../parts/note.tsx'
import { usePicture } from '../parts/use-picture.tsx'
import { useDaysSaver, type TableSaver } from '../files/use-table-saver.ts'
import { ResizeHandle } from '../parts/resize-handle.tsx'
import { DAYS, TOTAL } from '../../../analytics/view/requests.ts'
import type { TableFormat } from '../files/panel-table.ts'
import type { ViewProps } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { numberOf } from '../../../analytics/cells.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import { offeredMeasures } from '../../../analytics/view/view-query.ts'
import type { ShowFigure } from '../query/spread.ts'
import { canBeStatement, panelStatement } from '../query/view-statement.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import {
  BET_MEASURES,
  isKind,
  isOfSections,
  PANEL_KINDS,
  panelOf,
  usualMeasures,
  type PanelKind,
  type PanelSpec,
  type ShownMeasure,
} from '../../../analytics/view/panel-spec.ts'
import type { ChangeFilter, OnNear, OnPick } from '../state/workspace-context.ts'
import { figureText, useMeasureName } from '../words/measure-text.ts'
import { BarsPanel } from './bars-panel.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { HeatPanel } from './heat-panel.tsx'
import { Measures, ON_DAYS, Windows, type PartProps } from './measure-choices.tsx'
import { PivotPanel } from './pivot-panel.tsx'
import { ProfitPanel } from './profit-panel.tsx'
import { SpreadPanel } from './spread-panel.tsx'
import { RollingPanel } from './rolling-panel.tsx'
import panelStyles from '../parts/panel.module.css'
import styles from './board.module.css'

/** What a panel does to the workspace. Its identity is stable, because panels compare it. */
export interface BoardActions {
  onPanels(next: (panels: readonly PanelSpec[]) => readonly PanelSpec[]): void
  onPick: OnPick
  onNear: OnNear
  onFilter: ChangeFilter
  /** Opens a statement in the SQL console. */
  onStatement(sql: string): void
}

interface BoardProps extends ViewProps {
  panels: readonly PanelSpec[]
  actions: BoardActions
}

const offeredIn = ({ where, slice }: SliceAnswer): string[] =>
  offeredDimensions(MODELS[slice.subject], where, slice.history, slice.own)

/** Dimensions without bands whose values are in an order. */
const ORDERED = [
  'month',
  'season',
  'draw',
  'rank',
  'field_size',
  'distance',
  'race_no',
  'model_rank',
  'market_rank',
  'rank_difference',
  'last_place',
  'place_before_last',
  'last_distance',
  'leaders',
]

/**
 * Dimensions offered for a kind of panel; columns need bands or ordered values, and days
 * belong in the profit chart.
 */
const offeredFor = (kind: PanelKind, slice: SliceAnswer): string[] =>
  offeredIn(slice).filter(
    (dim) =>
      dim !== 'day' && (kind !== 'columns' || dimensionOf(dim).bins !== undefined || ORDERED.includes(dim)),
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

/** For each dimension of a new panel those that are preferred. */
const PREFERRED: Readonly<Record<PanelKind, string[][]>> = {
  profit: [],
  rolling: [],
  spread: [],
  bars: [['going', 'bet_type', 'jockey']],
  columns: [['odds', 'probability', 'month']],
  heat: [
    ['draw', 'bet_type'],
    ['distance', 'season'],
  ],
  pivot: [
    ['draw', 'bet_type'],
    ['distance', 'season'],
  ],
  calendar: [],
}

const TABLE_FORMATS: readonly TableFormat[] = ['csv', 'parquet']
/** Message ids of what saves a table. */
const TABLE_LABELS: Readonly<Record<TableFormat, string>> = {
  csv: 'record.export',
  parquet: 'record.exportParquet',
}

/** Kinds that the chart library draws. */
const CHARTS: readonly PanelKind[] = ['profit', 'rolling', 'spread']
/** Those over time are as wide as the page. */
const ON_TIME: readonly PanelKind[] = ['profit', 'rolling']

/** A new panel of a kind. */
function newPanel(kind: PanelKind, slice: SliceAnswer): PanelSpec {
  const dims = offeredFor(kind, slice)
  const by = PREFERRED[kind].map((names) => names.find((dim) => dims.includes(dim)) ?? dims[0] ?? 'season')
  const panel = panelOf(kind, by, ON_TIME.includes(kind) || kind === 'pivot')
  return kind === 'pivot' ? { ...panel, measures: ['count', 'hit_rate', 'return'] } : panel
}

/** The panels below the figures: each can be resized, moved, changed and removed, and others can be added. */
export function Board({ panels, ...shown }: BoardProps) {
  const { slice, actions } = shown
  return (
    <div className={styles.board}>
      {numbered(panels).map(({ key, spec, index }) => (
        <InView key={key} height={PANEL_KINDS[spec.kind].reserved} className={spec.wide ? styles.wide : ''}>
          <BoardPanel {...shown} spec={spec} index={index} />
        </InView>
      ))}
      <AddPanel
        history={slice.slice.history}
        onAdd={(kind) => actions.onPanels((newest) => [...newest, newPanel(kind, slice)])}
      />
    </div>
  )
}

interface BoardPanelProps extends Omit<BoardProps, 'panels'> {
  spec: PanelSpec
  index: number
}

/** Opens what a panel shows as a statement of the SQL console; `null` where it cannot be one. */
function useStatement(
  slice: SliceAnswer,
  spec: PanelSpec,
  onStatement: BoardActions['onStatement'],
): (() => void) | null {
  const format = useFormat()
  const { history } = slice.slice
  const latest = useRef(slice)
  useEffect(() => {
    latest.current = slice
  }, [slice])
  const isStatement = history && canBeStatement(slice.slice, spec.by, spec.measures)
  return useMemo(
    () =>
      isStatement
        ? () => {
            const { slice: of, rows } = latest.current
            const show: ShowFigure = (measure, value) => figureText(format, measure, value)
            onStatement(panelStatement(of, spec, { days: rows[DAYS] ?? [], show }))
          }
        : null,
    [isStatement, onStatement, spec, format],
  )
}

const BoardPanel = memo(function BoardPanel(props: BoardPanelProps) {
  const { spec, index, slice, model, actions } = props
  const word = useWord()
  const nameOfMeasure = useMeasureName(slice.slice.subject)
  const [drawn, setDrawn] = useState<number | null>(null)
  const onChange = (next: PanelSpec): void =>
    actions.onPanels((newest) => newest.map((each, at) => (at === index ? next : each)))
  const height = drawn ?? spec.height ?? PANEL_KINDS[spec.kind].height
  const part = { spec, slice, onChange }
  const title =
    spec.by.length > 0
      ? spec.by.map((dim) => word(`dimension.${dim}`)).join(' × ')
      : word(`workspace.panel.${spec.kind}`)
  const { place, onSave, saving } = usePicture({
    slice,
    model,
    name: [spec.kind, ...spec.by].join('-'),
    title: isTable(spec) ? `${title}: ${spec.measures.map(nameOfMeasure).join(', ')}` : title,
  })
  const saver = useRef<ChartPicture['saver']['current']>(null)
  const tableSaver: TableSaver = useRef(null)
  useDaysSaver(tableSaver, { slice, spec })
  const onSql = useStatement(slice, spec, actions.onStatement)
  const onSaveChart = useCallback((format: PictureFormat) => saver.current?.(format), [])
  const onSaveTable = useCallback((format: TableFormat) => tableSaver.current?.(format), [])
  const body = (
    <>
      <PanelBody {...props} {...{ height, saver, tableSaver }} onSpec={onChange} />
      {spec.measures.some(isOfSections) ? <SectionsNote slice={slice} /> : null}
    </>
  )
  return (
    <section
      className={panelStyles.panel}
      aria-label={title}
      data-panel={spec.kind}
      style={{ '--panel-height': `${height}px` } as CSSProperties}
    >
      <div className={panelStyles.head}>
        {spec.by.length === 0 ? <h2>{title}</h2> : <Dimensions {...part} />}
        <div className={panelStyles.tools}>
          <Measures {...part} />
          {spec.kind === 'rolling' ? <Windows {...part} /> : null}
          <PanelMenu
            spec={spec}
            index={index}
            onPanels={actions.onPanels}
            onSql={onSql}
            onTable={onSaveTable}
            // The chart library draws pictures of its own.
            onPicture={CHARTS.includes(spec.kind) ? onSaveChart : onSave}
          />
        </div>
      </div>
      {CHARTS.includes(spec.kind) ? (
        body
      ) : (
        <div>
          <div ref={place}>{body}</div>
          {saving}
        </div>
      )}
      <ResizeHandle
        title={title}
        height={height}
        onDraw={setDrawn}
        onChange={(next) => onChange({ ...spec, height: next })}
      />
    </section>
  )
})

/** How many runs the figures of sectional times are of, and how many have none; nothing until the answer has both. */
function SectionsNote({ slice }: { slice: SliceAnswer }) {
  const [total] = slice.rows[TOTAL] ?? []
  if (total === undefined || !('without_sections' in total)) return null
  return (
    <Note
      text="workspace.sectionsKnown"
      values={{
        runs: countOf(total),
        known: numberOf(total, 'with_sections'),
        without: numberOf(total, 'without_sections'),
      }}
    />
  )
}

/** Whether a panel is a table of the figures of two dimensions. */
const isTable = ({ by }: PanelSpec): boolean => by.length === 2

/** Whether what a panel shows is known for the bet types of a slice. */
const areMeasuresThere = ({ measures }: PanelSpec, { slice }: SliceAnswer): boolean => {
  const there: readonly ShownMeasure[] = [
    ...usualMeasures(slice.history),
    ...offeredMeasures(slice),
    ...(slice.history ? BET_MEASURES : []),
  ]
  return measures.every((measure) => there.includes(measure))
}

interface PanelBodyProps extends Omit<BoardPanelProps, 'index'> {
  height: number
  saver: ChartPicture['saver']
  tableSaver: TableSaver
  onSpec(spec: PanelSpec): void
}

/** The chart or table of a panel, or why there is none. */
function PanelBody({ actions, saver, tableSaver, onSpec, ...shown }: PanelBodyProps) {
  const { spec, slice } = shown
  const { onFilter, onPick, onNear } = actions
  const offered = offeredIn(slice)
  if (
    ![...spec.by, ...(spec.within === undefined ? [] : [spec.within])].every((dim) => offered.includes(dim))
  )
    return <Note text={slice.slice.history ? 'workspace.unknownFilter' : 'workspace.lockedFilter'} />
  if ((isTable(spec) || ON_DAYS.includes(spec.kind)) && !areMeasuresThere(spec, slice))
    return <Note text="workspace.unknownFilter" />
  switch (spec.kind) {
    case 'profit':
      return (
        <ProfitPanel
          {...shown}
          saver={saver}
          onMonths={(range) => onFilter((filter) => withRange(filter, 'month', range))}
        />
      )
    case 'rolling':
      return <RollingPanel {...shown} saver={saver} />
    case 'spread':
      return <SpreadPanel {...shown} saver={saver} />
    case 'bars':
      return <BarsPanel {...shown} {...{ onPick, onNear, onSpec, tableSaver }} />
    case 'columns':
      return (
        <ColumnsPanel
          {...shown}
          tableSaver={tableSaver}
          onValues={(dim, values) => onFilter((filter) => withValues(filter, dim, values))}
        />
      )
    case 'heat':
      return <HeatPanel {...shown} {...{ onPick, onNear, tableSaver }} />
    case 'pivot':
      return <PivotPanel {...shown} {...{ onPick, onNear, onSpec, tableSaver }} />
    case 'calendar':
      return <CalendarPanel slice={slice} spec={spec} onPick={onPick} />
  }
}

interface PanelMenuProps extends Pick<PartProps, 'spec'> {
  index: number
  onPanels: BoardActions['onPanels']
  /** Opens the panel as a statement of the SQL console; `null` where it cannot be one. */
  onSql: (() => void) | null
  /** Saves the figures of the panel. */
  onTable(format: TableFormat): void
  /** Saves the panel as a picture. */
  onPicture(format: PictureFormat): void
}

/** What is seldom done with a panel. It does not change with the figures, so that a click on a filter leaves it. */
const PanelMenu = memo(function PanelMenu({
  spec,
  index,
  onPanels,
  onSql,
  onTable,
  onPicture,
}: PanelMenuProps) {
  const onChange = (next: PanelSpec): void =>
    onPanels((newest) => newest.map((each, at) => (at === index ? next : each)))
  const moveBefore = (panels: readonly PanelSpec[]): readonly PanelSpec[] => {
    const moved = panels[index]
    return moved ? panels.toSpliced(index, 1).toSpliced(index - 1, 0, moved) : panels
  }
  return (
    <Popover
      button={<Ellipsis aria-hidden="true" size={16} />}
      label={useWord()('workspace.panelTools')}
      className={styles.menu}
    >
      {(close) => {
        const item = (icon: LucideIcon, label: string, act: () => void, className = '') => (
          <MenuItem
            key={label}
            icon={icon}
            label={label}
            className={className}
            onClick={() => {
              close()
              act()
            }}
          />
        )
        return (
          <>
            {spec.kind === 'bars' ? <Adjustments spec={spec} onChange={onChange} /> : null}
            {item(
              spec.wide ? Shrink : Expand,
              spec.wide ? 'workspace.narrower' : 'workspace.wider',
              () => onChange({ ...spec, wide: !spec.wide }),
              styles.widen,
            )}
            {index > 0 ? item(ArrowLeft, 'workspace.moveBefore', () => onPanels(moveBefore)) : null}
            {onSql === null ? null : item(SquareTerminal, 'workspace.panelAsSql', onSql)}
            {TABLE_FORMATS.map((format) => item(Download, TABLE_LABELS[format], () => onTable(format)))}
            {PICTURE_FORMATS.map((format) => item(Download, `chart.${format}`, () => onPicture(format)))}
            {item(X, 'workspace.removePanel', () =>
              onPanels((newest) => newest.filter((_, at) => at !== index)),
            )}
          </>
        )
      }}
    </Popover>
  )
})

interface MenuItemProps {
  icon: LucideIcon
  /** Message id of its name. */
  label: string
  className?: string | undefined
  onClick(): void
}

const MenuItem = ({ icon: Icon, label, className, onClick }: MenuItemProps) => (
  <Button className={className} onClick={onClick}>
    <Icon aria-hidden="true" size={16} />
    <FormattedMessage id={label} />
  </Button>
)

function Dimensions({ spec, slice, onChange }: PartProps) {
  const word = useWord()
  const offered = offeredFor(spec.kind, slice)
  const { by, within } = spec
  const dimensions = by.map((dim, at) => (
    <span key={dim}>
      {at > 0 ? '× ' : ''}
      <ToolSelect
        label={at === 0 ? 'record.breakdownBy' : 'workspace.across'}
        value={dim}
        options={[...new Set([dim, ...offered])]
          .filter((each) => each === dim || (!by.includes(each) && each !== within))
          .map((value) => ({ value, label: word(`dimension.${value}`) }))}
        onChange={(next) => onChange({ ...spec, by: by.with(at, next) })}
      />
    </span>
  ))
  if (spec.kind !== 'pivot') return dimensions
  return (
    <>
      {dimensions}
      <ToolSelect
        label="workspace.within"
        value={within ?? ''}
        options={[
          { value: '', label: word('workspace.noParts') },
          ...[...new Set([...(within === undefined ? [] : [within]), ...offered])]
            .filter((each) => !by.includes(each))
            .map((value) => ({
              value,
              label: word('workspace.partsBy', { dimension: word(`dimension.${value}`) }),
            })),
        ]}
        onChange={(next) => onChange(splitBy(spec, next))}
      />
    </>
  )
}

/** A pivot whose lines are split by a dimension; by none if it is empty. */
function splitBy({ within: _within, ...spec }: PanelSpec, dim: string): PanelSpec {
  return dim === '' ? spec : { ...spec, within: dim }
}

function Adjustments({ spec, onChange }: Omit<PartProps, 'slice'>) {
  const id = useId()
  return (
    <>
      <span className={styles.number}>
        <label htmlFor={id}>
          <FormattedMessage id="workspace.least" />
        </label>
        <NumberField
          id={id}
          value={spec.least}
          min={0}
          step={10}
          places={0}
          needed
          onChange={(least) => onChange({ ...spec, least: least ?? 0 })}
        />
      </span>
      <Button aria-pressed={spec.adjusted} onClick={() => onChange({ ...spec, adjusted: !spec.adjusted })}>
        <Scale aria-hidden="true" size={16} />
        <FormattedMessage id="workspace.adjusted" />
      </Button>
    </>
  )
}

function AddPanel({ history, onAdd }: { history: boolean; onAdd(kind: PanelKind): void }) {
  const word = useWord()
  const kinds = Object.entries(PANEL_KINDS).flatMap(([kind, { dimensions }]) =>
    history || dimensions < 2 ? [kind] : [],
  )
  return (
    <div className={`${styles.add} ${styles.wide}`}>
      <Plus aria-hidden="true" size={16} />
      <ToolSelect
        label="workspace.addPanel"
        value=""
        options={[
          { value: '', label: word('workspace.addPanel') },
          ...kinds.map((value) => ({ value, label: word(`workspace.panel.${value}`) })),
        ]}
        onChange={(kind) => {
          if (isKind(kind)) onAdd(kind)
        }}
      />
    </div>
  )
}
