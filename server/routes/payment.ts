import fastifyFormbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { FurlongError } from '../../domain/errors.ts'
import { SANDBOX_PATH } from '../gateways/payment.ts'
import type { Language } from '../../domain/languages.ts'
import { moneyText, serverMessage } from '../process/messages.ts'
import { closeUnpaid, isOpen, handlePaymentEvent } from '../services/payments.ts'
import { findOrderByReference, type OrderRow } from '../store/accounts/order-store.ts'
import { found } from './answer.ts'
import { languageOfRequest, type Context } from './context.ts'
import { escapeHtml, plainPage } from '../process/plain-page.ts'

const REFERENCE = /^[A-Za-z0-9_-]{32}$/
export const STRIPE_PATH = '/trade/webhook/stripe'

/** Routes that receive payment results: the sandbox's page and Stripe's webhook. */
export async function paymentRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const { service, stripe } = context
  if (service.payment?.name === 'sandbox') await app.register((scope) => sandboxRoutes(scope, context))
  if (stripe === null) return
  await app.register(async (scope) => {
    // The signature covers the raw bytes of the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.post(STRIPE_PATH, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body))
        throw new FurlongError('bad-signature')
      const notice = await stripe.readNotice(request.body, signature)
      return reply.send({ received: await handlePaymentEvent(service, 'stripe', notice) })
    })
  })
}

async function sandboxRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const { service } = context
  const { database, now } = service
  await app.register(fastifyFormbody, { bodyLimit: 1024 })

  const orderOf = async (reference: string): Promise<OrderRow> => {
    const isOurs = REFERENCE.test(reference)
    const references = { gatewayReference: reference }
    return found(isOurs ? await findOrderByReference(database, 'sandbox', references) : null)
  }

  app.get<{ Params: { reference: string } }>(`${SANDBOX_PATH}/:reference`, async (request, reply) => {
    const order = await orderOf(request.params.reference)
    const open = isOpen(order, now())
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(sandboxPage(languageOfRequest(request), order, open))
  })

  app.post<{ Params: { reference: string } }>(`${SANDBOX_PATH}/:reference`, async (request, reply) => {
    const order = await orderOf(request.params.reference)
    const { decision } = (request.body ?? {}) as { decision?: unknown }
    if (decision !== 'approve' && decision !== 'decline' && decision !== 'timeout') {
      const invalid = { reason: 'decision', field: 'decision', rule: 'field.invalid' }
      throw new FurlongError('bad-parameters', invalid)
    }
    const repeated = order.state === 'accountPaid'
    if (!repeated && !isOpen(order, now())) throw new FurlongError('order-not-open')
    if (decision === 'approve') {
      await handlePaymentEvent(service, 'sandbox', {
        kind: 'paid',
        noticeId: `paid-${order.id}`,
        gatewayReference: request.params.reference,
        orderId: order.id,
        paymentReference: order.id,
        amountCents: order.amountCents,
        currency: 'hkd',
      })
    }
    // Closes the order now, as if its half hour had expired.
    if (decision === 'timeout' && !repeated) await closeUnpaid(service, order)
    const result =
      decision === 'approve' || repeated ? 'success' : decision === 'timeout' ? 'timeout' : 'failed'
    return reply.redirect(`/#/pages/race/vippayresult?order=${order.id}&result=${result}`, 303)
  })
}

/** A page without scripts, in place of a real gateway's: the amount to pay, and buttons for the outcomes. */
function sandboxPage(language: Language, order: OrderRow, open: boolean): string {
  const text = (id: string, values = {}): string => escapeHtml(serverMessage(language, id, values))
  const amount = moneyText(language, order.amountCents)
  const buttons = `<form method="post">
<button name="decision" value="approve" class="approve">${text('sandbox.approve')}</button>
<button name="decision" value="decline">${text('sandbox.decline')}</button>
<button name="decision" value="timeout">${text('sandbox.timeout')}</button>
</form>`
  const choice = open ? buttons : `<p role="alert">${text('sandbox.closed')}</p>`
  return plainPage(
    language,
    text('sandbox.title'),
    `<p>${text('sandbox.notice')}</p>
<p class="amount">${text('sandbox.amount', { amount })}</p>
${choice}
<p><a href="/">${text('sandbox.back')}</a></p>`,
  )
}
