import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { AccountInfo } from '../../contract/api/account.ts'
import { fetchAccount } from './account-calls.ts'
import { useMinute } from './use-now.ts'
import { noteUser, useToken, wasVip } from './session.ts'
import { keyOf } from './keys.ts'

/** Who is signed in: account, vouchers, membership. */
export function useSession(): UseQueryResult<AccountInfo> {
  const token = useToken()
  return useQuery({
    queryKey: keyOf('account', token),
    queryFn: async ({ signal }) => {
      const found = await fetchAccount(signal)
      noteUser(found)
      return found
    },
    enabled: token !== null,
    staleTime: 60_000,
    retry: false,
    // Without a connection each screen that asks would begin anew, and what rests on the answer with it.
    retryOnMount: false,
  })
}

/** Makes everything that depends on the account be asked again. */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keyOf('account') })
}

/**
 * The token where its owner is VIP, `null` where files for everybody are all there is, `undefined` while that is not
 * known. Without a connection what was known last counts: only files that are on the device can be opened then.
 */
export function useVipToken(): string | null | undefined {
  const token = useToken()
  const { data, isError } = useSession()
  const now = useMinute()
  if (token === null) return null
  // By the clock: what was answered before VIP ended says nothing of now.
  if (data)
    return data.isVip === 1 && (data.vipEndTime === null || Date.parse(data.vipEndTime) > now) ? token : null
  if (!isError) return undefined
  return wasVip() ? token : null
}

/** Whether who reads is VIP; `undefined` while that is not known. */
export function useIsVip(): boolean | undefined {
  const token = useVipToken()
  return token === undefined ? undefined : token !== null
}
