import { z } from 'zod'
import { isEmailAddress } from '../../domain/email-address.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { ALERT_KINDS } from '../alert-kinds.ts'
import { endpoint, type ResultOf } from './endpoint.ts'
import { instant, line } from './fields.ts'

/** As many alerts as the list on the site shows. */
export const MAX_SITE_ALERTS = 100

const kinds = z.array(z.enum(ALERT_KINDS)).max(ALERT_KINDS.length)
const minute = z.number().int().min(0).max(1439)

const choice = {
  /** Of e-mail and notifications; the list on the site is in the language of the site. */
  language: z.enum(LANGUAGES),
  kinds: z.strictObject({ site: kinds, push: kinds, email: kinds }),
  /** Minutes after midnight in the time zone of the race's region, in which nothing is sent. */
  quiet: z.strictObject({ from: minute, to: minute }).nullable(),
  /** A move of the price since the first of the day, in percent. */
  pricePercent: z.number().int().min(5).max(90).nullable(),
  /** A price that is told when it is reached from above. */
  priceBelow: z.number().min(1).max(1000).nullable(),
}

export const queryAlerts = endpoint('customer', 'GET /sys/api/customer/alerts', {
  summary: 'The newest alerts of the customer, as the customer may see them now',
  result: z.strictObject({
    unread: z.number().int(),
    alerts: z.array(
      z.strictObject({
        id: z.uuid(),
        title: z.string(),
        body: z.string(),
        /** Address of the screen that it leads to, behind the hash. */
        path: z.string(),
        createdAt: instant,
        read: z.boolean(),
      }),
    ),
  }),
})
export type SiteAlert = ResultOf<typeof queryAlerts>['alerts'][number]

export const queryUnreadAlerts = endpoint('customer', 'GET /sys/api/customer/unreadAlerts', {
  summary: 'How many alerts the customer has not read',
  result: z.strictObject({ unread: z.number().int() }),
})

export const markAlertsRead = endpoint('customer', 'POST /sys/api/customer/alertsRead', {
  summary: 'Marks all alerts as read',
  result: z.strictObject({ unread: z.literal(0) }),
})

export const queryAlertSettings = endpoint('customer', 'GET /sys/api/customer/alertSettings', {
  summary: 'How the customer is told of what happens to followed horses, people, races and meetings',
  result: z.strictObject({
    ...choice,
    /** Public key for which a browser asks its push service for a subscription. */
    pushKey: z.string(),
    /** Browsers that agreed to notifications. */
    devices: z.number().int(),
    /** Whether this installation sends e-mail. */
    emailOffered: z.boolean(),
    email: z.strictObject({ address: z.string(), confirmed: z.boolean() }).nullable(),
  }),
})
export type AlertSettings = ResultOf<typeof queryAlertSettings>

export const saveAlertSettings = endpoint('customer', 'POST /sys/api/customer/alertSettings', {
  summary: 'Changes of what, when and in which language the customer is told',
  body: z.strictObject(choice),
  result: z.strictObject({ saved: z.literal(true) }),
})

export const addAlertEmail = endpoint('customer', 'POST /sys/api/customer/alertEmail', {
  summary: 'Sends the link to an address with which its owner agrees to alerts there',
  body: z.strictObject({
    address: z.string().trim().refine(isEmailAddress, 'field.email'),
    /** The customer agrees to get alerts there. */
    agreed: z.literal(true),
  }),
  result: z.strictObject({ sent: z.literal(true) }),
})

export const removeAlertEmail = endpoint('customer', 'DELETE /sys/api/customer/alertEmail', {
  summary: 'Forgets the address',
  result: z.strictObject({ removed: z.literal(true) }),
})

const base64url = (maximum: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/, 'field.invalid')
    .max(maximum)

export const addPushDevice = endpoint('customer', 'POST /sys/api/customer/pushDevices', {
  summary: 'Adds a browser that agreed to notifications',
  body: z.strictObject({
    endpoint: z.url().max(1000),
    keys: z.strictObject({ p256dh: base64url(100), auth: base64url(50) }),
  }),
  result: z.strictObject({ added: z.literal(true) }),
})

export const removePushDevice = endpoint('customer', 'DELETE /sys/api/customer/pushDevices', {
  summary: 'Sends no more notifications to a browser',
  query: z.strictObject({ endpoint: line(1000) }),
  result: z.strictObject({ removed: z.literal(true) }),
})

export const testAlert = endpoint('customer', 'POST /sys/api/customer/alertTest', {
  summary: 'Sends a test on every channel of the customer',
  result: z.strictObject({ sent: z.literal(true) }),
})
