import { randomBytes } from 'node:crypto'
import type { PaymentGateway } from './payment.ts'

export const SANDBOX_PATH = '/trade/sandbox'

/** A page of our own that approves or declines; no money moves. Who has the address of the page decides. */
export const sandboxGateway = (): PaymentGateway & { readonly name: 'sandbox' } => ({
  name: 'sandbox',
  open: async () => {
    const reference = randomBytes(24).toString('base64url')
    return { reference, payUrl: `${SANDBOX_PATH}/${reference}` }
  },
  close: async () => {},
  refund: async () => {},
})
