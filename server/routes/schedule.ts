import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/racing.ts'
import { placeOfStadium } from '../../domain/stadium-places.ts'
import {
  listRegions,
  listSchedule,
  listStadiums,
  pageSchedule,
  pageSubscribed,
} from '../store/racing/schedule.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'
import { windowOf } from './paging.ts'

const EVERYBODY = { keep: 'everybody' } as const

/** Regions, racecourses and the races of a day or page. */
export function scheduleRoutes(app: FastifyInstance, context: Context): void {
  const { database, reader } = context.service

  answerCall(
    app,
    context,
    calls.queryCountryRegion,
    ({ language }) => listRegions(reader, language),
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryStadiumByCountryRegionId,
    async ({ query, language }) =>
      (await listStadiums(reader, query.countryRegionId, language)).map((stadium) => ({
        ...stadium,
        latitude: placeOfStadium(stadium.id)?.latitude ?? null,
        longitude: placeOfStadium(stadium.id)?.longitude ?? null,
      })),
    EVERYBODY,
  )

  answerCall(
    app,
    context,
    calls.queryRace,
    ({ query, language }) => listSchedule(reader, query.countryRegionId, query.today, language),
    EVERYBODY,
  )

  for (const [call, direction] of [
    [calls.queryRacePage, 'forward'],
    [calls.queryRacePageDesc, 'back'],
  ] as const) {
    answerCall(
      app,
      context,
      call,
      ({ query, language }) => {
        const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
        return pageSchedule(reader, page, direction, language)
      },
      EVERYBODY,
    )
  }

  answerCall(app, context, calls.queryRaceSubscribe, ({ query, viewer, language }) => {
    const page = { regionId: query.countryRegionId, today: query.today, ...windowOf(query) }
    return pageSubscribed(database, page, viewer.id, language)
  })
}
