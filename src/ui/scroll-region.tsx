import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import layout from './layout.module.css'

interface ScrollRegionProps {
  /** The message that names it, and what is put into it. */
  label: string
  values?: Readonly<Record<string, string>>
  children: ReactNode
}

/** What may be wider than its place and scrolls sideways by itself. */
export function ScrollRegion({ label, values, children }: ScrollRegionProps) {
  const intl = useIntl()
  return (
    <div
      className={layout.scroll}
      tabIndex={0}
      role="region"
      aria-label={intl.formatMessage({ id: label }, values)}
    >
      {children}
    </div>
  )
}
