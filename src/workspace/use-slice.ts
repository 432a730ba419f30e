import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useMemo } from 'react'
import type { Filter } from '../../analytics/filter.ts'
import type { Model } from '../../analytics/model.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Linked, Request } from '../../analytics/request.ts'
import type { AnswerRow, Rows } from '../data/analytics/decode.ts'
import { ANALYTICS_KEY, analyticsQuery, useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import type { PanelSpec } from './panel-spec.ts'
import {
  groupedRows,
  intervalsRequest,
  linkedRequest,
  namesRequest,
  ORIGINS_REQUEST,
  rowsByView,
  viewOf,
  whereIn,
  type Slice,
} from './requests.ts'

const MODEL: Model = PREDICTIONS
const NO_ROWS: AnswerRow[] = []
const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()
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

function requestFor(slice: Slice, panels: readonly PanelSpec[], facets: readonly string[]) {
  const request = linkedRequest(slice, panels, facets)
  sliceOf.set(request, slice)
  return request
}

/** Asks ahead what the page will show of a slice: the engine works while the page takes in the click. */
export function useAsk() {
  const scope = useScope()
  const client = useQueryClient()
  return useCallback(
    (slice: Slice, panels: readonly PanelSpec[], facets: readonly string[]): void =>
      void client.prefetchQuery(analyticsQuery(scope, requestFor(slice, panels, facets))),
    [client, scope],
  )
}

/** Asks everything that the page shows of a slice in one statement. */
export function useSlice(slice: Slice, panels: readonly PanelSpec[], facets: readonly string[]) {
  const scope = useScope()
  const request = useMemo(() => requestFor(slice, panels, facets), [slice, panels, facets])
  const { data, error, isPlaceholderData: stale, refetch } = useAnalytics(request)
  const dims = useMemo(
    () =>
      [...new Set(request.linked.panels.flatMap(({ by }) => by))].filter(
        (dim) => MODEL.dimensions[dim]!.names,
      ),
    [request],
  )
  const client = useQueryClient()
  const pinned = useMemo(() => dims.map((dim) => namesRequest(slice.base, dim)), [dims, slice.base])
  const { regionId, asOf, history } = scope
  const names = useQuery({
    queryKey: [ANALYTICS_KEY, regionId, asOf, history, 'names', pinned],
    queryFn: async (): Promise<ReadonlyMap<string, AnswerRow>> => {
      const answers = await Promise.all(
        pinned.map((each) => client.fetchQuery(analyticsQuery(scope, each, 'visible'))),
      )
      return new Map(
        answers.flatMap(({ rows }, index) =>
          rows.map((row): [string, AnswerRow] => [`${dims[index]!} ${String(row[dims[index]!])}`, row]),
        ),
      )
    },
    // Another model's names are the same ones: those of before stay until they are there.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  })
  // A name that cannot be had is no reason to show nothing.
  const known = names.data ?? (names.isError ? NO_NAMES : null)
  const answer = useMemo((): SliceAnswer | null => {
    const answered = data && sliceOf.get(data.request)
    if (!data || !answered || known === null || !('linked' in data.request)) return null
    return {
      slice: answered,
      where: whereIn(answered),
      linked: data.request.linked,
      answer: data,
      rows: rowsByView(data),
      names: known,
    }
  }, [data, known])
  // Keys of places instead of their names would flash by.
  return { answer, stale, error, retry: () => void refetch() }
}

/** Intervals of a slice's views: they follow the figures. */
interface Intervals {
  of: SliceAnswer
  linked: Linked
  rows: readonly AnswerRow[][]
}

const IntervalsContext = createContext<Intervals | null>(null)
export const IntervalsProvider = IntervalsContext.Provider

/** Asks the intervals of the totals and of every breakdown on the page in one statement. */
export function useAskIntervals(answer: SliceAnswer | null, panels: readonly PanelSpec[]): Intervals | null {
  const request = useMemo(() => {
    if (answer === null) return null
    const shown = panels.flatMap(({ kind, by }) => (kind === 'bars' && groupsIn(answer, by) ? [by] : []))
    const distinct = [...new Map(shown.map((by) => [by.join(), by])).values()]
    return intervalsRequest(answer.slice, distinct)
  }, [answer, panels])
  const asked = useAnalytics(request ?? ORIGINS_REQUEST, { priority: 'visible', enabled: request !== null })
  const { data, isPlaceholderData: before } = asked
  return useMemo(
    () =>
      answer === null || request === null || !data || before || !('linked' in data.request)
        ? null
        : { of: answer, linked: data.request.linked, rows: rowsByView(data) },
    [answer, request, data, before],
  )
}

/** Rows with intervals of one view of a slice, as groups; `null` until they are there. */
export function useIntervals(slice: SliceAnswer, dims: readonly string[]): AnswerRow[] | null {
  const intervals = use(IntervalsContext)
  return useMemo(() => {
    if (intervals === null || intervals.of !== slice) return null
    const at = viewOf(intervals.linked, dims)
    return at < 0 ? null : groupedRows(intervals.rows[at] ?? NO_ROWS, dims, slice.names)
  }, [intervals, slice, dims])
}
