import { useNavigate } from 'react-router-dom'
import { logout } from '../../../contract/api/account.ts'
import { storeToken } from '../../data/client/session.ts'
import { call } from '../../data/client/call.ts'

/** Signs out, whatever the server's response. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  return () => {
    void call(logout, {})
      .catch(() => undefined)
      .finally(() => {
        storeToken(null)
        void navigate('/pages/common/exit')
      })
  }
}
