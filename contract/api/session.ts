import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant } from './fields.ts'

/** Events of an account's sessions and credentials, which its owner is notified of. */
const SECURITY_EVENTS = [
  'sign-in-failed',
  'password-changed',
  'password-reset',
  'sessions-ended',
  'card-added',
  'withdrawal-asked',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number]

export const querySessions = endpoint('customer', 'GET /sys/api/customer/sessions', {
  summary: 'The customer’s sign-ins that are good, newest first, and what happened to the account lately',
  result: z.strictObject({
    sessions: z.array(z.strictObject({ signedInAt: instant, lastUsedAt: instant, current: z.boolean() })),
    events: z.array(z.strictObject({ kind: z.enum(SECURITY_EVENTS), at: instant })),
  }),
})

export const endOtherSessions = endpoint('customer', 'POST /sys/api/customer/endOtherSessions', {
  summary: 'Ends every sign-in of the customer but this one',
  result: z.strictObject({ ended: z.number().int() }),
})
