import { Check } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Plan } from '../../../contract/api/trade.ts'
import { useFormat } from '../../i18n/format.ts'
import { ScrollRegion, Table, TextCell } from '../../ui/layout.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './membership.module.css'

interface PlansProps {
  plans: readonly Plan[]
  chosen: string | null
  /** How many races a season has; `null` if that is not known. */
  racesPerYear: number | null
  onChoose(id: string): void
}

const MONTHS = 12

/** Selects one of the VIP plans. */
export function Plans({ plans, chosen, racesPerYear, onChoose }: PlansProps) {
  const intl = useIntl()
  const format = useFormat()
  return (
    <fieldset className={styles.plans}>
      <legend className={styles.legend}>{intl.formatMessage({ id: 'vip.choosePlan' })}</legend>
      {plans.map((plan) => (
        <label key={plan.id} className={styles.plan}>
          <input
            type="radio"
            name="plan"
            value={plan.id}
            checked={plan.id === chosen}
            onChange={() => onChoose(plan.id)}
          />
          <span className={styles.planHead}>
            <strong>{plan.name}</strong>
            {plan.discount < 1 ? (
              <span className={styles.off}>
                <FormattedMessage
                  id="vip.off"
                  values={{
                    off: format.percent(1 - plan.discount, 0),
                    tenths: format.discountTenths(plan.discount),
                  }}
                />
              </span>
            ) : null}
          </span>
          <span className={styles.price}>{format.hkd(plan.sellingPrice)}</span>
          {plan.price === plan.sellingPrice ? null : (
            <span className={styles.old}>
              <s>{format.hkd(plan.price)}</s>
            </span>
          )}
          <span className={styles.monthly}>
            <FormattedMessage
              id="vip.monthly"
              values={{ price: format.hkd(plan.monthlyPrice), months: plan.length }}
            />
          </span>
          {racesPerYear === null ? null : (
            <span className={styles.monthly}>
              <FormattedMessage
                id="vip.perRace"
                values={{
                  price: format.hkdCents(
                    Math.round((Number(plan.sellingPrice) * 100 * MONTHS) / plan.length / racesPerYear),
                  ),
                }}
              />
            </span>
          )}
          <Check aria-hidden="true" className={styles.check} size={18} />
        </label>
      ))}
    </fieldset>
  )
}

const BENEFITS = [
  'vip.benefit.predictions',
  'vip.benefit.history',
  'vip.benefit.list',
  'vip.benefit.numbers',
] as const

/** The benefits of VIP. */
export function Benefits() {
  return (
    <section className={styles.benefits}>
      <FormattedMessage id="vip.benefits" tagName="h2" />
      <ul>
        {BENEFITS.map((id) => (
          <li key={id}>
            <Check aria-hidden="true" size={18} />
            <FormattedMessage id={id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const WAYS = ['free', 'voucher', 'vip'] as const
const OFFERS = ['results', 'predictions', 'tips', 'record', 'price'] as const

/** What is open to everybody, what a voucher adds, and what VIP adds. */
export function Comparison() {
  return (
    <Panel title={<FormattedMessage id="vip.compare" />}>
      <ScrollRegion label="vip.compare">
        <Table className={styles.comparison}>
          <thead>
            <tr>
              {WAYS.map((way) => (
                <TextCell key={way} as="th" scope="col">
                  <FormattedMessage id={`vip.compare.${way}`} />
                </TextCell>
              ))}
            </tr>
          </thead>
          {OFFERS.map((offer) => (
            <tbody key={offer}>
              <tr>
                <TextCell as="th" scope="rowgroup" colSpan={WAYS.length}>
                  <FormattedMessage id={`vip.compare.${offer}`} />
                </TextCell>
              </tr>
              <tr>
                {WAYS.map((way) => (
                  <TextCell key={way}>
                    <FormattedMessage id={`vip.compare.${offer}.${way}`} />
                  </TextCell>
                ))}
              </tr>
            </tbody>
          ))}
        </Table>
      </ScrollRegion>
    </Panel>
  )
}
