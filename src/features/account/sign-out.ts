import { useNavigate } from 'react-router-dom'
import { signOut } from '../../data/calls/account-calls.ts'
import { storeToken } from '../../data/client/session.ts'

/** Signs out, whatever the server's response. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  return () => {
    void signOut()
      .catch(() => undefined)
      .finally(() => {
        storeToken(null)
        void navigate('/pages/common/exit')
      })
  }
}
