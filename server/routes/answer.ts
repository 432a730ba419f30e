import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint, QueryOf, ResultOf } from '../../contract/api/endpoint.ts'
import { RefusalBody } from '../../contract/api/envelope.ts'
import { FurlongError } from '../../domain/errors.ts'
import { centsText } from '../../domain/money.ts'
import type { Language } from '../../domain/languages.ts'
import type { Origin } from '../services/limits.ts'
import type { Service } from '../services/service.ts'
import { operatorOf, viewerOf, type Viewer } from '../services/viewer.ts'
import { writeAnswer } from './answer-cache.ts'
import { languageOfRequest, originOf, tokenOf, type Context } from './context.ts'

/** Arguments of a call's handler: validated input, the viewer and the language. */
interface RequestContext<Call extends Endpoint> {
  query: QueryOf<Call>
  body: BodyOf<Call>
  /** Never `null` for calls that require a customer. */
  viewer: Call extends { access: 'customer' } ? Viewer : Viewer | null
  language: Language
  origin: Origin
  request: FastifyRequest
}

/** Responds to a call; a call whose result is always `null` needs none. */
type Handler<Call extends Endpoint> = (
  request: RequestContext<Call>,
) => Promise<[ResultOf<Call>] extends [null] ? void : ResultOf<Call>>

interface AnswerOptions {
  /** Caches the response for everybody, or for visitors and for VIPs separately, not for other customers. */
  keep?: 'everybody' | 'visitors and VIPs'
  bodyLimit?: number
}

/** Responses that are the same for everybody. */
export const EVERYBODY: AnswerOptions = { keep: 'everybody' }
/** Responses that are the same for all visitors, and for all VIPs. */
export const BY_CLASS: AnswerOptions = { keep: 'visitors and VIPs' }

/** What a call asks for. Throws `not-found` if it is `null`. */
export function found<Value>(value: Value | null): Value {
  if (value === null) throw new FurlongError('not-found')
  return value
}

/** What was written. Throws `bad-parameters` if it is `null`, because there are `most` already. */
export function written<Value>(value: Value | null, most: string): Value {
  if (value === null) throw new FurlongError('bad-parameters', { reason: `at most ${most}` })
  return value
}

/** Some fields of a row, so that no other is sent. */
export const pick = <Row extends object, const Key extends keyof Row>(row: Row, ...keys: Key[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>

export const flagOf = (value: boolean): 0 | 1 => (value ? 1 : 0)
export const moneyOf = (cents: number | null): string | null => (cents === null ? null : centsText(cents))

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
    /** Id of the operator token of the request; empty for calls that are not for operators. */
    operatorId: string
  }
}

/** Registers one call of the contract: checks access, validates the input, then responds. */
export type Answer = ReturnType<typeof answeringOn>

/** What registers the calls of the contract on `app`. */
export const answeringOn =
  (app: FastifyInstance, { service, cache, turns }: Context) =>
  <const Call extends Endpoint>(
    call: Call,
    ...rest: [handler: Handler<Call>] | [options: AnswerOptions, handler: Handler<Call>]
  ): void => {
    const [{ keep, ...limit }, handler] = rest.length === 2 ? rest : [{}, ...rest]
    app.route({
      method: call.method,
      url: call.path,
      ...limit,
      schema: {
        summary: call.summary,
        tags: [call.access],
        ...(call.query && { querystring: call.query }),
        ...(call.body && { body: call.body }),
        ...(call.multipart && { consumes: ['multipart/form-data'] }),
        response: { 200: call.response, '4xx': RefusalBody },
      },
      onRequest: (request) => admit(call, request, service),
      handler: async (request, reply) => {
        const { viewer } = request
        const language = languageOfRequest(request)
        const work = async (): Promise<unknown> =>
          (await handler({
            query: request.query as QueryOf<Call>,
            body: request.body as BodyOf<Call>,
            viewer: viewer as RequestContext<Call>['viewer'],
            language,
            origin: originOf(request),
            request,
          })) ?? null
        const make = (): Promise<unknown> => (viewer === null ? work() : turns.run(viewer.id, work))
        const keeper = keeperOf(keep, viewer)
        const key = `${keeper} ${language} ${call.path} ${inputKey(request.params)} ${inputKey(request.query)}`
        const answer = keeper === null ? writeAnswer(await make()) : await cache.get(key, make)
        return send(call, request, reply, answer)
      },
    })
  }

/** Finds out who makes a call. Throws unless they may make it. */
async function admit(call: Endpoint, request: FastifyRequest, { database, now }: Service): Promise<void> {
  if (call.access === 'open') return
  if (call.access === 'operator') {
    const { authorization } = request.headers
    request.operatorId = await operatorOf(database, authorization, call.scope ?? '', now())
    return
  }
  request.viewer = await viewerOf(database, tokenOf(request), now())
  if (request.viewer === null && call.access === 'customer') throw new FurlongError('signed-out')
}

/** Parsed input as a key, independent of the order of parameters; unknown ones are already removed. */
const inputKey = (input: unknown): string =>
  JSON.stringify(Object.entries(input ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The group whose cached response is used; `null` if the response is not cached. */
function keeperOf(keep: AnswerOptions['keep'], viewer: Viewer | null): string | null {
  if (keep === 'everybody') return 'all'
  if (keep === undefined) return null
  if (viewer === null) return 'visitor'
  return viewer.isVip ? 'vip' : null
}

/** Responses for one customer are never stored; others are revalidated, and may give 304. */
const CACHE_CONTROL = {
  open: 'no-cache',
  viewer: 'private, no-cache',
  customer: 'no-store',
  operator: 'no-store',
} as const

function send(
  call: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: string; etag: string },
): FastifyReply {
  if (call.method !== 'GET') reply.header('cache-control', 'no-store')
  else {
    reply.header('etag', etag)
    reply.header('cache-control', CACHE_CONTROL[call.access])
    reply.header('vary', call.access === 'open' ? 'accept-language' : 'accept-language, x-access-token')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(body)
}
