import { ArrowLeftRight, X } from 'lucide-react'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { shownDifference } from '../../../domain/shown-difference.ts'
import { pairedDifference, type PairedGroup } from '../../../domain/statistics.ts'
import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { Between } from '../parts/between.tsx'
import { useClauseText, useFilterText } from '../words/filter-text.ts'
import { rowsByView, groupedRows, ORIGINS_REQUEST } from '../query/requests.ts'
import { BET_SUMS, judge, withReturnBounds } from '../query/totals.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { FIRST_VIEW, readView, whereOf, writeView, type Subject, type WorkspaceView } from '../state/view.ts'
import { Small } from '../../ui/layout.tsx'
import { ToolButton, ToolSelect } from '../parts/controls.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import type { Model, Scalar } from '../../../analytics/model.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { isShort } from '../state/dimension-of.ts'
import { MONTH_TICKS, profitAxes, profitDays, profitLine } from '../query/profit-days.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import styles from './compare.module.css'

type ComparedSubject = Pick<Subject, 'model' | 'origin'>

/** Only the slice is compared, not the rest of the view. */
const sliceOf = (
  { period, from, to, tuning, filter }: WorkspaceView,
  { model, origin }: ComparedSubject,
) => ({ period, from, to, tuning, filter, model, origin })

/** Query string of a view's slice. */
export const sliceWords = (view: WorkspaceView, subject: ComparedSubject): string =>
  writeView({ ...FIRST_VIEW, ...sliceOf(view, subject), holdOut: view.holdOut }).toString()

/** A pinned slice, resolved to a filter. */
export interface PinnedSlice {
  view: WorkspaceView
  subject: ComparedSubject
  where: Filter
}

export function usePinned(view: WorkspaceView, subject: Subject): PinnedSlice | null {
  const { to, history } = useScope()
  const { region } = useRegion()
  const { compare } = view
  return useMemo(() => {
    if (compare === null || !history) return null
    const pinned = readView(new URLSearchParams(compare))
    const own = { model: pinned.model || subject.model, origin: pinned.origin || subject.origin }
    return { view: pinned, subject: own, where: whereOf(pinned, to, own, region) }
  }, [compare, subject, to, history, region])
}

/** Both slices race by race. */
const racesRequest = (a: Filter, b: Filter): Request => ({
  linked: {
    model: 'predictions',
    panels: [a, b].map((where) => ({ by: ['meeting', 'race_no'], where })),
    measures: SUMS,
  },
})

const raceOf = (row: AnswerRow): string => `${textOf(row, 'key')} ${textOf(row, 'key2')}`

/** Races for which both slices have predictions, with the sums of each. */
export function commonRaces(a: readonly AnswerRow[], b: readonly AnswerRow[]): [AnswerRow, AnswerRow][] {
  const known = new Map(a.map((row) => [raceOf(row), row]))
  return b.flatMap((row) => {
    const other = known.get(raceOf(row))
    return other ? [[other, row] as [AnswerRow, AnswerRow]] : []
  })
}

type Sums = PairedGroup['a']

const added = (rows: readonly AnswerRow[], ratio: (row: AnswerRow) => Sums): Sums =>
  rows.map(ratio).reduce((sum, each) => ({
    numerator: sum.numerator + each.numerator,
    denominator: sum.denominator + each.denominator,
  }))

/** Sums of a ratio by meeting, for both slices. */
const byMeeting = (
  races: readonly [AnswerRow, AnswerRow][],
  ratio: (row: AnswerRow) => Sums,
): PairedGroup[] =>
  [...groupBy(races, ([a]) => textOf(a, 'key')).values()].map((pairs) => ({
    a: added(
      pairs.map(([a]) => a),
      ratio,
    ),
    b: added(
      pairs.map(([, b]) => b),
      ratio,
    ),
  }))

interface CompareProps {
  pinned: PinnedSlice
  /** The slice on screen. */
  where: Filter
  names: ReadonlyMap<string, AnswerRow>
  compared: ComparedRaces
}

/** The picture of the curves, whose caption names both slices, their common races, and the interval. */
function useComparePicture(a: Filter, b: Filter, model: string, names: ReadonlyMap<string, AnswerRow>) {
  const saver = useRef(null)
  const word = useWord()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const filterText = useFilterText(model, names)
  const named = (id: string, values: string): string => word('workspace.clause', { name: word(id), values })
  return (common: readonly [AnswerRow, AnswerRow][]): ChartPicture => ({
    name: 'furlong-compare',
    saver,
    caption: () => {
      const interval = areReturnsReported(common) ? pairedReturns(common)?.interval : null
      const [low = '', high = ''] = [interval?.low, interval?.high].map((end) =>
        format.signedPercent(end ?? 0),
      )
      return captionOf([
        named('workspace.sliceA', filterText(a)),
        named('workspace.shownSlice', filterText(b)),
        word('workspace.onCommon', { races: common.length }),
        interval ? named('workspace.difference', word('workspace.captionReturn', { low, high })) : '',
      ])
    },
  })
}

/** The races of the pinned slice and of the one on screen, and those that both have; `null` until they are known. */
export function useComparedRaces(pinned: PinnedSlice | null, where: Filter) {
  const isPinned = pinned !== null
  const request = isPinned ? racesRequest(pinned.where, where) : ORIGINS_REQUEST
  const { data, error, isPlaceholderData } = useAnalytics(request, { priority: 'visible', enabled: isPinned })
  const races = useMemo(() => {
    if (!isPinned || !data || isPlaceholderData) return null
    const [ofA = [], ofB = []] = rowsByView(data)
    return { a: ofA, b: ofB, common: commonRaces(ofA, ofB) }
  }, [isPinned, data, isPlaceholderData])
  return { races, error }
}
type ComparedRaces = ReturnType<typeof useComparedRaces>

/** By how much the hit rate and the return on screen exceed those of A, on the races that both have; `null` if unknown. */
export function differencesOf(races: ComparedRaces['races']) {
  if (races === null || races.common.length === 0) return null
  const { common } = races
  const reported = areReturnsReported(common)
  const [hitRate, returned] = RATIOS.map(({ ratio, share }) => {
    const found = share || reported ? pairedDifference(byMeeting(common, ratio)) : null
    return found ? shownDifference(found.a, found.b) : null
  })
  return { races: common.length, hitRate: hitRate ?? null, return: returned ?? null }
}

/** The pinned slice in words. */
function usePinnedText({ view, subject }: PinnedSlice, model: string, names: CompareProps['names']): string {
  const { textOf: clauseText } = useClauseText(model, names)
  const word = useWord()
  return [
    word(`source.${subject.model}`),
    word(`origin.${subject.origin}`),
    word(`record.period.${view.period}`),
    ...conjuncts(view.filter).map(clauseText),
  ].join(' · ')
}

/** Exchanges both slices, or ends the comparison. */
function CompareTools({ pinned, picture }: Pick<CompareProps, 'pinned'> & { picture: ChartPicture | null }) {
  const { view, subject, onChange } = useWorkspace()
  const exchange = (newest: WorkspaceView): WorkspaceView => ({
    ...newest,
    ...sliceOf(pinned.view, pinned.subject),
    compare: sliceWords(view, subject),
  })
  return (
    <div className={panelStyles.tools}>
      {picture === null ? null : <PictureMenu picture={picture} />}
      <ToolButton icon={ArrowLeftRight} label="workspace.swap" titled onClick={() => onChange(exchange)} />
      <ToolButton
        icon={X}
        label="workspace.unpin"
        titled
        onClick={() => onChange((newest) => ({ ...newest, compare: null }))}
      />
    </div>
  )
}

/** The pinned slice A beside the slice on screen, on the races that both have. */
export function Compare({ pinned, where, names, compared: { races, error } }: CompareProps) {
  const word = useWord()
  const format = useFormat()
  const { view, subject } = useWorkspace()
  const { model } = subject
  const pictureOf = useComparePicture(pinned.where, where, model, names)
  const picture = races === null || isIncomplete(races.common) ? null : pictureOf(races.common)
  const pinnedText = usePinnedText(pinned, model, names)
  return (
    <HeadedPanel
      heading="workspace.compare"
      aria-label={word('workspace.compare')}
      data-testid="compare"
      beside={
        <>
          <Small as="span">{pinnedText}</Small>
          <CompareTools pinned={pinned} picture={picture} />
        </>
      }
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : races ? (
        <>
          <Table common={races.common} />
          {picture === null ? (
            <Small text="record.noProfitChart" />
          ) : (
            <CompareCurve common={races.common} picture={picture} />
          )}
        </>
      ) : (
        <Skeleton height={120} />
      )}
      {races && races.common.length < Math.max(races.a.length, races.b.length) ? (
        <Small>
          <FormattedMessage
            id="workspace.commonRaces"
            values={{
              common: format.integer(races.common.length),
              a: format.integer(races.a.length),
              b: format.integer(races.b.length),
            }}
          />
        </Small>
      ) : null}
      <CompareGroups
        a={pinned.where}
        b={where}
        model={model}
        names={names}
        first={view.panels.find(({ kind }) => kind === 'bars')?.by[0] ?? null}
      />
    </HeadedPanel>
  )
}

const RATIOS = [
  {
    label: 'record.hitRate',
    ratio: (row: AnswerRow) => ({
      numerator: numberOf(row, 'hits'),
      denominator: numberOf(row, 'predictions') - numberOf(row, 'voids'),
    }),
    share: true,
  },
  {
    label: 'record.return',
    ratio: (row: AnswerRow) => ({ numerator: numberOf(row, 'profit'), denominator: numberOf(row, 'staked') }),
    share: false,
  },
] as const

const judgedSides = (common: readonly [AnswerRow, AnswerRow][]) =>
  [0, 1].map((at) => judge(sumsOf(common.map((pair) => pair[at]!))))

/** Whether the returns of both slices can be stated. */
const areReturnsReported = (common: readonly [AnswerRow, AnswerRow][]): boolean =>
  judgedSides(common).every(({ reported }) => reported)

/** Whether too many hits of either slice lack a dividend. */
const isIncomplete = (common: readonly [AnswerRow, AnswerRow][]): boolean =>
  judgedSides(common).some(({ trust }) => trust === 'incomplete')

/** The difference of the returns, with its interval. */
const pairedReturns = (common: readonly [AnswerRow, AnswerRow][]) =>
  pairedDifference(byMeeting(common, RATIOS[1].ratio))

function Table({ common }: { common: readonly [AnswerRow, AnswerRow][] }) {
  const word = useWord()
  const format = useFormat()
  const a = sumsOf(common.map(([row]) => row))
  const b = sumsOf(common.map(([, row]) => row))
  const reported = judge(a).reported && judge(b).reported
  const [profitA, profitB] = [numberOf(a, 'profit'), numberOf(b, 'profit')]
  const ratios = RATIOS.map(({ label, ratio, share }): [string, string, ReactNode[]] => {
    if (!share && !reported) return [label, label, [a, b].map((row) => toldText(word, format, row, 'return'))]
    const found = pairedDifference(byMeeting(common, ratio))
    if (!found) return [label, label, []]
    const show = share ? (value: number) => format.percent(value) : format.signedPercent
    const interval = found.interval && <Between interval={found.interval} show={format.signedPercent} />
    const difference = format.signedPercent(shownDifference(found.a, found.b))
    return [label, label, [show(found.a), show(found.b), difference, interval]]
  })
  const lines: [key: string, label: string, cells: ReactNode[]][] = [
    ['predictions', 'record.predictions', [a, b].map((row) => format.integer(numberOf(row, 'predictions')))],
    ...ratios,
    [
      'profit',
      'record.profit',
      reported
        ? [profitA, profitB, profitB - profitA].map((cents) => format.signedMoney(cents))
        : [a, b].map((row) => toldText(word, format, row, 'profit')),
    ],
  ]
  const reasons = [...new Set([a, b].flatMap((row) => reasonText(word, row) ?? []))]
  return (
    <>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">
              <FormattedMessage id="workspace.onCommon" values={{ races: common.length }} />
            </th>
            {['workspace.sliceA', 'workspace.shownSlice', 'workspace.difference', 'workspace.interval'].map(
              (id) => (
                <th key={id} scope="col">
                  <FormattedMessage id={id} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map(([key, label, cells]) => (
            <tr key={key} data-key={key}>
              <th scope="row">
                <FormattedMessage id={label} />
              </th>
              {[0, 1, 2, 3].map((at) => (
                <td key={at}>{cells[at] ?? NONE}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {reasons.map((reason) => (
        <Small key={reason}>{reason}</Small>
      ))}
    </>
  )
}

const MODEL: Model = PREDICTIONS
const HEIGHT = 220
/** Shown in a cell without a value. */
const NONE = '–'

/** Sums of each day's races, as a row per day. */
function byDay(rows: readonly AnswerRow[]): AnswerRow[] {
  return [...groupBy(rows, (row) => textOf(row, 'key').slice(0, 10))].map(([day, races]) => {
    const sum = (name: string): number => races.reduce((total, row) => total + numberOf(row, name), 0)
    return { key: day, predictions: sum('predictions'), hits: sum('hits'), profit: sum('profit') }
  })
}

/** Cumulative profit of both slices, over the races that both have. */
function CompareCurve({
  common,
  picture,
}: {
  common: readonly [AnswerRow, AnswerRow][]
  picture: ChartPicture
}) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const chart = useMemo(() => {
    const lines = [0, 1].map((at) => profitDays(byDay(common.map((pair) => pair[at]!))))
    const [a = [], b = []] = lines
    if (a.length === 0) return null
    return {
      label: word('workspace.compareSummary', {
        days: a.length,
        a: format.signedMoney(a.at(-1)!.profitToDate),
        b: format.signedMoney(b.at(-1)!.profitToDate),
      }),
      series: [
        profitLine(word('workspace.sliceA'), 'series-2', a, format),
        profitLine(word('workspace.shownSlice'), 'series-1', b, format),
      ],
      ...profitAxes(a, lines, format, wide ? MONTH_TICKS.wide : MONTH_TICKS.narrow),
    }
  }, [common, word, format, wide])
  return chart ? <Chart {...chart} height={HEIGHT} picture={picture} /> : null
}

/** The sums that are compared. */
const SUMS = ['predictions', 'voids', ...BET_SUMS]

/** By meeting, because the interval of a difference resamples whole meetings for both slices at once. */
const groupsOf = (dim: string, slices: readonly Filter[]): Request => ({
  linked: {
    model: 'predictions',
    measures: SUMS,
    panels: slices.map((where) => ({ by: [dim, 'meeting'], where })),
  },
})

const NO_BETS = { numerator: 0, denominator: 0 }

const sumsOf = (rows: readonly AnswerRow[]): AnswerRow => {
  const sums: AnswerRow = Object.fromEntries(
    SUMS.map((name) => [name, rows.reduce((sum, row) => sum + numberOf(row, name), 0)]),
  )
  const staked = numberOf(sums, 'staked')
  return withReturnBounds({ ...sums, return: staked === 0 ? null : numberOf(sums, 'profit') / staked })
}

/** Sums over the meetings of a group; `null` without one. */
const sumOf = (rows: readonly AnswerRow[]): AnswerRow | null =>
  rows.length === 0 ? null : { ...rows[0], ...sumsOf(rows) }

/** Profit and stakes of both slices, meeting by meeting. */
function meetingsOf(a: readonly AnswerRow[], b: readonly AnswerRow[]): PairedGroup[] {
  const meetings = new Map<string, PairedGroup>()
  for (const [side, rows] of [['a', a] as const, ['b', b] as const])
    for (const row of rows) {
      const key = textOf(row, 'meeting')
      const known = meetings.get(key) ?? { a: NO_BETS, b: NO_BETS }
      const sums = { numerator: numberOf(row, 'profit'), denominator: numberOf(row, 'staked') }
      meetings.set(key, { ...known, [side]: sums })
    }
  return [...meetings.values()]
}

interface CompareGroupsProps {
  a: Filter
  b: Filter
  model: string
  names: ReadonlyMap<string, AnswerRow>
  /** Dimension of the first breakdown on the page. */
  first: string | null
}

/** A group of both slices, and the difference of their returns where both may be reported. */
interface ComparedGroup {
  key: Scalar | null
  a: AnswerRow | null
  b: AnswerRow | null
  paired: ReturnType<typeof pairedDifference> | null
}

/** The groups of both slices by a dimension, in its order. */
function comparedGroups(views: readonly AnswerRow[][], dim: string, names: CompareGroupsProps['names']) {
  const [ofA, ofB] = views.map((rows) =>
    groupBy(groupedRows(rows ?? [], [dim, 'meeting'], names), (row) => row[dim] ?? null),
  )
  const keys = [...new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])])]
  const { order } = MODEL.dimensions[dim]!
  const found = keys.map((key): ComparedGroup => {
    const [rowsOfA, rowsOfB] = [ofA?.get(key) ?? [], ofB?.get(key) ?? []]
    const sums = { a: sumOf(rowsOfA), b: sumOf(rowsOfB) }
    const reported = [sums.a, sums.b].every((row) => row !== null && judge(row).reported)
    return { key, ...sums, paired: reported ? pairedDifference(meetingsOf(rowsOfA, rowsOfB)) : null }
  })
  const size = ({ a, b }: ComparedGroup): number =>
    (a ? numberOf(a, 'predictions') : 0) + (b ? numberOf(b, 'predictions') : 0)
  return found.toSorted((one, other) => {
    if (order === 'count') return size(other) - size(one)
    if (one.key === null || other.key === null) return one.key === null ? 1 : -1
    const ascending = one.key < other.key ? -1 : 1
    return order === 'newest' ? -ascending : ascending
  })
}

/** Both slices by one dimension, with the groups side by side. */
function CompareGroups({ a, b, model, names, first }: CompareGroupsProps) {
  const offered = useMemo(() => {
    const ofB = offeredDimensions(MODEL, b, true)
    return offeredDimensions(MODEL, a, true).filter((dim) => ofB.includes(dim) && isShort(dim))
  }, [a, b])
  const [chosen, setChosen] = useState<string | null>(null)
  const dim = [chosen, first, 'season'].find((each) => each !== null && offered.includes(each)) ?? 'season'
  const { data, error } = useAnalytics(groupsOf(dim, [a, b]), { priority: 'visible' })
  const groups = useMemo(() => {
    const request = data?.request
    if (!data || !request || !('linked' in request) || request.linked.panels[0]?.by[0] !== dim) return null
    return comparedGroups(rowsByView(data), dim, names)
  }, [data, dim, names])
  const word = useWord()
  return (
    <>
      <div className={panelStyles.head}>
        <ToolSelect
          label="record.breakdownBy"
          value={dim}
          options={offered.map((value) => ({ value, label: word(`dimension.${value}`) }))}
          onChange={setChosen}
        />
        <Small as="span" text="workspace.ownRaces" />
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {groups === null ? (
        <Skeleton height={160} />
      ) : (
        <ComparedTable groups={groups} dim={dim} model={model} />
      )}
    </>
  )
}

interface ComparedTableProps {
  groups: readonly ComparedGroup[]
  dim: string
  model: string
}

function ComparedTable({ groups, dim, model }: ComparedTableProps) {
  const format = useFormat()
  const groupText = useDimensionText(model)
  const word = useWord()
  const cells = (row: AnswerRow | null): string[] => {
    if (row === null) return [NONE, NONE, NONE]
    const { played } = judge(row)
    return [
      format.integer(numberOf(row, 'predictions')),
      played === 0 ? NONE : format.percent(numberOf(row, 'hits') / played),
      toldText(word, format, row, 'return'),
    ]
  }
  const reasonOf = (rows: readonly (AnswerRow | null)[]): string | undefined =>
    rows.flatMap((row) => (row && reasonText(word, row)) ?? [])[0]
  return (
    <Scrolled label={`${word('workspace.compare')}: ${word(`dimension.${dim}`)}`}>
      <table className={tables.table} data-testid="compare-groups" data-by={dim}>
        <thead>
          <tr>
            <th scope="col">{word(`dimension.${dim}`)}</th>
            {['workspace.sliceA', 'workspace.shownSlice'].flatMap((side) =>
              ['record.predictions', 'record.hitRate', 'record.return'].map((id) => (
                <th key={`${side} ${id}`} scope="col">
                  <span className={styles.side}>{word(side)}</span> {word(id)}
                </th>
              )),
            )}
            {['workspace.difference', 'workspace.interval'].map((id) => (
              <th key={id} scope="col">
                {word(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, a: ofA, b: ofB, paired }) => (
            <tr key={String(key)} data-key={String(key)} title={reasonOf([ofA, ofB])}>
              <th scope="row">{groupText(dim, ofA ?? ofB ?? { [dim]: null })}</th>
              {[...cells(ofA), ...cells(ofB)].map((text, at) => (
                // eslint-disable-next-line react/no-array-index-key -- the columns never change their order
                <td key={at}>{text}</td>
              ))}
              <td>{paired ? format.signedPercent(shownDifference(paired.a, paired.b)) : NONE}</td>
              <td>
                {paired?.interval ? <Between interval={paired.interval} show={format.signedPercent} /> : NONE}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
