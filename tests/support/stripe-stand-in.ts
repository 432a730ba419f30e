import { createServer, type IncomingMessage, type Server } from 'node:http'
import Stripe from 'stripe'

export interface StripeRequest {
  path: string
  form: URLSearchParams
  idempotencyKey: string | undefined
  authorization: string | undefined
}

export const WEBHOOK_SECRET = 'whsec_test_of_the_stand_in'
export const SECRET_KEY = 'sk_test_of_the_stand_in'

/**
 * Emulates the part of Stripe's HTTP API that the product calls (checkout sessions, refunds), for the real client
 * package: responds in Stripe's format, honours idempotency keys as Stripe does (the same request gets the same
 * response; another request under the key gets an error), and signs webhooks with the package's own function.
 */
export class StripeStandIn {
  readonly requests: StripeRequest[] = []
  private readonly answers = new Map<string, { form: string; status: number; body: string }>()
  private count = 0
  /** Number of following requests that fail before anything is done. */
  failures = 0

  readonly url: string
  private readonly server: Server

  private constructor(server: Server, url: string) {
    this.server = server
    this.url = url
  }

  static async start(): Promise<StripeStandIn> {
    let mine: StripeStandIn | null = null
    const server = createServer((request, response) => {
      void mine!.answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' })
        response.end(body)
      })
    })
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
    mine = new StripeStandIn(server, `http://127.0.0.1:${port}`)
    return mine
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' ? key : undefined
    this.requests.push({
      path,
      form: new URLSearchParams(form),
      idempotencyKey,
      authorization: request.headers.authorization,
    })
    if (this.failures > 0) {
      this.failures -= 1
      return failure(500, 'api_error', 'try again')
    }
    const known = idempotencyKey === undefined ? undefined : this.answers.get(idempotencyKey)
    if (known) return known.form === form ? known : failure(400, 'idempotency_error', 'other parameters')
    const answer = this.make(path, new URLSearchParams(form))
    if (idempotencyKey !== undefined) this.answers.set(idempotencyKey, { form, ...answer })
    return answer
  }

  private make(path: string, form: URLSearchParams): { status: number; body: string } {
    this.count += 1
    if (path === '/v1/checkout/sessions') {
      const id = `cs_test_${this.count}`
      const body = { id, object: 'checkout.session', url: `https://checkout.test/${id}`, status: 'open' }
      return { status: 200, body: JSON.stringify(body) }
    }
    if (/^\/v1\/checkout\/sessions\/[^/]+\/expire$/.test(path)) {
      return {
        status: 200,
        body: JSON.stringify({ id: path.split('/')[4], object: 'checkout.session', status: 'expired' }),
      }
    }
    if (path === '/v1/refunds') {
      const body = { id: `re_${this.count}`, object: 'refund', payment_intent: form.get('payment_intent') }
      return { status: 200, body: JSON.stringify(body) }
    }
    return failure(404, 'invalid_request_error', `no such path: ${path}`)
  }

  /** A webhook's body and its signature. */
  sign(
    event: { id: string; type: string; object: object },
    { secret = WEBHOOK_SECRET, at = new Date() }: { secret?: string; at?: Date } = {},
  ): { payload: string; signature: string } {
    const payload = JSON.stringify({
      id: event.id,
      object: 'event',
      type: event.type,
      created: Math.floor(at.getTime() / 1000),
      data: { object: event.object },
    })
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(at.getTime() / 1000),
    })
    return { payload, signature }
  }
}

const failure = (status: number, type: string, message: string): { status: number; body: string } => ({
  status,
  body: JSON.stringify({ error: { type, message } }),
})
