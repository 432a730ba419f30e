import type { Language } from '../messages.ts'

export interface PaymentRequest {
  orderId: string
  amountCents: number
  /** What the payer reads. */
  name: string
  language: Language
  expiresAt: Date
  /** Where the payer comes back to. */
  resultUrl: string
}

/** What a gateway tells about money, already proven to come from it. */
export type PaymentNotice =
  | {
      kind: 'paid'
      noticeId: string
      gatewayReference: string
      /** As named when the page was opened: finds an order whose page's reference was never stored. */
      orderId: string | null
      paymentReference: string | null
      amountCents: number
      currency: string
    }
  | { kind: 'expired'; noticeId: string; gatewayReference: string; orderId: null }
  | { kind: 'refunded'; noticeId: string; paymentReference: string; orderId: string | null }
  | { kind: 'other'; noticeId: string }

/** Takes money for orders. Every method may be called again for the same order with the same effect. */
export interface PaymentGateway {
  readonly name: 'sandbox' | 'stripe'
  /** Opens a page where the order can be paid. */
  open(request: PaymentRequest): Promise<{ reference: string; payUrl: string }>
  /** Closes that page. */
  close(reference: string): Promise<void>
  refund(order: { orderId: string; paymentReference: string | null; amountCents: number }): Promise<void>
}
