import * as calls from '../../contract/api/follow.ts'
import { MAX_FOLLOWS } from '../../contract/follow-limit.ts'
import * as marks from '../../contract/api/mark.ts'
import { MAX_MARKS } from '../../contract/mark-limits.ts'
import { FurlongError } from '../../domain/errors.ts'
import { insertFollow, isFollowTarget, listFollows, removeFollow } from '../store/accounts/follow-store.ts'
import { isMarkable, listMarks, readMarkRecord, replaceMark } from '../store/accounts/mark-store.ts'
import { readStable } from '../store/accounts/stable-store.ts'
import { written, type Answer } from './answer.ts'
import type { Context } from './context.ts'

/** Routes for what a customer follows, and for the customer's own marks of runners. */
export function stableRoutes(answer: Answer, context: Context): void {
  followRoutes(answer, context)
  markRoutes(answer, context)
}

function followRoutes(answer: Answer, context: Context): void {
  const { database, reader, now } = context.service

  answer(calls.queryFollows, ({ viewer }) => listFollows(database, viewer.id))

  answer(calls.queryStable, async ({ viewer, language }) =>
    readStable(reader, await listFollows(database, viewer.id), viewer.id, language),
  )

  answer(calls.follow, async ({ viewer, body }) =>
    database.transaction(async (queries) => {
      if (!(await isFollowTarget(queries, body.kind, body.target))) throw new FurlongError('not-found')
      const owned = { ...body, customerId: viewer.id, max: MAX_FOLLOWS, now: now() }
      return { followed: written(await insertFollow(queries, owned), `${MAX_FOLLOWS} followed`) }
    }),
  )

  answer(calls.unfollow, async ({ viewer, query }) => {
    await removeFollow(database, viewer.id, query.kind, query.target)
    return { followed: false as const }
  })
}

function markRoutes(answer: Answer, context: Context): void {
  const { database, now } = context.service

  answer(marks.queryMarks, ({ viewer, query }) => listMarks(database, viewer.id, query.raceId))

  answer(marks.writeMark, async ({ viewer, body: { raceId, horseId, ...mark } }) =>
    database.transaction(async (queries) => {
      if (!(await isMarkable(queries, raceId, horseId, now()))) throw new FurlongError('not-found')
      const owned = { customerId: viewer.id, raceId, horseId, mark, max: MAX_MARKS, now: now() }
      return { stored: written(await replaceMark(queries, owned), `${MAX_MARKS} marks`) }
    }),
  )

  answer(marks.queryMarkRecord, ({ viewer, query }) =>
    readMarkRecord(database, viewer.id, query.countryRegionId),
  )
}
