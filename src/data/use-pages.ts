import { useInfiniteQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { NextPage } from '../ui/load-more.tsx'
import { call, type InputOf, type ScopeOf, type TypedCall, keyOf } from './client/call.ts'

/** Rows per page (specification section 9). */
export const PAGE_SIZE = 10

type PagedCall = TypedCall<unknown[] | { records: unknown[]; total: number }>

interface Page<Row> {
  rows: Row[]
  /** Rows of all pages; `null` if the call does not tell it. */
  total: number | null
}
type RowOf<Of extends PagedCall> = RowsOf<z.output<Of['result']>>[number]
type RowsOf<Result> = Result extends { records: infer Rows extends unknown[] }
  ? Rows
  : Extract<Result, unknown[]>

/**
 * A list of a call that grows page by page, from page 1; it ends with the last of all rows, or, if their number is not
 * told, with a page that is not full. `null` as input makes no request. `scope`: what the rows depend on besides the input.
 *
 * @example usePages(queryNotes, { countryRegionId }, token)
 */
export function usePages<Of extends PagedCall>(
  endpoint: Of,
  input: Omit<InputOf<Of>, 'pageNo'> | null,
  ...scope: ScopeOf<Of>
) {
  const query = useInfiniteQuery({
    queryKey: keyOf(endpoint, input, 'pages', ...scope),
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const result = await call(endpoint, { ...input, pageNo: pageParam } as unknown as InputOf<Of>, signal)
      return pageOf<RowOf<Of>>(result)
    },
    getNextPageParam: ({ rows, total }, pages) => {
      const isLast =
        total === null
          ? rows.length < PAGE_SIZE
          : pages.reduce((sum, page) => sum + page.rows.length, 0) >= total || rows.length === 0
      return isLast ? undefined : pages.length + 1
    },
    staleTime: 60_000,
    retry: 1,
    enabled: input !== null,
  })
  return {
    rows: query.data?.pages.flatMap(({ rows }) => rows) ?? [],
    /** The list was answered and has no rows. Before an answer, and without one, nothing is known of it. */
    isEmpty: query.isSuccess && query.data.pages.every(({ rows }) => rows.length === 0),
    /** Why there are no rows; a next page that could not be loaded is `moreError`. */
    error: query.data === undefined ? query.error : null,
    moreError: query.isFetchNextPageError ? query.error : null,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    retry: (): void => void query.refetch(),
    loadMore: async (): Promise<NextPage> => {
      const { data, isError } = await query.fetchNextPage()
      if (isError) return 'failed'
      return (data?.pages.at(-1)?.rows.length ?? 0) > 0 ? 'rows' : 'nothing'
    },
  }
}

function pageOf<Row>(result: unknown): Page<Row> {
  if (Array.isArray(result)) return { rows: result as Row[], total: null }
  const { records, total } = result as { records: Row[]; total: number }
  return { rows: records, total }
}
