import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FormattedMessage } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { linkSignIn } from '../../../contract/api/account.ts'
import { storeToken } from '../../data/client/session.ts'
import { ErrorNotice, Notice } from '../../ui/panel.tsx'
import { Stack, TextLink } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

/** Signs in with the one-time code in the address. */
export function LoginResultScreen() {
  const [params, setParams] = useSearchParams()
  const code = params.get('link')
  const requested = useRef(false)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (given: string) => call(linkSignIn, { code: given }),
    onSuccess: (given) => storeToken(given.token),
  })
  useEffect(() => {
    // React mounts twice in development, and a code works only once.
    if (code === null || requested.current) return
    requested.current = true
    mutate(code)
    // A code must not remain in the history or in a shared address.
    setParams({}, { replace: true })
  }, [code, mutate, setParams])
  return (
    <Stack as="section">
      <FormattedMessage id="title.login" tagName="h1" />
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <Notice>
          <p role="status">
            {data ? (
              <FormattedMessage id="session.opened" values={{ account: data.userInfo.username }} />
            ) : (
              <FormattedMessage id={isPending || code ? 'session.opening' : 'session.noCode'} />
            )}
          </p>
          <TextLink to="/pages/race/WinLossRecord" text="home.toRecord" />
        </Notice>
      )}
    </Stack>
  )
}
