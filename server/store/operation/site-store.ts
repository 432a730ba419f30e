import { bulkInsert, type InsertTable } from '../../db/bulk-upsert.ts'
import { first, firstValue, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

export async function readConfig({ rows }: Queries): Promise<Map<string, string>> {
  const items = await rows<{ code: string; value: string }>('select code, value from config_item')
  return new Map(items.map(({ code, value }) => [code, value]))
}

/**
 * Invalidates cached settings, plans and ads. Call it after the write, so that old values are not cached
 * again.
 */
export async function bumpSite({ rows }: Queries): Promise<void> {
  await rows(
    `insert into setting as s (name, value) values ('site-revision', '1')
     on conflict (name) do update set value = (s.value::bigint + 1)::text`,
  )
}

export async function writeConfig(queries: Queries, code: string, value: string): Promise<void> {
  await queries.rows(
    `insert into config_item (code, value) values ($1, $2) on conflict (code) do update set value = excluded.value`,
    [code, value],
  )
  await bumpSite(queries)
}

export interface Ad {
  id: string
  type: string
  url: string
  link: string | null
}

export const listAds = ({ rows }: Queries, position: string): Promise<Ad[]> =>
  rows('select id, type, url, link from ad where position = $1 order by sort, id', [position])

export async function insertAd(
  queries: Queries,
  ad: { position: string; url: string; link: string | null; sort: number },
): Promise<string> {
  const id = newId()
  await queries.rows(
    `insert into ad (id, position, type, url, link, sort) values ($1::uuid, $2, 'image', $3, $4, $5)`,
    [id, ad.position, ad.url, ad.link, ad.sort],
  )
  await bumpSite(queries)
  return id
}

export async function removeAd(queries: Queries, id: string): Promise<boolean> {
  const removed = await queries.rows('delete from ad where id = $1::uuid returning id', [id])
  await bumpSite(queries)
  return removed.length === 1
}

export async function insertVisit(
  { rows }: Queries,
  visit: { clientId: string; page: string; channel: string; customerId: string | null },
  now: Date,
): Promise<void> {
  await rows(
    'insert into visit (id, client_id, page, channel, customer_id, at) values ($1::uuid, $2, $3, $4, $5::uuid, $6)',
    [newId(), visit.clientId, visit.page, visit.channel, visit.customerId, now],
  )
}

export async function sweepVisits({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from visit where at < $1', [before])
}

export interface StoredFile {
  mediaType: string
  content: Uint8Array
}

export async function insertFile(
  { rows }: Queries,
  file: StoredFile & { id: string; customerId: string },
  now: Date,
): Promise<void> {
  await rows(
    'insert into stored_file (id, customer_id, media_type, content, created_at) values ($1::uuid, $2::uuid, $3, $4, $5)',
    [file.id, file.customerId, file.mediaType, file.content, now],
  )
}

export const readFile = (queries: Queries, id: string): Promise<StoredFile | null> =>
  first(queries, 'select media_type, content from stored_file where id = $1::uuid', [id])

export const countFiles = async (queries: Queries, customerId: string): Promise<number> =>
  (await firstValue<number>(queries, 'select count(*) from stored_file where customer_id = $1::uuid', [
    customerId,
  ]))!

export interface PushEvent {
  id: string
  kind: 'odds' | 'result' | 'tip' | 'order'
  raceId: string | null
  customerId: string | null
  body: string
  createdAt: string
}

const EVENT = `id, kind, race_id, customer_id, body, created_at`

const PUSH_EVENT: InsertTable<PushEvent> = {
  name: 'push_event',
  columns: { uuid: ['id', 'customerId'], text: ['kind', 'raceId', 'body'], timestamptz: ['createdAt'] },
}

export async function insertEvents(
  queries: Queries,
  events: readonly Omit<PushEvent, 'id' | 'createdAt'>[],
  now: Date,
): Promise<void> {
  const createdAt = now.toISOString()
  await bulkInsert(
    queries,
    PUSH_EVENT,
    events.map((event) => ({ ...event, id: newId(), createdAt })),
  )
}

/** Race statuses for which an event of each kind is recorded. */
const STATUSES_OF_EVENT = {
  tip: ['scheduled'],
  odds: ['scheduled'],
  result: ['final', 'abandoned'],
} as const

/** Records an event for those of the races that are today, yesterday or later: older races are not pushed. */
export async function noteRaceEvents(
  queries: Queries,
  kind: keyof typeof STATUSES_OF_EVENT,
  raceIds: readonly string[],
  now: Date,
): Promise<void> {
  if (raceIds.length === 0) return
  const races = await queries.rows<{ id: string }>(
    `select id from race where id = any($1::text[]) and status = any($2::text[]) and race_date >= $3::date - 1 order by id`,
    [raceIds, STATUSES_OF_EVENT[kind], now.toISOString().slice(0, 10)],
  )
  const events = races.map(({ id }) => ({ kind, raceId: id, customerId: null, body: '' }))
  await insertEvents(queries, events, now)
}

/** Events created since an instant with ids after `after`, ordered by id. */
export const eventsSince = (
  { rows }: Queries,
  from: Date,
  after: string | null,
  limit: number,
): Promise<PushEvent[]> =>
  rows(
    `select ${EVENT} from push_event where created_at >= $1 and ($2::uuid is null or id > $2::uuid)
     order by push_event.id limit $3`,
    [from, after, limit],
  )

export async function sweepEvents({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from push_event where created_at < $1', [before])
}

/** A text that changes whenever races, predictions, names, settings or ads change. */
export const readStamp = async (queries: Queries): Promise<string> =>
  (await firstValue<string>(
    queries,
    `select (select value from setting where name = 'identity')
       || ' ' || coalesce((select sum(revision) from partition_revision), 0)
       || ' ' || coalesce((select value from setting where name = 'site-revision'), '0')`,
  ))!
