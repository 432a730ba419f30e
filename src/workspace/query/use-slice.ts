import {
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { withValues } from '../../../analytics/clauses.ts'
import type { OpenedDataset } from '../../../analytics/engine-api.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Linked, Request } from '../../../analytics/request.ts'
import { answersHere } from '../../data/analytics/connector.ts'
import { textOrNull, type AnswerRow, type Rows } from '../../../analytics/cells.ts'
import { useEngineState } from '../../data/analytics/engine-state.ts'
import { openedNow } from '../../data/analytics/opened.ts'
import { engine } from '../../data/analytics/parts.ts'
import {
  ANALYTICS_KEY,
  analyticsKey,
  analyticsQuery,
  fetchRows,
  RESULT_OPTIONS,
  useScope,
  type AnalyticsScope,
} from '../../data/analytics/use-analytics.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import {
  groupedRows,
  intervalsRequest,
  keyValue,
  linkedRequest,
  namesRequest,
  orderRequest,
  rowsByView,
  TOTAL,
  viewOf,
  whereIn,
  type Slice,
} from '../../../analytics/view/requests.ts'
import { judge } from '../../../analytics/view/totals.ts'
import type { SliceRequest } from '../../../analytics/view/view-query.ts'

const NO_ROWS: AnswerRow[] = []
const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()

/**
 * The page's linked result, split by view. Its identity is stable until the next result,
 * because views compare it.
 */
export interface SliceAnswer {
  /** The slice of this result, which may be the one before the requested slice. */
  slice: Slice
  where: Filter
  linked: Linked
  answer: Rows
  /** Rows of each view. */
  rows: readonly AnswerRow[][]
  /** Names of values, by dimension and value. */
  names: ReadonlyMap<string, AnswerRow>
}

/** The groups of a view in a linked result; `null` if it does not contain that view. */
export function groupsIn(
  { linked, rows, names }: Pick<SliceAnswer, 'linked' | 'rows' | 'names'>,
  dims: readonly string[],
): AnswerRow[] | null {
  const at = viewOf(linked, dims)
  return at < 0 ? null : groupedRows(rows[at] ?? NO_ROWS, dims, names)
}

/**
 * The page's own request as a query, whose rows are kept with the slice that they are of. Two slices may have the same
 * request: the same filter may be a part of the base or a selection.
 */
const sliceQuery = (scope: AnalyticsScope, { slice, request }: SliceRequest) =>
  queryOptions({
    queryKey: [...analyticsKey(scope, request), slice.base, slice.filter],
    queryFn: async ({ signal }) => ({ slice, request, rows: await fetchRows(scope, request, { signal }) }),
    ...RESULT_OPTIONS,
  })

/**
 * Prefetches what the page will show of a slice: the engine works while the page handles the click. If the
 * engine is on this device, the queries that follow the figures are sent together with them, and cancelled
 * when another slice is requested before they have run. What is shown tells which of them: a slice is most often
 * known as far as the one before it. If the engine on this device computes the figures, returns when they are there.
 */
export function usePrefetch(shown: SliceAnswer | null) {
  const scope = useScope()
  const client = useQueryClient()
  const followingRef = useRef<readonly QueryKey[]>([])
  const bounds = shown !== null && hasOnlyBounds(shown)
  return useCallback(
    (next: SliceRequest): Promise<void> | undefined => {
      const { slice, panels, request } = next
      for (const queryKey of followingRef.current) void client.cancelQueries({ queryKey, exact: true })
      followingRef.current = []
      const query = sliceQuery(scope, next)
      const isKnown = client.getQueryData(query.queryKey) !== undefined
      const figures = client.prefetchQuery(query)
      if (!answersHere(openedNow(), scope, request)) return undefined
      const soon = isKnown ? undefined : figures
      if (panels.length === 0 || !slice.history) return soon
      const following = [
        analyticsQuery(scope, intervalsFor(slice, request.linked, panels), 'visible'),
        analyticsQuery(scope, orderRequest(slice.subject, whereIn(slice), bounds), 'idle'),
      ]
      for (const query of following) void client.prefetchQuery(query)
      followingRef.current = following.map(({ queryKey }) => queryKey)
      return soon
    },
    [client, scope, bounds],
  )
}

/** Asks for the figures of a slice that a gesture is about to request, if the engine on this device computes them. */
export function useForeseen() {
  const scope = useScope()
  const client = useQueryClient()
  return useCallback(
    (next: SliceRequest): void => {
      if (answersHere(openedNow(), scope, next.request) && engine.now()?.isMakingTables() !== true)
        void client.prefetchQuery(sliceQuery(scope, next))
    },
    [client, scope],
  )
}

/** Whether too many dividends of a slice are unknown to state its profit. */
function hasOnlyBounds({ rows }: SliceAnswer): boolean {
  const total = rows[TOTAL]?.[0]
  return total !== undefined && judge(total).trust === 'incomplete'
}

/** The query for the intervals of the totals and of every breakdown in a linked query. */
export function intervalsFor(slice: Slice, linked: Linked, panels: readonly PanelSpec[]): { linked: Linked } {
  const shown = panels.flatMap(({ kind, by }) => (kind === 'bars' && viewOf(linked, by) >= 0 ? [by] : []))
  return intervalsRequest(slice, [...new Map(shown.map((by) => [by.join(), by])).values()])
}

/**
 * Names of the values of a request's dimensions, by dimension and value; `null` until they are loaded. If they cannot be
 * loaded, there are none.
 */
function useNames({ slice, request }: SliceRequest): ReadonlyMap<string, AnswerRow> | null {
  const scope = useScope()
  const client = useQueryClient()
  const { subject, base } = slice
  const pinned = useMemo(() => {
    const dims = new Set(request.linked.panels.flatMap(({ by }) => by))
    return [...dims]
      .filter((dim) => dimensionOf(dim).names)
      .map((dim) => namesRequest({ subject, base }, dim))
  }, [request, subject, base])
  const { regionId, asOf, history } = scope
  const names = useQuery({
    queryKey: [ANALYTICS_KEY, regionId, asOf, history, 'names', pinned],
    queryFn: async (): Promise<ReadonlyMap<string, AnswerRow>> => {
      const answers = await Promise.all(
        pinned.map((each) => client.fetchQuery(analyticsQuery(scope, each, 'visible'))),
      )
      return new Map(
        answers.flatMap(({ rows }, index) => {
          const [dim = ''] = pinned[index]!.aggregate.by
          return rows.map((row) => [`${dim} ${String(row[dim])}`, row] as const)
        }),
      )
    },
    // Another model has the same names: the previous ones stay until the new ones are loaded.
    placeholderData: keepPreviousData,
    ...RESULT_OPTIONS,
  })
  return names.data ?? (names.isError ? NO_NAMES : null)
}

/** Queries everything that the page shows of a slice in one statement. */
export function useSlice(requested: SliceRequest) {
  const scope = useScope()
  const {
    data,
    error,
    isPlaceholderData: stale,
    refetch,
  } = useQuery({ ...sliceQuery(scope, requested), placeholderData: keepPreviousData })
  const names = useNames(requested)
  const { own } = requested.slice
  const answer = useMemo((): SliceAnswer | null => {
    if (!data || names === null) return null
    const { slice, request, rows } = data
    return {
      // An answer stays valid when the user's own file is opened: only what is offered changes.
      slice: slice.own === own ? slice : { ...slice, own },
      where: whereIn(slice),
      linked: request.linked,
      answer: rows,
      rows: rowsByView(rows),
      names,
    }
  }, [data, names, own])
  // `answer` is `null` until the names are loaded; otherwise keys would briefly be shown instead.
  return { answer, stale, error, retry: () => void refetch() }
}

/** If `ahead`, makes the browser compile the engine's code for the queries of the next click; once per opened dataset. */
export function useWarmUp(
  answer: SliceAnswer | null,
  { panels, facets }: SliceRequest,
  ahead: boolean,
): void {
  const scope = useScope()
  const state = useEngineState()
  const opened = state.kind === 'ready' && state.opened.history ? state.opened : null
  const warmedRef = useRef<OpenedDataset | null>(null)
  useEffect(() => {
    if (!ahead || answer === null || panels.length === 0 || warmedRef.current === opened) return
    const { slice, linked } = answer
    if (opened === null || !answersHere(opened, scope, { linked })) return
    warmedRef.current = opened
    const requestsOf = (of: Slice, question: Linked): Request[] => [
      { linked: question },
      intervalsFor(of, question, panels),
      orderRequest(of.subject, whereIn(of), hasOnlyBounds(answer)),
    ]
    // A picked value gives its own view another filter than the rest: the statement has one more part.
    const picked = withFirstValue(answer, panels)
    void engine
      .now()
      ?.warmUpEngine([
        ...requestsOf(slice, linked),
        ...(picked === null ? [] : requestsOf(picked, linkedRequest(picked, panels, facets).linked)),
      ])
  }, [ahead, answer, opened, panels, facets, scope])
}

/** The slice of an answer with the first value of its first breakdown picked; `null` where it has no breakdown. */
function withFirstValue({ slice, linked, rows }: SliceAnswer, panels: readonly PanelSpec[]): Slice | null {
  for (const { kind, by } of panels) {
    const [dim] = by
    const row = kind === 'bars' && dim !== undefined ? rows[viewOf(linked, by)]?.[0] : undefined
    const value = row === undefined ? null : keyValue(dim!, textOrNull(row, 'key'))
    if (value !== null) return { ...slice, filter: withValues(slice.filter, dim!, [value]) }
  }
  return null
}
