import { memo, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { visitLog } from '../../contract/api/site.ts'
import { call } from '../data/client/call.ts'
import { clientId } from '../data/client/device.ts'
import { useToken } from '../data/client/session.ts'
import { pageLabel } from '../data/pages.ts'
import { useSession } from '../data/use-session.ts'

/** What the page itself asks for comes first. */
const DELAY_MS = 2000
/** The specification's name of the site among its clients. */
const CHANNEL = 'h5'

/** Reports each visited page once, with the account of a signed-in customer; the server checks whose it is. */
export const VisitLog = () => <PageLog page={pageLabel(useLocation().pathname)} />

/** Separate, because a gesture in the workspace changes the address, but not the page. */
const PageLog = memo(function PageLog({ page }: { page: string }) {
  const token = useToken()
  const { data: account } = useSession()
  // Whose visit it is may be known only later than the page.
  const isKnown = token === null || account !== undefined
  const logged = useRef<string | null>(null)
  useEffect(() => {
    if (!isKnown || logged.current === page) return
    logged.current = page
    const who = account && token !== null ? { accountId: account.id, account: account.account } : {}
    setTimeout(() => {
      // If the visit cannot be logged, the user does not need to know.
      call(visitLog, { clientId: clientId(), page, channel: CHANNEL, ...who }).catch(() => undefined)
    }, DELAY_MS)
  }, [page, isKnown, token, account])
  return null
})
