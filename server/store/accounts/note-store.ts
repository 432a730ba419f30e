import type { Note, NoteSubject } from '../../../contract/api/note.ts'
import { anywhere, isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { Language } from '../../../domain/languages.ts'
import { nameIn, nameLanguageIn, withShownNumber } from '../racing/schedule.ts'

export interface NoteFilter {
  customerId: string
  regionId: string
  horseId: string | null
  viewId: string | null
  /** Notes on this race and on the horses in it. */
  raceId: string | null
  text: string | null
  limit: number
  offset: number
}

const raceJson = (language: Language): string =>
  `json_build_object('raceId', race.id, 'date', race.race_date,
     'stadiumName', coalesce(${nameIn(language, 'stadium')}, stadium.id), 'raceNo', race.race_no)`

const FOUND = `from note left join horse on horse.id = note.horse_id
   left join race on race.id = note.race_id left join stadium on stadium.id = race.stadium_id
   left join saved_view on saved_view.id = note.saved_view_id
   where note.customer_id = $1::uuid and note.region_id = $2
     and ($3::text is null or note.horse_id = $3)
     and ($4::uuid is null or note.saved_view_id = $4::uuid)
     and ($5::text is null or note.race_id = $5
       or note.horse_id in (select horse_id from runner where runner.race_id = $5))
     and ($6::text is null or concat_ws(' ', note.content, horse.name_en, horse.name_hant, horse.name_hans, horse.brand,
       saved_view.name, stadium.name_en, stadium.name_hant, stadium.name_hans, race.race_date) ilike $6)`

/** A page of a customer's notes, newest first, with their total number. */
export async function pageNotes(
  { rows }: Queries,
  filter: NoteFilter,
  language: Language,
): Promise<{ records: Note[]; total: number }> {
  const parameters = [
    filter.customerId,
    filter.regionId,
    filter.horseId,
    filter.viewId,
    filter.raceId,
    filter.text === null ? null : anywhere(filter.text),
  ]
  const [counted] = await rows<{ total: number }>(`select count(*)::int as total ${FOUND}`, parameters)
  const records = await rows<Note>(
    `select note.id, note.content, note.created_at, note.updated_at,
       case when note.horse_id is null then null else json_build_object('id', horse.id, 'number', horse.brand,
         'name', coalesce(${nameIn(language, 'horse')}, horse.brand), 'nameLanguage', ${nameLanguageIn(language, 'horse')},
         'next', (select ${raceJson(language)} from runner join race on race.id = runner.race_id
           join stadium on stadium.id = race.stadium_id
           where runner.horse_id = note.horse_id and race.status = 'scheduled' and runner.status = 'declared'
           order by race.race_date, race.race_no limit 1)) end as horse,
       case when note.race_id is null then null else ${raceJson(language)} end as race,
       case when note.saved_view_id is null then null else json_build_object('id', saved_view.id,
         'name', saved_view.name, 'address', saved_view.address) end as view
     ${FOUND} order by note.created_at desc, note.id desc limit $7 offset $8`,
    [...parameters, filter.limit, filter.offset],
  )
  return {
    records: records.map((note) => ({ ...note, horse: note.horse && withShownNumber(note.horse) })),
    total: counted!.total,
  }
}

/** SQL that finds a subject with id `$1` in a region `$2`; a view must belong to the customer `$3`. */
const SUBJECT = {
  horse: 'select 1 from horse where id = $1 and region_id = $2 and $3::uuid is not null',
  race: 'select 1 from race where id = $1 and region_id = $2 and $3::uuid is not null',
  view: 'select 1 from saved_view where id = $1::uuid and region_id = $2 and customer_id = $3::uuid',
} as const

/** Whether the region has such a subject. */
export const isNoteSubject = (
  queries: Queries,
  customerId: string,
  regionId: string,
  subject: NoteSubject,
  subjectId: string,
): Promise<boolean> => isAny(queries, SUBJECT[subject], [subjectId, regionId, customerId])

/** Stores a note and returns its id; `null` if the customer already has `max` notes in the region. */
export async function insertNote(
  { rows }: Queries,
  note: {
    customerId: string
    regionId: string
    subject: NoteSubject
    subjectId: string
    content: string
    max: number
    now: Date
  },
): Promise<string | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await rows('select 1 from customer where id = $1::uuid for no key update', [note.customerId])
  const idOf = (subject: NoteSubject): string | null => (note.subject === subject ? note.subjectId : null)
  const [made] = await rows<{ id: string }>(
    `insert into note (id, customer_id, region_id, horse_id, race_id, saved_view_id, content, created_at, updated_at)
     select $1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7, $8, $8 from note
     where customer_id = $2::uuid and region_id = $3 having count(*) < $9 returning id`,
    [
      newId(),
      note.customerId,
      note.regionId,
      idOf('horse'),
      idOf('race'),
      idOf('view'),
      note.content,
      note.now,
      note.max,
    ],
  )
  return made?.id ?? null
}

/** Replaces a note's text. Returns whether the customer had such a note. */
export const updateNote = (
  queries: Queries,
  customerId: string,
  id: string,
  content: string,
  now: Date,
): Promise<boolean> =>
  isAny(
    queries,
    `update note set content = $3, updated_at = $4 where id = $2::uuid and customer_id = $1::uuid returning id`,
    [customerId, id, content, now],
  )

export const removeNote = (queries: Queries, customerId: string, id: string): Promise<boolean> =>
  isAny(queries, 'delete from note where id = $2::uuid and customer_id = $1::uuid returning id', [
    customerId,
    id,
  ])
