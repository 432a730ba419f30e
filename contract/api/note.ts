import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, horseId, instant, line, nameLanguage, page, paging, raceId, regionId, text } from './fields.ts'

/** Maximum notes per customer and region. */
export const MAX_NOTES = 2000

/** A note may be a list, so its line breaks are preserved. */
const content = text(2000)

/** The kind of thing that a note is about. */
const NOTE_SUBJECTS = ['horse', 'race', 'view'] as const
export type NoteSubject = (typeof NOTE_SUBJECTS)[number]
const SUBJECT_ID = { horse: horseId, race: raceId, view: z.uuid() } as const

const NotedRace = z.strictObject({
  raceId,
  date: day,
  stadiumName: z.string(),
  raceNo: z.number().int(),
})

const Note = z.strictObject({
  id: z.uuid(),
  content: z.string(),
  createdAt: instant,
  updatedAt: instant,
  /** The subject of the note; the other two are `null`. */
  horse: z
    .strictObject({
      id: z.string(),
      number: z.string(),
      name: z.string(),
      nameLanguage,
      /** The next race in which the horse is declared. */
      next: NotedRace.nullable(),
    })
    .nullable(),
  race: NotedRace.nullable(),
  view: z.strictObject({ id: z.uuid(), name: z.string(), address: z.string() }).nullable(),
})

export const queryNotes = endpoint('customer', 'GET /sys/api/customer/notes', {
  summary:
    'The customer’s notes of a region, the newest first: all, those with a text, or those on a subject',
  query: z.strictObject({
    ...paging,
    countryRegionId: regionId,
    horseId: horseId.optional(),
    viewId: z.uuid().optional(),
    /** Notes on the race and on its horses. */
    raceId: raceId.optional(),
    /** Searched in the note and in its subject's names, in every language. */
    text: line(60).optional(),
  }),
  result: page(Note),
})
export type Note = ResultOf<typeof queryNotes>['records'][number]

export const writeNote = endpoint('customer', 'POST /sys/api/customer/notes', {
  summary: 'Writes a note on a horse, a race or a saved view of one’s own',
  body: z
    .strictObject({
      countryRegionId: regionId,
      subject: z.enum(NOTE_SUBJECTS),
      subjectId: z.string().max(40),
      content,
    })
    .refine(({ subject, subjectId }) => SUBJECT_ID[subject].safeParse(subjectId).success, {
      message: 'field.invalid',
      path: ['subjectId'],
    }),
  result: z.strictObject({ id: z.uuid() }),
})

export const changeNote = endpoint('customer', 'POST /sys/api/customer/changeNote', {
  summary: 'Replaces the text of a note',
  body: z.strictObject({ id: z.uuid(), content }),
  result: z.strictObject({ changed: z.boolean() }),
})

export const deleteNote = endpoint('customer', 'DELETE /sys/api/customer/notes', {
  summary: 'Deletes a note',
  query: z.strictObject({ id: z.uuid() }),
  result: z.strictObject({ deleted: z.boolean() }),
})
