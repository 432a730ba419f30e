import type { AlertChannel } from '../../contract/alert-kinds.ts'
import type { Language } from '../../domain/languages.ts'
import { isVipAt } from '../../domain/membership.ts'
import { Refusal, smtpGateway, type MailGateway } from '../gateways/mail.ts'
import { webPushGateway, type PushGateway } from '../gateways/web-push.ts'
import type { Database } from '../db/database.ts'
import { readSetting } from '../db/settings.ts'
import type { AlertSettings } from '../process/env.ts'
import { serverMessage } from '../process/messages.ts'
import { dropPushDevice, readRecipients, type Recipient } from '../store/accounts/alert-setting-store.ts'
import * as outbox from '../store/operation/alert-store.ts'
import type { Digest, WaitingAlert } from '../store/operation/alert-store.ts'
import { noteStarts } from '../store/operation/alert-events.ts'
import { escapeHtml } from '../process/plain-page.ts'
import { AlertGround } from './alert-ground.ts'
import { composeAlert, type ComposedAlert } from './alert-text.ts'
import { chartText } from './view-alert-text.ts'
import { quietEnd } from './quiet-hours.ts'
import { vapidKeys } from './vapid-keys.ts'

/** Longer than any gateway takes: whoever still has the lease is alive. */
const LEASE_MS = 30_000
const DAY_MS = 86_400_000
const MAX_ATTEMPTS = 7
const FIRST_RETRY_MS = 5000
/**
 * How many alerts are sent at the same time. A browser recognises a notification that is repeated, a mailbox does not: one message
 * is sent at a time, so that a killed process repeats at most that one.
 */
const AT_ONCE: Readonly<Record<AlertChannel, number>> = { site: 64, push: 32, email: 1 }
/** Name of the setting with the address at which the server listens, for workers without `FURLONG_SITE_URL`. */
export const SITE_ADDRESS = 'site-address'
export const UNSUBSCRIBE_PATH = '/sys/alerts/unsubscribe'

interface Post {
  mail: MailGateway | null
  push: PushGateway | null
  siteUrl: string
  perDay: number
}

interface Delivering {
  database: Database
  post: Post
  now: () => Date
}

/**
 * Delivers what is due in the outbox, and records the races that start soon. Returns how many alerts ended in which way.
 */
export async function deliverWaiting(
  database: Database,
  settings: AlertSettings | undefined,
  now: () => Date,
): Promise<Record<string, number>> {
  await database.transaction((queries) => noteStarts(queries, now()))
  const siteUrl = settings?.siteUrl ?? (await readSetting(database, SITE_ADDRESS)) ?? ''
  const mail = settings?.mail === undefined ? null : smtpGateway(settings.mail)
  // Push services want an address of the sender; without a public one, the name of the product.
  const subject = siteUrl.startsWith('https://') ? siteUrl : 'mailto:furlong@localhost.invalid'
  const push = settings && webPushGateway(await vapidKeys(database), subject, settings.pushServices)
  const post = { mail, push: push ?? null, siteUrl, perDay: settings?.perDay ?? 0 }
  const ends: Record<string, number> = {}
  const count = (end: string): void => void (ends[end] = (ends[end] ?? 0) + 1)
  try {
    const channels = [
      'site',
      ...(push ? ['push' as const] : []),
      ...(mail ? ['email' as const] : []),
    ] as const
    await Promise.all(channels.map((channel) => deliverChannel(channel, { database, post, now }, count)))
  } finally {
    mail?.close()
  }
  return ends
}

async function deliverChannel(
  channel: AlertChannel,
  delivering: Delivering,
  count: (end: string) => void,
): Promise<void> {
  const { database, now } = delivering
  for (;;) {
    const most = AT_ONCE[channel]
    const claim = { channels: [channel], most, now: now(), leaseMs: LEASE_MS }
    const alerts = await outbox.claimAlerts(database, claim)
    if (alerts.length > 0) {
      const batch = await readBatch(channel, alerts, delivering)
      await Promise.all(alerts.map(async (alert) => count(await deliver(alert, delivering, batch))))
    }
    if (alerts.length < most) return
  }
}

/** What alerts on their way at the same time have in common, read once for all. */
interface Batch {
  ground: AlertGround
  recipients: ReadonlyMap<string, Recipient>
  limit: DailyLimit
  endings: Endings
}

async function readBatch(
  channel: AlertChannel,
  alerts: readonly WaitingAlert[],
  { database, post, now }: Delivering,
): Promise<Batch> {
  const customerIds = [...new Set(alerts.map(({ customerId }) => customerId))]
  const since = new Date(now().getTime() - DAY_MS)
  const [ground, recipients, delivered] = await Promise.all([
    AlertGround.of(database, alerts),
    readRecipients(database, alerts),
    channel === 'site'
      ? new Map<string, number>()
      : outbox.countDelivered(database, customerIds, channel, since),
  ])
  return { ground, recipients, limit: new DailyLimit(post.perDay, delivered), endings: new Endings(database) }
}

/** Writes how alerts ended: those that end while others are being written are written together, after them. */
class Endings {
  private readonly database: Database
  private waiting: outbox.AlertEnding[] = []
  private writing: Promise<void> = Promise.resolve()
  private next: Promise<void> | null = null

  constructor(database: Database) {
    this.database = database
  }

  /** Resolves once it is stored. */
  add(ending: outbox.AlertEnding): Promise<void> {
    this.waiting.push(ending)
    this.next ??= this.writing
      .catch(() => {})
      .then(() => {
        const endings = this.waiting
        this.waiting = []
        this.next = null
        this.writing = outbox.endAlerts(this.database, endings)
        return this.writing
      })
    return this.next
  }
}

/** How much may still be sent to each customer on a channel: what is on its way counts as sent, whether it arrives or not. */
class DailyLimit {
  private readonly perDay: number
  private readonly delivered: ReadonlyMap<string, number>
  private readonly sending = new Map<string, Set<string>>()

  constructor(perDay: number, delivered: ReadonlyMap<string, number>) {
    this.perDay = perDay
    this.delivered = delivered
  }

  /** Counts an alert, unless the customer has had enough. */
  take({ customerId, notice }: WaitingAlert): boolean {
    const sending = this.sending.get(customerId) ?? new Set()
    this.sending.set(customerId, sending)
    const others = sending.size - (sending.has(notice) ? 1 : 0)
    if ((this.delivered.get(customerId) ?? 0) + others >= this.perDay) return false
    sending.add(notice)
    return true
  }
}

/** Delivers one alert; returns how it ended: as in `AlertEnd`, or `postponed` or `failed`, when it is tried again. */
async function deliver(
  alert: WaitingAlert,
  { database, post, now }: Delivering,
  { ground, recipients, limit, endings }: Batch,
): Promise<outbox.AlertEnd | 'postponed' | 'failed'> {
  const at = now()
  const end = async (state: outbox.AlertEnd, error: string | null = null): Promise<outbox.AlertEnd> => {
    await endings.add({ id: alert.id, attempts: alert.attempts, state, error, at: now() })
    return state
  }
  const recipient = recipients.get(alert.id)
  if (recipient === undefined || alert.expiresAt <= at.toISOString()) return end('expired')
  const reader = {
    customerId: alert.customerId,
    isVip: isVipAt(at, recipient.vipEnd),
    language: alert.language,
  }
  const composed = await composeAlert(ground, alert, reader, at)
  if (composed === null) return end('withheld')
  if (alert.channel === 'site') return end('delivered')
  const later = quietUntil(alert, recipient, composed, at)
  if (later !== null) {
    if (later.toISOString() >= alert.expiresAt) return end('expired')
    await outbox.postponeAlert(database, alert, later, null)
    return 'postponed'
  }
  if (alert.kind !== 'test' && !limit.take(alert)) return end('limited')
  try {
    await send(alert, recipient, composed, { post, at })
    return await end('delivered')
  } catch (error) {
    return afterFailure(alert, error, { database, now, end })
  }
}

interface Failing {
  database: Database
  now: () => Date
  end(state: outbox.AlertEnd, error: string): Promise<outbox.AlertEnd>
}

async function afterFailure(
  alert: WaitingAlert,
  error: unknown,
  { database, now, end }: Failing,
): Promise<outbox.AlertEnd | 'failed'> {
  const { message } = error as Error
  if (error instanceof Refusal) {
    if (alert.deviceId !== null) await dropPushDevice(database, alert.deviceId)
    return end('dead', message)
  }
  if (alert.attempts >= MAX_ATTEMPTS) return end('dead', message)
  const dueAt = new Date(now().getTime() + FIRST_RETRY_MS * 2 ** (alert.attempts - 1))
  await outbox.postponeAlert(database, alert, dueAt, message.slice(0, 200))
  return 'failed'
}

function quietUntil(
  { kind }: WaitingAlert,
  { quietFrom, quietTo }: Recipient,
  { timeZone }: ComposedAlert,
  at: Date,
): Date | null {
  // A test, and an alert without a race, are at no hour of a region.
  if (kind === 'test' || timeZone === null || quietFrom === null || quietTo === null) return null
  return quietEnd(at, timeZone, { from: quietFrom, to: quietTo })
}

async function send(
  alert: WaitingAlert,
  recipient: Recipient,
  { title, body, path, currency }: ComposedAlert,
  { post, at }: { post: Post; at: Date },
): Promise<void> {
  const url = `${post.siteUrl}/#${path}`
  if (alert.channel === 'email') {
    const { address, unsubscribeToken } = recipient
    if (address === null || unsubscribeToken === null || post.mail === null)
      throw new Refusal('no confirmed address')
    const unsubscribe = `${post.siteUrl}${UNSUBSCRIBE_PATH}?${new URLSearchParams({ token: unsubscribeToken }).toString()}`
    const text = serverMessage(alert.language, 'alert.mail', { title, body, url, unsubscribe })
    const digest = alert.facts.view?.digest
    const wording = currency && { language: alert.language, currency }
    const rich =
      digest && wording ? await richDigest(digest, wording, { title, body, url, unsubscribe }) : undefined
    const mail = { id: alert.id, to: address, subject: title, text, unsubscribe }
    await post.mail.send(rich === undefined ? mail : { ...mail, rich })
    return
  }
  const { endpoint, p256dh, auth } = recipient
  if (endpoint === null || p256dh === null || auth === null || post.push === null)
    throw new Refusal('no such browser')
  const seconds = Math.max(60, Math.round((Date.parse(alert.expiresAt) - at.getTime()) / 1000))
  await post.push.send(
    { endpoint, p256dh, auth },
    { title, body, tag: alert.id, path },
    { topic: alert.id.replaceAll('-', ''), seconds },
  )
}

/** The figures of a view as a page, with the line of its profit. */
async function richDigest(
  digest: Digest,
  { language, currency }: { language: Language; currency: string },
  { title, body, url, unsubscribe }: { title: string; body: string; url: string; unsubscribe: string },
): Promise<{ html: string; picture: Buffer | null }> {
  // Loaded for this alone: most deliveries have no picture.
  const { profitPicture } = await import('./view-chart.ts')
  const picture = await profitPicture(digest.profitToDate)
  const caption = chartText(digest, { language, currency })
  const chart =
    picture === null || caption === null
      ? ''
      : `<p><img src="cid:picture" width="600" height="200" style="max-width:100%;height:auto" alt="${escapeHtml(caption)}"><br>${escapeHtml(caption)}</p>`
  const say = (id: string): string => escapeHtml(serverMessage(language, id))
  return {
    html: `<!doctype html>
<html lang="${language}"><body style="font:16px/1.5 system-ui,sans-serif;max-width:640px">
<h1 style="font-size:20px">${escapeHtml(title)}</h1>
<p>${escapeHtml(body)}</p>
${chart}
<p><a href="${escapeHtml(url)}">${say('alert.digest.open')}</a></p>
<hr><p style="font-size:13px">${say('alert.notice')}<br><a href="${escapeHtml(unsubscribe)}">${say('alert.unsubscribe.button')}</a></p>
</body></html>`,
    picture,
  }
}
