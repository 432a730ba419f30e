import { ArrowLeftRight, X } from 'lucide-react'
import { useMemo } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { pairedDifference, type PairedGroup } from '../../../domain/statistics.ts'
import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { Between } from '../parts/between.tsx'
import { useClauseText, useFilterText } from '../words/filter-text.ts'
import { CompareCurve, CompareGroups } from './compare-parts.tsx'
import { rowsByView } from '../query/requests.ts'
import { judge } from '../query/totals.ts'
import { useCaptionOf } from '../words/use-caption.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { FIRST_VIEW, readView, whereOf, writeView, type Subject, type WorkspaceView } from '../state/view.ts'
import { Small } from '../../ui/layout.tsx'
import controls from '../parts/controls.module.css'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'

const SUMS = ['predictions', 'voids', 'hits', 'unknown', 'unknown_hits', 'staked', 'profit']

/** Query string of a view's slice: only the slice is compared, not the rest of the view. */
export const sliceWords = (view: WorkspaceView, subject: Pick<Subject, 'model' | 'origin'>): string =>
  writeView({
    ...FIRST_VIEW,
    period: view.period,
    from: view.from,
    to: view.to,
    tuning: view.tuning,
    filter: view.filter,
    holdOut: view.holdOut,
    model: subject.model,
    origin: subject.origin,
  }).toString()

/** A pinned slice, resolved to a filter. */
export interface PinnedSlice {
  view: WorkspaceView
  subject: Pick<Subject, 'model' | 'origin'>
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

/** Sums of a ratio by meeting, for both slices. */
function byMeeting(
  races: readonly [AnswerRow, AnswerRow][],
  ratio: (row: AnswerRow) => { numerator: number; denominator: number },
): PairedGroup[] {
  const meetings = new Map<string, PairedGroup>()
  for (const [a, b] of races) {
    const key = textOf(a, 'key')
    const known = meetings.get(key) ?? {
      a: { numerator: 0, denominator: 0 },
      b: { numerator: 0, denominator: 0 },
    }
    const [ofA, ofB] = [ratio(a), ratio(b)]
    meetings.set(key, {
      a: { numerator: known.a.numerator + ofA.numerator, denominator: known.a.denominator + ofA.denominator },
      b: { numerator: known.b.numerator + ofB.numerator, denominator: known.b.denominator + ofB.denominator },
    })
  }
  return [...meetings.values()]
}

interface CompareProps {
  pinned: PinnedSlice
  /** The slice on screen. */
  where: Filter
  names: ReadonlyMap<string, AnswerRow>
}

/** The picture of the curves, whose caption names both slices, their common races, and the interval. */
function useComparePicture(a: Filter, b: Filter, model: string, names: ReadonlyMap<string, AnswerRow>) {
  const intl = useIntl()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const filterText = useFilterText(model, names)
  const named = (id: string, values: string): string =>
    intl.formatMessage({ id: 'workspace.clause' }, { name: intl.formatMessage({ id }), values })
  return (common: readonly [AnswerRow, AnswerRow][]): ChartPicture => ({
    name: 'furlong-compare',
    caption: () => {
      const interval = areReturnsReported(common) ? pairedReturns(common)?.interval : null
      const [low, high] = [interval?.low, interval?.high].map((end) => format.signedPercent(end ?? 0))
      return captionOf([
        named('workspace.sliceA', filterText(a)),
        named('workspace.shownSlice', filterText(b)),
        intl.formatMessage({ id: 'workspace.onCommon' }, { races: common.length }),
        interval
          ? named(
              'workspace.difference',
              intl.formatMessage({ id: 'workspace.captionReturn' }, { low, high }),
            )
          : '',
      ])
    },
  })
}

/** The races of both slices, and those that both have; `null` until they are known. */
function useRaces(a: Filter, b: Filter) {
  const { data, error, isPlaceholderData } = useAnalytics(racesRequest(a, b), { priority: 'visible' })
  const races = useMemo(() => {
    if (!data || isPlaceholderData) return null
    const [ofA = [], ofB = []] = rowsByView(data)
    return { a: ofA, b: ofB, common: commonRaces(ofA, ofB) }
  }, [data, isPlaceholderData])
  return { races, error }
}

/** The pinned slice in words. */
function usePinnedText({ view, subject }: PinnedSlice, model: string, names: CompareProps['names']): string {
  const clauseText = useClauseText(model, names)
  const word = useWord()
  const { filter } = view
  const parts = filter === null ? [] : 'and' in filter ? filter.and : [filter]
  return [
    word(`source.${subject.model}`),
    word(`origin.${subject.origin}`),
    word(`record.period.${view.period}`),
    ...parts.map(clauseText),
  ].join(' · ')
}

/** Exchanges both slices, or ends the comparison. */
function CompareTools({ pinned }: Pick<CompareProps, 'pinned'>) {
  const { view, subject, onChange } = useWorkspace()
  const word = useWord()
  const exchange = (newest: WorkspaceView): WorkspaceView => ({
    ...newest,
    period: pinned.view.period,
    from: pinned.view.from,
    to: pinned.view.to,
    tuning: pinned.view.tuning,
    filter: pinned.view.filter,
    model: pinned.subject.model,
    origin: pinned.subject.origin,
    compare: sliceWords(view, subject),
  })
  return (
    <div className={panelStyles.tools}>
      <button
        type="button"
        className={controls.tool}
        aria-label={word('workspace.swap')}
        title={word('workspace.swap')}
        onClick={() => onChange(exchange)}
      >
        <ArrowLeftRight aria-hidden="true" size={16} />
      </button>
      <button
        type="button"
        className={controls.tool}
        aria-label={word('workspace.unpin')}
        title={word('workspace.unpin')}
        onClick={() => onChange((newest) => ({ ...newest, compare: null }))}
      >
        <X aria-hidden="true" size={16} />
      </button>
    </div>
  )
}

/** The pinned slice A beside the slice on screen, on the races that both have. */
export function Compare({ pinned, where, names }: CompareProps) {
  const intl = useIntl()
  const format = useFormat()
  const { view, subject } = useWorkspace()
  const { model } = subject
  const { races, error } = useRaces(pinned.where, where)
  const picture = useComparePicture(pinned.where, where, model, names)
  const pinnedText = usePinnedText(pinned, model, names)
  return (
    <section
      className={panelStyles.panel}
      aria-label={intl.formatMessage({ id: 'workspace.compare' })}
      data-testid="compare"
    >
      <div className={panelStyles.head}>
        <FormattedMessage id="workspace.compare" tagName="h2" />
        <Small as="span">{pinnedText}</Small>
        <CompareTools pinned={pinned} />
      </div>
      {error ? (
        <ErrorNotice error={error} />
      ) : races ? (
        <>
          <Table races={races} />
          <CompareCurve common={races.common} picture={picture(races.common)} />
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
    </section>
  )
}

/** Shown in a cell without a value. */
const NONE = '–'

interface Races {
  a: readonly AnswerRow[]
  b: readonly AnswerRow[]
  common: readonly [AnswerRow, AnswerRow][]
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

/** Whether the returns of both slices can be stated. */
const areReturnsReported = (common: readonly [AnswerRow, AnswerRow][]): boolean =>
  [0, 1].every((at) => judge(sumsOf(common.map((pair) => pair[at]!))).reported)

/** The difference of the returns, with its interval. */
const pairedReturns = (common: readonly [AnswerRow, AnswerRow][]) =>
  pairedDifference(byMeeting(common, RATIOS[1].ratio))

const sumsOf = (rows: readonly AnswerRow[]): AnswerRow =>
  Object.fromEntries(SUMS.map((name) => [name, rows.reduce((sum, row) => sum + numberOf(row, name), 0)]))

function Table({ races }: { races: Races }) {
  const format = useFormat()
  const a = sumsOf(races.common.map(([row]) => row))
  const b = sumsOf(races.common.map(([, row]) => row))
  const reported = judge(a).reported && judge(b).reported
  return (
    <table className={tables.table}>
      <thead>
        <tr>
          <th scope="col">
            <FormattedMessage id="workspace.onCommon" values={{ races: races.common.length }} />
          </th>
          <th scope="col">
            <FormattedMessage id="workspace.sliceA" />
          </th>
          <th scope="col">
            <FormattedMessage id="workspace.shownSlice" />
          </th>
          <th scope="col">
            <FormattedMessage id="workspace.difference" />
          </th>
          <th scope="col">
            <FormattedMessage id="workspace.interval" />
          </th>
        </tr>
      </thead>
      <tbody>
        <tr data-key="predictions">
          <th scope="row">
            <FormattedMessage id="record.predictions" />
          </th>
          <td>{format.integer(numberOf(a, 'predictions'))}</td>
          <td>{format.integer(numberOf(b, 'predictions'))}</td>
          <td>{NONE}</td>
          <td>{NONE}</td>
        </tr>
        {RATIOS.map(({ label, ratio, share }) => {
          const found = share || reported ? pairedDifference(byMeeting(races.common, ratio)) : null
          const show = share ? (value: number) => format.percent(value) : format.signedPercent
          return (
            <tr key={label} data-key={label}>
              <th scope="row">
                <FormattedMessage id={label} />
              </th>
              <td>{found ? show(found.a) : '–'}</td>
              <td>{found ? show(found.b) : '–'}</td>
              <td>{found ? format.signedPercent(found.difference) : '–'}</td>
              <td>
                {found?.interval ? <Between interval={found.interval} show={format.signedPercent} /> : '–'}
              </td>
            </tr>
          )
        })}
        <tr data-key="profit">
          <th scope="row">
            <FormattedMessage id="record.profit" />
          </th>
          <td>{reported ? format.signedMoney(numberOf(a, 'profit')) : '–'}</td>
          <td>{reported ? format.signedMoney(numberOf(b, 'profit')) : '–'}</td>
          <td>{reported ? format.signedMoney(numberOf(b, 'profit') - numberOf(a, 'profit')) : '–'}</td>
          <td>{NONE}</td>
        </tr>
      </tbody>
    </table>
  )
}
