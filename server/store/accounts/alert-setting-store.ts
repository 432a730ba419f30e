import {
  ALERT_CHANNELS,
  DEFAULT_KINDS,
  DEFAULT_PRICE_PERCENT,
  isViewKind,
  type AlertChannel,
  type AlertKind,
} from '../../../contract/alert-kinds.ts'
import type { Language } from '../../../domain/languages.ts'
import { first, isAny, type Parameter, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { AlertFacts } from '../operation/alert-store.ts'

/** How a customer wants to be told. */
export interface AlertChoice {
  language: Language
  kinds: Record<AlertChannel, AlertKind[]>
  /** Minutes after midnight, in the time zone of the race's region. */
  quiet: { from: number; to: number } | null
  pricePercent: number | null
  priceBelow: number | null
}

interface ChoiceRow {
  language: Language
  siteKinds: AlertKind[]
  pushKinds: AlertKind[]
  emailKinds: AlertKind[]
  quietFrom: number | null
  quietTo: number | null
  pricePercent: number | null
  priceBelow: number | null
  choseViews: boolean
}

/** What a customer chose; `null` if nothing was chosen yet. */
export async function readAlertChoice(queries: Queries, customerId: string): Promise<AlertChoice | null> {
  const row = await first<ChoiceRow>(
    queries,
    `select language, site_kinds, push_kinds, email_kinds, quiet_from, quiet_to, price_percent, price_below, chose_views
     from alert_setting where customer_id = $1::uuid`,
    [customerId],
  )
  if (row === null) return null
  const { language, siteKinds, pushKinds, emailKinds, quietFrom, quietTo, pricePercent, priceBelow } = row
  const withViews = (channel: AlertChannel, chosen: AlertKind[]): AlertKind[] =>
    row.choseViews ? chosen : [...new Set([...chosen, ...DEFAULT_KINDS[channel].filter(isViewKind)])]
  return {
    language,
    kinds: {
      site: withViews('site', siteKinds),
      push: withViews('push', pushKinds),
      email: withViews('email', emailKinds),
    },
    quiet: quietFrom === null ? null : { from: quietFrom, to: quietTo! },
    pricePercent,
    priceBelow,
  }
}

/** What applies until a customer chooses. */
export const defaultChoice = (language: Language): AlertChoice => ({
  language,
  kinds: Object.fromEntries(
    ALERT_CHANNELS.map((channel) => [channel, [...DEFAULT_KINDS[channel]]]),
  ) as AlertChoice['kinds'],
  quiet: null,
  pricePercent: DEFAULT_PRICE_PERCENT,
  priceBelow: null,
})

export async function writeAlertChoice(
  { rows }: Queries,
  customerId: string,
  { language, kinds, quiet, pricePercent, priceBelow }: AlertChoice,
): Promise<void> {
  await rows(
    `insert into alert_setting (customer_id, language, site_kinds, push_kinds, email_kinds, quiet_from, quiet_to,
       price_percent, price_below, chose_views)
     values ($1::uuid, $2, $3::text[], $4::text[], $5::text[], $6, $7, $8, $9, true)
     on conflict (customer_id) do update set language = excluded.language, site_kinds = excluded.site_kinds,
       push_kinds = excluded.push_kinds, email_kinds = excluded.email_kinds, quiet_from = excluded.quiet_from,
       quiet_to = excluded.quiet_to, price_percent = excluded.price_percent, price_below = excluded.price_below,
       chose_views = true`,
    [
      customerId,
      language,
      kinds.site,
      kinds.push,
      kinds.email,
      quiet?.from ?? null,
      quiet?.to ?? null,
      pricePercent,
      priceBelow,
    ],
  )
}

/** Stores what applies by default, so that channels that are added have kinds; a choice that was made stays. */
export async function ensureAlertChoice(
  queries: Queries,
  customerId: string,
  language: Language,
): Promise<void> {
  if ((await readAlertChoice(queries, customerId)) === null)
    await writeAlertChoice(queries, customerId, defaultChoice(language))
}

export interface AlertAddress {
  address: string
  confirmed: boolean
}

export const readAlertAddress = (queries: Queries, customerId: string): Promise<AlertAddress | null> =>
  first(
    queries,
    'select address, confirmed_at is not null as confirmed from alert_email where customer_id = $1::uuid',
    [customerId],
  )

/** Stores an address that its owner has still to confirm; it replaces the customer's earlier one. */
export async function writeAlertAddress(
  { rows }: Queries,
  {
    customerId,
    address,
    tokenHash,
    unsubscribeToken,
    tokenEndsAt,
    now,
  }: {
    customerId: string
    address: string
    tokenHash: string
    unsubscribeToken: string
    tokenEndsAt: Date
    now: Date
  },
): Promise<void> {
  await rows(
    `insert into alert_email (customer_id, address, agreed_at, token_hash, token_ends_at, unsubscribe_token)
     values ($1::uuid, $2, $3, $4, $5, $6)
     on conflict (customer_id) do update set address = excluded.address, agreed_at = excluded.agreed_at,
       confirmed_at = null, token_hash = excluded.token_hash, token_ends_at = excluded.token_ends_at,
       unsubscribe_token = excluded.unsubscribe_token`,
    [customerId, address, now, tokenHash, tokenEndsAt, unsubscribeToken],
  )
}

/** Confirms the address of a link; `false` if the link is unknown or too old. A second time changes nothing. */
export const confirmAddress = (queries: Queries, tokenHash: string, now: Date): Promise<boolean> =>
  isAny(
    queries,
    `update alert_email set confirmed_at = coalesce(confirmed_at, $2)
     where token_hash = $1 and (token_ends_at > $2 or confirmed_at is not null) returning customer_id`,
    [tokenHash, now],
  )

export async function removeAlertAddress({ rows }: Queries, customerId: string): Promise<void> {
  await rows('delete from alert_email where customer_id = $1::uuid', [customerId])
  await rows(`delete from alert where customer_id = $1::uuid and channel = 'email' and state = 'waiting'`, [
    customerId,
  ])
}

/** The customer of the link that ends messages; `null` if there is none, or the messages have ended. */
export const customerOfUnsubscribe = (
  queries: Queries,
  token: string,
): Promise<{ customerId: string } | null> =>
  first(queries, 'select customer_id from alert_email where unsubscribe_token = $1', [token])

/** Adds a browser of a customer; one that another customer used before is then this customer's. Returns its id. */
export async function writePushDevice(
  queries: Queries,
  device: { customerId: string; endpoint: string; p256dh: string; auth: string; max: number; now: Date },
): Promise<string | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await queries.rows('select 1 from customer where id = $1::uuid for no key update', [device.customerId])
  const others = await queries.rows(
    'select id from push_device where customer_id = $1::uuid and endpoint <> $2',
    [device.customerId, device.endpoint],
  )
  if (others.length >= device.max) return null
  const [row] = await queries.rows<{ id: string }>(
    `insert into push_device (id, customer_id, endpoint, p256dh, auth, created_at)
     values ($1::uuid, $2::uuid, $3, $4, $5, $6)
     on conflict (endpoint) do update set customer_id = excluded.customer_id, p256dh = excluded.p256dh,
       auth = excluded.auth returning id`,
    [newId(), device.customerId, device.endpoint, device.p256dh, device.auth, device.now],
  )
  return row!.id
}

export async function removePushDevice(
  { rows }: Queries,
  customerId: string,
  endpoint: string,
): Promise<void> {
  await rows('delete from push_device where customer_id = $1::uuid and endpoint = $2', [customerId, endpoint])
}

export async function dropPushDevice({ rows }: Queries, id: string): Promise<void> {
  await rows('delete from push_device where id = $1::uuid', [id])
}

export async function countPushDevices(queries: Queries, customerId: string): Promise<number> {
  const rows = await queries.rows('select from push_device where customer_id = $1::uuid', [customerId])
  return rows.length
}

/** All that delivery needs to know of a customer, as it stands now. */
export interface Recipient {
  vipEnd: string | null
  address: string | null
  unsubscribeToken: string | null
  endpoint: string | null
  p256dh: string | null
  auth: string | null
  quietFrom: number | null
  quietTo: number | null
}

/** The recipients of alerts, by the id of the alert; an alert whose customer has closed the account has none. */
export async function readRecipients(
  { rows }: Queries,
  alerts: readonly { id: string; customerId: string; deviceId: string | null }[],
): Promise<Map<string, Recipient>> {
  const found = await rows<Recipient & { alertId: string }>(
    `select alert_id, vip_end, alert_email.address, unsubscribe_token, endpoint, p256dh, auth, quiet_from, quiet_to
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as waiting (alert_id, customer_id, device_id)
     join customer on customer.id = waiting.customer_id and deleted_at is null
     left join alert_email on alert_email.customer_id = customer.id and confirmed_at is not null
     left join push_device on push_device.customer_id = customer.id and push_device.id = waiting.device_id
     left join alert_setting on alert_setting.customer_id = customer.id`,
    [
      alerts.map(({ id }) => id),
      alerts.map(({ customerId }) => customerId),
      alerts.map(({ deviceId }) => deviceId) as Parameter,
    ],
  )
  return new Map(found.map(({ alertId, ...recipient }) => [alertId, recipient]))
}

/** A row of the list on the site. */
export interface SiteAlert {
  id: string
  kind: AlertKind | 'test'
  raceId: string | null
  horseId: string | null
  facts: AlertFacts
  createdAt: string
  read: boolean
}

export const listSiteAlerts = ({ rows }: Queries, customerId: string, limit: number): Promise<SiteAlert[]> =>
  rows(
    `select id, kind, race_id, horse_id, facts, created_at, read_at is not null as read from alert
     where customer_id = $1::uuid and channel = 'site' and state = 'delivered'
     order by created_at desc, id desc limit $2`,
    [customerId, limit],
  )

export async function countUnread({ rows }: Queries, customerId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*)::int as count from alert
     where customer_id = $1::uuid and channel = 'site' and state = 'delivered' and read_at is null`,
    [customerId],
  )
  return row!.count
}

export async function markAlertsRead({ rows }: Queries, customerId: string, now: Date): Promise<void> {
  await rows(
    `update alert set read_at = $2 where customer_id = $1::uuid and channel = 'site' and read_at is null
       and state = 'delivered'`,
    [customerId, now],
  )
}
