import type { PaymentGateway } from '../gateways/payment.ts'
import type { SmsGateway } from '../gateways/sms.ts'
import type { Database } from '../store/database.ts'
import type { Keys } from './keys.ts'

/** What the rules work with: everything that is not the rules' own is given to them. */
export interface Service {
  database: Database
  keys: Keys
  /** The server's clock. */
  now: () => Date
  sms: SmsGateway
  /** `null`: payment is not set up. */
  payment: PaymentGateway | null
  /** Public address of the site, without a slash at its end. */
  siteUrl: () => string
  /** Does something behind the answer; a failure is logged under `name`. */
  behind: (name: string, work: () => Promise<void>) => void
}
