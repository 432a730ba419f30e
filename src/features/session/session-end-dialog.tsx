import { useEffect, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { useLocation, useNavigate } from 'react-router-dom'
import { loginPath } from '../../data/login-path.ts'
import { onSessionEnded, useToken } from '../../data/client/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'

/** Delay of the alert after the session has ended (specification section 8). */
const DELAY_MS = 1000

/** States that the session has ended, and leads to sign-in. */
export function SessionEndDialog() {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const place = useRef(pathname + search)
  const [left, setLeft] = useState('/')
  useEffect(() => {
    place.current = pathname + search
  }, [pathname, search])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onSessionEnded(() => {
      // Stored before a screen that requires a sign-in redirects.
      setLeft(place.current)
      clearTimeout(timer)
      timer = setTimeout(() => setOpen(true), DELAY_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  const close = (): void => setOpen(false)
  return (
    <Dialog
      open={open}
      onClose={close}
      title={<FormattedMessage id="session.expired" />}
      actions={
        <>
          <Button onClick={close} text="session.goOn" />
          <Button
            primary
            data-first-focus=""
            onClick={() => {
              close()
              void navigate(loginPath(left))
            }}
            text="session.signIn"
          />
        </>
      }
    >
      <FormattedMessage id="session.expiredHint" tagName="p" />
    </Dialog>
  )
}

/**
 * When a user signs in or out, here or in another tab, discards the data of the previous user and
 * refetches it for the current one.
 */
export function TokenWatch() {
  const client = useQueryClient()
  const token = useToken()
  const before = useRef(token)
  useEffect(() => {
    if (before.current === token) return
    before.current = token
    void client.resetQueries()
  }, [client, token])
  return null
}
