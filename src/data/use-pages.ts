import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query'

/** Rows per page (specification section 9). */
export const PAGE_SIZE = 10

interface Pages<Row> {
  rows: Row[]
  error: Error | null
  isPending: boolean
  hasMore: boolean
  loading: boolean
  retry(): void
  /** Loads the next page; returns whether it had any rows. */
  loadMore(): Promise<boolean>
}

/** A list that grows page by page, from page 1; it ends with a page that is not full. */
export function usePages<Row>(
  key: QueryKey,
  fetchPage: (pageNo: number, signal: AbortSignal) => Promise<readonly Row[]>,
  enabled = true,
): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length + 1),
    staleTime: 60_000,
    retry: 1,
    enabled,
  })
  return {
    rows: query.data?.pages.flat() ?? [],
    error: query.error,
    isPending: query.isPending,
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    retry: () => void query.refetch(),
    loadMore: async () => {
      const { data } = await query.fetchNextPage()
      return (data?.pages.at(-1)?.length ?? 0) > 0
    },
  }
}
