import { LinkButton } from '../../ui/layout.tsx'

/** Link to the plans, for an empty list of purchases. */
export function ToPlans() {
  return <LinkButton to="/pages/race/viplist" text="order.toPlans" />
}
