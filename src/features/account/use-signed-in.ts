import { useIntl } from 'react-intl'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { SignedIn } from '../../../contract/api/account.ts'
import { backPath } from '../../data/login-path.ts'
import { storeToken } from '../../data/client/session.ts'
import { showToast } from '../../ui/toast.tsx'

/** Handles a sign-in: stores the token, refetches everything as its owner, and returns to the previous page. */
export function useSignedIn(target?: string): (signedIn: SignedIn) => void {
  const intl = useIntl()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  return ({ token, userInfo }) => {
    storeToken(token)
    showToast(intl.formatMessage({ id: 'session.opened' }, { account: userInfo.username }), 'good')
    void navigate(target ?? backPath(params.get('back')), { replace: true })
  }
}
