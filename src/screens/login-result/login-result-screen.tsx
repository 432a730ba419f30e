import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { signInByLink } from '../../data/api-client.ts'
import { storeToken } from '../../data/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/panel.tsx'

/** Where a one-time link leads: its code is exchanged for a right, once. */
export function LoginResultScreen() {
  const [params, setParams] = useSearchParams()
  const format = useFormat()
  const code = params.get('link')
  const asked = useRef(false)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: signInByLink,
    onSuccess: ({ token }) => storeToken(token),
  })
  useEffect(() => {
    // React mounts twice in development, and a code works once.
    if (code === null || asked.current) return
    asked.current = true
    mutate(code)
    // A used code has no business in the history or in a shared address.
    setParams({}, { replace: true })
  }, [code, mutate, setParams])
  if (error) return <ErrorNotice error={error} />
  return (
    <Notice>
      <p role="status">
        {data ? (
          <FormattedMessage id="session.opened" values={{ until: format.instant(data.expiresAt) }} />
        ) : (
          <FormattedMessage id={isPending || code ? 'session.opening' : 'session.noCode'} />
        )}
      </p>
      <Link to="/pages/race/WinLossRecord">
        <FormattedMessage id="home.toRecord" />
      </Link>
    </Notice>
  )
}
