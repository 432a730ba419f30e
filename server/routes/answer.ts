import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint, QueryOf, ResultOf } from '../../contract/api/endpoint.ts'
import { RefusalBody } from '../../contract/api/envelope.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Language } from '../../domain/languages.ts'
import { operatorOf } from '../services/operator.ts'
import { viewerOf, type Viewer } from '../services/viewer.ts'
import { writeAnswer } from './answer-cache.ts'
import { languageOfRequest, tokenOf, type Context } from './context.ts'

type Shape = Omit<Endpoint, 'response'>

/** Arguments of a call's handler: validated input, the viewer and the language. */
export interface RequestContext<Call extends Shape> {
  query: QueryOf<Call>
  body: BodyOf<Call>
  /** Never `null` for calls that require a customer. */
  viewer: Call extends { access: 'customer' } ? Viewer : Viewer | null
  language: Language
  /** The client's IP address, as far as the proxies in front are trusted. */
  address: string
  request: FastifyRequest
}

export interface AnswerOptions {
  /** Caches the response for everybody, or for visitors and for VIPs separately, not for other customers. */
  keep?: 'everybody' | 'visitors and VIPs'
  bodyLimit?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null
    /** Id of the operator token of the request; empty for calls that are not for operators. */
    operatorId: string
  }
}

/** Registers one call of the contract: checks access, validates the input, then responds. */
export function answerCall<const Call extends Endpoint>(
  app: FastifyInstance,
  context: Context,
  call: Call,
  handler: (request: RequestContext<Call>) => Promise<ResultOf<Call>>,
  options: AnswerOptions = {},
): void {
  const { service, cache, turns } = context
  app.route({
    method: call.method,
    url: call.path,
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    schema: {
      summary: call.summary,
      tags: [call.access],
      ...(call.query ? { querystring: call.query } : {}),
      ...(call.body ? { body: call.body } : {}),
      ...(call.multipart ? { consumes: ['multipart/form-data'] } : {}),
      response: { 200: call.response, '4xx': RefusalBody },
    },
    onRequest: async (request) => {
      if (call.access === 'open') return
      if (call.access === 'operator') {
        request.operatorId = await operatorOf(
          service.database,
          request.headers.authorization,
          call.scope ?? '',
          service.now(),
        )
        return
      }
      request.viewer = await viewerOf(service.database, tokenOf(request), service.now())
      if (request.viewer === null && call.access === 'customer') throw new FurlongError('signed-out')
    },
    handler: async (request, reply) => {
      const { viewer } = request
      const language = languageOfRequest(request)
      const work = (): Promise<unknown> =>
        handler({
          query: request.query as QueryOf<Call>,
          body: request.body as BodyOf<Call>,
          viewer: viewer as RequestContext<Call>['viewer'],
          language,
          address: request.ip,
          request,
        })
      const make = (): Promise<unknown> => (viewer === null ? work() : turns.run(viewer.id, work))
      const keeper = keeperOf(options.keep, viewer)
      const answer =
        keeper === null
          ? writeAnswer(await make())
          : await cache.get(
              `${keeper} ${language} ${call.path} ${inputKey(request.params)} ${inputKey(request.query)}`,
              make,
            )
      return send(call, request, reply, answer)
    },
  })
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
