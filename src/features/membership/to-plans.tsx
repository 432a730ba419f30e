import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import layout from '../../ui/layout.module.css'

/** Link to the plans, for an empty list of purchases. */
export function ToPlans() {
  return (
    <Link className={layout.linkButton} to="/pages/race/viplist">
      <FormattedMessage id="order.toPlans" />
    </Link>
  )
}
