import { useNavigate } from 'react-router-dom'
import { signOut } from '../../data/account-calls.ts'
import { storeToken } from '../../data/session.ts'

/** Ends the sign-in, whatever the server says to it. */
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
