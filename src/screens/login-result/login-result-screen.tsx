import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link, useSearchParams } from 'react-router-dom'
import { fetchSession, signInByLink } from '../../data/api-client.ts'
import { storeToken } from '../../data/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/panel.tsx'

/** What an address brings: a one-time link's code, exchanged for a right once, or the operator's token itself. */
async function signIn({ code, token }: { code: string | null; token: string | null }) {
  if (token === null) return signInByLink(code ?? '')
  return { ...(await fetchSession(undefined, token)), token }
}

export function LoginResultScreen() {
  const [params, setParams] = useSearchParams()
  const format = useFormat()
  const code = params.get('link')
  const token = params.get('token')
  const asked = useRef(false)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: (given) => storeToken(given.token),
  })
  useEffect(() => {
    // React mounts twice in development, and a code works once.
    if ((code === null && token === null) || asked.current) return
    asked.current = true
    mutate({ code, token })
    // A code or a token has no business in the history or in a shared address.
    setParams({}, { replace: true })
  }, [code, token, mutate, setParams])
  if (error) return <ErrorNotice error={error} />
  return (
    <Notice>
      <p role="status">
        {data ? (
          <FormattedMessage id="session.opened" values={{ until: format.instant(data.expiresAt) }} />
        ) : (
          <FormattedMessage id={isPending || code || token ? 'session.opening' : 'session.noCode'} />
        )}
      </p>
      <Link to="/pages/race/WinLossRecord">
        <FormattedMessage id="home.toRecord" />
      </Link>
    </Notice>
  )
}
