import Stripe from 'stripe'
import { FurlongError } from '../../domain/errors.ts'
import { LANGUAGE_RULES } from '../../domain/languages.ts'
import type { PaymentGateway, PaymentNotice } from './payment.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Another URL of the API, for tests against a substitute. */
  apiUrl?: string | undefined
}

export interface StripeGateway extends PaymentGateway {
  readonly name: 'stripe'
  /** Reads a webhook's body. Throws `bad-signature` unless Stripe recently signed exactly these bytes. */
  readNotice(body: Buffer, signature: string): Promise<PaymentNotice>
}

/** Stripe Checkout (https://docs.stripe.com/api/checkout/sessions), signed webhooks, idempotency keys. */
export function stripeGateway({ secretKey, webhookSecret, apiUrl }: StripeSettings): StripeGateway {
  const api = apiUrl === undefined ? null : new URL(apiUrl)
  const stripe = new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 2,
    timeout: 20_000,
    ...(api && {
      host: api.hostname,
      port: Number(api.port) || (api.protocol === 'http:' ? 80 : 443),
      protocol: api.protocol === 'http:' ? 'http' : 'https',
    }),
  })
  return {
    name: 'stripe',
    open: async ({ orderId, amountCents, name, language, expiresAt, resultUrl }) => {
      const session = await reached(
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: orderId,
            metadata: { orderId },
            payment_intent_data: { metadata: { orderId } },
            line_items: [
              {
                quantity: 1,
                price_data: { currency: 'hkd', unit_amount: amountCents, product_data: { name } },
              },
            ],
            locale: LANGUAGE_RULES.find(({ id }) => id === language)!.stripe,
            // Identical for every attempt of an order: an idempotency key requires an identical request.
            expires_at: Math.floor(expiresAt.getTime() / 1000),
            success_url: `${resultUrl}&result=success`,
            cancel_url: `${resultUrl}&result=failed`,
          },
          { idempotencyKey: `order-${orderId}-${language}` },
        ),
      )
      if (session.url === null) throw new FurlongError('payments-off')
      return { reference: session.id, payUrl: session.url }
    },
    close: async (reference) => {
      await reached(stripe.checkout.sessions.expire(reference))
    },
    refund: async ({ orderId, paymentReference }) => {
      if (paymentReference === null) throw new FurlongError('order-not-paid')
      await reached(
        stripe.refunds.create(
          { payment_intent: paymentReference, metadata: { orderId } },
          { idempotencyKey: `refund-${orderId}` },
        ),
      )
    },
    readNotice: async (body, signature) => {
      let event: Stripe.Event
      try {
        event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret)
      } catch (error) {
        throw new FurlongError('bad-signature', {}, { cause: error })
      }
      return noticeOf(event)
    },
  }
}

/**
 * Stripe's response; its errors and timeouts become `gateway-failed`, because their status is unrelated to
 * our client.
 */
async function reached<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const { type, code } = error as { type?: string; code?: string }
    const reason = [type, code].filter(Boolean).join(' ')
    throw new FurlongError('gateway-failed', { reason }, { cause: error })
  }
}

/** The id of a Stripe object given as an object or an id; `null` if it is not a valid id. */
function idOf(reference: string | { id: string } | null | undefined): string | null {
  const id = typeof reference === 'string' ? reference : reference?.id
  return typeof id === 'string' && /^[A-Za-z0-9_]{1,255}$/.test(id) ? id : null
}

const ORDER = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Our order id given when the page was opened; `null` for payments for other purposes. */
function orderOf(metadata: Record<string, unknown> | null | undefined): string | null {
  const orderId = metadata?.['orderId']
  return typeof orderId === 'string' && ORDER.test(orderId) ? orderId : null
}

function noticeOf(event: Stripe.Event): PaymentNotice {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object
      // A session may be completed before it is paid; another notice follows then.
      const reference = idOf(session)
      if (session.payment_status !== 'paid' || reference === null)
        return { kind: 'other', noticeId: event.id }
      return {
        kind: 'paid',
        noticeId: event.id,
        gatewayReference: reference,
        orderId: orderOf(session.metadata),
        paymentReference: idOf(session.payment_intent),
        amountCents: session.amount_total ?? 0,
        currency: session.currency ?? '',
      }
    }
    case 'checkout.session.expired': {
      const reference = idOf(event.data.object)
      if (reference === null) return { kind: 'other', noticeId: event.id }
      return { kind: 'expired', noticeId: event.id, gatewayReference: reference, orderId: null }
    }
    case 'charge.refunded': {
      const charge = event.data.object
      const payment = idOf(charge.payment_intent)
      // A partial refund does not change the membership; the operator decides.
      if (!charge.refunded || payment === null) return { kind: 'other', noticeId: event.id }
      const orderId = orderOf(charge.metadata)
      return { kind: 'refunded', noticeId: event.id, paymentReference: payment, orderId }
    }
    case 'charge.dispute.closed': {
      const dispute = event.data.object
      const payment = idOf(dispute.payment_intent)
      // If a dispute is won, neither the payment nor the membership changes.
      if (dispute.status !== 'lost' || payment === null) return { kind: 'other', noticeId: event.id }
      return { kind: 'refunded', noticeId: event.id, paymentReference: payment, orderId: null }
    }
    default:
      return { kind: 'other', noticeId: event.id }
  }
}
