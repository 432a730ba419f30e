import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as note from '../../../contract/api/note.ts'
import { get, post, remove } from '../client/api-client.ts'

export type NotePage = ResultOf<typeof note.queryNotes>
export type Note = NotePage['records'][number]

/** Filters the notes of a region, newest first, by subject or text. */
export interface NoteQuery {
  countryRegionId: string
  horseId?: string
  raceId?: string
  viewId?: string
  text?: string
}

export const fetchNotes = (
  query: NoteQuery & { pageNo: number; pageSize?: number },
  signal?: AbortSignal,
): Promise<NotePage> => get('sys/api/customer/notes', { ...query }, signal)

export const writeNote = (body: {
  countryRegionId: string
  subject: note.NoteSubject
  subjectId: string
  content: string
}): Promise<ResultOf<typeof note.writeNote>> => post('sys/api/customer/notes', body)

export const changeNote = (id: string, content: string): Promise<ResultOf<typeof note.changeNote>> =>
  post('sys/api/customer/changeNote', { id, content })

export const deleteNote = (id: string): Promise<ResultOf<typeof note.deleteNote>> =>
  remove('sys/api/customer/notes', { id })
