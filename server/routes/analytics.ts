import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Answer as Rows } from '../../analytics/connector.ts'
import { neededModels, needsExtraFiles } from '../../analytics/needs.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { DAILY_TOTALS } from '../../analytics/predictions.ts'
import { checkRequest, type Request } from '../../analytics/request.ts'
import type { Access } from '../../analytics/source.ts'
import * as calls from '../../contract/api/analytics.ts'
import { MODEL_ORDER } from '../../contract/model-ids.ts'
import { chooseFiles } from '../../contract/dataset-files.ts'
import type { DatasetFile, Manifest } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'
import { readManifest } from '../dataset/dataset-index.ts'
import type { Format } from '../analytics/protocol.ts'
import { analyticsScope, comingScope, mayFetch, oldestFreeDay } from '../services/gate.ts'
import { ALL_COMING, comingSet } from '../dataset/coming-files.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { Paces } from '../services/pace.ts'
import { bearerOf, viewerOf, viewerOfAnalyticsToken, type Viewer } from '../services/viewer.ts'
import {
  insertAnalyticsToken,
  listAnalyticsTokens,
  openedComingKeys,
  openedRaceKeys,
  revokeAnalyticsTokenOf,
} from '../store/accounts/analytics-token-store.ts'
import { written, type Answer } from './answer.ts'
import { tokenOf, type Context } from './context.ts'

const MEDIA: Readonly<Record<Format, string>> = {
  arrow: calls.ARROW_TYPE,
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}
type About = Omit<Rows, 'bytes'> & { rows: number }

/** Rate limit per personal access token: enough for a notebook's loop, not for a crawl. */
const TOKEN_PACE = { burst: 60, perSecond: 4 }

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
      const viewer = await askerOf(request, context, paces)
      const { regionId, scope, request: input } = request.body as z.output<typeof calls.AnalyticsQuery>
      const format = formatOf(request.headers.accept)
      const checked = checkRequest(input)
      const manifest = readManifest(context.settings.dataFolder)
      const region = manifest?.regions.find(({ id }) => id === regionId)
      if (!manifest || !region) throw new FurlongError('not-found')
      const coming = scope === 'coming'
      if (coming && 'named' in checked) throw new FurlongError('bad-parameters', { reason: 'scope: coming' })
      const access = coming
        ? await comingAccess(context, viewer, regionId)
        : await accessOf(context, viewer, region, scope === 'own')
      const plan = planRequest(checked, access)
      const { asOf, ...files } = coming
        ? await comingSet(context.coming, manifest, region)
        : {
            files: filesFor(manifest, regionId, checked, plan.source, access).filter(
              (file) => access.scope !== 'public' || mayFetch(viewer, file, region.timeZone, now()),
            ),
            group: null,
            asOf: manifest.asOf,
          }
      const { bytes, rows, milliseconds } = await context.analytics.ask(files, plan.sql, plan.columns, format)
      const { sql: _sql, ...described } = plan
      return send(reply, format, bytes, { ...described, rows, milliseconds, computed: 'remote', asOf })
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

/** The caller: a signed-in customer, or the owner of a personal access token (`Authorization: Bearer`). */
async function askerOf(request: FastifyRequest, { service }: Context, paces: Paces): Promise<Viewer | null> {
  const { authorization } = request.headers
  const { database, now } = service
  if (authorization === undefined) return viewerOf(database, tokenOf(request), now())
  const viewer = await viewerOfAnalyticsToken(database, bearerOf(authorization), now())
  if (!paces.take(viewer.tokenHash, now().getTime())) throw new FurlongError('too-many', { seconds: 1 })
  return viewer
}

async function accessOf(
  { service }: Context,
  viewer: Viewer | null,
  region: Manifest['regions'][number],
  own: boolean,
): Promise<Access> {
  const scope = analyticsScope(viewer, own)
  if (scope !== 'races') return { scope }
  const from = oldestFreeDay(viewer, region.timeZone, service.now())!
  return { scope, raceKeys: await openedRaceKeys(service.database, viewer!.id, region.id, from) }
}

async function comingAccess({ service }: Context, viewer: Viewer | null, regionId: string): Promise<Access> {
  const scope = comingScope(viewer)
  return scope === 'all'
    ? ALL_COMING
    : { scope, raceKeys: await openedComingKeys(service.database, viewer!.id, regionId) }
}

/**
 * The files that answer a request; without the right to them, no entitled file is opened, not even for daily
 * totals.
 */
function filesFor(
  manifest: Manifest,
  regionId: string,
  request: Request,
  source: string,
  access: Access,
): DatasetFile[] {
  const entitled = access.scope !== 'public'
  const choose = (model: Parameters<typeof chooseFiles>[1]['model']): DatasetFile[] =>
    chooseFiles(manifest, { regionId, model, entitled, extra: needsExtraFiles(request) })
  // Daily totals are in separate files, so no record needs to be opened for them.
  const models = source === DAILY_TOTALS.table ? [] : neededModels(request)
  const chosen = models.length === 0 ? choose(null) : models.flatMap(choose)
  return [...new Set(chosen)]
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
 * Opens in advance the file sets most likely to be queried first: daily totals, and the records of each
 * region's best model.
 */
export async function warmAnalytics({ analytics, settings }: Context): Promise<void> {
  const warm = (files: DatasetFile[]): Promise<void> => analytics.warm({ files, group: null })
  const manifest = readManifest(settings.dataFolder)
  if (!manifest) return
  for (const { id: regionId } of manifest.regions) {
    const models = manifest.files.flatMap((file) =>
      file.regionId === regionId && file.model !== null ? [file.model] : [],
    )
    const model = MODEL_ORDER.find((each) => models.includes(each))
    await warm(chooseFiles(manifest, { regionId, model: null, entitled: false }))
    if (model) await warm(chooseFiles(manifest, { regionId, model, entitled: true }))
  }
}
