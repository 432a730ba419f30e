import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useToken } from '../../data/client/session.ts'
import { querySavedViews, type SavedView } from '../../../contract/api/view.ts'
import { queryFor } from '../../data/client/call.ts'

/** The user's saved views of a region, in order. */
export function useSavedViews(regionId: string | null): UseQueryResult<SavedView[]> {
  const token = useToken()
  const of = token === null || regionId === null ? null : { countryRegionId: regionId }
  return useQuery({ ...queryFor(querySavedViews, of, token), retry: 1 })
}
