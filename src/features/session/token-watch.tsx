import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useToken } from '../../data/client/session.ts'

/**
 * When a user signs in or out, here or in another tab, discards the data of the previous user and
 * refetches it for the current one.
 */
export function TokenWatch() {
  const client = useQueryClient()
  const token = useToken()
  const before = useRef(token)
  useEffect(() => {
    if (before.current === token) return
    before.current = token
    void client.resetQueries()
  }, [client, token])
  return null
}
