import { randomBytes } from 'node:crypto'
import type { PaymentGateway } from './payment.ts'

export const SANDBOX_PATH = '/trade/sandbox'

/** Our own page that approves or declines; no money moves. Anyone with the page's URL can decide. */
export const sandboxGateway = (): PaymentGateway & { readonly name: 'sandbox' } => ({
  name: 'sandbox',
  open: async () => {
    const reference = randomBytes(24).toString('base64url')
    return { reference, payUrl: `${SANDBOX_PATH}/${reference}` }
  },
  close: async () => {},
  refund: async () => {},
})
