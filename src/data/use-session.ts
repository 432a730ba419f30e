import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { userInfo, type AccountInfo } from '../../contract/api/account.ts'
import { useMinute } from './use-now.ts'
import { noteUser, useToken, wasVip, type Token } from './client/session.ts'
import { keyOf, call } from './client/call.ts'

/** The signed-in user: account, vouchers, membership. */
export function useSession(): UseQueryResult<AccountInfo> {
  const token = useToken()
  return useQuery({
    queryKey: keyOf(userInfo, {}, token),
    queryFn: async ({ signal }) => {
      const found = await call(userInfo, {}, signal)
      noteUser(found)
      return found
    },
    enabled: token !== null,
    staleTime: 60_000,
    retry: false,
    // Otherwise, without a connection, every screen that mounts would retry, and reset what
    // depends on the response.
    retryOnMount: false,
  })
}

/** Vouchers that an account can use today. */
export const vouchersLeft = (account: AccountInfo | undefined): number =>
  (account?.everyDayFreeNum ?? 0) + (account?.subscribeFreeNum ?? 0)

/** Refetches the account. */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keyOf(userInfo) })
}

/**
 * The token if its owner is VIP; `null` if only public files are available; `undefined` while
 * that is unknown. Without a connection the last known status counts: only files that are on the
 * device can be opened then.
 */
export function useVipToken(): Token | null | undefined {
  const token = useToken()
  const { data, isError } = useSession()
  const now = useMinute()
  if (token === null) return null
  // Checks the clock, because a response from before VIP ended may be outdated.
  if (data)
    return data.isVip === 1 && (data.vipEndTime === null || Date.parse(data.vipEndTime) > now) ? token : null
  if (!isError) return undefined
  return wasVip() ? token : null
}

/** Whether the user is VIP; `undefined` while that is unknown. */
export function useIsVip(): boolean | undefined {
  const token = useVipToken()
  return token === undefined ? undefined : token !== null
}
