import { FormattedMessage } from 'react-intl'

interface BetweenProps {
  interval: { low: number; high: number }
  show(value: number): string
}

/** An interval as text. */
export const Between = ({ interval, show }: BetweenProps) => (
  <FormattedMessage id="workspace.between" values={{ low: show(interval.low), high: show(interval.high) }} />
)
