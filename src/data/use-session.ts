import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../contract/api/account.ts'
import { fetchSession } from './api-client.ts'
import { isCode } from './errors.ts'
import { noteUser, storeToken, useToken, wasVip } from './session.ts'

/** Who is signed in. A token that has ended is dropped at once. */
export function useSession(): UseQueryResult<Session> {
  const token = useToken()
  const session = useQuery({
    queryKey: ['session', token],
    queryFn: async ({ signal }) => {
      const found = await fetchSession(signal)
      noteUser(found)
      return found
    },
    enabled: token !== null,
    retry: false,
    networkMode: 'always',
  })
  const ended = isCode(session.error, 'session-ended')
  useEffect(() => {
    if (ended) storeToken(null)
  }, [ended])
  return session
}

/**
 * The token where its owner is VIP, `null` where files for everybody are all there is, `undefined` while that is not
 * known. Without a connection what was known last counts: only files that are on the device can be opened then.
 */
export function useVipToken(): string | null | undefined {
  const token = useToken()
  const { data, isError } = useSession()
  if (token === null) return null
  if (data) return data.isVip === 1 ? token : null
  if (!isError) return undefined
  return wasVip() ? token : null
}
