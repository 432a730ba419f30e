import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import type { Aggregate, Linked } from '../../../analytics/request.ts'
import type { AnswerRow, Rows } from '../../../analytics/cells.ts'
import {
  analyticsKey,
  analyticsQuery,
  fetchRows,
  RESULT_OPTIONS,
  useScope,
  type AnalyticsScope,
} from '../../data/analytics/use-analytics.ts'
import { isShort } from '../../../analytics/view/dimension-of.ts'
import type { BetMeasure, PanelSpec } from '../../../analytics/view/panel-spec.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { betMeasuresIn, compareGroups, withBets } from './panel-data.ts'
import {
  betsRequest,
  groupedRows,
  linkedMeasures,
  rowsByView,
  totalsAt,
  viewOf,
  whereFor,
  type Slice,
} from '../../../analytics/view/requests.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { LiveViews } from './use-brush.ts'
import type { SliceAnswer } from './use-slice.ts'

/** Maximum number of lines and of columns shown of a pivot; the largest are kept. */
export const MOST_LINES = 40
export const MOST_COLUMNS = 16

/** Every figure of a pivot: each is computed from the bets that it covers, so that those of ratios are ratios of sums. */
export interface Pivot {
  cells: readonly AnswerRow[]
  /** Totals of each line, of each column, and of all bets; those of values that are not shown count too. */
  lines: readonly AnswerRow[]
  columns: readonly AnswerRow[]
  all: AnswerRow
}

/** A pivot with the subject and the dimensions that it is of. */
interface PivotAnswer extends Pivot {
  subject: Subject
  by: readonly string[]
}

/** What a pivot is of: lines and columns, and every dimension whose selection does not restrict it. */
interface PivotOf {
  by: readonly string[]
  own: readonly string[]
}

/** The dimensions of a panel's pivot. */
const pivotOf = ({ by, within }: Pick<PanelSpec, 'by' | 'within'>): PivotOf => ({
  by,
  own: within === undefined ? by : [...by, within],
})

/** The groups of one side of a pivot of a dimension with many values: the largest, and one more that says that there are more. */
const sideRequest = (slice: Slice, { by, own }: PivotOf, dim: string): { aggregate: Aggregate } => ({
  aggregate: {
    model: slice.subject,
    by: [dim],
    measures: linkedMeasures(slice),
    where: whereFor(slice, own),
    limit: (dim === by[0] ? MOST_LINES : MOST_COLUMNS) + 1,
    sort: [{ by: MODELS[slice.subject].rows, descending: true }],
  },
})

/** What restricts each side to its values, if it is of the largest. */
const shownIn = (by: readonly string[], sides: readonly (readonly AnswerRow[])[]): (Filter | null)[] =>
  by.map((dim, at) => {
    const most = at === 0 ? MOST_LINES : MOST_COLUMNS
    const values = sides[at]!.map((row) => row[dim] ?? null).filter((value) => value !== null)
    return sides[at]!.length > most ? { dim, in: values } : null
  })

/** The cells of some lines and columns, with the totals of all. */
function cellsRequest(
  slice: Slice,
  { by, own }: PivotOf,
  sides: readonly (readonly AnswerRow[])[],
): { linked: Linked } {
  const where = whereFor(slice, own)
  const shown = shownIn(by, sides)
  return {
    linked: {
      model: slice.subject,
      measures: linkedMeasures(slice),
      panels: [
        { by: [], where },
        { by: [...by], where: allOf(where, ...shown) },
      ],
    },
  }
}

/** Names of the groups of both sides, by dimension and value. */
const namesIn = (by: readonly string[], sides: readonly (readonly AnswerRow[])[]) =>
  new Map(
    sides.flatMap((side, at) => side.map((row) => [`${by[at]!} ${String(row[by[at]!])}`, row] as const)),
  )

const VISIBLE = { priority: 'visible' } as const

/**
 * A pivot that is not among the page's linked views: first its lines and columns, then the cells of the largest.
 * `columns`: those of a pivot of which this one is a part; they are not asked for again.
 */
async function fetchPivot(
  scope: AnalyticsScope,
  slice: Slice,
  of: PivotOf,
  signal: AbortSignal,
  known?: readonly AnswerRow[],
): Promise<PivotAnswer> {
  const { by } = of
  const sideOf = async (dim: string) =>
    (await fetchRows(scope, sideRequest(slice, of, dim), { ...VISIBLE, signal })).rows
  const [lines, columns] = await Promise.all([sideOf(by[0]!), known ?? sideOf(by[1]!)])
  const sides = [lines, columns]
  const answer = await fetchRows(scope, cellsRequest(slice, of, sides), { ...VISIBLE, signal })
  const [[all = {}] = [], cells = []] = rowsByView(answer)
  return {
    subject: slice.subject,
    by,
    cells: groupedRows(cells, by, namesIn(by, sides)),
    lines,
    columns,
    all,
  }
}

/** The key of a pivot in the cache of queries. */
const pivotKey = (scope: AnalyticsScope, slice: Slice, of: PivotOf) => [
  ...analyticsKey(scope, sideRequest(slice, of, of.by[0]!)),
  'pivot',
  of.by[1],
]

/**
 * The figures of a pivot: those of the brush while something is brushed, otherwise of the slice; `null` until they are there.
 * `stale`: they are those of the slice before, until those of this one arrive.
 */
export function usePivot(
  slice: SliceAnswer,
  spec: Pick<PanelSpec, 'by' | 'within'>,
  live: LiveViews | null,
): { pivot: Pivot | null; fanOut: boolean; stale: boolean; error: unknown } {
  const scope = useScope()
  const { by } = spec
  const of = pivotOf(spec)
  // The linked views ignore the selections of two dimensions only.
  const isLinked = spec.within === undefined && by.every(isShort)
  const answer = useQuery({
    queryKey: pivotKey(scope, slice.slice, of),
    queryFn: ({ signal }) => fetchPivot(scope, slice.slice, of, signal),
    placeholderData: keepPreviousData,
    enabled: !isLinked,
    ...RESULT_OPTIONS,
  })
  const moved = live !== null && !by.includes(live.active) ? live.rows : null
  const linked = useMemo(
    () => (isLinked ? pivotIn(slice, moved ?? slice.rows, by) : null),
    [isLinked, slice, moved, by],
  )
  const { subject } = slice.slice
  // The previous result may be for other dimensions, or of another subject, whose figures have other names.
  const { data } = answer
  const asked = data?.subject === subject && data.by.join() === by.join() ? data : null
  return {
    pivot: isLinked ? linked : asked,
    fanOut: fansOut(MODELS[subject], of.own, whereFor(slice.slice, of.own)),
    stale: !isLinked && answer.isPlaceholderData,
    error: isLinked ? null : answer.error,
  }
}

/** The lines within some lines of a pivot, by the values of those; a line without them has not been answered yet. */
export type LinesWithin = ReadonlyMap<Scalar, Pivot>

/** The part of a slice that is one line of a pivot. */
const lineOf = (slice: Slice, down: string, value: Scalar): Slice => ({
  ...slice,
  base: allOf(slice.base, { dim: down, in: [value] })!,
})

/** Splits the lines of these values of a pivot, each by a pivot of its own with the same columns. */
export function useLinesWithin(
  { slice }: SliceAnswer,
  spec: Pick<PanelSpec, 'by' | 'within'>,
  pivot: Pivot | null,
  values: readonly Scalar[],
): { within: LinesWithin; error: unknown } {
  const scope = useScope()
  const { by, within = '' } = spec
  const [down = '', across = ''] = by
  const { own } = pivotOf(spec)
  const isSplit = spec.within !== undefined && pivot !== null
  return useQueries({
    queries: (isSplit ? values : []).map((value) => {
      const part = lineOf(slice, down, value)
      const of = { by: [within, across], own }
      return {
        queryKey: pivotKey(scope, part, of),
        queryFn: ({ signal }: { signal: AbortSignal }) => fetchPivot(scope, part, of, signal, pivot!.columns),
        ...RESULT_OPTIONS,
      }
    }),
    combine: useCallback(
      (answers: readonly UseQueryResult<PivotAnswer>[]) => ({
        within: new Map(
          answers.flatMap(({ data }, at): [Scalar, Pivot][] => (data ? [[values[at]!, data]] : [])),
        ),
        error: answers.find(({ error }) => error !== null)?.error ?? null,
      }),
      [values],
    ),
  })
}

/** A pivot with the slice and the dimensions that it is of. */
interface PivotPart {
  pivot: Pivot
  slice: Slice
  of: PivotOf
  /** Whether it is within a line: the totals of its columns are cells of that line, and are not shown again. */
  isWithin: boolean
}

/**
 * The measures over each single bet of the cells and the lines of a pivot, and of the columns and all bets unless it is within a
 * line: each is of its own bets.
 */
function betsRequests(
  { pivot, slice, of: { by, own }, isWithin }: PivotPart,
  measures: readonly BetMeasure[],
) {
  const where = whereFor(slice, own)
  const [down = '', across = ''] = by
  const [ofLines, ofColumns] = shownIn(by, [pivot.lines, pivot.columns])
  const shown = [
    { dims: by, limits: [ofLines, ofColumns] },
    { dims: [down], limits: [ofLines] },
    ...(isWithin
      ? []
      : [
          { dims: [across], limits: [ofColumns] },
          { dims: [], limits: [] },
        ]),
  ]
  return shown.map(({ dims, limits }) =>
    betsRequest(slice, dims, measures, allOf(where, ...limits.map((limit) => limit ?? null))!),
  )
}

/** A pivot with those measures, in the order of `betsRequests`. */
function withBetsOf(
  { pivot, of: { by } }: PivotPart,
  [cells = [], lines = [], columns = [], all = []]: readonly (readonly AnswerRow[] | undefined)[],
): Pivot {
  const [down = '', across = ''] = by
  return {
    cells: withBets(pivot.cells, cells, by),
    lines: withBets(pivot.lines, lines, [down]),
    columns: withBets(pivot.columns, columns, [across]),
    all: withBets([pivot.all], all, [])[0]!,
  }
}

/**
 * A pivot and its lines' parts with the measures over each single bet that its panel shows, which follow the other figures.
 * While something is brushed they are not known.
 */
export function usePivotBets(
  { slice }: SliceAnswer,
  spec: PanelSpec,
  pivot: Pivot | null,
  within: LinesWithin,
  live: LiveViews | null,
): { pivot: Pivot | null; within: LinesWithin; error: unknown } {
  const scope = useScope()
  const isAsked = slice.history && live === null
  const parts = useMemo((): PivotPart[] => {
    if (!isAsked || pivot === null || betMeasuresIn(spec).length === 0) return []
    const of = pivotOf(spec)
    const [down = '', across = ''] = spec.by
    const lines = [...within].map(([value, part]): PivotPart => ({
      pivot: part,
      slice: lineOf(slice, down, value),
      of: { by: [spec.within ?? '', across], own: of.own },
      isWithin: true,
    }))
    return [{ pivot, slice, of, isWithin: false }, ...lines]
  }, [isAsked, slice, spec, pivot, within])
  const requests = useMemo(() => parts.map((part) => betsRequests(part, betMeasuresIn(spec))), [parts, spec])
  const { rows, error } = useQueries({
    queries: requests.flat().map((request) => analyticsQuery(scope, request, 'visible')),
    combine: rowsOfAnswers,
  })
  return useMemo(() => {
    const [whole, ...lines] = parts.map((part, index) => {
      const start = requests.slice(0, index).flat().length
      return withBetsOf(part, rows.slice(start, start + requests[index]!.length))
    })
    if (whole === undefined) return { pivot, within, error }
    return {
      pivot: whole,
      within: new Map([...within.keys()].map((value, of) => [value, lines[of]!])),
      error,
    }
  }, [pivot, within, parts, requests, rows, error])
}

const rowsOfAnswers = (
  answers: readonly UseQueryResult<Rows>[],
): { rows: (readonly AnswerRow[] | undefined)[]; error: unknown } => ({
  rows: answers.map(({ data }) => data?.rows),
  error: answers.find(({ error }) => error !== null)?.error ?? null,
})

/** A pivot in a linked result; `null` if the result does not have it. */
function pivotIn(
  { linked, names }: Pick<SliceAnswer, 'linked' | 'names'>,
  rows: readonly AnswerRow[][],
  by: readonly string[],
): Pivot | null {
  const [cells, totals] = [viewOf(linked, by), totalsAt(linked, by)]
  if (cells < 0 || totals < 0) return null
  const grouped = (at: number, dims: readonly string[]) => groupedRows(rows[at] ?? [], dims, names)
  const [down = '', across = ''] = by
  return {
    cells: grouped(cells, by),
    lines: grouped(totals + 1, [down]),
    columns: grouped(totals + 2, [across]),
    // Nothing is brushed where there are no totals, nor lines.
    all: rows[totals]?.[0] ?? {},
  }
}

/** Groups of one side in the order of their dimension; only the largest, of known values, if there are many. */
export function shownGroups(rows: readonly AnswerRow[], dim: string, most: number): AnswerRow[] {
  const shown =
    rows.length <= most
      ? rows
      : rows
          .filter((row) => (row[dim] ?? null) !== null)
          .toSorted((a, b) => countOf(b) - countOf(a))
          .slice(0, most)
  return shown.toSorted(compareGroups(dim))
}

/** Lines in the order of their figures; those without one are the last. */
export function sortedLines(
  lines: readonly AnswerRow[],
  figureIn: (line: AnswerRow) => number | null,
  ascending: boolean,
): AnswerRow[] {
  const figures = new Map(lines.map((line) => [line, figureIn(line)]))
  return lines.toSorted((a, b) => {
    const [left, right] = [figures.get(a) ?? null, figures.get(b) ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return ascending ? left - right : right - left
  })
}
