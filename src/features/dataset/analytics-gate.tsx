import { useMemo, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { ScopeProvider, scopeOf } from '../../data/analytics/use-analytics.ts'
import { useManifest, useRegion } from '../../data/use-region.ts'
import { useToken } from '../../data/client/session.ts'
import { useVipToken } from '../../data/use-session.ts'
import { PageTitle, Stack } from '../../ui/layout.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import styles from './analytics-gate.module.css'

const MANIFEST_MS = 60_000

/** The scope of the user's region and access, of a manifest that is read again at an interval; `null` until both are known. */
export function useReaderScope(everyMs: number | false = MANIFEST_MS) {
  const { region } = useRegion()
  const manifest = useManifest(everyMs)
  const token = useVipToken()
  const signedIn = useToken()
  const { data } = manifest
  const scope = useMemo(
    () =>
      data && region && token !== undefined
        ? scopeOf(data, region.id, token !== null, token === null ? signedIn : null)
        : null,
    [data, region, token, signedIn],
  )
  return { scope, manifest }
}

interface AnalyticsGateProps {
  /** Message id of the screen's heading, which an error is shown below; none if the children have no heading. */
  title?: string
  children: ReactNode
}

/** Renders its children once the manifest and the user's access are known. */
export function AnalyticsGate({ title, children }: AnalyticsGateProps) {
  const { scope, manifest } = useReaderScope()
  if (manifest.error && !manifest.data)
    return (
      <Stack>
        {title === undefined ? null : <PageTitle title={title} />}
        <ErrorNotice error={manifest.error} onRetry={() => void manifest.refetch()} />
      </Stack>
    )
  if (!scope) {
    return (
      <div className={styles.opening}>
        <p role="status">
          <FormattedMessage id="dataset.opening" />
        </p>
        <Skeleton height={96} />
        <Skeleton height={280} />
      </div>
    )
  }
  return <ScopeProvider value={scope}>{children}</ScopeProvider>
}
