import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/note.ts'
import { FurlongError } from '../../domain/errors.ts'
import { insertNote, isNoteSubject, pageNotes, removeNote, updateNote } from '../store/accounts/note-store.ts'
import { answerCall } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf, windowOf } from './paging.ts'

/** Routes for a customer's private notes on horses, races and saved views. */
export function noteRoutes(app: FastifyInstance, context: Context): void {
  const { database, now } = context.service

  answerCall(app, context, calls.queryNotes, async ({ viewer, query, language }) => {
    const { countryRegionId, horseId = null, viewId = null, raceId = null, text = null } = query
    const filter = {
      customerId: viewer.id,
      regionId: countryRegionId,
      horseId,
      viewId,
      raceId,
      text,
      ...windowOf(query),
    }
    return pageOf(query, await pageNotes(database, filter, language))
  })

  answerCall(app, context, calls.writeNote, async ({ viewer, body }) => {
    const { countryRegionId: regionId, subject, subjectId, content } = body
    return database.transaction(async (queries) => {
      if (!(await isNoteSubject(queries, viewer.id, regionId, subject, subjectId)))
        throw new FurlongError('not-found')
      const id = await insertNote(queries, {
        customerId: viewer.id,
        regionId,
        subject,
        subjectId,
        content,
        max: calls.MAX_NOTES,
        now: now(),
      })
      if (id === null)
        throw new FurlongError('bad-parameters', { reason: `at most ${calls.MAX_NOTES} notes` })
      return { id }
    })
  })

  answerCall(app, context, calls.changeNote, async ({ viewer, body }) => ({
    changed: await updateNote(database, viewer.id, body.id, body.content, now()),
  }))

  answerCall(app, context, calls.deleteNote, async ({ viewer, query }) => ({
    deleted: await removeNote(database, viewer.id, query.id),
  }))
}
