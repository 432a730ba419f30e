import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Answer as Rows } from '../../analytics/connector.ts'
import { costOf, sizeOf } from '../../analytics/cost.ts'
import { MODELS } from '../../analytics/models.ts'
import type { Plan } from '../../analytics/plan.ts'
import { planRowCount, type RowsRequest } from '../../analytics/rows.ts'
import { checkRequest, type CheckedRequest, type Request } from '../../analytics/request.ts'
import * as calls from '../../contract/api/analytics.ts'
import { modelOrder } from '../../contract/model-ids.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import { readManifest } from '../dataset/dataset-index.ts'
import type { FileSet } from '../analytics/analytics-service.ts'
import { planFor, rowsIn } from '../dataset/viewer-plan.ts'
import type { Format } from '../analytics/protocol.ts'
import { readCursor, requireSameData, writeCursor } from '../analytics/row-cursor.ts'
import type { Share } from '../process/fair-queue.ts'
import { networkShare } from '../services/limits.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { Paces } from '../services/pace.ts'
import { bearerOf, viewerOf, viewerOfAnalyticsToken, type Viewer } from '../services/viewer.ts'
import {
  insertAnalyticsToken,
  listAnalyticsTokens,
  revokeAnalyticsTokenOf,
} from '../store/accounts/analytics-token-store.ts'
import { written, type Answer } from './answer.ts'
import { lastRaceDayOf, tokenOf, type Context } from './context.ts'

const MEDIA: Readonly<Record<Format, string>> = {
  arrow: calls.ARROW_TYPE,
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}
/** `total`, `cursor`: of rows that are asked for page by page. */
type About = Omit<Rows, 'bytes'> & { rows: number; total?: number; cursor?: string | null }

/** Rate limit per personal access token: enough for a notebook's loop, not for a crawl. */
const TOKEN_PACE = { burst: 60, perSecond: 4 }

/**
 * What one question of a visitor or a member may ask for: panels times figures, known before it is planned, and expected
 * milliseconds of work. The site's own pages ask for a third of that at most.
 */
const MAX_PUBLIC_FIGURES = 240
const MAX_PUBLIC_MS = 250

/**
 * Analytics over the dataset files, for clients that cannot run the engine or have not loaded it yet, and for
 * notebooks.
 */
export function analyticsRoutes(app: FastifyInstance, answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service
  const paces = new Paces(TOKEN_PACE)

  app.post(
    calls.ANALYTICS_PATH,
    {
      schema: {
        summary: 'Answers a question of the semantic model as Arrow, JSON or CSV, by Accept',
        tags: ['viewer'],
        body: calls.AnalyticsQuery,
      },
    },
    async (request, reply) => {
      const signal = leftSignal(reply)
      const viewer = await askerOf(request, context, paces)
      const {
        regionId,
        scope,
        request: input,
        cursor,
      } = request.body as z.output<typeof calls.AnalyticsQuery>
      const format = formatOf(request.headers.accept)
      const { checked, from } = pageOf(checkRequest(input), cursor)
      if (viewer?.isVip !== true) requireFewFigures(checked)
      const ground = { ...context, lastRaceDayOf: (region: string) => lastRaceDayOf(context, region) }
      const { plan, files, access, asOf } = await planFor(ground, viewer, { regionId, scope, checked })
      const cost = costOf(checked, access, (table) => rowsIn(files, table))
      if (viewer?.isVip !== true && cost > MAX_PUBLIC_MS) throw new FurlongError('too-costly')
      const asker = {
        lane: viewer?.isVip === true ? 'vip' : 'public',
        share: shareOf(viewer, request.ip),
        signal,
      } as const
      const ask = ({ sql, columns }: Plan, as: Format) =>
        context.analytics.ask({ files, sql, columns, format: as, cost }, asker).catch((error: unknown) => {
          // A damaged file is one reason for a failure.
          if (asFurlongError(error).code === 'query-failed')
            context.fileGuard.suspect(files.files.map(({ sha256 }) => sha256))
          throw error
        })
      const countOf = async (of: RowsRequest): Promise<number> => {
        const counted = await ask(planRowCount(of.model, MODELS[of.model], of, access), 'json')
        const [{ total }] = JSON.parse(Buffer.from(counted.bytes).toString('utf8')) as [{ total: number }]
        return total
      }
      requireSameData(from, asOf)
      const { bytes, rows, milliseconds } = await ask(plan, format)
      const { sql: _sql, ...described } = plan
      const about = { ...described, rows, milliseconds, computed: 'remote', asOf } as const
      if (cursor === undefined || !('rows' in checked)) return send(reply, format, bytes, about)
      const total = from?.total ?? (await countOf(checked.rows))
      const next = checked.rows.offset + rows
      return send(reply, format, bytes, {
        ...about,
        total,
        cursor: rows > 0 && next < total ? writeCursor(checked.rows, { asOf, offset: next, total }) : null,
      })
    },
  )

  answer(calls.queryAnalyticsTokens, ({ viewer }) => listAnalyticsTokens(database, viewer.id))

  answer(calls.createAnalyticsToken, async ({ viewer, body }) => {
    const token = randomToken()
    const hash = tokenHash(token)
    const made = { hash, customerId: viewer.id, name: body.name, max: calls.MAX_TOKENS, now: now() }
    const id = await database.transaction((queries) => insertAnalyticsToken(queries, made))
    return { id: written(id, `${calls.MAX_TOKENS} tokens`), token }
  })

  answer(calls.revokeAnalyticsToken, async ({ viewer, query }) => ({
    revoked: await revokeAnalyticsTokenOf(database, viewer.id, query.id, now()),
  }))
}

/** A request with the page that its cursor names, and that cursor; `null` without one. Throws `bad-parameters`. */
function pageOf(checked: CheckedRequest, cursor: string | undefined) {
  if (cursor === undefined) return { checked, from: null }
  if (!('rows' in checked)) throw new FurlongError('bad-parameters', { reason: 'cursor: of rows alone' })
  const from = readCursor(cursor, checked.rows)
  const offset = from?.offset ?? 0
  return { checked: { ...checked, rows: { ...checked.rows, offset } }, from }
}

/** Throws `too-costly` before the time is spent to plan it. */
function requireFewFigures(request: Request): void {
  const { panels, figures } = sizeOf(request)
  if (panels > 1 && panels * figures > MAX_PUBLIC_FIGURES) throw new FurlongError('too-costly')
}

/** Customers share by account, visitors by network: many addresses of one network have its share together. */
const shareOf = (viewer: Viewer | null, address: string): Share =>
  viewer === null ? ['visitors', ...networkShare(address)] : ['customers', viewer.id]

/** Aborted when the client is gone before it has its answer. */
function leftSignal(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (reply.raw.destroyed) left.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

/** The caller: a signed-in customer, or the owner of a personal access token (`Authorization: Bearer`). */
async function askerOf(request: FastifyRequest, { service }: Context, paces: Paces): Promise<Viewer | null> {
  const { authorization } = request.headers
  const { database, now } = service
  if (authorization === undefined) return viewerOf(database, tokenOf(request), now())
  const viewer = await viewerOfAnalyticsToken(database, bearerOf(authorization), now())
  if (!paces.take(viewer.tokenHash, now().getTime())) throw new FurlongError('too-many', { seconds: 1 })
  return viewer
}

function formatOf(accept: string | undefined): Format {
  if (accept?.includes(calls.ARROW_TYPE)) return 'arrow'
  return accept?.includes('text/csv') ? 'csv' : 'json'
}

function send(reply: FastifyReply, format: Format, bytes: Uint8Array, about: About): FastifyReply {
  reply.header('cache-control', 'no-store').type(MEDIA[format])
  const text = JSON.stringify(about)
  if (format !== 'json') return reply.header(calls.ANSWER_HEADER, text).send(Buffer.from(bytes))
  return reply.send(
    `{"success":true,"code":200,"message":"","result":{"about":${text},"rows":${Buffer.from(bytes).toString('utf8')}},"timestamp":${Date.now()}}`,
  )
}

/**
 * Opens in advance the file sets most likely to be queried first: daily totals, and for VIPs the records of each region's
 * best model.
 */
export async function warmAnalytics({ analytics, settings }: Context): Promise<void> {
  const manifest = readManifest(settings.dataFolder)
  if (!manifest) return
  for (const { id: regionId, headline } of manifest.regions) {
    const models = manifest.files.flatMap((file) =>
      file.regionId === regionId && file.model !== null ? [file.model] : [],
    )
    const best = modelOrder(headline).find((each) => models.includes(each)) ?? null
    const setOf = (model: DatasetFile['model'], entitled: boolean): FileSet => ({
      files: chooseFiles(manifest, {
        regionId,
        models: model === null ? [] : [model],
        entitled,
        details: model !== null,
      }),
      group: null,
    })
    await analytics.warm('public', setOf(null, false))
    await analytics.warm('vip', setOf(null, true))
    if (best) await analytics.warm('vip', setOf(best, true))
  }
}
