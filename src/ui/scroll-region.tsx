import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import layout from './layout.module.css'

interface ScrollRegionProps {
  /** The message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  children: ReactNode
}

/** Content that may be wider than its container and scrolls horizontally. */
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
