import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { signOut } from '../../data/account-calls.ts'
import { storeToken } from '../../data/session.ts'

/** Ends the sign-in, whatever the server says to it. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const client = useQueryClient()
  return () => {
    void signOut()
      .catch(() => undefined)
      .finally(() => {
        storeToken(null)
        client.removeQueries({ queryKey: ['account'] })
        void client.invalidateQueries()
        void navigate('/pages/common/exit')
      })
  }
}
