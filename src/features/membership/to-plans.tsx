import { FormattedMessage } from 'react-intl'
import { LinkButton } from '../../ui/layout.tsx'

/** Link to the plans, for an empty list of purchases. */
export function ToPlans() {
  return (
    <LinkButton to="/pages/race/viplist">
      <FormattedMessage id="order.toPlans" />
    </LinkButton>
  )
}
