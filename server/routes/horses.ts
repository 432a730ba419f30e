import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/horse.ts'
import { FurlongError } from '../../domain/errors.ts'
import { centsText } from '../../domain/money.ts'
import { listForm, listHorses, readHorse } from '../store/racing/race-store.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf, windowOf } from './paging.ts'

const EVERYBODY = { keep: 'everybody' } as const
const FORM_LINES = 200

export function horseRoutes(app: FastifyInstance, context: Context): void {
  const { reader } = context.service

  answerCall(
    app,
    context,
    calls.queryRaceHorse,
    async ({ query, language }) => {
      const filter = {
        regionId: query.countryRegionId ?? null,
        text: query.text ?? null,
        ...windowOf(query),
      }
      return pageOf(query, await listHorses(reader, filter, language))
    },
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryHorseInfo,
    async ({ query, language }) => {
      const horse = await readHorse(reader, query.id, language)
      if (horse === null) throw new FurlongError('not-found')
      const { seasonPrizeCents, totalPrizeCents, ...facts } = horse
      return {
        ...facts,
        seasonPrize: seasonPrizeCents === null ? null : centsText(seasonPrizeCents),
        totalPrize: totalPrizeCents === null ? null : centsText(totalPrizeCents),
        form: await listForm(reader, query.id, language, FORM_LINES),
      }
    },
    EVERYBODY,
  )
}
