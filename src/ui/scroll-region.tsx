import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import layout from './layout.module.css'

/** What may be wider than its place and scrolls sideways by itself; `label` is the message that names it. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  const intl = useIntl()
  return (
    <div className={layout.scroll} tabIndex={0} role="region" aria-label={intl.formatMessage({ id: label })}>
      {children}
    </div>
  )
}
