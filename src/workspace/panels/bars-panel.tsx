import { memo, useEffect, useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { excludedValues, pickedValues } from '../../../analytics/clauses.ts'
import {
  falseDiscoveryRates,
  pValue,
  shrunk,
  standardErrorOf,
  type Interval,
} from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import { lazyTitle } from '../../ui/behaviour/lazy-title.ts'
import { Hidden, Skeleton } from '../../ui/panel.tsx'
import { canBeFollowed, RowStar } from '../parts/follow-star.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { nearProps } from '../parts/near.ts'
import { Note } from '../parts/note.tsx'
import { ABBREVIATED, Scrolled } from '../parts/scrolled.tsx'
import { Stale } from '../parts/stale.tsx'
import { savedMeasures, useTableSaver, type TableSaver } from '../files/use-table-saver.ts'
import { SortHeading } from '../../ui/sort-heading.tsx'
import { compareGroups, rowKey, useBetMeasures, useGroups, type Groups } from '../query/panel-data.ts'
import { countOf, judge, toneOf } from '../../../analytics/view/totals.ts'
import { useLive, type ViewProps } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { standingOf, type Standing } from '../state/standing.ts'
import { pickOf, type OnNear, type OnPick } from '../state/workspace-context.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { BET_MEASURES, type PanelSpec, type ShownMeasure } from '../../../analytics/view/panel-spec.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { groupHint, groupText, measureOf, toldText, useMeasureName } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'
import { intervalText } from '../words/range-text.ts'
import { Whisker } from '../../ui/whisker.tsx'
import texts from '../../ui/text.module.css'
import tables from '../parts/table.module.css'
import styles from './bars-panel.module.css'

interface BarsPanelProps extends ViewProps {
  spec: PanelSpec
  onPick: OnPick
  onNear: OnNear
  onSpec(spec: PanelSpec): void
  tableSaver: TableSaver
}

/** Shown in a cell without a value. */
const NONE = '–'
/** Rows of a table before all are asked for: those of two hundred jockeys cannot be drawn anew in every frame of a drag. */
const FIRST_ROWS = 40
/** The columns, with the message ids of their headings. */
const headingsOf = ({ count, hitRate }: ReturnType<typeof subjectWords>) => ({
  count,
  hit_rate: hitRate,
  ae_market: 'workspace.ae',
  return: 'record.return',
})
const COLUMNS = ['count', 'hit_rate', 'ae_market', 'return'] as const

/** Compares the groups of one dimension; a click on one filters everything else. */
export function BarsPanel(props: BarsPanelProps) {
  const { slice, spec } = props
  const groups = useBetMeasures(slice, spec, useGroups(slice, spec.by, useLive(), true))
  if (groups === null) return <Skeleton height={240} />
  if (groups.error) return <FailedAnswer error={groups.error} />
  return <Bars {...props} groups={groups} />
}

/** Groups in the requested order, without those of too few rows. */
function orderedRows({ rows }: Groups, { by, sort, least }: PanelSpec): AnswerRow[] {
  const enough = rows.filter((row) => countOf(row) >= least)
  if (sort === null) return enough.toSorted(compareGroups(by[0]!))
  const figure = (row: AnswerRow): number => measureOf(row, sort) ?? -Infinity
  return enough.toSorted((a, b) => figure(b) - figure(a))
}

/** The interval of a group's return; `null` until it is known. */
function returnInterval(row: AnswerRow, groups: Groups, by: readonly string[]): Interval | null {
  const found = groups.intervals.get(rowKey(row, by))
  return found ? intervalOf(found, 'return') : null
}

/** By group: the false discovery rate of a return that differs from the overall return, and the return shrunk towards it. */
function adjustedFigures(rows: readonly AnswerRow[], groups: Groups, by: readonly string[]) {
  const own = overallReturn(groups.rows)
  if (own === null) return rows.map(() => ({ rate: null, drawn: null }))
  const estimates = rows.map((row) => {
    const interval = returnInterval(row, groups, by)
    const value = numberOrNull(row, 'return')
    return interval && value !== null && judge(row).reported
      ? { value, standardError: standardErrorOf(interval) }
      : null
  })
  const rates = falseDiscoveryRates(
    estimates.map((each) => each && pValue(each.value, own, each.standardError)),
    // A group without a hit has no variance and no p value, but it still counts as a comparison.
    estimates.filter((each) => each !== null).length,
  )
  const usable = estimates.filter((each) => each !== null).filter((each) => each.standardError > 0)
  const values = shrunk(usable, own)
  const drawnOf = new Map(usable.map((each, at) => [each, values[at]!]))
  return estimates.map((each, at) => ({ rate: rates[at]!, drawn: (each && drawnOf.get(each)) ?? null }))
}

/** Return over all groups: the slice's own return covers only the selected ones. */
function overallReturn(rows: readonly AnswerRow[]): number | null {
  const staked = rows.reduce((sum, row) => sum + numberOf(row, 'staked'), 0)
  return staked === 0 ? null : rows.reduce((sum, row) => sum + numberOf(row, 'profit'), 0) / staked
}

/** Half the width of the whiskers' axis, as a return: so wide that sound intervals fit, at most 100%. */
function whiskerEdge(rows: readonly AnswerRow[], groups: Groups, by: readonly string[]): number {
  const reach = rows.flatMap((row) => {
    if (judge(row).trust !== 'sound') return []
    const interval = returnInterval(row, groups, by)
    return interval ? [interval.low, interval.high] : [numberOrNull(row, 'return') ?? 0]
  })
  return Math.min(1, Math.max(0.25, ...reach.map(Math.abs)) * 1.1)
}

/** The measure beyond the usual ones that a panel shows, if it has one and the slice can tell it. */
const furtherOf = ({ slice: { more, history } }: SliceAnswer, { measures }: PanelSpec): ShownMeasure | null =>
  [...more, ...(history ? BET_MEASURES : [])].find((each) => measures.includes(each)) ?? null

/** Memoised: a table whose groups do not follow a brush stays as it is. */
const Bars = memo(function Bars(props: BarsPanelProps & { groups: Groups }) {
  const { slice, spec, model, onPick, onNear, onSpec, groups, tableSaver } = props
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model)
  const { subject, history, filter } = slice.slice
  const [dim = ''] = spec.by
  const rows = useMemo(() => orderedRows(groups, spec), [groups, spec])
  const adjusted = useMemo(
    () => (spec.adjusted ? adjustedFigures(rows, groups, spec.by) : null),
    [spec, rows, groups],
  )
  const edge = useMemo(() => whiskerEdge(rows, groups, spec.by), [rows, groups, spec])
  const further = furtherOf(slice, spec)
  const hidden = groups.rows.length - rows.length
  const [values, left] = useMemo(
    () => [pickedValues(filter, dim), excludedValues(filter, dim)],
    [filter, dim],
  )
  const name = word(`dimension.${dim}`)
  const nameOf = useMeasureName(subject)
  useTableSaver(tableSaver, spec, ({ groupColumns }) =>
    groupColumns(rows, [{ name, kind: 'text', valueOf: (row) => valueText(dim, row) }], {
      subject,
      measures: savedMeasures(history, further === null ? [] : [further]),
      nameOf,
    }),
  )
  const { listed, all, setAll } = useFirstRows(rows, (row) => [...values, ...left].includes(row[dim] ?? ''))
  const most = Math.max(1, ...rows.map((row) => countOf(row)))
  const table: BarsTable = {
    word,
    format,
    headings: headingsOf(subjectWords(subject)),
    subject,
    dim,
    most,
    edge,
    history,
    further,
    onPick,
    onNear,
  }
  return (
    <div className={styles.bars}>
      {groups.fanOut ? <Note text="record.fanOut" /> : null}
      {rows.length === 0 ? (
        <FormattedMessage id="record.empty" tagName="p" />
      ) : (
        <Stale stale={groups.stale}>
          <Scrolled label={name}>
            <table
              className={`${tables.table} ${further === null ? '' : styles.longer}`}
              data-testid="breakdown"
              data-by={dim}
            >
              <BarsHead name={name} table={table} spec={spec} onSpec={onSpec} />
              <tbody>
                {listed.map(({ row, index }) => (
                  <Row
                    key={rowKey(row, spec.by)}
                    table={table}
                    row={row}
                    found={groups.intervals.get(rowKey(row, spec.by))}
                    text={valueText(dim, row)}
                    standing={standingOf(values, left, row[dim] ?? null)}
                    pressed={values.includes(row[dim] ?? '')}
                    adjusted={adjusted?.[index]}
                  />
                ))}
              </tbody>
            </table>
            <MoreRows count={rows.length} all={all} onChange={setAll} />
          </Scrolled>
        </Stale>
      )}
      {hidden > 0 ? <Note text="workspace.leftOut" values={{ groups: hidden, least: spec.least }} /> : null}
    </div>
  )
})

/**
 * The first rows and those that are chosen or left out, with their places among all; all of them once they are asked for, and in
 * print.
 */
function useFirstRows(rows: readonly AnswerRow[], isMarked: (row: AnswerRow) => boolean) {
  const [all, setAll] = useState(false)
  useEffect(() => {
    const showAll = (): void => setAll(true)
    globalThis.addEventListener('beforeprint', showAll)
    return () => globalThis.removeEventListener('beforeprint', showAll)
  }, [])
  const listed = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => all || index < FIRST_ROWS || isMarked(row))
  return { listed, all, setAll }
}

interface MoreRowsProps {
  /** How many rows there are. */
  count: number
  all: boolean
  onChange(all: boolean): void
}

/** Lists all rows, and only the first ones again. */
function MoreRows({ count, all, onChange }: MoreRowsProps) {
  const format = useFormat()
  return count <= FIRST_ROWS ? null : (
    <button type="button" className={styles.all} onClick={() => onChange(!all)}>
      <FormattedMessage
        id={all ? 'workspace.fewerValues' : 'workspace.moreValues'}
        values={{ count: format.integer(count) }}
      />
    </button>
  )
}

/** What the rows of a table have in common. */
interface BarsTable {
  word: Word
  format: Format
  /** Message ids of the columns' headings. */
  headings: ReturnType<typeof headingsOf>
  subject: Subject
  dim: string
  /** Rows of the largest group. */
  most: number
  /** Half the width of the whiskers' axis, as a return. */
  edge: number
  history: boolean
  /** A measure beyond the usual ones that is shown as well. */
  further: ShownMeasure | null
  onPick: OnPick
  onNear: OnNear
}

interface BarsHeadProps extends Pick<BarsPanelProps, 'spec' | 'onSpec'> {
  name: string
  table: BarsTable
}

/** The columns, each a button that sorts by it. */
function BarsHead({
  name,
  table: { word, headings, subject, history, further },
  spec,
  onSpec,
}: BarsHeadProps) {
  const nameOf = useMeasureName(subject)
  const heading = (measure: ShownMeasure, text: string, hint?: string) => (
    <SortHeading
      key={measure}
      title={hint === undefined ? undefined : word(hint)}
      order={spec.sort === measure ? 'descending' : 'none'}
      onToggle={() => onSpec({ ...spec, sort: spec.sort === measure ? null : measure })}
    >
      {text}
    </SortHeading>
  )
  return (
    <thead>
      <tr>
        <th scope="col">{name}</th>
        {COLUMNS.filter((measure) => measure !== 'return' && (history || measure !== 'ae_market')).map(
          (measure) => heading(measure, word(headings[measure]), ABBREVIATED[headings[measure]]),
        )}
        <th scope="col" className={`${tables.whiskerCell} ${styles.interval}`}>
          <Hidden>{word('workspace.interval')}</Hidden>
        </th>
        {heading('return', word(headings.return))}
        {further === null ? null : heading(further, nameOf(further))}
        {(spec.adjusted ? ['workspace.drawn', 'workspace.q'] : []).map((id) => (
          <th key={id} scope="col">
            {word(id)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps {
  table: BarsTable
  row: AnswerRow
  /** The same group with its intervals. */
  found: AnswerRow | undefined
  text: string
  standing: Standing
  pressed: boolean
  adjusted: { rate: number | null; drawn: number | null } | undefined
}

/** One group as a row. */
function Row({ table, row, found, text, standing, pressed, adjusted }: RowProps) {
  const { word, format, headings, dim, most, history, onPick, onNear } = table
  const value = row[dim] ?? null
  const rate = numberOrNull(row, 'hit_rate')
  const isFollowable = pressed && canBeFollowed(dim)
  const hint = (): string => groupHint(word, format, { text, row, found, history, heading: headings.count })
  return (
    <tr className={standing === 'in' ? '' : styles[standing]} {...lazyTitle(hint)} data-key={String(value)}>
      <th scope="row" aria-label={text} className={isFollowable ? styles.followable : undefined}>
        <button
          type="button"
          className={styles.group}
          aria-pressed={pressed}
          disabled={value === null}
          onClick={(event) => value !== null && onPick([[dim, value]], pickOf(event))}
          {...nearProps(() => value !== null && onNear([[dim, value]]))}
        >
          <span className={styles.bar} style={{ width: `${(100 * countOf(row)) / most}%` }} />
          <span className={styles.name}>{text}</span>
        </button>
        {isFollowable ? (
          <span className={styles.star}>
            <RowStar dim={dim} row={row} name={text} />
          </span>
        ) : null}
      </th>
      <td>{format.integer(countOf(row))}</td>
      <td>{rate === null ? NONE : format.percent(rate)}</td>
      <Returns table={table} row={row} found={found} />
      {adjusted ? (
        <>
          <td>{adjusted.drawn === null ? NONE : format.signedPercent(adjusted.drawn)}</td>
          <td>{adjusted.rate === null ? NONE : format.decimal(adjusted.rate, 2)}</td>
        </>
      ) : null}
    </tr>
  )
}

/** The cells of a group against the market: the ratio, the return with its whisker, and the further figure. */
function Returns({ table, row, found }: Pick<RowProps, 'table' | 'row' | 'found'>) {
  const { word, format, history, edge, further } = table
  const { trust, reported } = judge(row)
  const ratio = history ? numberOrNull(row, 'ae_market') : null
  const returned = reported ? numberOrNull(row, 'return') : null
  const interval = found && returned !== null ? intervalOf(found, 'return') : null
  const tone = trust === 'sound' ? toneOf(interval) : 'plain'
  return (
    <>
      {history ? <td>{ratio === null ? NONE : format.decimal(ratio, 2)}</td> : null}
      <td className={`${tables.whiskerCell} ${styles.interval}`}>
        {returned === null ? null : (
          <>
            <Whisker value={returned} from={-edge} to={edge} interval={interval} tone={tone} />
            {interval ? <Hidden>{intervalText(word, interval, format.signedPercent)}</Hidden> : null}
          </>
        )}
      </td>
      <td className={`${styles.returned} ${trust === 'sound' ? '' : texts.soft}`}>
        {toldText(word, format, row, 'return')}
      </td>
      {further === null ? null : <td className={styles.further}>{groupText(word, format, row, further)}</td>}
    </>
  )
}
