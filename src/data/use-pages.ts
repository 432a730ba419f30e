import { useInfiniteQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, type InputOf, type TypedCall, keyOf } from './client/call.ts'

/** Rows per page (specification section 9). */
export const PAGE_SIZE = 10

type PagedCall = TypedCall<unknown[] | { records: unknown[] }>
type RowOf<Of extends PagedCall> = RowsOf<z.output<Of['result']>>[number]
type RowsOf<Result> = Result extends { records: infer Rows extends unknown[] }
  ? Rows
  : Extract<Result, unknown[]>

/**
 * A list of a call that grows page by page, from page 1; it ends with a page that is not full. `null` as input makes
 * no request. `scope`: what the rows depend on besides the input, as the language and the token.
 *
 * @example usePages(queryNotes, { countryRegionId }, token)
 */
export function usePages<Of extends PagedCall>(
  endpoint: Of,
  input: Omit<InputOf<Of>, 'pageNo'> | null,
  ...scope: readonly (string | null | undefined)[]
) {
  const query = useInfiniteQuery({
    queryKey: keyOf(endpoint, input, 'pages', ...scope),
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const result = await call(endpoint, { ...input, pageNo: pageParam } as unknown as InputOf<Of>, signal)
      return rowsOf<RowOf<Of>>(result)
    },
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length + 1),
    staleTime: 60_000,
    retry: 1,
    enabled: input !== null,
  })
  return {
    rows: query.data?.pages.flat() ?? [],
    error: query.error,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    retry: (): void => void query.refetch(),
    /** Loads the next page; returns whether it had any rows. */
    loadMore: async (): Promise<boolean> => {
      const { data } = await query.fetchNextPage()
      return (data?.pages.at(-1)?.length ?? 0) > 0
    },
  }
}

const rowsOf = <Row>(result: unknown): Row[] =>
  Array.isArray(result) ? (result as Row[]) : (result as { records: Row[] }).records
