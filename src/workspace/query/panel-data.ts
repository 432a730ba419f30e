import { useMemo } from 'react'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { dimensionOf, isShort } from '../../../analytics/view/dimension-of.ts'
import { useIntervals } from './intervals.tsx'
import { BET_MEASURES, type BetMeasure, type PanelSpec } from '../../../analytics/view/panel-spec.ts'
import {
  betsRequest,
  groupedRows,
  groupsRequest,
  intervalsRequest,
  ORIGINS_REQUEST,
  rowsByView,
  viewOf,
  whereFor,
} from '../../../analytics/view/requests.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { LiveViews } from './use-brush.ts'
import { groupsIn, type SliceAnswer } from './use-slice.ts'

/** The groups of one view of the page. */
export interface Groups {
  rows: readonly AnswerRow[]
  /** Rows with intervals, by group key; empty until they arrive. */
  intervals: ReadonlyMap<string, AnswerRow>
  fanOut: boolean
  /** Whether the rows are those of the slice before, until those of this one arrive. */
  stale: boolean
  error: unknown
}

export const rowKey = (row: AnswerRow, dims: readonly string[]): string =>
  dims.map((dim) => String(row[dim] ?? null)).join('\n')

/** Compares groups by the order of a dimension; a group of unknown values is the last. */
export function compareGroups(dim: string): (a: AnswerRow, b: AnswerRow) => number {
  const { order, type, values } = dimensionOf(dim)
  if (order === 'count') return (a, b) => countOf(b) - countOf(a)
  return (a, b) => {
    const [left, right] = [a[dim] ?? null, b[dim] ?? null]
    if (left === right) return 0
    if (left === null || right === null) return left === null ? 1 : -1
    // Words that stand for an order, such as that of a smaller to a larger change.
    if (values && type === 'text') return values.indexOf(left) - values.indexOf(right)
    return left < right === (order === 'newest') ? 1 : -1
  }
}

const NONE: ReadonlyMap<string, AnswerRow> = new Map()

const byKey = (rows: readonly AnswerRow[], dims: readonly string[]): ReadonlyMap<string, AnswerRow> =>
  new Map(rows.map((row) => [rowKey(row, dims), row]))

/** The rows of a grouping: those of the brush while something is brushed, otherwise of the slice. */
export function useGroups(
  slice: SliceAnswer,
  dims: readonly string[],
  live: LiveViews | null,
  withIntervals = false,
): Groups | null {
  const short = dims.every(isShort)
  const { subject } = slice.slice
  const follows = useIntervals(slice, dims)
  // If the linked result suffices, the query is disabled, and a constant request keeps
  // its key cheap to compute.
  const answer = useAnalytics(short ? ORIGINS_REQUEST : groupsRequest(slice.slice, dims), {
    priority: 'visible',
    enabled: !short,
  })
  const answered = answer.data && !answer.isPlaceholderData ? answer.data.rows : null
  const following = withIntervals ? follows : null
  const fresh = short ? following : answered
  const intervals = useMemo(() => (fresh ? byKey(fresh, dims) : NONE), [fresh, dims])
  const linked = useMemo(() => (short ? groupsIn(slice, dims) : null), [short, slice, dims])
  const moved =
    live !== null && !dims.includes(live.active) ? live.rows[viewOf(slice.linked, dims)] : undefined
  const moving = useMemo(
    () => (short && moved ? groupedRows(moved, dims, slice.names) : null),
    [short, moved, dims, slice.names],
  )
  const { data } = answer
  // The answer's own flag is of all views together.
  const ownFanOut = fansOut(MODELS[subject], dims, whereFor(slice.slice, dims))
  return useMemo(() => {
    if (short) {
      const rows = moving ?? linked
      return (
        rows && { rows, intervals: moving ? NONE : intervals, fanOut: ownFanOut, stale: false, error: null }
      )
    }
    // The previous result may be for other dimensions, or of another subject, whose figures have other names.
    const rows =
      data?.request &&
      'aggregate' in data.request &&
      data.request.aggregate.model === subject &&
      data.request.aggregate.by.join() === dims.join()
        ? data.rows
        : null
    if (rows === null)
      return answer.error
        ? { rows: [], intervals: NONE, fanOut: false, stale: false, error: answer.error }
        : null
    return { rows, intervals, fanOut: data!.fanOut, stale: answered === null, error: answer.error }
  }, [short, moving, linked, intervals, ownFanOut, data, dims, subject, answered, answer.error])
}

/** The measures over each single bet that a panel shows or sorts by. */
export const betMeasuresIn = ({ measures, sort }: Pick<PanelSpec, 'measures' | 'sort'>): BetMeasure[] =>
  BET_MEASURES.filter((each) => measures.includes(each) || sort === each)

/** Groups with their measures over each single bet, which `found` has by key. */
export const withBets = (
  rows: readonly AnswerRow[],
  found: readonly AnswerRow[],
  dims: readonly string[],
): AnswerRow[] => {
  const own = byKey(found, dims)
  return rows.map((row) => ({ ...row, ...betFigures(own.get(rowKey(row, dims))) }))
}

const betFigures = (row: AnswerRow | undefined): AnswerRow =>
  Object.fromEntries(BET_MEASURES.flatMap((each) => (row && each in row ? [[each, row[each] ?? null]] : [])))

/**
 * The groups of a panel with the measures over each single bet that it shows or sorts by, which no linked view has: they are
 * asked for once the panel shows one, and follow the other figures.
 */
export function useBetMeasures(slice: SliceAnswer, spec: PanelSpec, groups: Groups | null): Groups | null {
  const { by } = spec
  const wanted = betMeasuresIn(spec)
  const enabled = wanted.length > 0 && slice.slice.history
  const {
    data,
    isPlaceholderData: isEarlier,
    error: failure,
  } = useAnalytics(enabled ? betsRequest(slice.slice, by, wanted) : ORIGINS_REQUEST, {
    priority: 'visible',
    enabled,
  })
  const rows = enabled && data && !isEarlier ? data.rows : null
  const error = enabled ? failure : null
  return useMemo(() => {
    if (groups !== null && error !== null) return { ...groups, error: groups.error ?? error }
    return groups === null || rows === null ? groups : { ...groups, rows: withBets(groups.rows, rows, by) }
  }, [groups, rows, error, by])
}

/**
 * Intervals of a grouping by group key. Those of short dimensions, which the page's own query of intervals leaves
 * out, are requested once `wanted`; empty until then.
 */
export function useIntervalsOf(
  slice: SliceAnswer,
  dims: readonly string[],
  groups: Groups,
  wanted: boolean,
): ReadonlyMap<string, AnswerRow> {
  const enabled = wanted && dims.every(isShort)
  const request = useMemo(
    () => (enabled ? intervalsRequest(slice.slice, [dims]) : ORIGINS_REQUEST),
    [enabled, slice.slice, dims],
  )
  const { data, isPlaceholderData: before } = useAnalytics(request, { priority: 'visible', enabled })
  return useMemo(() => {
    if (!enabled || !data || before || !('linked' in data.request)) return groups.intervals
    const rows = rowsByView(data)[viewOf(data.request.linked, dims)] ?? []
    return byKey(groupedRows(rows, dims, slice.names), dims)
  }, [enabled, data, before, dims, groups.intervals, slice.names])
}
