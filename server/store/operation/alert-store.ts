import {
  ALERT_KINDS,
  DEFAULT_KINDS,
  isViewKind,
  VIEW_KINDS,
  type AlertChannel,
  type AlertKind,
} from '../../../contract/alert-kinds.ts'
import type { SavedView } from '../../../contract/api/view.ts'
import type { Language } from '../../../domain/languages.ts'
import type { Interval } from '../../../domain/statistics.ts'
import type { Parameter, Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { enqueueJob } from './job-store.ts'

/** What happened, as far as it is not read again at delivery. */
export interface AlertFacts {
  horseNo?: number | null
  draw?: number
  jockeyId?: string
  /** Codes of the gear worn for the first time. */
  gear?: string[]
  place?: string
  odds?: number
  /** The first odds of the day. */
  firstOdds?: number
  abandoned?: true
  view?: ViewFacts
}

/** What happened to a saved view. The figures are those that its owner saw when it happened. */
export interface ViewFacts {
  id: string
  /** Whether they are of the whole history, which only VIPs see. */
  whole: boolean
  /** The races whose coming predictions match it, with the numbers of the first of them. */
  matches?: { raceId: string; raceNo: number; count: number; numbers: string[] }[]
  /** A limit, and what the figure is now. */
  passed?: NonNullable<SavedView['threshold']> & { now: number }
  digest?: Digest
}

/** The figures of a view, as the record states them; amounts in cents. */
export interface Digest {
  /** First and last race day. */
  from: string
  to: string
  rows: number
  hits: number
  /** A fraction of 1; `null` without a bet. */
  hitRate: number | null
  /** Bounds where too many dividends are unknown, `null` where neither is known. */
  profit: number | Interval | null
  return: number | Interval | null
  /** The profit to date at the end of race days, oldest first; empty where no single profit can be stated. */
  profitToDate: [day: string, cents: number][]
}

/** What customers may be told of: `targets` are the kinds and ids of what they follow. */
export interface AlertEvent {
  kind: AlertKind
  raceId: string
  /** Empty: the whole race. */
  horseId: string
  state: string
  facts: AlertFacts
  targets: readonly (readonly [kind: 'horse' | 'jockey' | 'trainer' | 'race' | 'meeting', id: string])[]
  expiresAt: Date
}

/** One thing to tell one customer; it becomes a row for each of the customer's channels. */
export interface Notice {
  customerId: string
  kind: AlertKind | 'test'
  raceId: string | null
  horseId: string | null
  facts: AlertFacts
  /** Two notices with the same key are one. */
  key: string
  expiresAt: Date
}

type EventName = Pick<AlertEvent, 'kind' | 'raceId' | 'horseId' | 'state'>

/** What tells an event from all others. */
export const eventKey = ({ kind, raceId, horseId, state }: EventName): string =>
  [kind, raceId, horseId, state].join(' ')

/**
 * Records events, and writes the outbox for those that are new: within the caller's transaction, so that an event and
 * its alerts are stored together or not at all.
 */
export async function noteAlertEvents(
  queries: Queries,
  events: readonly AlertEvent[],
  now: Date,
): Promise<void> {
  const isNew = await recordEvents(queries, events, now)
  const newEvents = events.filter((event) => isNew.has(eventKey(event)))
  await writeAlerts(queries, await noticesOf(queries, newEvents), now)
}

/** Records events; returns the keys of those that are new. */
export async function recordEvents(
  queries: Queries,
  events: readonly EventName[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set()
  const column = (value: (event: EventName) => string): string[] => events.map(value)
  const fresh = await queries.rows<{ key: string }>(
    `insert into alert_event (id, kind, race_id, horse_id, state, created_at)
     select *, $6::timestamptz from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
     on conflict do nothing returning concat_ws(' ', kind, race_id, horse_id, state) as key`,
    [
      column(() => newId()),
      column(({ kind }) => kind),
      column(({ raceId }) => raceId),
      column(({ horseId }) => horseId),
      column(({ state }) => state),
      now,
    ],
  )
  return new Set(fresh.map(({ key }) => key))
}

/** The followers of what events are about. */
async function noticesOf({ rows }: Queries, events: readonly AlertEvent[]): Promise<Notice[]> {
  const targets = events.flatMap((event, no) => event.targets.map(([kind, id]) => ({ no, kind, id })))
  if (targets.length === 0) return []
  const followers = await rows<{ no: number; customerId: string }>(
    `select distinct target.no, follow.customer_id
     from unnest($1::int[], $2::text[], $3::text[]) as target (no, kind, id)
     join follow on follow.kind = target.kind and follow.target = target.id
     join customer on customer.id = follow.customer_id and customer.deleted_at is null`,
    [targets.map(({ no }) => no), targets.map(({ kind }) => kind), targets.map(({ id }) => id)],
  )
  return followers.map(({ no, customerId }) => {
    const event = events[no]!
    const { kind, raceId, horseId, facts, expiresAt } = event
    return {
      customerId,
      kind,
      raceId,
      horseId: horseId === '' ? null : horseId,
      facts,
      key: eventKey(event),
      expiresAt,
    }
  })
}

/** What says something of predictions is delivered once it is known what its reader may see. */
const GATED: readonly AlertKind[] = ['tip', ...VIEW_KINDS]
/** Alerts on the site that show nothing that a role may not see need no delivery. */
const AT_ONCE: readonly string[] = [...ALERT_KINDS.filter((kind) => !GATED.includes(kind)), 'test']

/** The kinds of views that each channel has until the customer chooses. */
const VIEWS_OF = {
  site: DEFAULT_KINDS.site.filter(isViewKind),
  push: DEFAULT_KINDS.push.filter(isViewKind),
  email: DEFAULT_KINDS.email.filter(isViewKind),
}

/** Writes notices into the outbox, a row for each channel that its customer chose, and enqueues their delivery. */
export async function writeAlerts(queries: Queries, notices: readonly Notice[], now: Date): Promise<void> {
  if (notices.length === 0) return
  const column = (value: (notice: Notice) => Parameter): Parameter => notices.map(value) as Parameter
  const written = await queries.rows<{ state: string }>(
    `insert into alert (id, customer_id, channel, device_id, language, kind, race_id, horse_id, facts, dedupe_key,
       state, created_at, due_at, expires_at, delivered_at)
     select gen_random_uuid(), n.customer_id, channel.name, channel.device_id, coalesce(setting.language, 'en'), n.kind,
       n.race_id, n.horse_id, n.facts::jsonb, concat_ws(' ', n.key, channel.device_id),
       case when at_once.it then 'delivered' else 'waiting' end, $8, $8, n.expires_at,
       case when at_once.it then $8::timestamptz end
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
       as n (customer_id, kind, race_id, horse_id, facts, key, expires_at)
     left join alert_setting setting on setting.customer_id = n.customer_id
     cross join lateral (
       select 'site' as name, null::uuid as device_id
       where setting.customer_id is null or n.kind = any(setting.site_kinds) or n.kind = 'test'
         or not chose_views and n.kind = any($10::text[])
       union all
       select 'push', id from push_device
       where customer_id = n.customer_id
         and (n.kind = any(setting.push_kinds) or n.kind = 'test' or not chose_views and n.kind = any($11::text[]))
       union all
       select 'email', null from alert_email
       where customer_id = n.customer_id and confirmed_at is not null
         and (n.kind = any(setting.email_kinds) or n.kind = 'test' or not chose_views and n.kind = any($12::text[]))
     ) channel
     cross join lateral (select channel.name = 'site' and n.kind = any($9::text[]) as it) at_once
     on conflict do nothing returning state`,
    [
      column(({ customerId }) => customerId),
      column(({ kind }) => kind),
      column(({ raceId }) => raceId),
      column(({ horseId }) => horseId),
      column(({ facts }) => JSON.stringify(facts)),
      column(({ key }) => key),
      column(({ expiresAt }) => expiresAt.toISOString()),
      now,
      AT_ONCE,
      VIEWS_OF.site,
      VIEWS_OF.push,
      VIEWS_OF.email,
    ],
  )
  if (written.some(({ state }) => state === 'waiting')) await enqueueJob(queries, DELIVERY)
}

/** The job that delivers what waits. */
export const DELIVERY = { kind: 'alerts', payload: {} } as const

/** A row of the outbox that this process may deliver until its lease ends. */
export interface WaitingAlert {
  id: string
  customerId: string
  channel: AlertChannel
  deviceId: string | null
  language: Language
  kind: AlertKind | 'test'
  raceId: string | null
  horseId: string | null
  facts: AlertFacts
  /** What the customer is told, the same on each of the customer's browsers. */
  notice: string
  attempts: number
  createdAt: string
  expiresAt: string
}

/** SQL for the part of a row's key that is the same on each of the customer's browsers. */
const NOTICE = `coalesce(split_part(dedupe_key, ' ' || device_id, 1), dedupe_key)`

/** Leases at most `most` due alerts of some channels, the oldest first. */
export const claimAlerts = (
  { rows }: Queries,
  {
    channels,
    most,
    now,
    leaseMs,
  }: { channels: readonly AlertChannel[]; most: number; now: Date; leaseMs: number },
): Promise<WaitingAlert[]> =>
  rows(
    `update alert set attempts = attempts + 1, lease_until = $1::timestamptz + $2 * interval '1 millisecond'
     where id in (
       select id from alert where state = 'waiting' and due_at <= $1 and channel = any($3::text[])
         and (lease_until is null or lease_until <= $1)
       order by due_at, id limit $4 for update skip locked
     ) returning id, customer_id, channel, device_id, language, kind, race_id, horse_id, facts, ${NOTICE} as notice,
       attempts, created_at, expires_at`,
    [now, leaseMs, channels, most],
  )

export type AlertEnd = 'delivered' | 'dead' | 'withheld' | 'limited' | 'expired'

/** How an attempt ended, and why, if it did not succeed. */
export interface AlertEnding extends Pick<WaitingAlert, 'id' | 'attempts'> {
  state: AlertEnd
  error: string | null
  at: Date
}

/** Ends attempts that still have their alerts; the lease of a slower one has passed to another. */
export async function endAlerts({ rows }: Queries, endings: readonly AlertEnding[]): Promise<void> {
  await rows(
    `update alert set state = ended.state, lease_until = null, error = ended.error,
       delivered_at = case when ended.state = 'delivered' then ended.at end
     from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) as ended (id, attempts, state, error, at)
     where alert.id = ended.id and alert.attempts = ended.attempts and alert.state = 'waiting'`,
    [
      endings.map(({ id }) => id),
      endings.map(({ attempts }) => attempts),
      endings.map(({ state }) => state),
      endings.map(({ error }) => error) as Parameter,
      endings.map(({ at }) => at.toISOString()),
    ],
  )
}

/** Makes an alert wait until `dueAt`, after a failure or for the end of quiet hours. */
export async function postponeAlert(
  { rows }: Queries,
  { id, attempts }: Pick<WaitingAlert, 'id' | 'attempts'>,
  dueAt: Date,
  error: string | null,
): Promise<void> {
  await rows(
    `update alert set due_at = $3, lease_until = null, error = $4, attempts = attempts - case when $4::text is null then 1 else 0 end
     where id = $1::uuid and attempts = $2 and state = 'waiting'`,
    [id, attempts, dueAt, error],
  )
}

/** How many alerts of a channel each of the customers got since an instant; those without any are missing. */
export async function countDelivered(
  { rows }: Queries,
  customerIds: readonly string[],
  channel: AlertChannel,
  since: Date,
): Promise<Map<string, number>> {
  const found = await rows<{ customerId: string; count: number }>(
    `select customer_id, count(distinct ${NOTICE})::int as count from alert
     where customer_id = any($1::uuid[]) and channel = $2 and state = 'delivered' and delivered_at > $3 and kind <> 'test'
     group by customer_id`,
    [customerIds, channel, since],
  )
  return new Map(found.map(({ customerId, count }) => [customerId, count]))
}

/** Whether an alert can be delivered now, or a race begins of which nobody was told yet. */
export async function isAlertDue(queries: Queries, now: Date, startsBefore: Date): Promise<boolean> {
  const due = await queries.rows(
    `select from alert where state = 'waiting' and due_at <= $1 and (lease_until is null or lease_until <= $1) limit 1`,
    [now],
  )
  return due.length > 0 || (await startingRaces(queries, now, startsBefore)).length > 0
}

/** Races that start between two instants and whose start nobody was told of. */
export const startingRaces = (
  { rows }: Queries,
  now: Date,
  before: Date,
): Promise<{ id: string; startsAt: string; isFirst: boolean }[]> =>
  rows(
    `select race.id, starts_at, not exists (select from race as earlier
       where earlier.race_date = race.race_date and earlier.stadium_id = race.stadium_id
         and earlier.starts_at < race.starts_at) as is_first
     from race where status = 'scheduled' and starts_at > $1 and starts_at <= $2
       and not exists (select from alert_event where kind = 'start' and race_id = race.id)`,
    [now, before],
  )

/** Figures of the outbox for the metrics: rows of the last day by channel and state. */
export const readAlertFigures = (
  { rows }: Queries,
  now: Date,
): Promise<{ channel: AlertChannel; state: string; count: number; oldest: number }[]> =>
  rows(
    `select channel, state, count(*)::int as count,
       coalesce(extract(epoch from $1::timestamptz - min(due_at) filter (where due_at <= $1)), 0)::float8 as oldest
     from alert where created_at > $1::timestamptz - interval '1 day' or state = 'waiting' group by channel, state`,
    [now],
  )

/** Deletes alerts and events that are older than `before`. */
export async function sweepAlerts({ rows }: Queries, before: Date): Promise<void> {
  await rows('delete from alert where created_at < $1', [before])
  await rows('delete from alert_event where created_at < $1', [before])
}
