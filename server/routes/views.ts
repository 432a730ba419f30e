import { randomInt } from 'node:crypto'
import * as calls from '../../contract/api/view.ts'
import * as views from '../store/accounts/saved-view-store.ts'
import { found, written, type Answer } from './answer.ts'
import type { Context } from './context.ts'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const CODE_LENGTH = 10

/** Routes for views of the workspace, saved by name and shared by a short link. */
export function viewRoutes(answer: Answer, context: Context): void {
  const { database, now } = context.service

  answer(calls.querySavedViews, ({ viewer, query }) =>
    views.listSavedViews(database, viewer.id, query.countryRegionId),
  )

  answer(calls.saveView, async ({ viewer, body }) => {
    const code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    const { countryRegionId: regionId, ...view } = body
    const owned = { ...view, customerId: viewer.id, regionId, code, max: calls.MAX_VIEWS, now: now() }
    const saved = await database.transaction((queries) => views.writeSavedView(queries, owned))
    return written(saved, `${calls.MAX_VIEWS} views`)
  })

  answer(calls.changeSavedView, async ({ viewer, body: { id, name, up, followed, threshold, digest } }) => {
    const changed = await database.transaction(async (queries) => {
      const steps = [
        name !== undefined && (() => views.renameSavedView(queries, viewer.id, id, name, now())),
        up !== undefined && (() => views.moveSavedViewUp(queries, viewer.id, id)),
        followed !== undefined && (() => views.followSavedView(queries, viewer.id, id, followed)),
        threshold !== undefined && (() => views.setThreshold(queries, viewer.id, id, threshold)),
        digest !== undefined && (() => views.setDigest(queries, viewer.id, id, digest)),
      ]
      for (const step of steps) if (step !== false && !(await step())) return false
      return true
    })
    return { changed }
  })

  answer(calls.deleteSavedView, async ({ viewer, query }) => ({
    deleted: await views.deleteSavedView(database, viewer.id, query.id),
  }))

  answer(calls.querySharedView, async ({ query }) => found(await views.sharedView(database, query.code)))
}
