import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import type { Aggregate, Linked } from '../../../analytics/request.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import {
  analyticsKey,
  fetchRows,
  RESULT_OPTIONS,
  useScope,
  type AnalyticsScope,
} from '../../data/analytics/use-analytics.ts'
import { isShort } from '../state/dimension-of.ts'
import { compareGroups } from './panel-data.ts'
import {
  groupedRows,
  linkedMeasures,
  rowsByView,
  totalsAt,
  viewOf,
  whereFor,
  type Slice,
} from './requests.ts'
import { countOf } from './totals.ts'
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

/** A pivot with the dimensions that it is of. */
interface PivotAnswer extends Pivot {
  by: readonly string[]
}

/** The groups of one side of a pivot of a dimension with many values: the largest, and one more that says that there are more. */
const sideRequest = (slice: Slice, by: readonly string[], dim: string): { aggregate: Aggregate } => ({
  aggregate: {
    model: slice.subject,
    by: [dim],
    measures: linkedMeasures(slice),
    where: whereFor(slice, by),
    limit: (dim === by[0] ? MOST_LINES : MOST_COLUMNS) + 1,
    sort: [{ by: MODELS[slice.subject].rows, descending: true }],
  },
})

/** The cells of some lines and columns, with the totals of all. */
function cellsRequest(
  slice: Slice,
  by: readonly string[],
  sides: readonly AnswerRow[][],
): { linked: Linked } {
  const where = whereFor(slice, by)
  const shown = by.map((dim, at): Filter | null => {
    const most = at === 0 ? MOST_LINES : MOST_COLUMNS
    const values = sides[at]!.map((row) => row[dim] ?? null).filter((value) => value !== null)
    return sides[at]!.length > most ? { dim, in: values } : null
  })
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

/** A pivot of dimensions with many values: first its lines and columns, then the cells of the largest. */
async function fetchPivot(
  scope: AnalyticsScope,
  slice: Slice,
  by: readonly string[],
  signal: AbortSignal,
): Promise<PivotAnswer> {
  const options = { signal, priority: 'visible' } as const
  const [lines = [], columns = []] = await Promise.all(
    by.map(async (dim) => (await fetchRows(scope, sideRequest(slice, by, dim), options)).rows),
  )
  const answer = await fetchRows(scope, cellsRequest(slice, by, [lines, columns]), options)
  const [[all = {}] = [], cells = []] = rowsByView(answer)
  const names = new Map(
    [lines, columns].flatMap((side, at) =>
      side.map((row) => [`${by[at]!} ${String(row[by[at]!])}`, row] as const),
    ),
  )
  return { by, cells: groupedRows(cells, by, names), lines, columns, all }
}

/** The figures of a pivot: those of the brush while something is brushed, otherwise of the slice; `null` until they are there. */
export function usePivot(
  slice: SliceAnswer,
  by: readonly string[],
  live: LiveViews | null,
): { pivot: Pivot | null; fanOut: boolean; error: unknown } {
  const scope = useScope()
  const short = by.every(isShort)
  const answer = useQuery({
    queryKey: [...analyticsKey(scope, sideRequest(slice.slice, by, by[0]!)), 'pivot', by[1]],
    queryFn: ({ signal }) => fetchPivot(scope, slice.slice, by, signal),
    placeholderData: keepPreviousData,
    enabled: !short,
    ...RESULT_OPTIONS,
  })
  const moved = live !== null && !by.includes(live.active) ? live.rows : null
  const linked = useMemo(
    () => (short ? pivotIn(slice, moved ?? slice.rows, by) : null),
    [short, slice, moved, by],
  )
  // The previous result may be for other dimensions.
  const asked = answer.data?.by.join() === by.join() ? answer.data : null
  return {
    pivot: short ? linked : asked,
    fanOut: fansOut(MODELS[slice.slice.subject], by, whereFor(slice.slice, by)),
    error: short ? null : answer.error,
  }
}

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
