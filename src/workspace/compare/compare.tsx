import { ArrowLeftRight, X } from 'lucide-react'
import { useMemo, useRef, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { shownDifference } from '../../../domain/shown-difference.ts'
import { pairedDifference } from '../../../domain/statistics.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Skeleton } from '../../ui/panel.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { PictureMenu } from '../../widgets/chart/picture-menu.tsx'
import { Between } from '../parts/between.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { useClauseText, useFilterText } from '../words/filter-text.ts'
import { rowsByView, ORIGINS_REQUEST } from '../../../analytics/view/requests.ts'
import { countName, countOf, judge, sumNames, sumsOf } from '../../../analytics/view/totals.ts'
import { reasonText, toldText } from '../words/measure-text.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import {
  appliedFilter,
  FIRST_VIEW,
  readView,
  whereOf,
  type Basis,
  type Subject,
  type WorkspaceView,
} from '../../../analytics/view/view.ts'
import { writeView } from '../state/write-view.ts'
import { Small } from '../../ui/layout.tsx'
import { ToolButton } from '../parts/controls.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { byMeeting, returnOf, type Sides } from './by-meeting.ts'
import { CompareGroups } from './compare-groups.tsx'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { subjectWords } from '../words/subject-words.ts'
import { MONTH_TICKS, profitAxes, profitLine } from '../query/profit-line.ts'
import { profitDays } from '../../../analytics/view/profit-days.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

type ComparedBasis = Pick<Basis, 'model' | 'origin'>

/** Only the slice is compared, not the rest of the view. */
const sliceOf = (
  { subject, period, from, to, tuning, filter }: WorkspaceView,
  { model, origin }: ComparedBasis,
) => ({ subject, period, from, to, tuning, filter, model, origin })

/** Query string of a view's slice. */
export const sliceWords = (view: WorkspaceView, basis: ComparedBasis): string =>
  writeView({ ...FIRST_VIEW, ...sliceOf(view, basis), holdOut: view.holdOut }).toString()

/** A pinned slice, resolved to a filter. */
export interface PinnedSlice {
  view: WorkspaceView
  basis: ComparedBasis
  where: Filter
}

export function usePinned(view: WorkspaceView, basis: Basis): PinnedSlice | null {
  const { to, history } = useScope()
  const { region } = useRegion()
  const { compare } = view
  return useMemo(() => {
    if (compare === null || !history) return null
    const pinned = readView(new URLSearchParams(compare))
    // Rows of two subjects cannot be compared.
    if (pinned.subject !== basis.subject) return null
    const own = { model: pinned.model || basis.model, origin: pinned.origin || basis.origin }
    return { view: pinned, basis: own, where: whereOf(pinned, to, own, region) }
  }, [compare, basis, to, history, region])
}

/** Both slices race by race. */
const racesRequest = (subject: Subject, a: Filter, b: Filter): Request => ({
  linked: {
    model: subject,
    panels: [a, b].map((where) => ({ by: ['meeting', 'race_no'], where })),
    measures: sumNames(subject),
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

/** The races that both slices have; where they share none, all of each. */
function sidesOf(
  a: readonly AnswerRow[],
  b: readonly AnswerRow[],
  common: readonly [AnswerRow, AnswerRow][],
): Sides {
  return common.length === 0 ? { a, b } : { a: common.map(([row]) => row), b: common.map(([, row]) => row) }
}

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
  return ({ common, sides }: Races): ChartPicture => ({
    name: 'furlong-compare',
    saver,
    caption: () => {
      const interval = areReturnsReported(sides) ? pairedReturns(sides)?.interval : null
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
  const request = isPinned ? racesRequest(pinned.view.subject, pinned.where, where) : ORIGINS_REQUEST
  const { data, error, isPlaceholderData } = useAnalytics(request, { priority: 'visible', enabled: isPinned })
  const races = useMemo(() => {
    if (!isPinned || !data || isPlaceholderData) return null
    const [ofA = [], ofB = []] = rowsByView(data)
    const common = commonRaces(ofA, ofB)
    return { a: ofA, b: ofB, common, sides: sidesOf(ofA, ofB, common) }
  }, [isPinned, data, isPlaceholderData])
  return { races, error }
}
type ComparedRaces = ReturnType<typeof useComparedRaces>
type Races = NonNullable<ComparedRaces['races']>

/** By how much the hit rate and the return on screen exceed those of A, on the races that both have; `null` if unknown. */
export function differencesOf(races: ComparedRaces['races']) {
  if (races === null || races.common.length === 0) return null
  const { common, sides } = races
  const reported = areReturnsReported(sides)
  const [hitRate, returned] = RATIOS.map(({ ratio, share }) => {
    const found = share || reported ? pairedDifference(byMeeting(sides, 'key', ratio)) : null
    return found ? shownDifference(found.a, found.b) : null
  })
  return { races: common.length, hitRate: hitRate ?? null, return: returned ?? null }
}

/** The pinned slice in words. */
function usePinnedText({ view, basis }: PinnedSlice, model: string, names: CompareProps['names']): string {
  const { textOf: clauseText } = useClauseText(model, names)
  const word = useWord()
  return [
    word(`source.${basis.model}`),
    word(`origin.${basis.origin}`),
    word(`record.period.${view.period}`),
    ...conjuncts(appliedFilter(view)).map(clauseText),
  ].join(BETWEEN_FACTS)
}

/** Exchanges both slices, or ends the comparison. */
function CompareTools({ pinned, picture }: Pick<CompareProps, 'pinned'> & { picture: ChartPicture | null }) {
  const { view, basis, onChange } = useWorkspace()
  const exchange = (newest: WorkspaceView): WorkspaceView => ({
    ...newest,
    ...sliceOf(pinned.view, pinned.basis),
    compare: sliceWords(view, basis),
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
  const { view, basis } = useWorkspace()
  const { model } = basis
  const pictureOf = useComparePicture(pinned.where, where, model, names)
  const isApart = races !== null && races.common.length === 0
  const picture = races === null || isApart || isIncomplete(races.sides) ? null : pictureOf(races)
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
        <FailedAnswer error={error} />
      ) : races ? (
        <>
          <Table subject={basis.subject} sides={races.sides} common={races.common.length} />
          {isApart ? null : picture === null ? (
            <Small text="record.noProfitChart" />
          ) : (
            <CompareCurve common={races.common} picture={picture} />
          )}
        </>
      ) : (
        <Skeleton height={120} />
      )}
      {isApart ? <Small text="workspace.noCommonRaces" /> : null}
      {races && !isApart && races.common.length < Math.max(races.a.length, races.b.length) ? (
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
        subject={basis.subject}
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
    ratio: (row: AnswerRow) => ({
      numerator: numberOf(row, 'hits'),
      denominator: judge(row).played,
    }),
    share: true,
  },
  {
    ratio: returnOf,
    share: false,
  },
] as const

const judgedSides = ({ a, b }: Sides) => [a, b].map((rows) => judge(sumsOf(rows)))

/** Whether the returns of both slices can be stated. */
const areReturnsReported = (sides: Sides): boolean => judgedSides(sides).every(({ reported }) => reported)

/** Whether too many hits of either slice lack a dividend. */
const isIncomplete = (sides: Sides): boolean => judgedSides(sides).some(({ trust }) => trust === 'incomplete')

/** The difference of the returns, with its interval. */
const pairedReturns = (sides: Sides) => pairedDifference(byMeeting(sides, 'key', returnOf))

interface TableProps {
  subject: Subject
  sides: Sides
  /** The number of races that both have. */
  common: number
}

function Table({ subject, sides, common }: TableProps) {
  const words = subjectWords(subject)
  const word = useWord()
  const format = useFormat()
  const a = sumsOf(sides.a)
  const b = sumsOf(sides.b)
  const reported = judge(a).reported && judge(b).reported
  const [profitA, profitB] = [numberOf(a, 'profit'), numberOf(b, 'profit')]
  const ratios = RATIOS.map(({ ratio, share }): [string, string, ReactNode[]] => {
    const label = share ? words.hitRate : 'record.return'
    if (!share && !reported) return [label, label, [a, b].map((row) => toldText(word, format, row, 'return'))]
    const found = pairedDifference(byMeeting(sides, 'key', ratio))
    if (!found) return [label, label, []]
    const show = share ? (value: number) => format.percent(value) : format.signedPercent
    const interval = found.interval && <Between interval={found.interval} show={format.signedPercent} />
    const difference = format.signedPercent(shownDifference(found.a, found.b))
    return [label, label, [show(found.a), show(found.b), difference, interval]]
  })
  const lines: [key: string, label: string, cells: ReactNode[]][] = [
    ['count', words.count, [a, b].map((row) => format.integer(countOf(row)))],
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
              <FormattedMessage id="workspace.onCommon" values={{ races: common }} />
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

const HEIGHT = 220
/** Shown in a cell without a value. */
const NONE = '–'

/** Sums of each day's races, as a row per day. */
function byDay(rows: readonly AnswerRow[]): AnswerRow[] {
  return [...groupBy(rows, (row) => textOf(row, 'key').slice(0, 10))].map(([day, races]) => {
    const sum = (name: string): number => races.reduce((total, row) => total + numberOf(row, name), 0)
    return {
      key: day,
      [countName(races[0]!)]: sum(countName(races[0]!)),
      hits: sum('hits'),
      profit: sum('profit'),
    }
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
