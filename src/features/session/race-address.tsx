import { useEffect, type ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { useLocation, useNavigate, useSearchParams, Navigate } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { useToken } from '../../data/client/session.ts'
import { isCode } from '../../data/client/errors.ts'
import { NotHere } from '../../ui/not-here.tsx'
import { ErrorNotice } from '../../ui/panel.tsx'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'

interface RaceAddressProps {
  /** Whether the screen has content for visitors. */
  visitors?: boolean
  children(raceId: string): ReactNode
}

/**
 * Wraps screens of one race and reads its id from the address. Where visitors have no access, a message is
 * shown and they are redirected to sign-in.
 */
export function RaceAddress({ visitors = false, children }: RaceAddressProps) {
  const [params] = useSearchParams()
  const raceId = params.get('id') ?? ''
  const admitted = useToken() !== null || visitors
  const intl = useIntl()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (admitted) return
    showToast(intl.formatMessage({ id: 'error.signed-out' }), 'plain', TOAST_MS.long)
    void navigate(loginPath(pathname + search), { replace: true })
  }, [admitted, intl, navigate, pathname, search])
  if (!admitted) return null
  if (!/^[A-Z]{5}\d{10}$/.test(raceId)) return <NotHere title="error.no-such-race" />
  return children(raceId)
}

/** Why a race could not be loaded; one that does not exist is never found by trying again. */
export const RaceError = ({ error, onRetry }: { error: unknown; onRetry(): void }) =>
  isCode(error, 'no-such-race') ? (
    <NotHere title="error.no-such-race" />
  ) : (
    <ErrorNotice error={error} onRetry={onRetry} />
  )

/** Redirects to sign-in, which leads back here. */
export function RequireSignIn({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  return useToken() === null ? <Navigate to={loginPath(pathname + search)} replace /> : children
}
