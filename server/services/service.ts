import type { PaymentGateway } from '../gateways/payment.ts'
import type { SmsGateway } from '../gateways/sms.ts'
import type { Database, Queries } from '../store/database.ts'
import type { Keys } from './keys.ts'
import type { PictureReader } from './picture-reader.ts'

/** What the rules work with: everything that is not the rules' own is given to them. */
export interface Service {
  database: Database
  /** What is the same for everybody is read here: a standby that is hardly behind, or the database itself. */
  reader: Queries
  keys: Keys
  /** The server's clock. */
  now: () => Date
  sms: SmsGateway
  pictures: PictureReader
  /** `null`: payment is not set up. */
  payment: PaymentGateway | null
  /** Public address of the site, without a slash at its end. */
  siteUrl: () => string
  /** Writes a line of a failed sign-in or a change of credentials to the log: the bare key of the account, no name. */
  logSecurity: (kind: string, customerId: string | null) => void
  /** Runs work without keeping the answer waiting; a failure is logged and counted under `name`. */
  runInBackground: (name: string, work: () => Promise<void>) => void
}
