import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import styles from './scroll-region.module.css'

interface ScrollAreaProps {
  /** Its name for screen readers. */
  name: string
  /** A region is a landmark; what is inside one already is only a group. */
  role?: 'region' | 'group'
  className?: string | undefined
  children: ReactNode
}

/** Content that may be larger than its container and scrolls, also with the keyboard. */
export const ScrollArea = ({
  name,
  role = 'region',
  className = styles.scroll,
  children,
}: ScrollAreaProps) => (
  <div className={className} tabIndex={0} role={role} aria-label={name}>
    {children}
  </div>
)

interface ScrollRegionProps {
  /** The message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  children: ReactNode
}

/** A scroll area whose name is a message. */
export function ScrollRegion({ label, values, children }: ScrollRegionProps) {
  const intl = useIntl()
  return <ScrollArea name={intl.formatMessage({ id: label }, values)}>{children}</ScrollArea>
}
