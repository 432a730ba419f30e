import * as calls from '../../contract/api/horse.ts'
import { queryHorsePace } from '../../contract/api/pace.ts'
import { FurlongError } from '../../domain/errors.ts'
import { horsePace } from '../services/race-pace.ts'
import { hasHorses, listMetRaces } from '../store/racing/head-to-head-store.ts'
import { listForm, listHorses, readHorse } from '../store/racing/race-store.ts'
import { EVERYBODY, found, moneyOf, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf } from './paging.ts'

const FORM_LINES = 200

export function horseRoutes(answer: Answer, context: Context): void {
  const { reader } = context.service

  answer(calls.queryRaceHorse, EVERYBODY, async ({ query, language }) => {
    const filter = { regionId: query.countryRegionId ?? null, text: query.text ?? null }
    return pageOf(query, (window) => listHorses(reader, { ...filter, ...window }, language))
  })

  answer(calls.queryHorseInfo, EVERYBODY, async ({ query, language }) => {
    const horse = found(await readHorse(reader, query.id, language))
    const { seasonPrizeCents, totalPrizeCents, ...facts } = horse
    return {
      ...facts,
      seasonPrize: moneyOf(seasonPrizeCents),
      totalPrize: moneyOf(totalPrizeCents),
      form: await listForm(reader, query.id, language, FORM_LINES),
    }
  })

  answer(queryHorsePace, EVERYBODY, ({ query, language }) => horsePace(reader, query.id, language))

  answer(calls.queryHeadToHead, EVERYBODY, async ({ query, language }) => {
    const { horseId, otherId } = query
    if (horseId === otherId) throw new FurlongError('bad-parameters', { reason: 'two different horses' })
    if (!(await hasHorses(reader, horseId, otherId))) throw new FurlongError('not-found')
    return { races: await listMetRaces(reader, horseId, otherId, language, FORM_LINES) }
  })
}
