import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import styles from './facts.module.css'

export type Fact = readonly [message: string, value: ReactNode]

/** Names and values side by side: each child is a `div` with a `dt` and a `dd`. */
export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className={styles.facts}>{children}</dl>
)

/** Names and values; an unknown value is shown as a dash, never omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <FactList>
      {facts.map(([message, value]) => (
        <div key={message}>
          <dt>
            <FormattedMessage id={message} />
          </dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </FactList>
  )
}
