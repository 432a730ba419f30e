import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter } from '../../analytics/filter.ts'
import type { Model } from '../../analytics/model.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Linked, Request } from '../../analytics/request.ts'
import type { AnswerRow, Rows } from '../data/analytics/decode.ts'
import { analyticsQuery, useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import type { PanelSpec } from './panel-spec.ts'
import {
  groupedRows,
  linkedRequest,
  namesRequest,
  rowsByView,
  viewOf,
  whereIn,
  type Slice,
} from './requests.ts'

const MODEL: Model = PREDICTIONS
const NO_ROWS: AnswerRow[] = []
/** The slices that requests were made for. */
const sliceOf = new WeakMap<Request, Slice>()

/** The linked answer of the page, read view by view. The same object until the next answer: views compare it. */
export interface SliceAnswer {
  /** What was answered, which may be the slice before the one that is asked for. */
  slice: Slice
  where: Filter
  linked: Linked
  answer: Rows
  /** Rows of each view. */
  rows: readonly AnswerRow[][]
  /** Names of values, by dimension and value. */
  names: ReadonlyMap<string, AnswerRow>
}

/** The groups of a view in a linked answer; `null` where it has none of that view. */
export function groupsIn(
  { linked, rows, names }: Pick<SliceAnswer, 'linked' | 'rows' | 'names'>,
  dims: readonly string[],
): AnswerRow[] | null {
  const at = viewOf(linked, dims)
  return at < 0 ? null : groupedRows(rows[at] ?? NO_ROWS, dims, names)
}

/** Asks everything that the page shows of a slice in one statement. */
export function useSlice(slice: Slice, panels: readonly PanelSpec[], facets: readonly string[]) {
  const scope = useScope()
  const request = useMemo(() => {
    const made = linkedRequest(slice, panels, facets)
    sliceOf.set(made, slice)
    return made
  }, [slice, panels, facets])
  const { data, error, isPlaceholderData: stale, refetch } = useAnalytics(request)
  const dims = useMemo(
    () =>
      [...new Set(request.linked.panels.flatMap(({ by }) => by))].filter(
        (dim) => MODEL.dimensions[dim]!.names,
      ),
    [request],
  )
  const names = useQueries({
    queries: dims.map((dim) => ({
      ...analyticsQuery(scope, namesRequest(slice.base, dim), 'visible'),
      placeholderData: keepPreviousData,
    })),
    combine: (answers) => ({
      map: new Map(
        answers.flatMap(({ data: known }, index) =>
          (known?.rows ?? []).map((row): [string, AnswerRow] => [
            `${dims[index]!} ${String(row[dims[index]!])}`,
            row,
          ]),
        ),
      ),
      ready: answers.every(({ data: known }) => known !== undefined),
    }),
  })
  const answer = useMemo((): SliceAnswer | null => {
    const answered = data && sliceOf.get(data.request)
    if (!data || !answered || !('linked' in data.request)) return null
    return {
      slice: answered,
      where: whereIn(answered),
      linked: data.request.linked,
      answer: data,
      rows: rowsByView(data),
      names: names.map,
    }
  }, [data, names.map])
  // Keys of places instead of their names would flash by.
  return { answer: names.ready ? answer : null, stale, error, retry: () => void refetch() }
}
