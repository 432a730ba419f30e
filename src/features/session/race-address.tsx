import { useEffect, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { useToken } from '../../data/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { showToast, TOAST_MS } from '../../ui/toast.tsx'

interface RaceAddressProps {
  /** Whether the screen has something for who is not signed in. */
  visitors?: boolean
  children(raceId: string): ReactNode
}

/** Screens of one race: the race that the address names. Visitors are told and led to sign-in where nothing is for them. */
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
  if (!/^[A-Z]{5}\d{10}$/.test(raceId))
    return (
      <Empty>
        <FormattedMessage id="error.no-such-race" />
      </Empty>
    )
  return children(raceId)
}
