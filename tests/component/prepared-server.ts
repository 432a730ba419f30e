import type { z } from 'zod'
import type { Refusal } from '../../contract/api/envelope.ts'
import type { Request } from '../../analytics/request.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { PreparedConnector } from './prepared-connector.ts'

/** What of a call of the contract is needed to prepare its answer. */
interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  result: z.ZodType
}

/** A request that the page made. */
export interface Made {
  method: string
  path: string
  query: Readonly<Record<string, string>>
  body: unknown
  language: string | null
  token: string | null
  /** The name of the device, which requests that write have. */
  device: string | null
}

type Reply = (made: Made) => Response | Promise<Response>

const json = (body: object, status = 200): Response =>
  new Response(JSON.stringify({ timestamp: 0, ...body }), {
    status,
    headers: { 'content-type': 'application/json' },
  })

const callKey = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`

/** Whether a path with `:name` parts is that of a request. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

/**
 * Answers the page's requests with what a test prepared, checked against the contract: an answer that the server could
 * not send fails the test, and so does a request that nobody expected.
 */
export class PreparedServer {
  readonly made: Made[] = []
  readonly unexpected: string[] = []

  private readonly replies = new Map<string, Reply>()

  /** Answers of analytics by their scope; without one, those of the region's public or entitled files. */
  private readonly connectors = new Map<string, PreparedConnector>()

  manifest: object | null = null

  /** While it is true, every request fails as without a connection. */
  isOffline = false

  /** How many of the next queries of analytics are refused because too many wait, and in which words. */
  busy = { times: 0, message: '', seconds: 1 }

  /** Prepares the answer of a call. */
  answer<Of extends Call>(
    call: Of,
    result: z.input<Of['result']> | ((made: Made) => z.input<Of['result']>),
  ): void {
    this.replies.set(callKey(call), (made) => {
      const given: unknown = typeof result === 'function' ? (result as (made: Made) => unknown)(made) : result
      return json({ success: true, code: 200, message: '', result: call.result.parse(given) })
    })
  }

  /** Prepares a refusal in the server's words. */
  refuse(call: Call, status: number, message: string, details: Refusal): void {
    this.replies.set(callKey(call), () =>
      json({ success: false, code: status, message, result: details }, status),
    )
  }

  /** Prepares a call without a connection. */
  fail(call: Call): void {
    this.replies.set(callKey(call), () => {
      throw new TypeError('Failed to fetch')
    })
  }

  /** Holds the answer of a call back until the returned function is called. */
  hold(call: Call): () => void {
    const reply = this.replies.get(callKey(call))!
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    this.replies.set(callKey(call), async (made) => {
      await released
      return reply(made)
    })
    return release
  }

  /** Lets a connector answer the queries of analytics. */
  connect(connector: PreparedConnector, scope: 'record' | 'own' | 'coming' = 'record'): void {
    this.connectors.set(scope, connector)
  }

  /** The requests of a call. */
  requestsOf({ method, path }: Pick<Call, 'method' | 'path'>): Made[] {
    return this.made.filter((each) => each.method === method && matches(path, each.path))
  }

  /** The stand-in for `fetch`. */
  readonly fetch = async (
    input: string | URL | globalThis.Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const url = new URL(input instanceof globalThis.Request ? input.url : input)
    const headers = new Headers(init.headers)
    const made: Made = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? null),
      language: headers.get('accept-language'),
      token: headers.get('x-access-token'),
      device: headers.get('x-device'),
    }
    this.made.push(made)
    if (this.isOffline) throw new TypeError('Failed to fetch')
    if (made.path === '/dataset/manifest.json' && this.manifest) return Response.json(this.manifest)
    if (made.path === '/analytics/query') return this.analytics(made)
    const found = [...this.replies].find(([key]) => {
      const [method, path = ''] = key.split(' ')
      return method === made.method && matches(path, made.path)
    })
    if (!found) {
      this.unexpected.push(`${made.method} ${made.path}`)
      throw new TypeError('Failed to fetch')
    }
    try {
      return await found[1](made)
    } catch (error) {
      if (!(error instanceof TypeError)) this.unexpected.push(`${made.method} ${made.path}: ${String(error)}`)
      throw error
    }
  }

  private async analytics({ method, path, body }: Made): Promise<Response> {
    const { request, scope = 'record' } = body as { request: Request; scope?: string }
    const { times, message, seconds } = this.busy
    if (times > 0) {
      this.busy.times -= 1
      const result: Refusal = { error: 'too-many-questions', seconds }
      return json({ success: false, code: 429, message, result }, 429)
    }
    const connector = this.connectors.get(scope)
    if (!connector) {
      this.unexpected.push(`${method} ${path} ${scope} ${JSON.stringify(request)}`)
      throw new TypeError('Failed to fetch')
    }
    try {
      const { bytes, ...about } = await connector.run(request)
      return new Response(bytes, { headers: { 'x-furlong-answer': JSON.stringify(about) } })
    } catch (error) {
      if (!(error instanceof FurlongError)) {
        this.unexpected.push(`${String(error)}: ${JSON.stringify(request)}`)
        throw error
      }
      return json({ success: false, code: 400, message: error.code, result: { error: error.code } }, 400)
    }
  }
}
