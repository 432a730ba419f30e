import fastifyHelmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import type { Envelope, Refusal } from '../contract/api/envelope.ts'
import { FurlongError, type ErrorCode } from '../domain/errors.ts'
import { errorMessage } from './messages.ts'
import { apiRoutes } from './routes/api.ts'
import { languageOfRequest, type Context } from './routes/context.ts'
import { datasetRoutes } from './routes/dataset.ts'
import { siteRoutes } from './routes/site.ts'

const MOST_BODY_BYTES = 256 * 1024

const STATUS: Partial<Record<ErrorCode, number>> = {
  'right-missing': 401,
  'right-expired': 401,
  'link-used': 403,
  'not-found': 404,
  'bad-parameters': 400,
}

/** The service apart from the process: every route over one database and one data folder. */
export async function buildApp(context: Context, options: { log: boolean }): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: MOST_BODY_BYTES,
    // Warnings only: addresses may carry what is nobody's business.
    logger: options.log ? { level: 'warn' } : false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(fastifyHelmet, {
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        workerSrc: ["'self'", 'blob:'],
        // The grid and the charts write their styles at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  })
  await app.register(fastifyStatic, {
    root: context.siteFolder ?? context.dataFolder,
    serve: false,
    preCompressed: true,
  })
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(app, error, request, reply))
  app.setNotFoundHandler((request, reply) => refuse(app, new FurlongError('not-found'), request, reply))
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await context.database.rows('select 1')
    return { status: 'ready', database: context.database.kind }
  })
  apiRoutes(app, context)
  datasetRoutes(app, context)
  if (context.siteFolder !== null) siteRoutes(app, context.siteFolder)
  return app
}

/** Answers an error in the reader's language; what is not ours to tell becomes `internal`, and is logged. */
function refuse(
  app: FastifyInstance,
  error: FastifyError | FurlongError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOfRequest(request)
  const send = (status: number, told: Pick<FurlongError, 'code' | 'details'>, fields?: Refusal['fields']) => {
    const body: Envelope<Refusal> = {
      success: false,
      code: status,
      message: errorMessage(language, told),
      result: { error: told.code, ...(fields ? { fields } : {}) },
      timestamp: Date.now(),
    }
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body))
  }
  if (error instanceof FurlongError) return send(STATUS[error.code] ?? 500, error)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map(({ instancePath, message }) => ({
      field: instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: message ?? '',
    }))
    const reason = fields.map(({ field }) => field).join(', ')
    return send(400, { code: 'bad-parameters', details: { reason } }, fields)
  }
  const status = error.statusCode ?? 500
  if (status < 500) return send(status, { code: 'bad-parameters', details: { reason: error.code ?? '' } })
  app.log.error({ err: { name: error.name, message: error.message, stack: error.stack } }, 'request failed')
  return send(500, { code: 'internal', details: {} })
}
