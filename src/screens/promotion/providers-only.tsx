import type { ReactNode } from 'react'
import type { AccountInfo } from '../../../contract/api/account.ts'
import { useSession } from '../../data/use-session.ts'
import { LinkButton } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'

interface ProvidersOnlyProps {
  /** Reserved until it is known whether the user is a provider. */
  height: number
  children(account: AccountInfo): ReactNode
}

/** What only a provider of the promotion service sees; others get a link to apply. */
export function ProvidersOnly({ height, children }: ProvidersOnlyProps) {
  const { data, error, refetch } = useSession()
  return (
    <>
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {data?.isPromotionServiceProvider === 1 ? children(data) : null}
      {data?.isPromotionServiceProvider === 0 ? (
        <Empty action={<LinkButton to="/pages/user/apply" text="title.apply" />} text="error.not-provider" />
      ) : null}
      {data || error ? null : <Skeleton height={height} />}
    </>
  )
}
