import type { PaymentGateway } from '../gateways/payment.ts'
import type { SmsGateway } from '../gateways/sms.ts'
import type { Database, Queries } from '../db/database.ts'
import type { Keys } from '../db/keys.ts'
import type { pictureReader } from './picture-reader.ts'

/** Dependencies of the business rules. */
export interface Service {
  database: Database
  /** For reads that are the same for all clients: a nearly up-to-date standby, or the database itself. */
  reader: Queries
  keys: Keys
  /** The server's clock. */
  now: () => Date
  sms: SmsGateway
  /** Most codes texted within an hour to devices on which nobody has signed in, so that strangers' cost has a bound. */
  textsPerHour: number
  pictures: ReturnType<typeof pictureReader>
  /** `null`: payment is not configured. */
  payment: PaymentGateway | null
  /** Public URL of the site, without a trailing slash. */
  siteUrl: () => string
  /** Logs a failed sign-in or a change of credentials, with the account's id but no name. */
  logSecurity: (kind: string, customerId: string | null) => void
  /** Runs work without delaying the response; a failure is logged and counted under `name`. */
  runInBackground: (name: string, work: () => Promise<void>) => void
}
