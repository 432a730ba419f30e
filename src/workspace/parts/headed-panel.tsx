import type { HTMLAttributes, ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import panelStyles from './panel.module.css'

interface HeadedPanelProps extends HTMLAttributes<HTMLElement> {
  /** Message id of its heading. */
  heading: string
  /** What follows the heading on its line. */
  beside?: ReactNode
}

/** A panel with a heading. */
export const HeadedPanel = ({ heading, beside, children, ...rest }: HeadedPanelProps) => (
  <section className={panelStyles.panel} {...rest}>
    <div className={panelStyles.head}>
      <FormattedMessage id={heading} tagName="h2" />
      {beside}
    </div>
    {children}
  </section>
)
