import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useToken } from '../../data/session.ts'

/**
 * Whoever signs in or out, here or in another tab: what was asked for the one before is forgotten, and asked anew for
 * the one who reads now.
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
