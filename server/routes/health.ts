import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FurlongError } from '../../domain/errors.ts'
import type { Context } from './context.ts'

const READY_TIMEOUT_MS = 3000
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Routes for liveness, readiness and metrics. */
export function healthRoutes(app: FastifyInstance, context: Context): void {
  const { service, metrics, metricsToken } = context
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_, reply) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), READY_TIMEOUT_MS)
    })
    try {
      await Promise.race([service.database.rows('select 1'), late])
      return { status: 'ready', database: service.database.kind }
    } catch {
      return await reply.code(503).send({ status: 'not ready', database: service.database.kind })
    } finally {
      clearTimeout(timer)
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, metricsToken)) throw new FurlongError('not-found')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/**
 * Whether a request may read the metrics: with a configured token, if it sends the token; without one, if it
 * comes directly from this machine and not through a proxy.
 */
function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined)
    return (
      LOOPBACK.has(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined
    )
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
