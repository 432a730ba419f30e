import * as calls from '../../contract/api/follow.ts'
import { MAX_FOLLOWS } from '../../contract/follow-limit.ts'
import { FurlongError } from '../../domain/errors.ts'
import { insertFollow, isFollowTarget, listFollows, removeFollow } from '../store/accounts/follow-store.ts'
import { readStable } from '../store/accounts/stable-store.ts'
import { written, type Answer } from './answer.ts'
import type { Context } from './context.ts'

/** Routes for the horses, people, races and meetings that a customer follows. */
export function followRoutes(answer: Answer, context: Context): void {
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
