import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { queryCountryRegion, queryRace } from '../../contract/api/racing.ts'
import { linkSignIn, querySession } from '../../contract/api/session.ts'
import { useLink } from '../services/one-time-link.ts'
import { listRegions, listSchedule } from '../store/schedule.ts'
import { answer, languageOfRequest, requireVip, type Context } from './context.ts'

export function apiRoutes(app: FastifyInstance, context: Context): void {
  const api = app.withTypeProvider<ZodTypeProvider>()

  api.get(
    queryCountryRegion.path,
    { schema: { response: { 200: queryCountryRegion.response } } },
    async (request) => answer(await listRegions(context.database, languageOfRequest(request))),
  )

  api.get(
    queryRace.path,
    { schema: { querystring: queryRace.query, response: { 200: queryRace.response } } },
    async (request) => {
      const { countryRegionId, today } = request.query
      return answer(await listSchedule(context.database, countryRegionId, today, languageOfRequest(request)))
    },
  )

  api.get(querySession.path, { schema: { response: { 200: querySession.response } } }, async (request) => {
    const { role, expiresAt } = await requireVip(context, request)
    return answer({ role, expiresAt: expiresAt.toISOString() })
  })

  api.post(
    linkSignIn.path,
    { schema: { body: linkSignIn.body, response: { 200: linkSignIn.response } } },
    async (request) => {
      const { token, right } = await useLink(context.database, context.secret, request.body.code)
      return answer({ token, role: right.role, expiresAt: right.expiresAt.toISOString() })
    },
  )
}
