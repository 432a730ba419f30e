import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import layout from '../../ui/layout.module.css'

/** The way to the plans, where a list of what was bought is empty. */
export function ToPlans() {
  return (
    <Link className={layout.linkButton} to="/pages/race/viplist">
      <FormattedMessage id="order.toPlans" />
    </Link>
  )
}
