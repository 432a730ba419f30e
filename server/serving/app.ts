import type { IncomingHttpHeaders } from 'node:http'
import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyHelmet from '@fastify/helmet'
import fastifyRateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { FurlongError } from '../../domain/errors.ts'
import { analyticsRoutes } from '../routes/analytics.ts'
import { feedRoutes } from '../routes/feed.ts'
import { frozenRoutes } from '../routes/frozen.ts'
import { messageRoutes } from '../routes/messages.ts'
import { noteRoutes } from '../routes/notes.ts'
import { viewRoutes } from '../routes/views.ts'
import { answeringOn } from '../routes/answer.ts'
import { accountRoutes } from '../routes/accounts.ts'
import type { Context } from '../routes/context.ts'
import { datasetRoutes } from '../routes/dataset.ts'
import { fileRoutes } from '../routes/files.ts'
import { refuse } from '../routes/refusal.ts'
import { healthRoutes } from '../routes/health.ts'
import { horseRoutes } from '../routes/horses.ts'
import { paymentRoutes } from '../routes/payment.ts'
import { modelRoutes } from '../routes/models.ts'
import { racingRoutes } from '../routes/racing.ts'
import { reportRoutes } from '../routes/report.ts'
import { BUILD_VERSION } from '../process/version.ts'
import { siteCalls } from '../routes/site-calls.ts'
import { siteRoutes } from '../routes/site.ts'
import { socketRoutes } from '../routes/socket.ts'
import { stableRoutes } from '../routes/stable.ts'
import { tradeRoutes } from '../routes/trade.ts'
import { networkOf } from '../services/limits.ts'
import { PushHub } from '../services/push.ts'
import { newId } from '../db/id.ts'

/** Fast rather than small, because the client is waiting for the response. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Those that are compressed by default, and answers of analytics, which shrink to a third. */
const COMPRESSED_TYPES =
  /^text\/(?!event-stream)|[+/](?:json|text|xml)(?:;|$)|octet-stream(?:;|$)|apache\.arrow\.stream(?:;|$)/u
const MAX_BODY_BYTES = 256 * 1024
/** Limit for a whole request: a picture of 5 MB over a slow connection takes half of it. */
const REQUEST_TIMEOUT_MS = 60_000
/** Also applies to a connection on which nothing is ever sent. */
const HEADERS_TIMEOUT_MS = 10_000
/**
 * How long the rest of a refused upload is read, so that the response arrives before the connection is cut.
 */
const REST_TIMEOUT_MS = 5000

const YEAR_SECONDS = 31_536_000
const UNLIMITED = new Set(['/', '/*', '/healthz', '/readyz', '/metrics'])
/** The error says how long to wait. Counters would reveal clients behind one address each other's use. */
const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Builds the application, independent of the process: every route over one database and one data folder. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = newApp(context)
  await addRoutes(app, context)
  return app
}

/** An HTTP server without routes. */
export function newApp(context: Pick<Context, 'log' | 'settings'>): FastifyInstance {
  const log: FastifyBaseLogger = context.log
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 2000 },
    trustProxy: context.settings.trustProxy ?? false,
    // Fastify's own log lines contain addresses and whole URLs; ours are written below, by route.
    logController: new LogController({ disableRequestLogging: true }),
    // A response and its log lines share an id; an id sent by the client is ignored.
    requestIdHeader: false,
    genReqId: newId,
    loggerInstance: log,
    onProtoPoisoning: 'error',
    // Requests on open connections are still served during shutdown, because clients would see a 503.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('viewer', null)
  app.decorateRequest('operatorId', '')
  return app
}

/** Adds every route, with the headers, limits and log lines of their responses. */
export async function addRoutes(app: FastifyInstance, context: Context): Promise<void> {
  await addHeaders(app, context)
  await addCompression(app)
  addBodyRules(app)
  warnOfProxy(app, context)
  await addRateLimit(app, context)
  await app.register(fastifyStatic, {
    root: context.siteFolder ?? context.settings.dataFolder,
    serve: false,
    preCompressed: true,
  })
  await addApiPages(app, context)
  app.setErrorHandler((error, request, reply) => refuse(app, error as Error, request, reply))
  app.setNotFoundHandler((request, reply) => refuse(app, new FurlongError('not-found'), request, reply))
  addRequestLog(app, context)
  const hub = new PushHub(context.service)
  await socketRoutes(app, context, hub)
  await app.register(async (scope) => {
    const answer = answeringOn(scope, context)
    racingRoutes(answer, context)
    horseRoutes(answer, context)
    reportRoutes(answer, context)
    modelRoutes(answer, context)
    accountRoutes(answer, context)
    tradeRoutes(answer, context)
    siteCalls(answer, context)
    viewRoutes(answer, context)
    frozenRoutes(answer, context)
    noteRoutes(answer, context)
    stableRoutes(answer, context)
    await messageRoutes(scope, answer, context)
    feedRoutes(answer, context)
    analyticsRoutes(scope, answer, context)
    healthRoutes(scope, context)
    datasetRoutes(scope, context)
    if (context.siteFolder !== null) siteRoutes(scope, context.siteFolder)
    await fileRoutes(scope, answer, context)
    await paymentRoutes(scope, context)
  })
  app.addHook('onReady', () => hub.start())
}

async function addHeaders(app: FastifyInstance, { settings: { https } }: Context): Promise<void> {
  await app.register(fastifyHelmet, {
    strictTransportSecurity: https && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        workerSrc: ["'self'", 'blob:'],
        // The grid and the charts create styles at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        // Only its own pages may frame it: the web view shows the terms in a frame.
        frameAncestors: ["'self'"],
      },
    },
  })
}

/** Compresses larger responses; files of the site and the dataset are compressed when they are built. */
async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: BROTLI,
    customTypes: COMPRESSED_TYPES,
    // Compressed request bodies are refused: a small one could expand to a large one.
    globalDecompression: false,
  })
  app.addHook('onRequest', async ({ headers }) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new FurlongError('wrong-media-type')
  })
}

/** Ends the connection of a request that was answered before its whole body was read. */
function addBodyRules(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw, id }, reply) => {
    reply.header('x-request-id', id)
    if (!raw.complete && hasBody(raw.headers)) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || !hasBody(raw.headers)) return
    raw.resume()
    setTimeout(() => raw.destroy(), REST_TIMEOUT_MS).unref()
  })
}

/** Warns once when a proxy reports a client's address that the settings do not let count. */
function warnOfProxy(app: FastifyInstance, { settings: { trustProxy } }: Context): void {
  if (trustProxy !== undefined) return
  let told = false
  app.addHook('onRequest', async ({ headers }) => {
    if (told || headers['x-forwarded-for'] === undefined) return
    told = true
    app.log.warn(
      { setting: 'FURLONG_TRUST_PROXY' },
      'a request came through a proxy that is not named: all its clients share the limits of one address',
    )
  })
}

async function addRateLimit(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(fastifyRateLimit, {
    max: context.settings.readsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ ip }) => networkOf(ip),
    // Files of the site are cheap, and health checks are made by machines.
    allowList: ({ routeOptions }) => UNLIMITED.has(routeOptions.url ?? ''),
    addHeaders: NO_HEADERS,
    addHeadersOnExceeding: NO_HEADERS,
    errorResponseBuilder: (_, { ttl }) => new FurlongError('too-many', { seconds: Math.ceil(ttl / 1000) }),
  })
}

/** Describes the calls as OpenAPI; in development also as pages. */
async function addApiPages(app: FastifyInstance, { settings }: Context): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      info: {
        title: 'Furlong',
        version: BUILD_VERSION,
        description: 'Racing analysis. Analysis data and AI scoring only, not betting advice.',
      },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  })
  if (settings.mode === 'development') await app.register(fastifySwaggerUi, { routePrefix: '/docs' })
}

/** Counts each response, and logs it by its route. */
function addRequestLog(app: FastifyInstance, { metrics }: Context): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { id: requestId, method } = request
    const { statusCode: status, elapsedTime } = reply
    metrics.request(method, route, status, elapsedTime / 1000)
    app.log.info({ requestId, method, route, status, ms: Math.round(elapsedTime) }, 'answered')
  })
}
