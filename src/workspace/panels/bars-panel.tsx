import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { excludedValues, pickedValues } from '../../../analytics/clauses.ts'
import type { Model } from '../../../analytics/model.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { falseDiscoveryRates, pValue, shrunk, standardErrorOf } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, type AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { lazyTitle } from '../../ui/behaviour/lazy-title.ts'
import { pickOf, type OnPick } from '../state/gestures.ts'
import { groupHint } from '../words/group-hint.ts'
import { figureOf, figureText, useMeasureName } from '../words/measure-text.ts'
import { rowKey, standing, useGroups, type Groups } from '../query/panel-data.ts'
import { OWN_MEANS, SHOWN_MEASURES, type PanelSpec, type ShownMeasure } from '../state/panel-spec.ts'
import { judge, toneOf } from '../query/totals.ts'
import type { LiveViews } from '../query/use-brush.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { Whisker } from '../parts/whisker.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import texts from '../../ui/text.module.css'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import styles from './bars-panel.module.css'

interface BarsPanelProps {
  slice: SliceAnswer
  live: LiveViews | null
  spec: PanelSpec
  model: string
  onPick: OnPick
  onSpec(spec: PanelSpec): void
}

const MODEL: Model = PREDICTIONS
/** Shown in a cell without a value. */
const NONE = '–'
const COLUMNS = ['predictions', 'hit_rate', 'ae_market', 'return'] as const
const HEADINGS: Readonly<Record<(typeof SHOWN_MEASURES)[number], string>> = {
  predictions: 'record.predictions',
  hit_rate: 'record.hitRate',
  ae_market: 'workspace.ae',
  return: 'record.return',
  profit: 'record.profit',
}
const isUsual = (measure: ShownMeasure): measure is keyof typeof HEADINGS =>
  SHOWN_MEASURES.some((each) => each === measure)

/** Compares the groups of one dimension; a click on one filters everything else. */
export function BarsPanel(props: BarsPanelProps) {
  const { slice, live, spec } = props
  const groups = useGroups(slice, spec.by, live, true)
  if (groups === null) return <Skeleton height={240} />
  if (groups.error) return <ErrorNotice error={groups.error} />
  return <Bars {...props} groups={groups} />
}

/** Rows in the requested order, without those of too few predictions. */
function orderedRows({ rows }: Groups, { by, sort, least }: PanelSpec): AnswerRow[] {
  const [dim = ''] = by
  const enough = rows.filter((row) => numberOf(row, 'predictions') >= least)
  const { order } = MODEL.dimensions[dim]!
  // An answer from before the measure was chosen does not have its column.
  const figure = (row: AnswerRow, measure: ShownMeasure): number =>
    (measure in row ? numberOrNull(row, measure) : null) ?? -Infinity
  if (sort !== null) return enough.toSorted((a, b) => figure(b, sort) - figure(a, sort))
  if (order === 'count') return enough.toSorted((a, b) => figure(b, 'predictions') - figure(a, 'predictions'))
  const compare = (a: AnswerRow, b: AnswerRow): number => {
    const [left, right] = [a[dim] ?? null, b[dim] ?? null]
    if (left === right) return 0
    if (left === null) return 1
    if (right === null) return -1
    const ascending = left < right ? -1 : 1
    return order === 'newest' ? -ascending : ascending
  }
  return enough.toSorted(compare)
}

/** False discovery rates of returns that differ from the overall return, and returns shrunk towards it. */
function adjustedFigures(
  rows: readonly AnswerRow[],
  groups: Groups,
  by: readonly string[],
  own: number | null,
) {
  const estimates = rows.map((row) => {
    const found = groups.intervals.get(rowKey(row, by))
    const interval = found ? intervalOf(found, 'return') : null
    const value = numberOrNull(row, 'return')
    return interval && value !== null && judge(row).reported
      ? { value, standardError: standardErrorOf(interval) }
      : null
  })
  if (own === null) return { rates: rows.map(() => null), drawn: rows.map(() => null) }
  const rates = falseDiscoveryRates(
    estimates.map((each) => (each ? pValue(each.value, own, each.standardError) : null)),
    // A group without a hit has no variance and no p value, but it still counts as a comparison.
    estimates.filter((each) => each !== null).length,
  )
  const usable = estimates.flatMap((each, index) =>
    each && each.standardError > 0 ? [{ ...each, index }] : [],
  )
  const values = shrunk(usable, own)
  const drawn: (number | null)[] = rows.map(() => null)
  for (const [at, { index }] of usable.entries()) drawn[index] = values[at]!
  return { rates, drawn }
}

/** Return over all groups: the slice's own return covers only the selected ones. */
function overallReturn(rows: readonly AnswerRow[]): number | null {
  const staked = rows.reduce((sum, row) => sum + numberOf(row, 'staked'), 0)
  return staked === 0 ? null : rows.reduce((sum, row) => sum + numberOf(row, 'profit'), 0) / staked
}

/** Half the width of the whiskers' axis, as a return: so wide that sound intervals fit, at most 100%. */
function whiskerEdge(rows: readonly AnswerRow[], groups: Groups, by: readonly string[]): number {
  const reach = rows.flatMap((row) => {
    const found = groups.intervals.get(rowKey(row, by))
    const interval = found ? intervalOf(found, 'return') : null
    if (judge(row).trust !== 'sound') return []
    return interval
      ? [Math.abs(interval.low), Math.abs(interval.high)]
      : [Math.abs(numberOrNull(row, 'return') ?? 0)]
  })
  return Math.min(1, Math.max(0.25, ...reach) * 1.1)
}

function Bars({ slice, spec, model, onPick, onSpec, groups }: BarsPanelProps & { groups: Groups }) {
  const intl = useIntl()
  const valueText = useDimensionText(model)
  const { history, filter, ownMeans } = slice.slice
  const [dim = ''] = spec.by
  const rows = useMemo(() => orderedRows(groups, spec), [groups, spec])
  const adjusted = useMemo(
    () => (spec.adjusted ? adjustedFigures(rows, groups, spec.by, overallReturn(groups.rows)) : null),
    [spec, rows, groups],
  )
  const edge = useMemo(() => whiskerEdge(rows, groups, spec.by), [rows, groups, spec])
  const mean = OWN_MEANS.find((each) => each === spec.measure && ownMeans.includes(each)) ?? null
  const hidden = groups.rows.length - rows.length
  const picked = useMemo(
    () => ({ values: pickedValues(filter, dim), left: excludedValues(filter, dim) }),
    [filter, dim],
  )
  const name = intl.formatMessage({ id: `dimension.${dim}` })
  const most = Math.max(1, ...rows.map((row) => numberOf(row, 'predictions')))
  const table: BarsTable = { dim, most, edge, history, mean, onPick }
  return (
    <div>
      {groups.fanOut ? (
        <p className={panelStyles.note}>
          <FormattedMessage id="record.fanOut" />
        </p>
      ) : null}
      {rows.length === 0 ? (
        <FormattedMessage id="record.empty" tagName="p" />
      ) : (
        <Scrolled label={name}>
          <table className={tables.table} data-testid="breakdown" data-by={dim}>
            <BarsHead name={name} table={table} spec={spec} onSpec={onSpec} />
            <tbody>
              {rows.map((row, index) => (
                <Row
                  key={rowKey(row, spec.by)}
                  table={table}
                  group={{
                    row,
                    found: groups.intervals.get(rowKey(row, spec.by)),
                    text: valueText(dim, row),
                    standing: standing(picked, row[dim] ?? null),
                    pressed: picked.values.includes(row[dim] ?? ''),
                    adjusted: adjusted
                      ? { rate: adjusted.rates[index]!, drawn: adjusted.drawn[index]! }
                      : null,
                  }}
                />
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {hidden > 0 ? (
        <p className={panelStyles.note}>
          <FormattedMessage id="workspace.leftOut" values={{ groups: hidden, least: spec.least }} />
        </p>
      ) : null}
    </div>
  )
}

/** What the rows of a table have in common. */
interface BarsTable {
  dim: string
  /** Predictions of the largest group. */
  most: number
  /** Half the width of the whiskers' axis, as a return. */
  edge: number
  history: boolean
  /** Mean of one of the user's own columns that is shown as well. */
  mean: ShownMeasure | null
  onPick: OnPick
}

interface BarsHeadProps extends Pick<BarsPanelProps, 'spec' | 'onSpec'> {
  name: string
  table: BarsTable
}

/** The columns, each a button that sorts by it. */
function BarsHead({ name, table: { history, mean }, spec, onSpec }: BarsHeadProps) {
  const nameOf = useMeasureName()
  const columns: ShownMeasure[] = [
    ...COLUMNS.filter((measure) => history || measure !== 'ae_market'),
    ...(mean === null ? [] : [mean]),
  ]
  return (
    <thead>
      <tr>
        <th scope="col">{name}</th>
        {columns.map((measure) => (
          <th
            key={measure}
            scope="col"
            colSpan={measure === 'return' ? 2 : 1}
            aria-sort={spec.sort === measure ? 'descending' : 'none'}
          >
            <button
              type="button"
              className={styles.sort}
              onClick={() => onSpec({ ...spec, sort: spec.sort === measure ? null : measure })}
            >
              {isUsual(measure) ? <FormattedMessage id={HEADINGS[measure]} /> : nameOf(measure)}
              {spec.sort === measure ? ' ↓' : ''}
            </button>
          </th>
        ))}
        {spec.adjusted ? (
          <>
            <th scope="col">
              <FormattedMessage id="workspace.drawn" />
            </th>
            <th scope="col">
              <FormattedMessage id="workspace.q" />
            </th>
          </>
        ) : null}
      </tr>
    </thead>
  )
}

/** One group as a row. */
interface BarsGroup {
  row: AnswerRow
  /** The same group with its intervals. */
  found: AnswerRow | undefined
  text: string
  standing: 'in' | 'out' | 'left'
  pressed: boolean
  adjusted: { rate: number | null; drawn: number | null } | null
}

function Row({ table, group }: { table: BarsTable; group: BarsGroup }) {
  const intl = useIntl()
  const format = useFormat()
  const { dim, most, history, onPick } = table
  const { row, found, text, pressed, adjusted } = group
  const value = row[dim] ?? null
  const rate = numberOrNull(row, 'hit_rate')
  const hint = (): string => groupHint(intl, format, { text, row, found, history })
  return (
    <tr
      className={group.standing === 'in' ? '' : styles[group.standing]}
      {...lazyTitle(hint)}
      data-key={String(value)}
    >
      <th scope="row" aria-label={text}>
        <button
          type="button"
          className={styles.group}
          aria-pressed={pressed}
          disabled={value === null}
          onClick={(event) => value !== null && onPick([[dim, value]], pickOf(event))}
        >
          <span className={styles.bar} style={{ width: `${(100 * numberOf(row, 'predictions')) / most}%` }} />
          <span className={styles.name}>{text}</span>
        </button>
      </th>
      <td>{format.integer(numberOf(row, 'predictions'))}</td>
      <td>{rate === null ? NONE : format.percent(rate)}</td>
      <Returns table={table} group={group} />
      {adjusted ? (
        <>
          <td>{adjusted.drawn === null ? NONE : format.signedPercent(adjusted.drawn)}</td>
          <td>{adjusted.rate === null ? NONE : format.decimal(adjusted.rate, 2)}</td>
        </>
      ) : null}
    </tr>
  )
}

/** The cells of a group against the market: the ratio, the return with its whisker, and the user's own mean. */
function Returns({
  table: { history, edge, mean },
  group: { row, found },
}: {
  table: BarsTable
  group: BarsGroup
}) {
  const format = useFormat()
  const { trust, reported } = judge(row)
  const ratio = history ? numberOrNull(row, 'ae_market') : null
  const returned = reported ? numberOrNull(row, 'return') : null
  const interval = found && returned !== null ? intervalOf(found, 'return') : null
  return (
    <>
      {history ? <td>{ratio === null ? NONE : format.decimal(ratio, 2)}</td> : null}
      <td className={styles.whiskerCell}>
        {returned === null ? null : (
          <Whisker
            value={returned}
            edge={edge}
            interval={interval}
            tone={trust === 'sound' ? toneOf(interval) : 'plain'}
          />
        )}
      </td>
      <td className={trust === 'sound' ? '' : texts.soft}>
        {returned === null ? NONE : format.signedPercent(returned)}
      </td>
      {mean === null ? null : <td>{figureText(format, mean, figureOf(row, mean))}</td>}
    </>
  )
}
