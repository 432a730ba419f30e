import { randomBytes } from 'node:crypto'
import type { Language } from '../../domain/languages.ts'

interface PaymentRequest {
  orderId: string
  amountCents: number
  /** Name shown to the payer. */
  name: string
  language: Language
  expiresAt: Date
  /** URL to which the payer returns. */
  resultUrl: string
}

/** A payment event of a gateway, already verified to come from it. */
export type PaymentNotice =
  | {
      kind: 'paid'
      noticeId: string
      gatewayReference: string
      /** Order id given when the page was opened: finds an order whose page reference was never stored. */
      orderId: string | null
      paymentReference: string | null
      amountCents: number
      currency: string
    }
  | { kind: 'expired'; noticeId: string; gatewayReference: string; orderId: null }
  | { kind: 'refunded'; noticeId: string; paymentReference: string; orderId: string | null }
  | { kind: 'other'; noticeId: string }

/** Collects payments for orders. All methods are idempotent per order. */
export interface PaymentGateway {
  readonly name: 'sandbox' | 'stripe'
  /** Opens a page where the order can be paid. */
  open(request: PaymentRequest): Promise<{ reference: string; payUrl: string }>
  /** Closes that page. */
  close(reference: string): Promise<void>
  refund(order: { orderId: string; paymentReference: string | null; amountCents: number }): Promise<void>
}

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
