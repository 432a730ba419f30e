import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { keyOf } from '../../data/client/keys.ts'
import { useToken } from '../../data/client/session.ts'
import { fetchSavedViews, type SavedView } from '../../data/calls/view-calls.ts'

/** The user's saved views of a region, in order. */
export function useSavedViews(regionId: string | null): UseQueryResult<SavedView[]> {
  const token = useToken()
  return useQuery({
    queryKey: keyOf('saved-views', token, regionId),
    queryFn: ({ signal }) => fetchSavedViews(regionId!, signal),
    enabled: token !== null && regionId !== null,
    retry: 1,
  })
}
