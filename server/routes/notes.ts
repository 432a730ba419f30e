import * as calls from '../../contract/api/note.ts'
import { FurlongError } from '../../domain/errors.ts'
import { insertNote, isNoteSubject, pageNotes, removeNote, updateNote } from '../store/accounts/note-store.ts'
import { written, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { pageOf } from './paging.ts'

/** Routes for a customer's private notes on horses, races and saved views. */
export function noteRoutes(answer: Answer, context: Context): void {
  const { database, now } = context.service

  answer(calls.queryNotes, async ({ viewer, query, language }) => {
    const { countryRegionId: regionId, horseId = null, viewId = null, raceId = null, text = null } = query
    const filter = { customerId: viewer.id, regionId, horseId, viewId, raceId, text }
    return pageOf(query, (window) => pageNotes(database, { ...filter, ...window }, language))
  })

  answer(calls.writeNote, async ({ viewer, body }) => {
    const { countryRegionId: regionId, ...note } = body
    return database.transaction(async (queries) => {
      if (!(await isNoteSubject(queries, viewer.id, regionId, note.subject, note.subjectId)))
        throw new FurlongError('not-found')
      const owned = { ...note, customerId: viewer.id, regionId, max: calls.MAX_NOTES, now: now() }
      const id = await insertNote(queries, owned)
      return { id: written(id, `${calls.MAX_NOTES} notes`) }
    })
  })

  answer(calls.changeNote, async ({ viewer, body }) => ({
    changed: await updateNote(database, viewer.id, body.id, body.content, now()),
  }))

  answer(calls.deleteNote, async ({ viewer, query }) => ({
    deleted: await removeNote(database, viewer.id, query.id),
  }))
}
