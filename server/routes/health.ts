import { timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FurlongError } from '../../domain/errors.ts'
import { readManifest } from '../dataset/dataset-index.ts'
import { BUILD_VERSION } from '../process/version.ts'
import { appliedMigrations, compareMigrations } from '../db/migrate.ts'
import type { Context } from './context.ts'

const READY_TIMEOUT_MS = 3000
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Routes for liveness, readiness and metrics. */
export function healthRoutes(app: FastifyInstance, context: Context): void {
  const { service, metrics, settings } = context
  app.get('/healthz', async () => ({ status: 'ok', version: BUILD_VERSION }))

  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get('/readyz', async (_, reply) => {
    const { kind: database } = service.database
    reply.header('cache-control', 'no-store')
    const notReady = (reason: string) => reply.code(503).send({ status: 'not ready', database, reason })
    if (isStopping) return notReady('stopping')
    let applied: string[]
    try {
      applied = await inTime(appliedMigrations(service.database))
    } catch {
      return notReady('the database does not answer')
    }
    const { missing, unknown } = compareMigrations(applied)
    if (missing.length > 0) return notReady(`missing migrations: ${missing.join(', ')}`)
    return {
      status: 'ready',
      database,
      // Migrations only add, so this build may run beside a newer one that is replacing it.
      migrations: unknown.length === 0 ? 'current' : 'newer',
      dataset: readManifest(settings.dataFolder)?.asOf ?? 'no data yet',
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, settings.metricsToken)) throw new FurlongError('not-found')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** Rejects if a result takes longer than `READY_TIMEOUT_MS`. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = pause(READY_TIMEOUT_MS, null, { ref: false }).then(() => Promise.reject(new Error('late')))
  return Promise.race([work, late])
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
