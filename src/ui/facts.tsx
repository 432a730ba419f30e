import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import styles from './layout.module.css'

export type Fact = readonly [message: string, value: ReactNode]

/** Names and values; an unknown value is shown as a dash, never omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([message, value]) => (
        <div key={message}>
          <dt>
            <FormattedMessage id={message} />
          </dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
