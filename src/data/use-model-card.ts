import { useQuery } from '@tanstack/react-query'
import { queryModelCard } from '../../contract/api/model.ts'
import { queryFor } from './client/call.ts'
import { useToken } from './client/session.ts'
import { useRegion } from './use-region.ts'
import { useIsVip } from './use-session.ts'

/** The model card of the user's region, for VIPs; others are not asked for it. */
export function useModelCard() {
  const { region } = useRegion()
  const isVip = useIsVip()
  const token = useToken()
  return useQuery({
    ...queryFor(queryModelCard, isVip && region ? { countryRegionId: region.id } : null, token),
    staleTime: 60_000,
    retry: 1,
  })
}
